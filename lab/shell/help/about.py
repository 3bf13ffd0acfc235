"""The page about the lab itself: its version, what it runs on, and the licences of what is shipped with it."""

from __future__ import annotations

import functools
import importlib.metadata
import platform
import sys
from pathlib import Path

from lab.shell.help.library import Page
from lab.widgets.core.i18n import language, tr

LICENCES = Path("share", "lm-lab", "licences.md")
"""The table of the licences, below the prefix of a Python that is shipped with the lab; the texts are beside it."""
RUNS_ON = {"PyTorch": "torch", "NumPy": "numpy", "Qt": "PySide6-Essentials"}
"""Distributions by the names that users know."""


def about_page(prefix: Path | None = None) -> Page:
    """Return the page.

    Args:
        prefix: The prefix of the Python that runs the lab; None means that of this process. It holds a table of
            licences if the lab was installed with all that it needs, not by pip.
    """
    title = tr("About LM Lab")
    versions = ", ".join(f"{name} {_version(package)}" for name, package in RUNS_ON.items())
    paragraphs = [
        f"# {title}",
        tr("Version {version}, under the MIT License.", version=_version("lm-lab")),
        tr("It runs on {versions}.", versions=f"Python {platform.python_version()}, {versions}"),
        tr("It uses a network only for what you download or hand in, and sends nothing else anywhere."),
    ]
    licences = (prefix or Path(sys.prefix)) / LICENCES
    if licences.is_file():
        file = licences.with_suffix(".txt")
        paragraphs += [
            f"## {tr('Licences of what is shipped with it')}",
            tr("All texts are in {file}.", file=f"`{file}`"),
            licences.read_text(encoding="utf-8"),
        ]
    return Page("about", title, "", "\n\n".join(paragraphs), language.code)


@functools.cache
def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "–"
