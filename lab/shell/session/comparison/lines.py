"""The lines of validation losses in charts of runs."""

from __future__ import annotations

from dataclasses import replace

from lab.base.charts.averages import Values
from lab.shell.session.runs.model import RunModel
from lab.shell.session.scales import run_colour, run_dashes
from lab.widgets.charts.lines import Line
from lab.widgets.core.i18n import tr

WHOLE = " on all"
"""What the key of a mark adds to that of its line, if it was measured on all of the validation text."""


def validation_lines(run: RunModel, x: Values, y: Values, name: str) -> list[Line]:
    """Return the line of a run's validation loss; its last point is a mark of its own if it was measured on more text.

    Args:
        run: The run.
        x: Where it was evaluated, [N].
        y: The losses, [N].
        name: The label at the end.
    """
    description = f"{run.name} · {tr('validation loss')}"
    line = Line(f"{run.key}/validation", name, run_colour(run), x, y, "main", run_dashes(run), description)
    if run.part_tokens is None or len(x) < 2:
        return [line]
    mark = replace(line, key=line.key + WHOLE, x=x[-1:], y=y[-1:])
    return [replace(line, name="", x=x[:-1], y=y[:-1], stands_in_for=mark.key), mark]
