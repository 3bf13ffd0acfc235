"""The first use of all that a soak uses: what a process makes once, and keeps, is there before it is measured."""

from __future__ import annotations

import random
from collections.abc import Callable

from lab.bench.window.hand import ARCHITECTURES, TABS, command, probe, scrub, small_recipe, write
from lab.bench.window.window import live, until
from lab.shell.app import WindowHost
from lab.shell.window.main_window import OTHER_PLACES, PLACES, Window

SHOWN = 0.3
"""Seconds for which each thing is shown."""
WRITTEN = 1.0
"""Seconds for which each model writes."""


def use_everything(host: WindowHost, seed: int, announce: Callable[[str], object]) -> None:
    """Train a model of each architecture, inspect it and let it write; show each place, theme, type and language.

    Args:
        host: The host of the window.
        seed: The seed of the trainings.
        announce: Called with what is used next.

    Raises:
        LabError: A training did not end in time.
    """
    draws = random.Random(seed)
    for name in ARCHITECTURES:
        announce(f"first use: {name}")
        window = host.window
        if window.session.take(small_recipe(draws, name), "small"):
            window.session.start()
        until(lambda: not host.window.session.registry.working)
        for _ in range(2):
            probe(window, draws)
            live(SHOWN)
            scrub(window, draws)
            live(SHOWN)
        write(window, draws)
        live(WRITTEN)
        window.play.stop()
    for key in (
        "view.light",
        "view.contrast",
        "view.dark",
        "view.larger",
        "view.normal",
        "view.projector",
        "view.normal",
    ):
        announce(f"first use: {key}")
        command(host.window, key)
        _show_places(host.window)
    for code in ("de", "en"):
        announce(f"first use: language {code}")
        before = host.window
        command(before, f"language.{code}")
        until(lambda before=before: host.window is not before)  # type: ignore[misc]
        _show_places(host.window)
    host.window.command_palette.toggle()
    live(SHOWN)
    host.window.command_palette.toggle()


def _show_places(window: Window) -> None:
    for key in (*dict(PLACES), *(key for key, *_ in OTHER_PLACES)):
        window.show_place(key)
        live(SHOWN)
    window.show_place("data")
    for tab in TABS:
        window.data.open_tab(tab)
        live(SHOWN)
