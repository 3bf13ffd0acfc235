"""The commands for everybody's eyes and ears: theme, size of the type, projector, motion, dashes, sound."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lab.shell.actions.registry import Actions, Command
from lab.shell.runtime.window_state import WindowState
from lab.widgets.core.appearance import Mode
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes

MODES: tuple[tuple[Mode, str], ...] = (
    ("system", "Theme of the system"),
    ("light", "Light"),
    ("dark", "Dark"),
    ("contrast", "High contrast"),
)
ENLARGE, SHRINK, NORMAL = "Ctrl++ Ctrl+=", "Ctrl+-", "Ctrl+0"
"""The shortcuts of the size of the type."""


def register_appearance_commands(actions: Actions, state: WindowState, play_curve: Callable[[], object]) -> None:
    """Register the commands of the View menu that change the appearance.

    Args:
        actions: The registry.
        state: The stored state of the window, which remembers the appearance.
        play_curve: Plays the current curve as sound.
    """
    group = tr("View")

    def change(**settings: Any) -> None:
        themes.change(**settings)
        state.appearance = themes.appearance

    def enlarge() -> None:
        change(type_size=themes.appearance.larger().type_size)

    def shrink() -> None:
        change(type_size=themes.appearance.smaller().type_size)

    def is_projected() -> bool:
        return themes.appearance.projector

    def is_reduced() -> bool:
        return themes.appearance.motion == "reduced"

    def is_dashed() -> bool:
        return themes.appearance.dashes == "always"

    for mode, title in MODES:
        command = Command(f"view.{mode}", tr(title), group)
        actions.add(command, partial(change, theme=mode), checked=partial(_is_theme, mode))
    larger = Command("view.larger", tr("Larger type"), group, ENLARGE)
    actions.add(larger, enlarge)
    smaller = Command("view.smaller", tr("Smaller type"), group, SHRINK)
    actions.add(smaller, shrink)
    normal = Command("view.normal", tr("Normal size of the type"), group, NORMAL)
    actions.add(normal, partial(change, type_size=100))
    projector = Command("view.projector", tr("Projector mode"), group)
    actions.add(projector, lambda: change(projector=not is_projected()), checked=is_projected)
    motion = Command("view.motion", tr("Reduced motion"), group)
    actions.add(motion, lambda: change(motion="system" if is_reduced() else "reduced"), checked=is_reduced)
    dashes = Command("view.dashes", tr("Dashed lines distinguish runs"), group)
    actions.add(dashes, lambda: change(dashes="contrast" if is_dashed() else "always"), checked=is_dashed)
    actions.add(Command("view.sound", tr("Play the curve as sound"), group), play_curve)


def _is_theme(mode: Mode) -> bool:
    return themes.mode == mode
