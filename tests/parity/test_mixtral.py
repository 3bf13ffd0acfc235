"""Mixtral of Hugging Face's transformers, of small random models: the same logits here, and back there."""

import importlib
import json

import pytest
import torch

from lab.api import Task, Text
from lab.cli.main import main
from lab.host import Plugins
from lab.interop import load_pretrained
from lab.interop.pretrained.reading import inspect_pretrained
from lab.interop.pretrained.writing import write_pretrained
from lab.layers import AuxiliaryLosses
from lab.text.tokenizers.units import ByteTokenizer
from lab.workbench import SavedRun

VOCABULARY, POSITIONS = 60, 40
TOLERANCE = 5e-6
PLAIN = {
    "hidden_size": 32, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 4, "num_local_experts": 8, "num_experts_per_tok": 2, "max_position_embeddings": POSITIONS,
}  # fmt: skip
CASES = {
    "two of eight": PLAIN,
    "grouped keys and values, window 8": {**PLAIN, "num_key_value_heads": 2, "sliding_window": 8},
    "one of three, tied, head_dim 12": {
        **PLAIN, "num_local_experts": 3, "num_experts_per_tok": 1, "tie_word_embeddings": True, "head_dim": 12,
    },
    "all of four, GEGLU, another base": {
        **PLAIN, "num_local_experts": 4, "num_experts_per_tok": 4, "hidden_act": "gelu",
        "rope_parameters": {"rope_type": "default", "rope_theta": 5e3},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def plugins():
    return Plugins.from_environment()


@pytest.fixture(scope="module")
def tokens():
    return torch.randint(0, VOCABULARY, (2, POSITIONS), generator=torch.Generator().manual_seed(1))


def random_model(hf, settings):
    """A model of transformers with random weights, large enough that an error shows."""
    torch.manual_seed(0)
    settings = {"vocab_size": VOCABULARY, "bos_token_id": 0, "eos_token_id": 0, **settings}
    config = hf.MixtralConfig(**settings)
    model = hf.MixtralForCausalLM(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


@pytest.fixture(scope="module")
def theirs(hf, tmp_path_factory, tokens):
    """Folder and logits of each case."""
    made = {}
    for name, settings in CASES.items():
        model, folder = random_model(hf, settings), tmp_path_factory.mktemp("theirs")
        model.save_pretrained(folder)
        with torch.no_grad():
            made[name] = folder, model(tokens).logits
    return made


@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_gives_the_same_logits_here(theirs, plugins, tokens, name):
    folder, logits = theirs[name]
    with torch.no_grad():
        ours = load_pretrained(folder, plugins)(tokens)
    assert logits.abs().max() > 1
    assert float((ours - logits).abs().max()) < TOLERANCE


@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_comes_back_the_same_tensor_by_tensor_and_with_identical_logits(
    hf, theirs, plugins, tokens, tmp_path, name
):
    folder, logits = theirs[name]
    found, out = inspect_pretrained(folder, plugins), tmp_path / "out"
    write_pretrained(
        load_pretrained(folder, plugins), ByteTokenizer(), out, plugins, architecture="moe", model_type="mixtral",
        before=found.config,
    )  # fmt: skip
    before, after = (tensors_of(each) for each in (folder, out))
    assert before.keys() == after.keys()
    assert all(after[name].equal(tensor) for name, tensor in before.items())
    again = hf.AutoModelForCausalLM.from_pretrained(out).eval()
    with torch.no_grad():
        assert again(tokens).logits.equal(logits)


def tensors_of(folder):
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def test_it_is_imported_as_a_run_and_exported_from_it(hf, pretrained, plugins, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "lab.text.corpora.manual.read_manual", lambda config: Text("the cat sat on the mat. " * 99, "manual")
    )
    folder, model = tmp_path / "mixtral", random_model(hf, {**PLAIN, "vocab_size": 262, "sliding_window": 8})
    model.save_pretrained(folder)
    (pretrained() / "tokenizer.json").rename(folder / "tokenizer.json")
    assert main(["import-checkpoint", str(folder), "--out", str(tmp_path / "run")]) == 0
    assert main(["export", str(tmp_path / "run"), str(tmp_path / "out")]) == 0
    tokens = torch.arange(POSITIONS)[None] + 200
    again = hf.AutoModelForCausalLM.from_pretrained(tmp_path / "out").eval()
    with torch.no_grad():
        theirs = model(tokens).logits
        assert float((SavedRun.find(tmp_path / "run", plugins).model()(tokens) - theirs).abs().max()) < TOLERANCE
        assert again(tokens).logits.equal(theirs)


def test_experts_that_are_not_renormalised_would_be_seen(theirs, plugins, tokens):
    folder, logits = theirs["two of eight"]
    model = load_pretrained(folder, plugins)
    for block in model.blocks:
        block.channel.renormalise = False
    with torch.no_grad():
        assert float((model(tokens) - logits).abs().max()) > 0.1


def test_weights_with_the_names_of_version_5_are_the_same_model(hf, theirs, plugins, tokens, tmp_path):
    folder, logits = theirs["two of eight"]
    random_model(hf, PLAIN).save_pretrained(tmp_path, save_original_format=False)
    assert "model.layers.0.mlp.experts.gate_up_proj" in tensors_of(tmp_path)
    with torch.no_grad():
        again = load_pretrained(tmp_path, plugins)(tokens)
        assert again.equal(load_pretrained(folder, plugins)(tokens))
    assert float((again - logits).abs().max()) < TOLERANCE


def test_a_config_of_version_4_is_the_same_model(theirs, plugins, tokens, tmp_path):
    folder, _ = theirs["two of eight"]
    config = json.loads((folder / "config.json").read_text())
    config |= {"rope_theta": config.pop("rope_parameters")["rope_theta"], "torch_dtype": config.pop("dtype")}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "model.safetensors").symlink_to(folder / "model.safetensors")
    with torch.no_grad():
        assert load_pretrained(tmp_path, plugins)(tokens).equal(load_pretrained(folder, plugins)(tokens))


def test_a_model_trained_here_is_read_there_to_the_same_logits(hf, plugins, tokens, tmp_path):
    card = plugins.card("architectures", "moe")
    config = card.config(layers=2, width=32, heads=4, kv_heads=1, experts=5, chosen=3, window=6, capacity=1.0)
    model = card.make(config, Task(VOCABULARY, POSITIONS)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    write_pretrained(model, ByteTokenizer(), tmp_path / "out", plugins, architecture="moe")
    there = hf.AutoModelForCausalLM.from_pretrained(tmp_path / "out").eval()
    with torch.no_grad():
        assert float((there(tokens).logits - model(tokens)).abs().max()) < TOLERANCE


def test_the_balance_is_of_each_layer_and_not_of_all_as_one(hf, plugins):
    # Of two experts one layer sends every token to the first, the other to the second. Each is as far from balance as
    # two experts can be; pooled, as transformers has it, they look perfectly balanced.
    card = plugins.card("architectures", "moe")
    config = card.config(layers=2, width=4, heads=2, experts=2, chosen=1, hidden=8)
    model = card.make(config, Task(VOCABULARY, POSITIONS)).train()
    with torch.no_grad():
        model.embedding.weight.fill_(1.0)
        for block, sign in zip(model.blocks, (1.0, -1.0), strict=True):
            block.token.output.weight.zero_()
            block.channel.outer.zero_()
            block.channel.router.weight.copy_(sign * torch.tensor([[9.0], [-9.0]]).expand(2, 4))
    collector = AuxiliaryLosses().attach(model)
    model(torch.zeros(2, 6, dtype=torch.long))
    ours = [(value.item(), layer) for name, value, _, layer in collector.take() if name == "balance"]
    assert ours == [(pytest.approx(2.0), "blocks.0"), (pytest.approx(2.0), "blocks.1")]
    logits = tuple(torch.tensor([[sign * 36.0, -sign * 36.0]]).expand(12, 2) for sign in (1, -1))
    modeling = importlib.import_module(f"{hf.__name__}.models.mixtral.modeling_mixtral")
    pooled = modeling.load_balancing_loss_func(logits, 2, 1)
    assert float(pooled) == pytest.approx(1.0)
