"""Presets of decoding: the built-in ones are real, and those of the user are stored, renamed and deleted."""

import pytest

from lab.base import BadInput
from lab.base.settings import change_section
from lab.host import Plugins
from lab.shell.play.decoding import DecodingDraft
from lab.workbench.texts import presets
from lab.workbench.texts.presets import BUILT_IN, SECTION, delete_preset, own_presets, rename_preset, save_preset


@pytest.fixture(scope="module")
def plugins():
    return Plugins(safe_mode=True)


@pytest.fixture
def draft(plugins):
    return DecodingDraft(plugins)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_preset_chooses_what_it_names_and_nothing_else(draft, name):
    assert draft.take_preset(BUILT_IN[name]) == []
    decoding = draft.decoding(stop=[], stop_symbols=[], end_of_text=True)
    assert decoding.strategy.name == BUILT_IN[name]["strategy"]["name"]
    for one, wanted in zip(decoding.filters, BUILT_IN[name]["filters"], strict=True):
        assert {"name": one.name, **one.settings}.items() >= wanted.items()
    assert [other for other, preset in BUILT_IN.items() if draft.matches(preset)] == [name]


def test_a_preset_without_settings_of_the_strategy_keeps_them(draft):
    draft.edit("strategies", "sampling", "draw", "inverse")
    draft.take_preset(BUILT_IN["creative"])
    assert draft.config("strategies", "sampling").draw == "inverse"
    assert draft.matches(BUILT_IN["creative"])


def test_another_order_or_setting_is_no_match(draft):
    draft.take_preset(BUILT_IN["careful"])
    draft.move("top-p", 0)
    assert not draft.matches(BUILT_IN["careful"])
    draft.move("top-p", 1)
    assert draft.matches(BUILT_IN["careful"])
    draft.edit("filters", "top-p", "p", 0.8)
    assert not draft.matches(BUILT_IN["careful"])


def test_what_no_plugin_provides_is_left_out_and_named(draft):
    missing = draft.take_preset(
        {"strategy": {"name": "oracle"}, "filters": [{"name": "top-k", "k": 3}, {"name": "gone"}]}
    )
    assert missing == ["oracle", "gone"]
    assert (draft.strategy, draft.filters) == ("sampling", ["top-k"])


def test_a_preset_is_stored_with_the_order_of_its_filters(draft, lab_home):
    draft.move("top-p", 0)
    draft.edit("filters", "top-p", "p", 0.5)
    save_preset("mine", draft.state_dict())
    other = DecodingDraft(draft._plugins)
    other.take_preset(own_presets()["mine"])
    assert other.state_dict() == draft.state_dict()


def test_a_preset_is_replaced_renamed_and_deleted(draft, lab_home):
    save_preset("one", draft.state_dict())
    save_preset("two", draft.state_dict())
    draft.filters = []
    save_preset("one", draft.state_dict())
    assert own_presets()["one"]["filters"] == []
    rename_preset("one", "first")
    assert list(own_presets()) == ["first", "two"]
    delete_preset("two")
    assert list(own_presets()) == ["first"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\nb", "greedy"])
def test_a_name_that_is_not_allowed_is_refused(draft, lab_home, name):
    with pytest.raises(BadInput):
        save_preset(name, draft.state_dict())
    save_preset("mine", draft.state_dict())
    with pytest.raises(BadInput):
        rename_preset("mine", name)
    assert list(own_presets()) == ["mine"]


def test_the_name_of_another_preset_is_refused_when_one_is_renamed(draft, lab_home):
    save_preset("one", draft.state_dict())
    save_preset("two", draft.state_dict())
    with pytest.raises(BadInput, match="another preset"):
        rename_preset("one", "two")


def test_there_is_a_largest_number_of_presets(draft, lab_home, monkeypatch):
    monkeypatch.setattr(presets, "MOST", 1)
    save_preset("one", draft.state_dict())
    save_preset("one", draft.state_dict())
    with pytest.raises(BadInput, match="already"):
        save_preset("two", draft.state_dict())


@pytest.mark.parametrize(
    "damaged", [3, [], {"strategy": {"name": "greedy"}}, {"strategy": "greedy", "filters": []},
                {"strategy": {"name": "greedy"}, "filters": [{"k": 1}]}],
)  # fmt: skip
def test_a_damaged_preset_is_left_out_and_the_others_stay(draft, lab_home, damaged):
    save_preset("sound", draft.state_dict())
    change_section(SECTION, lambda section: {"presets": {**section["presets"], "damaged": damaged}})
    assert list(own_presets()) == ["sound"]
