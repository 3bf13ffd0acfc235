"""The strategy and filters of Play: chosen, put in order, set and stored."""

from types import SimpleNamespace

import pytest

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Decoding
from lab.shell.play.decoding import DecodingDraft

USUAL = ["temperature", "top-k", "top-p"]


@pytest.fixture
def draft():
    return DecodingDraft(Plugins.from_environment(safe_mode=True))


def names(draft):
    decoding = draft.decoding(stop=[], stop_symbols=[], end_of_text=True)
    return [one.name for one in decoding.filters]


def test_it_starts_with_the_usual_decoding(draft):
    decoding = draft.decoding(stop=[], stop_symbols=[], end_of_text=True)
    usual = Decoding()
    assert (decoding.strategy.name, names(draft)) == (usual.strategy.name, [one.name for one in usual.filters])


@pytest.mark.parametrize(
    ("name", "index", "order"),
    [
        ("top-p", 0, ["top-p", "temperature", "top-k"]),
        ("temperature", 1, ["top-k", "temperature", "top-p"]),
        ("temperature", 9, ["top-k", "top-p", "temperature"]),
        ("top-k", -4, ["top-k", "temperature", "top-p"]),
    ],
)
def test_a_filter_is_moved_to_an_index(draft, name, index, order):
    assert draft.move(name, index)
    assert names(draft) == order


def test_a_filter_that_is_there_already_is_not_moved(draft):
    assert not draft.move("top-p", 2)
    assert not draft.move("top-p", 7)
    assert names(draft) == USUAL


def test_a_filter_is_added_behind_the_others_and_offered_once(draft):
    assert "min-p" in draft.unused
    draft.add("min-p")
    assert names(draft) == [*USUAL, "min-p"]
    assert "min-p" not in draft.unused


def test_a_removed_filter_keeps_its_settings(draft):
    draft.edit("filters", "top-k", "k", 7)
    draft.remove("top-k")
    assert names(draft) == ["temperature", "top-p"]
    draft.add("top-k")
    assert draft.decoding(stop=[], stop_symbols=[], end_of_text=True).filters[-1].settings["k"] == 7


def test_a_setting_that_is_not_allowed_is_refused_and_not_taken(draft):
    with pytest.raises(BadInput):
        draft.edit("filters", "top-k", "k", -1)
    assert draft.config("filters", "top-k").k == 0


def test_the_decoding_has_all_that_was_chosen(draft):
    draft.strategy = "beam-search"
    draft.edit("strategies", "beam-search", "width", 9)
    decoding = draft.decoding(stop=["."], stop_symbols=["a"], end_of_text=False)
    assert (decoding.strategy.name, decoding.strategy.settings["width"]) == ("beam-search", 9)
    assert (decoding.stop, decoding.stop_symbols, decoding.end_of_text) == (["."], ["a"], False)


def test_it_is_stored_and_restored(draft):
    draft.strategy = "greedy"
    draft.add("no-repeat")
    draft.move("no-repeat", 0)
    draft.edit("filters", "no-repeat", "length", 5)
    other = DecodingDraft(Plugins.from_environment(safe_mode=True))
    other.load_state_dict(draft.state_dict())
    assert other.state_dict() == draft.state_dict()


def test_what_a_window_stored_as_a_sampler_is_restored(draft):
    draft.load_state_dict({"sampler": "sampling", "settings": {"temperature": 0.3, "top_k": 4}})
    assert names(draft) == USUAL
    assert draft.config("filters", "temperature").temperature == 0.3
    assert draft.config("filters", "top-k").k == 4


@pytest.mark.parametrize(
    "state",
    [
        {"strategy": {"name": "none"}, "filters": [{"name": "none"}, 3, *({"name": one} for one in USUAL)]},
        {"strategy": 3, "filters": "top-k"},
        {"filters": [{"name": "temperature", "temperature": "x"}, {"name": "top-k"}, {"name": "top-p"}]},
        {"filters": [{"name": one} for one in (*USUAL, "top-k")]},
        {"sampler": "sampling", "settings": 4},
    ],
)
def test_what_is_not_there_or_not_allowed_is_left_out(draft, state):
    before = draft.state_dict()
    draft.load_state_dict(state)
    assert draft.state_dict() == before


def test_what_a_plugin_provides_no_more_is_dropped(draft):
    cards = {kind: dict(draft._plugins.cards(kind)) for kind in ("strategies", "filters")}
    assert not draft.drop_missing()
    draft.add("min-p")
    draft.strategy = next(name for name in cards["strategies"] if name != draft.strategy)
    del cards["filters"]["min-p"], cards["strategies"][draft.strategy]
    draft._plugins = SimpleNamespace(cards=cards.__getitem__, card=lambda kind, name: cards[kind][name])
    assert draft.drop_missing()
    assert (names(draft), draft.strategy) == (USUAL, Decoding().strategy.name)
    assert not draft.drop_missing()
