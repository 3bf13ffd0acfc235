"""`lm-lab` without a command: the window, or the quick start in the terminal if no window can be opened."""

from __future__ import annotations

import argparse
import gc
import importlib.util
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lab.base import BadInput, Problem
from lab.base.files.writing import make_folder, named_by_user
from lab.base.notices import notify
from lab.cli.output import Progress
from lab.host import Plugins
from lab.recipes import is_link

LONGEST = 86_400.0
"""Longest training in seconds before pictures are taken."""

REMEDY = "Install them: pip install 'lm-lab[window]'"
"""The remedy if a package is missing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab` itself."""
    text = "a text, recipe, run or link to open"
    parser.add_argument("--open", metavar="FILE|LINK", action="append", default=[], help=text)
    parser.add_argument("--pictures", metavar="FOLDER", help="run the quick start, save pictures of the window, exit")
    parser.add_argument("--overwrite", action="store_true", help="replace pictures in that folder")
    parser.add_argument(
        "--seconds", metavar="N", default="20", help="seconds of training before pictures are taken (20)"
    )


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress, otherwise: Callable[[], int]) -> int:
    """Open the window.

    Args:
        arguments: The options.
        plugins: The plugins.
        progress: Prints notices, in the language of the window once it opens.
        otherwise: The function to call if there is no screen or no Qt.

    Raises:
        BadInput: An option cannot be used, or pictures are requested and Qt is not installed.
    """
    seconds = _seconds(arguments.seconds)
    files = [file if is_link(file) else str(Path(file).expanduser().absolute()) for file in arguments.open]
    pictures = None if arguments.pictures is None else Path(arguments.pictures).expanduser()
    what = missing()
    if what:
        if pictures is not None:
            raise BadInput(what, field="--pictures", remedy=REMEDY)
        _check_no_link(files, what)
        notify("info", f"{what}, so the quick start trains in the terminal. {REMEDY}")
        return otherwise()
    if pictures is not None:
        _make_folder(pictures, overwrite=arguments.overwrite)
    collects = gc.isenabled()
    gc.disable()  # beside imports it takes a sixth of the start; the window collects by itself
    try:
        from lab.shell.runtime.feature_check import skip_known_modules

        skip_known_modules()
        from lab.shell.app import has_screen, open_window

        if pictures is not None and not has_screen():
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
        if pictures is not None or has_screen():
            progress.line = _line_in_window
            return open_window(plugins, files, pictures, seconds)
    finally:
        if collects:
            gc.enable()
    _check_no_link(files, "there is no screen for the window")
    notify("info", "there is no screen for the window, so the quick start trains in the terminal")
    return otherwise()


def missing() -> str:
    """Return a message that names missing packages that the window needs; "" if none is missing."""
    names = [name for name in ("PySide6", "pyqtgraph") if importlib.util.find_spec(name) is None]
    return f"the window needs {' and '.join(names)}" if names else ""


def _line_in_window(problem: Problem) -> str:
    from lab.widgets.core.messages import problem_line

    return problem_line(problem)


def _check_no_link(files: list[str], what: str) -> None:
    """Refuse to train the quick start instead of showing a link.

    Raises:
        BadInput: A link was to be opened.
    """
    link = next((file for file in files if is_link(file)), None)
    if link is not None:
        remedy = "lm-lab recipe show LINK prints what is in it, lm-lab train LINK trains it"
        raise BadInput(f"{what}, so the link cannot be opened", field="--open", value=f"{link[:24]}…", remedy=remedy)


def _make_folder(folder: Path, *, overwrite: bool) -> None:
    try:
        with named_by_user():
            make_folder(folder)
    except BadInput as error:
        raise BadInput(replace(error.problem, field="--pictures")) from None
    if not overwrite and any(folder.iterdir()):
        remedy = "Choose another folder, or add --overwrite"
        raise BadInput("is not empty", field="--pictures", value=str(folder), remedy=remedy)


def _seconds(given: str) -> float:
    try:
        seconds = float(given)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST:
        raise BadInput("is not allowed", field="--seconds", value=given, allowed=f"number, 0 ≤ x ≤ {LONGEST:.0f}")
    return seconds
