"""A run that was trained in the folders of somebody says in no file that leaves the machine who that is."""

import zipfile

from lab.base.problems import Problem
from lab.base.run_state import RunState
from lab.cli.main import main
from lab.runs import RunFolder

WHO = ("Mustermann", "my texts", "runs here", "lab home")
"""Parts of the paths of home, corpus and run."""
SETTINGS = (
    "architecture.layers=1", "architecture.width=8", "architecture.heads=1", "training.context_length=8",
    "training.batch_size=2", "training.sample_tokens=2", "training.threads=1", "training.evaluate_every=1",
)  # fmt: skip
FORMATS = ("lmlab", "csv", "parquet", "html", "tensorboard", "py")


def contents(folder):
    """Yield (name, bytes) of every file in a folder, and of every file in a bundle."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield file.name, file.read_bytes()
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                yield from ((f"{file.name}: {name}", archive.read(name)) for name in archive.namelist())


def test_no_part_of_a_home_is_in_a_run_or_in_what_is_exported_of_it(tmp_path, monkeypatch, capsys):
    user = tmp_path / "Max Mustermann"
    texts, runs, out = user / "my texts", user / "runs here", tmp_path / "out"
    for folder in (texts, runs, out):
        folder.mkdir(parents=True)
    (texts / "animals.txt").write_text("the cat sat on the mat. a dog ran to the hat.\n" * 40)
    monkeypatch.setenv("LAB_HOME", str(user / "lab home"))
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.chdir(runs)
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    recipe = texts / "my recipe.toml"
    recipe.write_text('[corpus]\nname = "file"\npath = "animals.txt"\n')
    words = ["train", "../my texts/my recipe.toml", "--steps", "2", "--out", str(runs / "run"), *settings]
    assert main(words) == 0, capsys.readouterr().err
    problem = Problem(f"cannot read '{texts / 'animals.txt'}'", field="corpus.path", value="../my texts/animals.txt")
    run = RunFolder.open(runs / "run")
    run.append_event({"event": "problem", **problem.as_dict()})
    run.update(state=RunState.FAILED, problem=problem)
    for form in FORMATS:
        assert main(["runs", "export", "run", str(out / f"run.{form}")]) == 0, capsys.readouterr().err
    assert main(["export", "run", str(out / "model")]) == 0, capsys.readouterr().err
    assert len(list(contents(out))) > 15
    told = [(name, part) for folder in (runs, out) for name, content in contents(folder) for part in WHO
            if part.encode() in content]  # fmt: skip
    assert told == []
