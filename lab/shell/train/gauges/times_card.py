"""The card that shows where the time of a step goes, and what the window takes of it."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from lab.runs.metrics.gauges import STEP_PARTS
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.gauges.labels import part_title
from lab.shell.train.gauges.map_card import why_nothing
from lab.shell.train.run_card import RunCard
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.lists.bar_list import Bar, BarList

LATEST = 5
"""Number of the latest measurements whose mean is shown."""


class WindowShare:
    """The share of one processor core that the main thread has used, between two calls.

    Args:
        busy: Returns the seconds that the calling thread has computed.
        clock: Returns increasing seconds.
    """

    def __init__(
        self, busy: Callable[[], float] = time.thread_time, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._busy, self._clock = busy, clock
        self._last = busy(), clock()
        self.share: float | None = None

    def measure(self) -> float | None:
        """Return the share since the last measurement, which took a second at least; None before the first one."""
        busy, now = self._busy(), self._clock()
        if now - self._last[1] >= 1.0:
            self.share = (busy - self._last[0]) / (now - self._last[1])
            self._last = busy, now
        return self.share


class StepTimeCard(RunCard):
    """The card with a bar for each part of a step.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
    """

    shows_selected_only = True

    def __init__(self, registry: RunRegistry, drawing: Drawing) -> None:
        super().__init__(tr("Time of a step"), registry, drawing)
        self._window = WindowShare()
        self.list = BarList(tr("Time of a step"))
        self.set_content(self.list)
        self.draw()

    def draw(self) -> None:
        """Show the mean seconds of each part in the latest steps."""
        run = self._registry.selected
        seconds = {} if run is None else seconds_of(run)
        share = self._window.measure()
        total = sum(seconds.values())
        if run is None or not total:
            self.set_title(tr("Time of a step"))
            nothing = tr("Where the time of a step goes is shown here while a run trains.")
            self.show_empty(nothing if run is None else why_nothing(run))
            return
        self.show_content()
        self.set_title(tr("Time of a step"), f"{run.name} · {_milliseconds(total)}")
        bars = [_bar(part_title(part), value, total) for part, value in seconds.items()]
        if share is not None and run.trains and run.on_processor:
            bars.append(_bar(tr("this window"), share * total, total, second=True))
        self.list.set_bars([tr("part"), tr("time"), tr("share")], bars)


def seconds_of(run: RunModel) -> dict[str, float]:
    """Return the mean seconds of each part of a step in the latest measurements; {} if there are none."""
    found = {part: run.curves.values(f"{part} seconds")[-LATEST:] for part in STEP_PARTS}
    return {part: float(np.mean(values)) for part, values in found.items() if len(values)}


def _bar(name: str, seconds: float, total: float, *, second: bool = False) -> Bar:
    figures = _milliseconds(seconds), tr("{share} %", share=number_text(100 * seconds / total, ".1f"))
    return Bar(name, seconds / total, figures, f"{name}: {', '.join(figures)}", second)


def _milliseconds(seconds: float) -> str:
    return tr("{n} ms", n=number_text(1000 * seconds, ".3g" if seconds < 1 else ",.0f"))
