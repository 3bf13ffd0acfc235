"""Surveys of everything that the window can show, each made once in its own process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))  # checks and sights are modules of the tests and of the process that surveys


@pytest.fixture(scope="session")
def survey(manual_file):
    """Return the results of the checks for every sight: survey(theme, scale, "short" for fewer, "de" in German)."""
    made = {}

    def survey(theme, scale, *options):
        if (theme, scale, options) not in made:
            environment = os.environ | {"QT_SCALE_FACTOR": str(scale), "QT_QPA_PLATFORM": "offscreen"}
            command = [
                sys.executable,
                str(FOLDER / "sights.py"),
                theme,
                str(manual_file),
                *options,
            ]
            limit = 240 if "short" in options else 600  # seconds, on a busy machine
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=limit, check=False, cwd=FOLDER
            )
            made[theme, scale, options] = done
        done = made[theme, scale, options]
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)

    return survey
