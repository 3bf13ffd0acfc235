"""Start LM Lab, or after --python its Python, whatever Python the system has."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

PROGRAM = "from lab.cli.main import program; program()"
FOREIGN = ("PYTHONHOME", "PYTHONNOUSERSITE", "PYTHONPATH", "PYTHONPLATLIBDIR", "PYTHONSTARTUP")
"""Variables that are meant for another Python."""


def command(arguments: Sequence[str]) -> list[str]:
    """Return the command line for the arguments of this script."""
    given = arguments[1:] if arguments[:1] == ["--python"] else ["-P", "-c", PROGRAM, *arguments]
    return [sys.executable, *given]


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the Python inside for the one that is given.

    What pip installs is the user's, in a folder that an update of the lab leaves alone.
    """
    home = given.get("LAB_HOME") or f"{given['LOCALAPPDATA']}\\lm-lab"
    return {
        "PIP_USER": "1",
        **{name: value for name, value in given.items() if name not in FOREIGN},
        "PYTHONUSERBASE": f"{home}\\python",
        "HF_HUB_DISABLE_XET": "1",  # its library is not here
    }


def main() -> int:
    """Run the command to its end and return its exit code."""
    with subprocess.Popen(command(sys.argv[1:]), env=environment(os.environ)) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # the process was told as well, and answers with its own exit code
                continue


if __name__ == "__main__":
    sys.exit(main())
