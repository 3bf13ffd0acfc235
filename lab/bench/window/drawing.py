"""The drawing of models: the time from a recorded pass until the drawing is painted, and the time of the pass."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtWidgets import QApplication

from lab.api import Task
from lab.diagnostics.cost import blueprint
from lab.diagnostics.structure.influences import influences
from lab.diagnostics.structure.tree import TreeBuilder
from lab.host import Plugins
from lab.shell.app import has_screen
from lab.widgets.core.theme import themes
from lab.widgets.diagram.view import DiagramArea

ROUNDS = 7
BOUND_MS = 100.0
"""Most milliseconds from a recorded pass until the drawing is painted."""
SIZE = (720, 640)
"""Pixels of the drawing, as in a window of 1366 × 768."""
MODELS: dict[str, tuple[str, dict[str, Any], Task]] = {
    "gpt2": ("transformer", {"layers": 12, "width": 768, "heads": 12, "bias": True}, Task(50257, 1024)),
    "hybrid48": ("hybrid", {"layers": 48, "width": 512, "pattern": "mamba*5, attention+mlp"}, Task(50257, 1024)),
}
"""The models that are drawn: GPT-2 of 124 M parameters, and a hybrid of 48 blocks."""

T = TypeVar("T")


def drawing(rounds: int = ROUNDS) -> dict[str, Any]:
    """Draw GPT-2 124M and a hybrid of 48 blocks.

    Returns:
        For each model: "tree_ms", "layout_ms" and "paint_ms" (medians), "drawn_ms", their sum, "build_ms" for the
        model without weights, "pass_ms" for one forward and backward pass without numbers, "whole_ms", the sum of these
        three, and "settings_ms" for the settings that shape each part, which is found later; "parts" that are visible.
        "within" is true if every "drawn_ms" is at most 100.
    """
    if not has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication.instance() or QApplication([])
    themes.start(application)  # type: ignore[arg-type]
    plugins = Plugins.from_environment()
    result: dict[str, Any] = {name: _drawn(plugins, *model, rounds) for name, model in MODELS.items()}
    within = all(result[name]["drawn_ms"] <= BOUND_MS for name in MODELS)
    return {**result, "within": within, "platform": QApplication.platformName()}


def _drawn(plugins: Plugins, name: str, settings: dict[str, Any], task: Task, rounds: int) -> dict[str, float]:
    card = plugins.card("architectures", name)
    config = card.config(**settings)
    taken: dict[str, list[float]] = {}

    def timed(key: str, work: Callable[[], T]) -> T:
        started = time.perf_counter()
        result = work()
        taken.setdefault(key, []).append(1000 * (time.perf_counter() - started))
        return result

    parts = 0
    for number in range(rounds + 1):
        model = timed("build_ms", lambda: blueprint(card, config, task))
        builder = timed("pass_ms", lambda model=model: TreeBuilder(model, task, card.title))  # type: ignore[misc]
        tree = timed("tree_ms", builder.root)
        area = DiagramArea()
        area.resize(*SIZE)
        timed("layout_ms", lambda area=area, tree=tree: area.diagram.set_tree(tree))  # type: ignore[misc]
        timed("paint_ms", area.grab)
        parts = len(area.diagram.diagram.boxes)
        area.deleteLater()
        if not number:
            taken.clear()  # the first round imports what torch needs for gradients
    timed("settings_ms", lambda: influences(card, config, task, tree))
    found = {key: statistics.median(times) for key, times in taken.items()}
    drawn = found["tree_ms"] + found["layout_ms"] + found["paint_ms"]
    whole = found["build_ms"] + found["pass_ms"] + drawn
    return {**found, "drawn_ms": drawn, "whole_ms": whole, "parts": parts}
