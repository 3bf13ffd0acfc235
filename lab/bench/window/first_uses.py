"""The first use of all that a soak uses: what a process makes once, and keeps, is there before it is measured."""

from __future__ import annotations

import random
from collections.abc import Callable

import shiboken6
from PySide6.QtWidgets import QAbstractButton

from lab.bench.window.hand import ARCHITECTURES, TABS, command, probe, scrub, small_recipe, write
from lab.bench.window.window import live, until
from lab.shell.app import WindowHost
from lab.shell.session.draft import HISTORY
from lab.shell.window.main_window import OTHER_PLACES, PLACES, Window

SHOWN = 0.3
"""Seconds for which each thing is shown."""
OF_EACH_KIND = ("transformer", "encoder", "encoder-decoder")
"""Architectures after whose training each page that is offered is opened: of text, of hidden tokens, of pairs."""
WRITTEN = 1.0
"""Seconds for which each model writes."""


def use_everything(host: WindowHost, seed: int, announce: Callable[[str], object]) -> None:
    """Show each place in each language, theme and type; train a model of each architecture, inspect it, let it write.

    Args:
        host: The host of the window.
        seed: The seed of the trainings.
        announce: Called with what is used next.

    Raises:
        LabError: A training did not end in time.
    """
    draws = random.Random(seed)
    for code in ("de", "en"):
        announce(f"first use: language {code}")
        before = host.window
        command(before, f"language.{code}")
        until(lambda before=before: host.window is not before)  # type: ignore[misc]
        _show_places(host.window)
    window = host.window
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
        command(window, key)
        _show_places(window)
    for name in ARCHITECTURES:
        announce(f"first use: {name}")
        if window.session.take(small_recipe(draws, name), "small"):
            window.session.start()
        until(lambda: not window.session.registry.working)
        for _ in range(2):
            probe(window, draws)
            live(SHOWN)
            scrub(window, draws)
            live(SHOWN)
        write(window, draws)
        live(WRITTEN)
        window.play.stop()
        if name in OF_EACH_KIND:
            for place in ("train", "inspect", "play", "compare", "learn"):
                announce(f"first use: pages of {place}")
                window.show_place(place)
                _open_pages(window)
    announce("first use: history")
    draft = window.session.draft
    draft.blockSignals(True)
    for _ in range(HISTORY):  # what can be undone has a bound, which takes hours to reach
        draft.take(small_recipe(draws), "small")
    draft.blockSignals(False)


def _show_places(window: Window) -> None:
    for key in (*dict(PLACES), *(key for key, *_ in OTHER_PLACES)):
        window.show_place(key)
        live(SHOWN)
    window.show_place("data")
    for tab in TABS:
        window.data.open_tab(tab)
        live(SHOWN)


def _open_pages(window: Window) -> None:
    """Press every button that is one of several, as those of pages and questions are."""
    for button in window.findChildren(QAbstractButton):
        if not shiboken6.isValid(button) or button.group() is None or not button.group().exclusive():
            continue  # the first is one of a page that was made again
        if button.isVisible() and button.isEnabled():
            button.click()
            live(SHOWN)
