"""The check of the versions: of the lab, of Python, of the system, and of the packages that it needs."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from collections.abc import Iterator

from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.subject import Subject

NEEDED = ("torch", "numpy", "pydantic", "pluggy", "safetensors", "tokenizers", "filelock", "platformdirs", "psutil")
"""The packages without which nothing works."""
FOR_WINDOW = ("PySide6-Essentials", "pyqtgraph")
"""The packages that the window needs."""
TESTED: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "PySide6-Essentials": ((6, 10, 3), (6, 11)),
    "torch": ((2, 8), (3,)),
    "numpy": ((1, 26), (3,)),
}
"""The first version of a package that works, and the first that is known not to work or was not tried."""


def versions(subject: Subject) -> Iterator[Finding]:
    """Report the versions, what is missing, and what is known not to work."""
    del subject
    lab = version_of("lm-lab") or "of a folder"
    yield Finding(f"LM Lab {lab}, Python {platform.python_version()}, {platform.system()} {platform.release()}")
    if sys.version_info[:2] > (3, 14):
        yield Finding(
            f"Python {platform.python_version()} is newer than what the lab was tried with",
            Level.NOTE,
            remedy="If something fails, use Python 3.11 to 3.14",
        )
    for name in NEEDED:
        if version_of(name) is None:
            yield Finding(f"{name} is not installed", Level.WRONG, remedy="Install the lab again: pip install lm-lab")
    if any(version_of(name) is None for name in FOR_WINDOW):
        yield Finding(
            "the packages of the window are not installed",
            Level.NOTE,
            remedy="If you want the window: pip install 'lm-lab[window]'",
        )
    found = [f"{name} {version}" for name in (*NEEDED, *FOR_WINDOW) if (version := version_of(name)) is not None]
    yield Finding(f"packages: {', '.join(found)}")
    for name, (first, end) in TESTED.items():
        version = version_of(name)
        if version is not None and not first <= numbers_of(version) < end:
            allowed = f"{'.'.join(map(str, first))} or later, before {'.'.join(map(str, end))}"
            yield Finding(
                f"{name} {version} does not work with the lab, which needs {allowed}",
                Level.WRONG,
                remedy="Install the lab again, with its own versions: pip install --force-reinstall lm-lab",
            )


def version_of(package: str) -> str | None:
    """Return the version of an installed package; None if it is not installed, or its description is damaged."""
    try:
        return importlib.metadata.version(package)
    except Exception:  # noqa: BLE001 - a damaged description may raise anything
        return None


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: "2.8.0+cpu" is (2, 8, 0)."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()
