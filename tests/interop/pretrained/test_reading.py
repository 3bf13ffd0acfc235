"""Folders of pretrained models: what cannot be read is refused in a sentence that names the file and what to do."""

import hashlib
import json
import struct

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from safetensors.torch import load_file as load_torch
from safetensors.torch import save_file as save_torch

from lab.api import BadInput
from lab.host import Plugins
from lab.interop import load_pretrained
from lab.interop.pretrained.files import Weights


@pytest.fixture(scope="module")
def plugins():
    return Plugins.from_environment()


@pytest.fixture
def refusal(plugins):
    """Return the message for a folder that cannot be read."""

    def refusal(folder):
        with pytest.raises(BadInput) as caught:
            load_pretrained(folder, plugins)
        return caught.value.problem.line()

    return refusal


def logits(folder, plugins):
    with torch.no_grad():
        return load_pretrained(folder, plugins)(torch.arange(30)[None])


def sharded(folder, name="model-0000{}-of-00002.safetensors"):
    """Cut the weights of a folder in two."""
    tensors = load_file(folder / "model.safetensors")
    halves = [dict(list(tensors.items())[part::2]) for part in (0, 1)]
    places = {}
    for number, half in enumerate(halves, start=1):
        save_file(half, folder / name.format(number))
        places |= dict.fromkeys(half, name.format(number))
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": places}))
    return places


def changed(folder, change):
    """Change the tensors of a folder."""
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


# ---------------------------------------------------------------------------------------------------- what can be read


def test_a_folder_is_read_with_the_plugins_that_there_are(pretrained):
    model = load_pretrained(pretrained())
    assert not model.training
    assert model(torch.zeros(1, 5, dtype=torch.long)).shape == (1, 5, 262)


def test_shards_are_read_as_one(pretrained, plugins):
    whole, parts = pretrained("whole"), pretrained("parts")
    sharded(parts)
    assert logits(parts, plugins).equal(logits(whole, plugins))


@pytest.mark.parametrize("numbers", [torch.bfloat16, torch.float16, torch.float64])
def test_other_numbers_become_float32(pretrained, plugins, numbers):
    folder = pretrained()
    tensors = {name: tensor.to(numbers) for name, tensor in load_torch(folder / "model.safetensors").items()}
    save_torch(tensors, folder / "model.safetensors")
    model = load_pretrained(folder, plugins)
    assert {table.dtype for table in model.tables().values()} == {torch.float32}
    assert model.embedding.weight.equal(tensors["transformer.wte.weight"].float())


def test_names_without_the_prefix_and_masks_of_old_files_are_understood(pretrained, plugins):
    old, new = pretrained("old"), pretrained("new")
    tensors = load_file(old / "model.safetensors")
    tensors = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items()}
    tensors |= {"h.0.attn.bias": np.ones((1, 1, 32, 32), np.uint8), "lm_head.weight": tensors["wte.weight"].copy()}
    save_file(tensors, old / "model.safetensors")
    assert logits(old, plugins).equal(logits(new, plugins))


def test_links_are_followed_as_in_the_cache_of_hugging_face(pretrained, plugins, tmp_path):
    folder = pretrained()
    snapshot = tmp_path / "models--x--tiny" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    for file in folder.iterdir():
        (snapshot / file.name).symlink_to(file)
    assert logits(snapshot, plugins).equal(logits(folder, plugins))


def test_weights_that_are_no_numbers_are_read_with_a_warning(pretrained, plugins, reported):
    folder = pretrained()
    changed(folder, lambda tensors: tensors["transformer.ln_f.bias"].__setitem__(3, np.nan))
    load_pretrained(folder, plugins)
    (problem,) = reported
    assert "not all weights are finite numbers; the first are in transformer.ln_f.bias" in problem.line()


# ------------------------------------------------------------------------------------------------- what cannot be read


def test_what_is_no_folder_of_a_model_is_said(refusal, pretrained, tmp_path):
    empty, other, cache = tmp_path / "empty", tmp_path / "other", tmp_path / "models--gpt2"
    for folder in (empty, other, cache / "snapshots"):
        folder.mkdir(parents=True)
    (other / "poem.txt").write_text("a rose")
    assert "there is no such folder" in refusal(tmp_path / "nowhere")
    assert "is a file, not a folder" in refusal(pretrained() / "config.json")
    assert "the folder is empty" in refusal(empty)
    assert "holds no config.json" in refusal(other)
    assert "below snapshots" in refusal(cache)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no JSON", "is not JSON"),
        ("[1, 2]", "holds no table"),
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"model_type": ' + "1" * 5000 + "}", "is not JSON"),
        ('{"vocab_size": 3}', "names no kind of model"),
        (
            '{"model_type": "whisper"}',
            "names a kind of model that the lab cannot read. Allowed: albert, bart, bert, clip, distilbert",
        ),
        ('{"model_type": ["gpt2"]}', "names a kind of model that the lab cannot read"),
    ],
)
def test_a_config_that_is_none_is_refused(refusal, pretrained, content, message):
    folder = pretrained()
    (folder / "config.json").write_text(content)
    assert message in refusal(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n_layer", 10**30),
        ("n_layer", -1),
        ("n_layer", True),
        ("n_layer", 1_000_000),
        ("n_embd", "16"),
        ("n_embd", 1e300),
        ("vocab_size", 0),
        ("layer_norm_epsilon", "nan"),
        ("layer_norm_epsilon", -1.0),
        ("activation_function", "quicker_gelu"),
        ("scale_attn_by_inverse_layer_idx", True),
        ("add_cross_attention", True),
        ("quantization_config", {"bits": 4}),
        ("tie_word_embeddings", 1),
    ],
)
def test_a_key_that_cannot_be_followed_is_named(refusal, pretrained, key, value):
    line = refusal(pretrained(**{key: value}))
    assert line.startswith("config.json")
    assert key in line or "layers" in line


