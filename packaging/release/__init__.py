"""What is shipped: the lab with a Python, its packages and nothing else, as files that install without a network."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"
"""The files and templates of the Linux products."""
PYTHON = "3.11"
"""The version of the Python inside."""
System = Literal["linux", "windows", "macos"]
"""A system that the lab is shipped for."""


class Layout(NamedTuple):
    """Where the Python inside has its parts, below its prefix.

    Attributes:
        program: The interpreter.
        library: The folder of its own modules.
        site: The folder of packages.
    """

    program: str
    library: str
    site: str


LAYOUTS: dict[System, Layout] = {
    "linux": Layout("bin/python3", f"lib/python{PYTHON}", f"local/lib/python{PYTHON}/dist-packages"),
    "windows": Layout("python.exe", "Lib", "Lib/site-packages"),
    "macos": Layout("bin/python3", f"lib/python{PYTHON}", f"lib/python{PYTHON}/site-packages"),
}
"""The layouts; the Python for Linux is Debian's."""
EXTRAS = ("window", "documents", "exports", "figures", "grammars", "images")
"""The extras that are shipped; of the others, `datasets` needs a network, and the rest are for tests."""


class CannotBuildError(Exception):
    """Something that the user must put right before a build can succeed; the text says what and how."""


def call(*command: object, cwd: Path = ROOT, environment: Mapping[str, str] | None = None) -> str:
    """Run a command with additions to the environment and return what it printed on stdout.

    Raises:
        CannotBuildError: It is not installed, or it failed; with its last lines.
    """
    words = [str(word) for word in command]
    added = os.environ | (environment or {})
    try:
        ended = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace", cwd=cwd, env=added)
    except FileNotFoundError:
        raise CannotBuildError(f"{words[0]} is not installed") from None
    if ended.returncode != 0:
        printed = "\n".join((ended.stderr or ended.stdout).strip().splitlines()[-15:])
        raise CannotBuildError(f"{' '.join(words[:6])} … ended with {ended.returncode}:\n{printed}")
    return ended.stdout


def source_date() -> int:
    """Return the time that every file gets: SOURCE_DATE_EPOCH, or when the last commit was made; seconds since 1970."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or call("git", "log", "-1", "--format=%ct"))


def report(text: str) -> None:
    """Print a line about the progress of the build."""
    print(text, file=sys.stderr, flush=True)


def size_of(folder: Path) -> int:
    """Return the bytes of the files below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def megabytes(count: int) -> str:
    """Write a number of bytes in units of 10⁶."""
    return f"{count / 1e6:.1f} MB"
