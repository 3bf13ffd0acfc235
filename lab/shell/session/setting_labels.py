"""Settings in the language of the window: their titles, and how they are written in names of runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from lab.api import Setting, settings_of
from lab.host import Plugins
from lab.recipes import Recipe, Training
from lab.runs.library.differences import SettingLabel, english_label
from lab.widgets.core.i18n import counted, language, localized, tr, tr_registered


def setting_label(plugins: Plugins) -> SettingLabel:
    """Return what writes settings in the names of runs: as the form does, or in English with short labels.

    Args:
        plugins: The plugins whose cards have settings.
    """
    known = settings_by_path(plugins)
    if language.code == "en":
        return english_label({path: each.counted for path, each in known.items() if each.counted})
    return partial(_setting_label, known)


def settings_by_path(plugins: Plugins) -> dict[str, Setting]:
    """Return the settings of recipes by path, with those of all cards; plugins that are not loaded have none."""
    found = {each.name: each for each in settings_of(Training, prefix="training.")}
    for path, (kind, _) in Recipe().choices().items():
        for card in plugins.cards(kind).values():
            for each in settings_of(card.config, prefix=f"{path}."):
                found.setdefault(each.name, each)
    return found


def setting_title(path: str, setting: Setting | None = None) -> str:
    """Return the title of a setting in the language of the window; that of its path if it is not known."""
    text = path.removesuffix(".name").rpartition(".")[2].replace("_", " ")
    return tr_registered(setting.title if setting is not None else text[:1].upper() + text[1:])


def _setting_label(known: Mapping[str, Setting], path: str, value: object, text: str) -> str:
    setting = known.get(path)
    title = setting_title(path, setting)
    if isinstance(value, bool):
        return title if value else tr("without {setting}", setting=title)
    if setting is not None and setting.counted and isinstance(value, int):
        return counted(value, setting.counted)
    return f"{title} {text if isinstance(value, str) else localized(text)}"
