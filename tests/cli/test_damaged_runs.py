"""A run folder whose files are gone, cut off or garbage: a message that names what is wrong, never a traceback."""

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

NEEDED = ("recipe.toml", "run.json", "checkpoints/3/model.safetensors")
NOT_NEEDED = ("status.json", "metrics.sqlite", "checkpoints/3/training.safetensors", "checkpoints/3/state.json",
              "samples.jsonl")  # fmt: skip


def remove(file):
    file.unlink()


def empty(file):
    file.write_bytes(b"")


def cut(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def fill_with_garbage(file):
    file.write_bytes(bytes(range(256)) * 20)


def fill_with_other_json(file):
    file.write_text("[1, 2, 3]")


@pytest.fixture
def outcomes(lm_lab, run):
    """Run the commands that read a run, one after the other."""
    commands = (("evaluate", run), ("generate", run, "--prompt", "the", "--max-tokens", 3))
    return lambda: (lm_lab(*command) for command in commands)


damages = pytest.mark.parametrize("damage", [remove, empty, cut, fill_with_garbage, fill_with_other_json])


@pytest.mark.short("*-cut", "*-fill_with_other_json")
@damages
@pytest.mark.parametrize("name", NEEDED)
def test_a_damaged_file_is_reported(run, outcomes, name, damage):
    damage(run / name)
    for ended in outcomes():
        assert ended.code in (1, 2)
        assert ended.out == ""
        assert "failed:" not in ended.problem  # it is told as what it is, not as some exception


@damages
def test_a_run_whose_files_that_are_not_needed_are_all_damaged_is_read(run, outcomes, damage):
    for name in NOT_NEEDED:
        damage(run / name)
    for ended in outcomes():
        assert ended.code == 0, ended.err


@pytest.mark.short("*-cut", "*-remove")
@damages
@pytest.mark.parametrize("name", NOT_NEEDED)
def test_a_run_with_one_damaged_file_that_is_not_needed_is_read(run, lm_lab, name, damage):
    damage(run / name)
    ended = lm_lab("evaluate", run)
    assert ended.code == 0, ended.err


@pytest.mark.parametrize("name", NEEDED)
def test_the_message_names_the_file(run, lm_lab, name):
    fill_with_garbage(run / name)
    assert name.rpartition("/")[2] in lm_lab("evaluate", run).problem


def test_a_run_without_a_checkpoint_reports_it(run, lm_lab):
    shutil.rmtree(run / "checkpoints")
    ended = lm_lab("generate", run, "--prompt", "the")
    assert ended.code == 2
    assert "has no checkpoint" in ended.problem


@pytest.mark.parametrize(
    "facts",
    [{"vocabulary": None}, {"vocabulary": []}, {"vocabulary": {"characters": "aa"}}, {"vocabulary": {"characters": 5}},
     {"format": 99}, {"format": "x"}],
)  # fmt: skip
def test_damaged_facts_are_reported(run, lm_lab, facts):
    content = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(content | facts))
    ended = lm_lab("generate", run, "--prompt", "the")
    assert ended.code in (1, 2)
    assert ended.problem


def test_a_vocabulary_of_another_run_does_not_fit(run, lm_lab):
    content = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(content | {"vocabulary": {"characters": "the"}}))
    ended = lm_lab("generate", run, "--prompt", "the")
    assert ended.code == 1
    assert "this model has" in ended.problem


@pytest.mark.parametrize("corpus", [None, {}, {"sha256": 5}, "text"])
def test_a_run_without_a_record_of_its_text_needs_one(run, lm_lab, corpus):
    content = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(content | {"corpus": corpus}))
    ended = lm_lab("evaluate", run)
    assert ended.code == 1
    assert "--text FILE" in ended.problem


def test_an_empty_recipe_is_damaged_and_not_the_default_recipe(run, lm_lab):
    (run / "recipe.toml").write_text("\n")
    ended = lm_lab("evaluate", run)
    assert ended.code == 1
    assert "recipe.toml cannot be read: it is empty" in ended.problem
    assert "Use another copy of the run" in ended.problem


def test_a_recipe_changed_by_hand_no_longer_fits_the_checkpoint(run, lm_lab):
    recipe = run / "recipe.toml"
    recipe.write_text(recipe.read_text().replace("width = 16", "width = 18"))
    ended = lm_lab("evaluate", run)
    assert ended.code == 1
    assert "this model has" in ended.problem
    assert "Use another copy of the run" in ended.problem


@pytest.mark.parametrize("change", [
    lambda tables: {name: table.double() for name, table in tables.items()},
    lambda tables: dict(list(tables.items())[1:]),
    lambda tables: {**tables, "extra": torch.zeros(3)},
    lambda tables: {name: table[..., :1].contiguous() for name, table in tables.items()},
    lambda _: {"x": torch.zeros(0)},
])  # fmt: skip
@pytest.mark.parametrize("kind", ["run", "n_gram"])
def test_other_tables_are_refused_or_fit(request, lm_lab, kind, change):
    folder = request.getfixturevalue(kind)
    (file,) = folder.glob("checkpoints/*/model.safetensors")
    save_file(change(load_file(file)), file)
    ended = lm_lab("evaluate", folder)
    assert ended.code in (0, 1)
    assert ended.code == 0 or "Use another copy of the run" in ended.problem
