"""The benchmark of the check for later tokens times each model with its objectives, and says whom it accuses."""

import textwrap

import pytest

from lab.base import BadInput
from lab.bench.models import causality as benchmark
from lab.bench.models.causality import causality
from lab.host import Plugins


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for name, value in {"SHAPE": {"layers": 1, "width": 16}, "CONTEXT": 16, "SEEDS": (0, 1), "ROUNDS": 1}.items():
        monkeypatch.setattr(benchmark, name, value)


def test_each_preset_is_timed_with_its_objectives_and_no_built_in_is_accused():
    lines = []
    found = causality(["gru", "encoder-decoder", "n-gram"], lines.append)
    assert {"gru", "gru small", "gru carried", "gru small carried"} < set(found["models"])
    assert "encoder-decoder t5 sequence-to-sequence" in found["models"]
    assert min(one["milliseconds"] for one in found["models"].values()) > 0
    assert len(lines) == len(found["models"])
    assert all(name.startswith("n-gram") for name in found["not_checked"])
    assert (found["accused"], found["failed"]) == ({}, {})


def test_an_architecture_that_does_not_exist_is_refused():
    with pytest.raises(BadInput, match="no such architecture"):
        causality(["none"])


def test_a_model_that_reads_the_next_token_is_accused_with_every_seed(lab_home, file_plugins_forgotten):
    folder = lab_home / "plugins"
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(
        textwrap.dedent("""
        import torch
        from lab.api import Mixer, NoSettings, hookimpl
        from lab.layers import TokenMixer

        class Ahead(TokenMixer):
            def __init__(self, slot):
                super().__init__()

            def forward(self, x):
                return x.roll(-1, dims=1)

        @hookimpl
        def lab_register_mixers(register):
            register(Mixer("ahead", "Ahead", "token", NoSettings, Ahead))
    """)
    )
    found = causality(["ahead"], plugins=Plugins(enable=["mine"], safe_mode=False))
    assert {"ahead, seed 0", "ahead, seed 1"} <= set(found["accused"])
    assert "plugin mine" in found["accused"]["ahead, seed 0"]
