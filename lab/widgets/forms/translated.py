"""Settings with their texts in the language of the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from lab.api import Setting, settings_of
from lab.widgets.core.i18n import tr_registered


def translated(config: type[BaseModel], prefix: str = "") -> Iterator[Setting]:
    """Yield the fields of a config in order, without those of nested configs, with translated texts.

    Groups and units are translated where they are drawn: groups are found by name, and units have forms for numbers.

    Args:
        config: The config.
        prefix: What their names start with.
    """
    yield from map(translated_setting, settings_of(config, nested=False, prefix=prefix))


def translated_setting(setting: Setting) -> Setting:
    """Return a setting with translated texts; see `translated`."""
    return replace(
        setting,
        label=tr_registered(setting.title),
        help=tr_registered(setting.help),
        zero=tr_registered(setting.zero),
        names=_names(setting),
    )


def _names(setting: Setting) -> dict[Any, str]:
    """Return the translated names of the values; a value that is a word has one only where it is translated."""
    names = {value: tr_registered(name) for value, name in setting.names.items()}
    words = {value: str(value).replace("_", " ") for value in setting.choices if value not in names}
    return names | {value: text for value, word in words.items() if (text := tr_registered(word)) != word}
