"""The policy of the machine in the window: what it fixes is shown, greyed or hidden, with where it stands."""

from typing import get_args

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel

from lab.base.system.policy import HIDEABLE, LANGUAGES, THEMES, Policy, policy
from lab.recipes import gallery, shipped
from lab.shell.corpus.picker.entries import groups_of, key_of
from lab.shell.runtime.window_state import Language, WindowState
from lab.shell.settings.policy_card import policy_sentences
from lab.shell.window.main_window import OTHER_PLACES, PLACES
from lab.widgets.core.appearance import Appearance, Mode
from lab.widgets.core.i18n import LANGUAGES as TRANSLATED

RULES = (
    'devices = ["cpu"]', "threads = 2", "memory_gb = 2", "disk_gb = 5", "network = false", 'allowed_plugins = ["one"]',
    'hidden_places = ["play", "plugins"]', 'language = "en"', 'theme = "dark"',
)  # fmt: skip


def visible_text(widget):
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def action(window, key):
    return next(one for one in window.commands.all() if one.command.key == key)


def test_a_policy_shows_in_the_rail_the_menus_and_the_settings(open_window, with_policy, reported):
    file = with_policy(*RULES)
    window = open_window()
    assert window.top._keys == ["home", "data", "train", "inspect", "compare", "learn", "settings"]
    assert {"view.play", "view.plugins"}.isdisjoint(one.command.key for one in window.commands.all())
    before = window.place
    window.generate()
    assert window.place == before
    assert reported[-1].what == f"This place is not shown, by {file} (hidden_places)"
    window.show_place("settings")
    QCoreApplication.processEvents()
    place = window._places["settings"]
    assert (place.theme.isEnabled(), place.language.isEnabled()) == (False, False)
    assert not action(window, "view.light").isEnabled()
    assert not action(window, "language.de").isEnabled()
    shown = visible_text(place)
    assert "Set by the administrator of this machine" in shown
    for sentence in (f"Set by {file} (theme)", f"Set by {file} (language)", *policy_sentences(policy())):
        assert sentence in shown


@pytest.mark.long
def test_a_broken_policy_is_reported_when_the_window_opens_and_stays_in_the_settings(open_window, with_policy, until):
    with_policy("netwrk = false")
    window = open_window()
    until(lambda: any("no such field" in toast.notice.problem.what for toast in window.toasts.toasts))
    window.show_place("settings")
    QCoreApplication.processEvents()
    shown = visible_text(window._places["settings"])
    assert "Did you mean network?" in shown
    assert "Nothing is downloaded, and" in shown


@pytest.mark.long
def test_a_window_without_a_policy_says_nothing_about_one(window):
    window.show_place("settings")
    assert "administrator" not in visible_text(window._places["settings"])


def test_what_is_shared_stands_in_the_same_lists_with_where_it_comes_from(open_window, lab_system):
    for kind in ("recipes", "corpora", "models/tiny"):
        (lab_system / kind).mkdir(parents=True)
    (lab_system / "corpora" / "novel.txt").write_text("A novel. " * 200)
    recipe = shipped("quick-start").with_values(
        {"title": "Of our class", "corpus": None}, {"corpus": {"name": "file", "path": "novel.txt"}}
    )
    file = lab_system / "recipes" / "class.toml"
    file.write_text(recipe.to_toml())
    (lab_system / "recipes" / "broken.toml").write_text("title = ")
    window = open_window()
    shared = [entry for entry in gallery().entries if entry.topic == "shared"]
    assert [(entry.title, entry.shows) for entry in shared] == [("Of our class", str(file))]
    assert "Shared on this machine" in window.home.recipes.headings
    assert action(window, "model.tiny").toolTip().startswith(str(lab_system / "models" / "tiny"))
    entries = dict(groups_of(window.session.plugins))["Shared on this machine"]
    assert [(entry.title, entry.shared) for entry in entries] == [("novel.txt", str(lab_system / "corpora/novel.txt"))]
    action(window, f"recipe.{file}").trigger()
    draft = window.session.draft
    assert draft.recipe.title == "Of our class"
    assert draft.recipe.corpus.settings["path"] == str(lab_system / "corpora" / "novel.txt")
    assert key_of(draft) == entries[0].key


def test_each_rule_has_a_sentence():
    rules = {
        "devices": ("cuda",), "threads": 1, "memory_gb": 1.5, "disk_gb": 2, "network": False, "allowed_plugins": (),
        "enabled_plugins": ("one",), "hidden_places": HIDEABLE, "lessons": ("one",), "language": "de", "theme": "light",
    }  # fmt: skip
    sentences = [sentence for rule in rules for sentence in policy_sentences(Policy(**{rule: rules[rule]}))]
    assert len(set(sentences)) == len(rules)
    assert policy_sentences(Policy()) == []


def test_the_policy_knows_the_languages_themes_and_places_of_the_window():
    assert tuple(TRANSLATED) == LANGUAGES
    assert get_args(Mode) == THEMES
    assert {"system", *LANGUAGES} == set(get_args(Language))
    keys = {place[0] for place in (*PLACES, *OTHER_PLACES)}
    assert keys - {"home", "train", "settings"} == set(HIDEABLE)


@pytest.mark.parametrize("rule", ["", 'theme = "light"\nlanguage = "de"'])
def test_a_theme_and_language_that_are_fixed_do_not_replace_the_choice_of_the_user(with_policy, rule):
    with_policy(rule)
    state = WindowState()
    state.appearance, state.language = Appearance(theme="dark"), "en"
    assert (state.shown_appearance.theme, state.shown_language) == (("light", "de") if rule else ("dark", "en"))
    state.remember_appearance(state.shown_appearance.model_copy(update={"type_size": 125}))
    assert (state.appearance, state.language) == (Appearance(theme="dark", type_size=125), "en")
