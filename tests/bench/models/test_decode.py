"""`lm-lab bench decode`: which models are asked what a late token costs. How fast they are is not tested here."""

import sys

import pytest
import torch

from lab.base import BadInput
from lab.bench.models import decode
from lab.host import Plugins


@pytest.fixture
def brief(monkeypatch):
    monkeypatch.setattr(decode, "CONTEXTS", (4, 8))
    monkeypatch.setattr(decode, "STEPS", 2)


@pytest.fixture
def tiny(brief, monkeypatch):
    """A small LLaMA that writes a few tokens, and what both decoders wrote, in turn."""
    settings = {**decode.SETTINGS, "layers": 1, "width": 16, "heads": 2, "hidden": 24}
    for name, value in {"SETTINGS": settings, "VOCABULARY": 32, "WRITTEN": 4, "UNCACHED": 2}.items():
        monkeypatch.setattr(decode, name, value)
    texts = {}

    def recorded(name):
        write = getattr(decode, name)

        def wrapped(model, prompt, count):
            written = write(model, prompt, count)
            texts.setdefault(name, []).append((len(prompt), written))
            return written

        monkeypatch.setattr(decode, name, wrapped)

    for name in ("_written", "_generated", "_read_again"):
        recorded(name)
    return texts


def rows_with(ratio):
    return lambda pairs: [{"model": "lstm", "ratio": 1.0}, {"model": "gru", "ratio": ratio}]


@pytest.fixture
def few(monkeypatch):
    """Restrict the registered architectures to these."""
    cards = Plugins.cards

    def chosen(plugins, kind):
        return {name: cards(plugins, kind)[name] for name in ("deltanet", "lstm", "n-gram", "transformer")}

    monkeypatch.setattr(Plugins, "cards", chosen)


def test_models_whose_state_grows_or_is_counted_have_no_row(brief, few):
    rows = {row["model"]: row for row in decode.recurrent(1)}
    assert set(rows) == {"deltanet", "lstm"}
    assert all(row["ratio"] > 0 for row in rows.values())
    assert rows["lstm"]["state_bytes"] == 2 * 128 * 4


@pytest.mark.parametrize(("ratio", "holds"), [(decode.HOLDS, True), (decode.HOLDS + 0.01, False)])
def test_all_three_ways_to_decode_write_the_same_text(tiny, monkeypatch, ratio, holds):
    pytest.importorskip("transformers")
    monkeypatch.setattr(decode, "recurrent", rows_with(ratio))
    threads = torch.get_num_threads()
    found = decode.decode(2)
    assert torch.get_num_threads() == threads
    assert tiny["_written"][:1] == tiny["_generated"][:1]
    for context in decode.CONTEXTS:
        text = next(written for length, written in tiny["_written"] if length == context)
        assert len(text) == 4
        for each in tiny.values():
            assert all(written == text[: len(written)] for length, written in each if length == context)
        compared = found[f"at_{context}"]
        assert (compared["over_none"]["pairs"], compared["over_transformers"]["pairs"]) == (1, 2)
    assert found["recurrent_holds"] is holds
    assert found["parameters"] == 2 * 32 * 16 + 4 * 16 * 16 + 3 * 16 * 24 + 3 * 16


def test_texts_that_differ_are_not_measured(brief, monkeypatch):
    monkeypatch.setattr(decode, "_models", lambda: (torch.nn.Linear(1, 1), None))
    monkeypatch.setattr(decode, "_written", lambda model, prompt, count: [1] * count)
    monkeypatch.setattr(decode, "_generated", lambda model, prompt, count: [2] * count)
    threads = torch.get_num_threads()
    with pytest.raises(RuntimeError, match="the two texts differ"):
        decode.decode(1)
    assert torch.get_num_threads() == threads


def test_without_transformers_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(BadInput) as refused:
        decode.decode(1)
    assert (refused.value.problem.field, refused.value.problem.remedy) == (
        "name",
        "Install it: pip install transformers",
    )


@pytest.mark.long
def test_every_recurrent_form_of_the_lab_has_one(brief):
    rows = {row["model"] for row in decode.recurrent(1)}
    recurrent = {"rnn", "gru", "lstm"}
    linear = {"linear-attention", "retnet", "gla", "deltanet", "gated-deltanet", "rwkv6"}
    assert rows >= recurrent | linear | {"s4", "mamba", "mamba2"}
    assert "transformer" not in rows
