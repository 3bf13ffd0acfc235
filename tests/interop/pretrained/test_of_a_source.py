"""The folder of an encoder-decoder: it can be looked at and exported, and is refused as a run in a sentence."""

import json

import pytest
import torch

from lab.api import BadInput, Task
from lab.host import Plugins
from lab.interop import load_pretrained
from lab.interop.pretrained.writing import write_pretrained
from lab.text.tokenizers.subwords import SubwordsConfig, fit_bpe
from lab.workbench.exchange.pretrained import find_pretrained, import_pretrained
from lab_seq2seq.encoder_decoder import build
from lab_seq2seq.encoder_decoder_card import PRESETS, EncoderDecoderConfig


@pytest.fixture
def folder(tmp_path, lab_home):
    """A small T5, written for other programs."""
    plugins, tokenizer = Plugins(safe_mode=True), fit_bpe(SubwordsConfig(vocabulary_size=290), "the cat sat. " * 20)
    size = tokenizer.vocabulary_size
    config = EncoderDecoderConfig(**{**PRESETS["t5"]["architecture"], "layers": 1, "width": 16, "heads": 2})
    model = build(config, Task(size, 20, source_vocabulary_size=size)).eval()
    write_pretrained(model, tokenizer, tmp_path / "t5", plugins, architecture="encoder-decoder")
    return tmp_path / "t5", model


def test_a_script_calls_it_with_source_and_tokens(folder):
    path, model = folder
    source, tokens = torch.tensor([[3, 1, 4]]), torch.tensor([[1, 5]])
    assert load_pretrained(path)(source, tokens).equal(model(tokens, source=source))


def test_it_is_looked_at_and_refused_as_a_run(folder, tmp_path):
    path, _ = folder
    plugins = Plugins(safe_mode=True)
    assert find_pretrained(path, plugins).facts()["architecture"] == "encoder-decoder"
    with pytest.raises(BadInput, match="reads a source") as raised:
        import_pretrained(path, plugins, tmp_path / "run")
    assert "load_pretrained" in raised.value.problem.remedy
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("key", "value"), [("feed_forward_proj", "gated-wave"), ("d_model", 0), ("relative_attention_num_buckets", "many")]
)
def test_a_config_that_cannot_be_read_is_refused_by_its_key(folder, key, value):
    path, _ = folder
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps({**config, key: value}))
    with pytest.raises(BadInput) as raised:
        load_pretrained(path)
    assert raised.value.problem.field == f"config.json: {key}"
