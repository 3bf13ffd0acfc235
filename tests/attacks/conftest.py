"""What attacks share: a module of generators, and a run of an earlier training to attack."""

import shutil
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
for folder in (TESTS / "attacks", TESTS / "runs"):
    sys.path.insert(0, str(folder))  # attacking and damage are modules of the tests


@pytest.fixture
def target(tmp_path):
    """The folder of a finished run that a training wrote, with something of everything a run has."""
    from attacking import with_everything

    return with_everything(Path(shutil.copytree(TESTS / "gold/runs/2", tmp_path / "theirs" / "target")))
