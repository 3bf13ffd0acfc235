"""The pages about settings: every registered card is on one, with every setting of its config."""

from typing import Literal

import pytest

from lab.api import ModelConfig, setting, settings_of
from lab.host import Plugins
from lab.workbench.settings_pages import KINDS, SettingsEntry, default_text, settings_entries, settings_pages


@pytest.fixture(scope="module")
def plugins():
    return Plugins(safe_mode=True)


@pytest.fixture(scope="module")
def pages(plugins):
    return {page.name: page.text for page in settings_pages(plugins)}


def test_every_card_that_has_settings_is_on_a_page_with_each_of_them(plugins, pages):
    for kind in KINDS:
        for name, card in plugins.cards(kind).items():
            text = pages[name] if kind == "architectures" else pages[kind]
            for each in settings_of(card.config, nested=False):
                if each.kind not in ("group", "union"):
                    assert f"{each.name}` = `" in text, f"{kind} {name}: {each.name}"


def test_the_parts_of_every_recipe_have_pages(pages):
    assert "### `training.optimizer.name` = `adamw`" in pages["training"]
    assert "### `training.steps` = `1000`" in pages["training"]
    assert "### `readings.moments`" in pages["readings"]


def test_a_hybrid_refers_to_the_settings_of_its_mixers(pages):
    assert "the page Mixers explains them" in pages["hybrid"]
    assert "architecture.mamba." not in pages["hybrid"]
    assert "### `architecture.mamba.state`" in pages["mixers"]


class Gru(ModelConfig):
    kind: Literal["gru"] = setting("gru", help="Recurrent.")
    size: int = setting(8, ge=1, unit="units", live=True, cite="Someone 1999", help="Units, < 9 or *many*.")


class Either(ModelConfig):
    mixer: Gru = setting(Gru(), help="What mixes.")
    name: str = setting("", help="A name.")
    limit: int | None = setting(None, help="A limit.")


def test_an_entry_yields_the_settings_of_a_single_group_by_their_paths():
    entry = SettingsEntry("either", "Either", "architectures", "A test.", "architecture", Either)
    assert [each.name for each in entry.settings()] == ["mixer.kind", "mixer.size", "name", "limit"]


def test_defaults_are_written_as_set_takes_them():
    assert [default_text(each) for each in settings_of(Either, nested=False)][1:] == ['""', "(nothing)"]


def test_entries_come_by_kind_and_name_their_path(plugins):
    entries = {(entry.kind, entry.name): entry.path for entry in settings_entries(plugins)}
    assert entries["mixers", "gated-deltanet"] == "architecture.gated_deltanet"
    assert entries["probes", "surprise"] == "readings.probes.surprise"
    assert entries["strategies", "sampling"] == ""
