"""Checkpoints: complete or not there, never pickle, and with a clear problem when they are damaged."""

import errno
import json
import os

import pytest
import torch
from safetensors import SafetensorError

from lab.base import LabError
from lab.training.recording import checkpoints
from lab.training.recording.checkpoints import load_model_tables, load_training, packed, save_checkpoint, unpacked

MODEL = {"embedding.weight": torch.arange(6.0).reshape(2, 3), "scale": torch.tensor(2.0)}
TRAINING = {"optimizer/scale/step": torch.tensor(5.0)}
FACTS = {"step": 5, "tokens": 320, "carries": {}}
FILES = ["model.safetensors", "state.json", "training.safetensors"]


@pytest.fixture
def folder(tmp_path):
    """Return the path for a checkpoint."""
    return tmp_path / "checkpoints" / "5"


def save(folder, model=MODEL, training=TRAINING, facts=FACTS):
    save_checkpoint(folder, model=model, training=training, facts=facts)


def left(folder):
    return sorted(path.name for path in folder.parent.iterdir())


def load(folder):
    return load_model_tables(folder), *load_training(folder)


def test_what_was_saved_is_loaded(folder, same):
    save(folder)
    model, training, facts = load(folder)
    same(model, MODEL)
    same(training, TRAINING)
    assert facts == {"format": 1, **FACTS}
    assert sorted(path.name for path in folder.iterdir()) == FILES
    assert left(folder) == ["5"]


def test_a_checkpoint_holds_safetensors_and_json_and_nothing_that_could_run(folder):
    save(folder)
    for name in ("model.safetensors", "training.safetensors"):
        data = (folder / name).read_bytes()
        size = int.from_bytes(data[:8], "little")
        json.loads(data[8 : 8 + size])
    assert json.loads((folder / "state.json").read_text())["step"] == 5


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.bool])
def test_tensors_keep_their_dtype_bit_for_bit(folder, same, dtype):
    tensors = {"a": (torch.randn(3, 5) * 3).to(dtype), "empty": torch.empty(0, 4, dtype=dtype)}
    save(folder, model=tensors)
    same(load_model_tables(folder), tensors)
    assert load_model_tables(folder)["a"].dtype == dtype


def test_views_and_tensors_that_share_memory_are_saved_like_others(folder, same):
    base = torch.arange(24.0).reshape(4, 6)
    tensors = {
        "whole": base,
        "same": base,
        "part": base[1:3],
        "turned": base.T,
        "repeated": base[:1].expand(3, 6),
    }
    save(folder, training=tensors)
    same(load_training(folder)[0], tensors)


def test_a_gradient_is_not_saved(folder):
    save(folder, model={"p": torch.nn.Parameter(torch.ones(2))})
    assert not load_model_tables(folder)["p"].requires_grad


def test_a_checkpoint_made_again_replaces_the_old_one(folder):
    save(folder)
    save(folder, facts={**FACTS, "tokens": 640})
    assert load(folder)[2]["tokens"] == 640
    assert left(folder) == ["5"]


# ---- refused by the disk ----


@pytest.fixture(params=["model", "training", "state", "sync", "rename"])
def fill(request, monkeypatch):
    """Fill the disk, so that one file of the checkpoint no longer fits."""
    name_start, save_file = request.param, checkpoints.save_file

    def refuse(*arguments, **given):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def half(tensors, file, *more):
        if not file.name.startswith(name_start):
            return save_file(tensors, file, *more)
        file.write_bytes(b"half of i")
        raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")

    def fill():
        monkeypatch.setattr(checkpoints, "save_file", half)
        if name_start == "state":
            monkeypatch.setattr(checkpoints.json, "dumps", refuse)
        elif name_start == "sync":
            monkeypatch.setattr(checkpoints, "sync_tree", refuse)
        elif name_start == "rename":
            monkeypatch.setattr("pathlib.Path.replace", refuse)

    return fill


