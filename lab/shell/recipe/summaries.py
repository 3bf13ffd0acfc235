"""Summaries of the values in a group of the form: "4 blocks × 128, 4 heads", "RoPE, base 10,000"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from lab.api import Setting
from lab.base.units import counted

MOST = 2
"""Most values in a summary, besides what it starts with."""
LONGEST = 24
"""Most characters of a text in a summary."""
NOTHING = ("none", "no", "off", "auto", "")
"""Values of a choice or a text that are not mentioned."""


def summary(settings: Iterable[Setting], values: Mapping[str, Any], first: str = "") -> str:
    """Return a summary of the first values that say something.

    Args:
        settings: The settings of the group that have an effect.
        values: Their values, by name.
        first: What it starts with, such as the title of a card.
    """
    found = [first] if first else []
    by_name = {one.name: one for one in settings}
    if isinstance(values.get("layers"), int) and values.get("width") and {"layers", "width"} <= by_name.keys():
        found.append(f"{_value_of(by_name.pop('layers'), values['layers'])} × {values['width']:,}")
        del by_name["width"]
    for name, setting in by_name.items():
        text = _value_of(setting, values.get(name))
        start = f"{found[0]} " if found else " "
        found += [text.removeprefix(start)] if text else []
    return ", ".join(found[: MOST + bool(first)])


def _value_of(setting: Setting, value: Any) -> str:
    """Return a value with its unit or name; "" if it says nothing."""
    if value is None or ((setting.auto or setting.zero) and not value):
        return ""
    if setting.kind == "bool":
        return inside(setting.title) if value else ""
    if setting.kind == "choice":
        return "" if value in NOTHING else setting.names.get(value, str(value).replace("_", " "))
    if setting.kind in ("int", "float"):
        return _number_of(setting, value)
    if setting.kind == "text" and value not in NOTHING:
        text = PurePath(value).name if setting.path else " ".join(str(value).split())
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return str(value.get("kind", "")) if setting.kind == "union" and isinstance(value, Mapping) else ""


def _number_of(setting: Setting, value: float) -> str:
    """Return a number with its unit: "4 heads", and with its name where the unit is another word."""
    if isinstance(value, float) and not value:
        return ""
    number = f"{value:,}" if isinstance(value, int) else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
    number = number.replace("e-0", "e-")
    if not setting.unit:
        return f"{inside(setting.title)} {number}"
    text = counted(value, setting.unit, number)
    counting = setting.name == "layers" or setting.unit.split()[0] in setting.title.lower()
    return text if counting else f"{inside(setting.title)} {text}"


def inside(title: str) -> str:
    """Return a title as part of a sentence: "QK norm", "RoPE base", "sliding window"."""
    word = title.partition(" ")[0]
    return title if word[1:] != word[1:].lower() or not word[:1].isascii() else title[:1].lower() + title[1:]
