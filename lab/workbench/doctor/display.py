"""The check of display and fonts, from what Qt answers in a process of its own or in that of the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.subject import Subject

SMALLEST = 1100, 640
"""Pixels of the smallest window, at a scale of 1."""
UNSEEN = ("offscreen", "minimal")
"""Qt's platforms whose screen nobody looks at, so that its size does not matter."""


def display(subject: Subject) -> Iterator[Finding]:
    """Report the screens, their sizes and the fonts, or why no window can be opened."""
    answer = subject.display()
    if answer is None:
        remedy = "If you want the window: pip install 'lm-lab[window]'"
        yield Finding("no window is installed; the command line works without", Level.NOTE, remedy=remedy)
        return
    if not answer.parts:
        yield Finding(
            f"Qt could open no window here ({answer.ended or 'no answer'})",
            Level.NOTE,
            remedy="Start the lab in a desktop session; on Linux, install libegl1, libxkbcommon0 and libxcb-cursor0. "
            "The command line works without a window",
            detail=answer.errors,
        )
        return
    screens: list[dict[str, Any]] = answer.parts.get("screens", [])
    sizes = ", ".join(f"{one['width']}×{one['height']} (×{one['scale']:g})" for one in screens) or "–"
    platform = answer.parts.get("platform", "unknown")
    yield Finding(f"screens: {sizes}, shown by {platform}; the lab needs no OpenGL")
    is_small = [one["width"] < SMALLEST[0] or one["height"] < SMALLEST[1] for one in screens]
    if is_small and all(is_small) and platform not in UNSEEN:
        yield Finding(
            f"the screen is smaller than {SMALLEST[0]}×{SMALLEST[1]}, so a part of the window is outside",
            Level.WRONG,
            remedy="Set a higher resolution or a smaller scale in the settings of the system",
        )
    yield from _fonts(answer.parts)


def _fonts(parts: Any) -> Iterator[Finding]:
    families, spaced = parts.get("families", 0), parts.get("fixed", 0)
    if not families:
        yield Finding(
            "no font is installed, so every label is empty",
            Level.WRONG,
            remedy="Install one, on Debian and Ubuntu: apt install fonts-dejavu-core",
        )
        return
    yield Finding(f"{families} families of fonts, {spaced} with letters of one width")
    if not spaced:
        yield Finding(
            "no font has letters of one width, so texts of models are hard to read",
            Level.NOTE,
            remedy="Install one, on Debian and Ubuntu: apt install fonts-dejavu-core",
        )
