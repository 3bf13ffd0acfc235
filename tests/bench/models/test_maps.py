"""The benchmark of maps measures every causal architecture, and says which reports no exact one."""

import pytest

from lab.bench.models import maps as benchmark
from lab.bench.models.maps import maps
from lab.host import Plugins


def test_every_architecture_is_measured_with_its_exact_map_where_there_is_one(monkeypatch):
    cards = {name: Plugins().card("architectures", name) for name in ("gru", "n-gram", "mamba")}
    monkeypatch.setattr(Plugins, "cards", lambda self, kind: cards)
    for name, value in {"TOKENS": 6, "SHAPE": {"layers": 1, "width": 16}, "COUNTED": 100}.items():
        monkeypatch.setattr(benchmark, name, value)
    found = maps(1)
    assert (found["unit"], found["tokens"], found["layers"], found["width"]) == ("milliseconds", 6, 1, 16)
    times = found["models"]
    assert list(times) == list(cards)
    assert {name for name in times if times[name]["map"] is None} == {"gru"}
    assert min(each[name] for each in times.values() for name in ("forward", "influence")) > 0
    assert found["slowest_map"] == pytest.approx(max(times[name]["map"] for name in ("n-gram", "mamba")))
    assert found["slowest_influence"] == pytest.approx(max(each["influence"] for each in times.values()))