def test_of_a_checkpoint_that_does_not_fit_nothing_is_left(folder, fill):
    fill()
    with pytest.raises(LabError) as raised:
        save(folder)
    assert left(folder) == []
    problem = raised.value.problem
    assert "No space left on device" in problem.what
    assert problem.value == str(folder.parent)
    assert "Free some space" in problem.remedy


def test_a_checkpoint_that_does_not_fit_leaves_older_ones_as_they_are(folder, fill):
    save(folder.with_name("4"))
    fill()
    with pytest.raises(LabError):
        save(folder)
    assert left(folder) == ["4"]
    assert load(folder.with_name("4"))[2]["step"] == 5


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "checkpoints").write_text("a file")
    with pytest.raises(LabError) as raised:
        save(tmp_path / "checkpoints" / "5")
    assert raised.value.problem.field == "folder"


# ---- damaged ----


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder, name):
    save(folder)
    (folder / name).unlink()
    with pytest.raises(LabError, match="is missing") as raised:
        load(folder)
    assert raised.value.problem.field == f"5/{name}"
    assert raised.value.problem.remedy


def test_a_missing_checkpoint_is_reported(folder):
    with pytest.raises(LabError, match="is missing"):
        load(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "folder", "header"])
def test_a_damaged_file_is_named(folder, name, damage):
    save(folder)
    file = folder / name
    data = file.read_bytes()
    file.unlink()
    if damage == "folder":
        file.mkdir()
    else:
        file.write_bytes({
            "empty": b"",
            "cut": data[: len(data) - 3],
            "noise": b"\xff" * len(data),
            "header": (2**40).to_bytes(8, "little") + data[8:],
        }[damage])  # fmt: skip
    with pytest.raises(LabError) as raised:
        load(folder)
    assert raised.value.problem.field == f"5/{name}"


@pytest.mark.parametrize("text", ["[]", "5", "{}", '"format"', "null"])
def test_a_state_that_is_no_state_is_damaged(folder, text):
    save(folder)
    (folder / "state.json").write_text(text)
    with pytest.raises(LabError) as raised:
        load_training(folder)
    assert raised.value.problem.field == "5/state.json"


def test_a_checkpoint_of_a_newer_lab_is_reported_as_such(folder):
    save(folder)
    (folder / "state.json").write_text('{"format": 2}')
    with pytest.raises(LabError, match="newer"):
        load_training(folder)


# ---- states ----


@pytest.mark.parametrize(
    "state",
    [
        None,
        7,
        torch.arange(3.0),
        (torch.ones(2), torch.zeros(1)),
        [torch.ones(2), None, 4],
        {"position": 3, "blocks": ((torch.ones(2, 1), None), (None, [torch.zeros(2)]))},
        (),
        {},
        [],
    ],
)
def test_a_packed_state_is_tensors_and_json_and_comes_back_the_same(state):
    tensors = {}
    shape = json.loads(json.dumps(packed(state, "carry/0", tensors)))
    assert all(name.startswith("carry/0") for name in tensors)
    assert_same(unpacked(shape, tensors), state)


def assert_same(one, other):
    assert type(one) is type(other)
    if isinstance(one, torch.Tensor):
        assert torch.equal(one, other)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            assert_same(one[name], other[name])
    elif isinstance(one, tuple | list):
        assert len(one) == len(other)
        for mine, its in zip(one, other, strict=True):
            assert_same(mine, its)
    else:
        assert one == other


def test_a_state_whose_names_are_numbers_comes_back_with_numbers_through_a_file(folder):
    state = {"by layer": {0: torch.ones(2), 1: (torch.zeros(1), {"last": 3})}, "count": 5}
    tensors = {}
    shape = packed(state, "optimizer/weight", tensors)
    save(folder, training=tensors, facts={**FACTS, "optimizer": shape})
    _, loaded, facts = load(folder)
    again = unpacked(facts["optimizer"], loaded)
    assert list(again["by layer"]) == [0, 1]
    assert torch.equal(again["by layer"][0], torch.ones(2))
    assert again["by layer"][1][1] == {"last": 3}
    assert again["count"] == 5
