"""Summaries of the values in a group of the form: "4 blocks × 128, 4 heads", "RoPE, base 10,000"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from pydantic import BaseModel

from lab.api import Setting, settings_of
from lab.base.units import counted, inside

MOST = 2
"""Most values in a summary, besides what it starts with."""
LONGEST = 24
"""Most characters of a text in a summary."""
NOTHING = ("none", "no", "off", "auto", "")
"""Values of a choice or a text that are not mentioned."""


def _own_settings(config: type[BaseModel]) -> Iterable[Setting]:
    return settings_of(config, nested=False)


@dataclass(frozen=True)
class Wording:
    """The wording of the parts of a summary in a language.

    Args:
        counted: Returns a number with its unit, "" for none, from both and from the number as Python writes it.
        inside: Returns a title as part of a sentence.
        settings: Returns the fields of a config, with their texts.
    """

    counted: Callable[[float, str, str], str] = counted
    inside: Callable[[str], str] = inside
    settings: Callable[[type[BaseModel]], Iterable[Setting]] = _own_settings


ENGLISH = Wording()
"""The wording of the engine."""


def summary(
    settings: Iterable[Setting],
    values: Mapping[str, Any],
    first: str = "",
    wording: Wording = ENGLISH,
) -> str:
    """Return a summary of the first values that say something.

    Args:
        settings: The settings of the group that have an effect.
        values: Their values, by name.
        first: What it starts with, such as the title of a card.
        wording: The wording of the language.
    """
    found = [first] if first else []
    by_name = {one.name: one for one in settings}
    if isinstance(values.get("layers"), int) and values.get("width") and {"layers", "width"} <= by_name.keys():
        layers = _value_of(by_name.pop("layers"), values["layers"], wording)
        found.append(f"{layers} × {wording.counted(values['width'], '', '')}")
        del by_name["width"]
    for name, setting in by_name.items():
        text = _value_of(setting, values.get(name), wording)
        start = f"{found[0]} " if found else " "
        found += [text.removeprefix(start)] if text else []
    return ", ".join(found[: MOST + bool(first)])


def _value_of(setting: Setting, value: Any, wording: Wording) -> str:
    """Return a value with its unit or name; "" if it says nothing."""
    if value is None or ((setting.auto or setting.zero) and not value):
        return ""
    if setting.kind == "bool":
        return wording.inside(setting.title) if value else ""
    if setting.kind == "choice":
        return "" if value in NOTHING else setting.names.get(value, str(value).replace("_", " "))
    if setting.kind in ("int", "float"):
        return _number_of(setting, value, wording)
    if setting.kind == "text" and value not in NOTHING:
        text = PurePath(value).name if setting.path else " ".join(str(value).split())
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return str(value.get("kind", "")) if setting.kind == "union" and isinstance(value, Mapping) else ""


def _number_of(setting: Setting, value: float, wording: Wording) -> str:
    """Return a number with its unit: "4 heads", and with its name where the unit is another word."""
    if isinstance(value, float) and not value:
        return ""
    number = f"{value:,}" if isinstance(value, int) else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
    text = wording.counted(value, setting.unit or "", number.replace("e-0", "e-"))
    noun = wording.counted(2, setting.unit, "2").split()[1] if setting.unit else setting.title
    counting = setting.unit and (setting.name == "layers" or noun.lower() in setting.title.lower())
    return text if counting else f"{wording.inside(setting.title)} {text}"
