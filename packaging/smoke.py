#!/usr/bin/env python3
"""Try an installed LM Lab: its version, its check of the machine, a training of two steps, and a window.

    python3 packaging/smoke.py COMMAND

COMMAND is the installed `lm-lab`. The window trains for some seconds on a screen that nobody sees, and every part of it
is drawn. All it writes is in a folder that is gone at the end.
"""

import argparse
import json
import sys
import tempfile
import tomllib
from pathlib import Path

from release import ROOT, CannotBuildError, call, report

TRIALS = (
    ("check the machine", "doctor"),
    ("train two steps", "train quick-start --steps 2 --set architecture.width=32 --set training.context_length=32"),
    ("list the run", "runs list"),
    ("open the window", "--pictures pictures --seconds 3"),
)
"""What is tried after the version, with the arguments of the command."""
SCREEN = {
    "name": "tried", "x": 0, "y": 0, "width": 1600, "height": 1000, "dpr": 1, "logicalDpi": 96, "logicalBaseDpi": 96,
}  # fmt: skip
"""A screen that Qt has in memory."""


def try_out(command: Path) -> None:
    """Run the trials with a command.

    Raises:
        CannotBuildError: One failed, with what it printed, or the version is another one.
    """
    version = str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    printed = call(command, "--version")
    if version not in printed.split():
        raise CannotBuildError(f"The version should be {version}, and is {printed.strip()}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        Path(made, "screen.json").write_text(json.dumps({"screens": [SCREEN]}), encoding="ascii")
        environment = {"LAB_HOME": made, "QT_QPA_PLATFORM": "offscreen:configfile=screen.json"}
        for name, arguments in TRIALS:
            report(name)
            call(command, *arguments.split(), cwd=Path(made), environment=environment)
        if not list(Path(made, "pictures").glob("*.png")):
            raise CannotBuildError("The window left no pictures")


def main() -> int:
    """Try what the command line names and return the exit code."""
    summary, _, rest = (__doc__ or "").partition("\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=formatter)
    parser.add_argument("command", type=Path, metavar="COMMAND", help="the installed lm-lab")
    try:
        try_out(parser.parse_args().command.absolute())
    except CannotBuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    report("All passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
