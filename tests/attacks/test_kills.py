"""SIGKILL at many moments: what is there is whole, nothing is left after the next start, and names are free again."""

import os
import random
import shutil
import time

import pytest

from lab.base.files.temporary import sweep_all
from lab.base.folders import home, runs_folder
from lab.cli.main import main
from lab.runs.bundle import import_bundle

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")

SEED = 19
MOMENTS = 200
"""Kills of each command in the long form."""
DIES = """
import os, signal, sys
from pathlib import Path
from lab.runs import RunFolder, bundle
left = int(sys.argv[4])
def die(*_):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
source, target = Path(sys.argv[2]), Path(sys.argv[3])
if sys.argv[1] == "import":
    bundle.import_bundle(source, progress=die)
else:
    bundle.export_bundle(RunFolder.open(source), target, progress=die)
"""
COMMANDS = {
    "export": ("runs", "export", "{run}", "out.lmlab"),
    "table": ("runs", "export", "{run}", "out.csv"),
    "events": ("runs", "export", "{run}", "out.tensorboard"),
    "import": ("runs", "import", "{run}.lmlab"),
    "report": ("runs", "export", "{run}", "out.html"),
    "code": ("recipe", "link", "quick-start", "--svg", "out.svg"),
    "arpa": ("arpa", "export", "{run}", "out.arpa"),
}


def hidden(folder):
    """Return the names of hidden files in a folder."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")] if folder.exists() else []


@pytest.mark.parametrize("after", [0, 3])
def test_a_killed_import_leaves_nothing_and_the_next_has_its_name(child, counted, after):
    process = child("import", counted / "run.lmlab", "-", after, code=DIES)
    process.communicate(timeout=60)
    assert process.returncode == -9
    assert len(hidden(runs_folder())) == 1
    sweep_all()
    assert hidden(runs_folder()) == []
    assert import_bundle(counted / "run.lmlab").path == runs_folder() / "run"


def test_a_killed_export_leaves_nothing_and_the_old_file(child, counted, tmp_path):
    (tmp_path / "out.lmlab").write_bytes(b"old")
    child("export", counted / "run", tmp_path / "out.lmlab", 2, code=DIES).communicate(timeout=60)
    assert len(hidden(tmp_path)) == 1
    sweep_all()
    assert hidden(tmp_path) == []
    assert (tmp_path / "out.lmlab").read_bytes() == b"old"


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_killed_at_any_moment_can_be_given_again(child, counted, tmp_path, monkeypatch, tally, command):
    monkeypatch.chdir(tmp_path)
    tally.seeds(f"seed {SEED}")
    chance = random.Random(SEED)
    words = [word.replace("{run}", str(counted / "run")) for word in COMMANDS[command]]
    begin = time.monotonic()
    child(*words).communicate(timeout=120)
    whole = time.monotonic() - begin
    for _ in range(MOMENTS):
        tally.begin(command)
        for made in [*tmp_path.glob("out.*"), home()]:
            shutil.rmtree(made) if made.is_dir() else made.unlink(missing_ok=True)
        process = child(*words)
        time.sleep(chance.uniform(0, 1.1 * whole))
        process.kill()
        process.communicate()
        assert main(["runs", "list"]) == 0
        assert hidden(tmp_path) == hidden(runs_folder()) == []
        if "import" in words:
            is_there = (runs_folder() / "run" / "run.json").exists()
            assert main([*words]) == (2 if is_there else 0)
            assert [path.name for path in runs_folder().iterdir()] == ["run"]
        else:
            assert main([*words, "--overwrite"]) == 0
    tally.end()
