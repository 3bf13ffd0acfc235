"""`lm-lab doctor`: check this machine, say what is wrong and what to do about it, and write a report to send."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import textwrap
from pathlib import Path

from lab.base.files.writing import check_output, write_file
from lab.cli.output import Progress, print_json, print_text
from lab.cli.window import missing
from lab.host import Plugins
from lab.workbench.doctor import Answer, Level, Result, Subject, as_data, ask_child, examine, report_json, report_text

DISPLAY = "lab.shell.doctor.display"
"""The program that asks Qt for screens and fonts."""
SIGNS = {Level.GOOD: " ", Level.NOTE: "i", Level.WRONG: "!"}
WIDEST = 110
"""Largest width of the text in columns."""
INDENT = "    "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab doctor`."""
    parser.add_argument("--report", metavar="FILE", help="write a report without names and paths (.txt or .json)")
    parser.add_argument("--overwrite", action="store_true", help="replace the file of the report")


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Check the machine, and print what was found.

    Returns:
        0 if nothing is wrong, 1 if something is.

    Raises:
        BadInput: The report cannot be written there.
        LabError: The disk is full.
    """
    file = None if arguments.report is None else Path(arguments.report).expanduser()
    if file is not None:
        check_output(file, overwrite=arguments.overwrite, field="--report")
    subject = Subject(plugins, _display)
    results = []
    for result in examine(subject, started=lambda title: progress.show(f"checking: {title} …")):
        progress.clear()
        results.append(result)
        if not arguments.json:
            _print(result)
    progress.clear()
    if file is not None:
        write_file(file, report_json(results) if file.suffix == ".json" else report_text(results), recorded=True)
    wrong = sum(finding.level is Level.WRONG for result in results for finding in result.findings)
    if arguments.json:
        print_json({"checks": as_data(results, details=True), "wrong": wrong})
    else:
        print_text("nothing is wrong" if not wrong else f"wrong: {wrong}")
    return int(wrong > 0)


def _display() -> Answer | None:
    """Ask Qt in a process of its own, which a missing display ends; None if the window is not installed."""
    if missing():
        return None
    if sys.platform == "linux" and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        return Answer(ended="no display")
    return ask_child(DISPLAY)


def _print(result: Result) -> None:
    print_text(result.title)
    width = min(shutil.get_terminal_size().columns, WIDEST)
    for finding in result.findings:
        _print_wrapped(f"{SIGNS[finding.level]} {finding.what}", width, "  ")
        for line in finding.detail.splitlines():
            _print_wrapped(line, width, INDENT)
        if finding.remedy:
            _print_wrapped(f"{finding.remedy}.", width, INDENT)


def _print_wrapped(line: str, width: int, indent: str) -> None:
    first = indent if indent == INDENT else ""
    print_text(textwrap.fill(line, width, initial_indent=first, subsequent_indent=indent, break_long_words=False))