@pytest.mark.parametrize("key", ["n_layer", "n_embd", "n_positions", "vocab_size", "n_inner"])
def test_weights_of_other_shapes_than_the_config_says_are_refused_before_anything_is_built(refusal, pretrained, key):
    line = refusal(pretrained(**{key: 62}))
    assert "another shape than config.json defines" in line or "is missing in the weights" in line


def test_a_tensor_that_is_missing_or_has_no_place_is_named(refusal, pretrained):
    one, other = pretrained("one"), pretrained("other")
    changed(one, lambda tensors: tensors.pop("transformer.h.0.ln_1.bias"))
    changed(other, lambda tensors: tensors.update({"score.weight": np.ones((2, 16), "f4")}))
    assert "transformer.h.0.ln_1.bias: this tensor is missing" in refusal(one)
    assert "weights = score.weight: the weights hold 1 tensors that this model does not have" in refusal(other)


def test_numbers_of_another_kind_are_refused(refusal, pretrained):
    folder = pretrained()
    changed(folder, lambda tensors: tensors.update({"transformer.wpe.weight": np.ones((32, 16), np.int8)}))
    assert "holds numbers of the kind I8" in refusal(folder)


def test_pickled_weights_are_refused_with_the_reason(refusal, pretrained):
    folder = pretrained()
    (folder / "model.safetensors").unlink()
    assert "holds no weights" in refusal(folder)
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    line = refusal(folder)
    assert "pytorch_model.bin: these weights are not read: a pickled file can run any code" in line
    assert "safetensors" in line


@pytest.mark.parametrize("left", [0, 3, 50, 2000])
def test_a_truncated_file_is_refused(refusal, pretrained, left):
    file = pretrained() / "model.safetensors"
    file.write_bytes(file.read_bytes()[:left])
    assert refusal(file.parent).startswith("model.safetensors: is not a complete safetensors file")


def test_a_header_that_lies_is_refused(refusal, pretrained):
    file = pretrained() / "model.safetensors"
    header = json.dumps({"a": {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]}}).encode()
    file.write_bytes(struct.pack("<Q", len(header)) + header + b"0" * 64)
    assert "is not a complete safetensors file" in refusal(file.parent)


def test_a_shard_that_is_missing_or_lacks_a_tensor_is_named(refusal, pretrained):
    folder = pretrained()
    places = sharded(folder)
    first = folder / "model-00001-of-00002.safetensors"
    content = first.read_bytes()
    first.unlink()
    assert f"{first.name}: is missing, although model.safetensors.index.json lists it" in refusal(folder)
    first.symlink_to(folder / "nothing")
    assert f"{first.name}: is missing" in refusal(folder)
    first.unlink()
    first.write_bytes(content)
    index = {"weight_map": {**places, "transformer.more": first.name}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert "lacks 1 tensors that model.safetensors.index.json names: transformer.more" in refusal(folder)


@pytest.mark.parametrize(
    "place", ["../model.safetensors", "/etc/model.safetensors", "a\\b.safetensors", "C:x.safetensors", "x.bin", 7, None]
)
def test_an_index_never_leads_out_of_the_folder(refusal, pretrained, place):
    folder = pretrained()
    sharded(folder)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"transformer.wte.weight": place}}))
    assert "lists a file that is not a shard of this folder" in refusal(folder)


@pytest.mark.parametrize("index", ["[]", '{"weight_map": []}', "{}"])
def test_an_index_without_a_table_is_refused(refusal, pretrained, index):
    folder = pretrained()
    sharded(folder)
    (folder / "model.safetensors.index.json").write_text(index)
    assert "model.safetensors.index.json: " in refusal(folder)


def test_a_model_larger_than_the_memory_is_refused(refusal, pretrained, monkeypatch):
    free = type("Memory", (), {"available": 1000})
    monkeypatch.setattr("psutil.virtual_memory", lambda: free)
    assert "does not fit into memory" in refusal(pretrained())


def test_the_hash_of_the_weights_is_that_of_their_files(pretrained):
    folder = pretrained()
    whole = (folder / "model.safetensors").read_bytes()
    assert Weights(folder).sha256() == hashlib.sha256(whole).hexdigest()
