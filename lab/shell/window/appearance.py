"""The commands for everybody's eyes and ears: theme, size of the type, projector, motion, dashes, sound."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lab.base.notices import notify
from lab.base.system.policy import policy
from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.runtime.window_state import WindowState
from lab.widgets.core.appearance import LARGEST, Mode
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes

MODES: tuple[tuple[Mode, str], ...] = (
    ("system", "Theme of the system"),
    ("light", "Light"),
    ("dark", "Dark"),
    ("contrast", "High contrast"),
)


def register_appearance_commands(actions: Actions, state: WindowState, play_curve: Callable[[], object]) -> None:
    """Register the commands of the View menu that change the appearance.

    Args:
        actions: The registry.
        state: The stored state of the window, which remembers the appearance.
        play_curve: Plays the current curve as sound.
    """
    view, theme, size = CommandGroup.VIEW, CommandGroup.THEME, CommandGroup.TEXT_SIZE

    def change(**settings: Any) -> None:
        themes.change(**settings)
        state.remember_appearance(themes.appearance)

    def enlarge() -> None:
        before = themes.appearance
        themes.enlarge()
        state.remember_appearance(themes.appearance)
        if themes.appearance == before:
            limited = themes.scale < LARGEST
            notify(
                "info",
                tr("In projector mode the type is as large as this window allows. A larger window allows more.")
                if limited
                else tr("The type has its largest size."),
            )

    def shrink() -> None:
        change(type_size=themes.appearance.smaller().type_size)

    def is_projected() -> bool:
        return themes.appearance.projector

    def is_reduced() -> bool:
        return themes.appearance.motion == "reduced"

    def is_dashed() -> bool:
        return themes.appearance.dashes == "always"

    def add(
        group: CommandGroup,
        key: str,
        title: str,
        do: Callable[[], object],
        keys: str = "",
        checked: Callable[[], bool] | None = None,
        enabled: Callable[[], bool] | None = None,
    ) -> None:
        actions.add(Command(f"view.{key}", title, group, keys), do, checked=checked, enabled=enabled)

    for mode, title in MODES:
        choose, checked = partial(change, theme=mode), partial(_is_theme, mode)
        add(theme, mode, tr(title), choose, checked=checked, enabled=_may_choose_theme)
    add(size, "larger", tr("Larger text"), enlarge, "Ctrl++ Ctrl+=")
    add(size, "smaller", tr("Smaller text"), shrink, "Ctrl+-")
    add(size, "normal", tr("Normal text size"), partial(change, type_size=100), "Ctrl+0")
    add(view, "projector", tr("Projector mode"), lambda: change(projector=not is_projected()), checked=is_projected)
    add(
        view,
        "motion",
        tr("Reduced motion"),
        lambda: change(motion="system" if is_reduced() else "reduced"),
        checked=is_reduced,
    )
    add(
        view,
        "dashes",
        tr("Dashed lines distinguish runs"),
        lambda: change(dashes="contrast" if is_dashed() else "always"),
        checked=is_dashed,
    )
    add(view, "sound", tr("Play the curve as sound"), play_curve)


def _may_choose_theme() -> bool:
    return policy().theme is None


def _is_theme(mode: Mode) -> bool:
    return themes.mode == mode
