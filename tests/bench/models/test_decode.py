"""`lm-lab bench decode`: which models are asked what a late token costs. How fast they are is not tested here."""

import pytest

from lab.bench.models import decode
from lab.host import Plugins


@pytest.fixture
def brief(monkeypatch):
    monkeypatch.setattr(decode, "CONTEXTS", (4, 8))
    monkeypatch.setattr(decode, "STEPS", 2)


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


@pytest.mark.long
def test_every_recurrent_form_of_the_lab_has_one(brief):
    rows = {row["model"] for row in decode.recurrent(1)}
    recurrent = {"rnn", "gru", "lstm"}
    linear = {"linear-attention", "retnet", "gla", "deltanet", "gated-deltanet", "rwkv6"}
    assert rows >= recurrent | linear | {"s4", "mamba", "mamba2"}
    assert "transformer" not in rows
