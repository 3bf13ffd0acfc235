"""Texts of Home: durations of recipes and times of runs, rounded as people say them."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from lab.base.units import short
from lab.recipes import QUICK_START, Recipe, shipped
from lab.widgets.core.i18n import date_text, localized, number_text, time_text, tr

DAY = 24 * 3600


def duration_note(found: tuple[float, bool] | None) -> str:
    """Return a text with a duration on this machine; "" if it is not known yet.

    Args:
        found: The seconds, and True if they were measured here; None if they are not known.
    """
    if found is None:
        return ""
    seconds, measured = found
    return tr("{time} on this machine", time=time_text(seconds, measured=measured))


def suggestion(recipe: Recipe, size: int) -> str:
    """Return a text about the recipe that suits a text: "Suggested: quick start, 800 steps, for 150 kB of text".

    Args:
        recipe: The recipe.
        size: The bytes of the text.
    """
    settings, usual = recipe.architecture.settings, shipped(QUICK_START).architecture.settings
    steps, bytes_of_text = number_text(recipe.training.steps), localized(short(size))
    if settings == usual:
        return tr("Suggested: quick start, {steps} steps, for {size}B of text", steps=steps, size=bytes_of_text)
    return tr(
        "Suggested: quick start with {layers} layers of width {width}, {steps} steps, for {size}B of text",
        layers=settings["layers"],
        width=settings["width"],
        steps=steps,
        size=bytes_of_text,
    )


def time_since(created: str, now: float | None = None) -> str:
    """Return a text that says how long ago a run was made: "just now", "5 min ago", "yesterday", "12 Mar 2026".

    Args:
        created: UTC, ISO 8601; "" if it is not known.
        now: Seconds since 1970; None for the current time.
    """
    try:
        made = datetime.fromisoformat(created).replace(tzinfo=UTC)
    except ValueError:
        return ""
    seconds = (time.time() if now is None else now) - made.timestamp()
    if seconds < 60:
        return tr("just now")
    if seconds < 3600:
        return tr("{n} min ago", n=int(seconds // 60))
    if seconds < DAY:
        return tr("{n} h ago", n=int(seconds // 3600))
    if seconds < 2 * DAY:
        return tr("yesterday")
    if seconds < 14 * DAY:
        return tr("{n} days ago", n=int(seconds // DAY))
    return date_text(made.astimezone().date())
