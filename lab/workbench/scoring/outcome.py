"""The outcome of a test of a run: figures, a table and curves, in one form for the command line and the window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Curve:
    """A line of an outcome.

    Args:
        name: Its id, such as "by position".
        x: The id of what is on the x axis.
        points: (x, y), x ascending.
        x_log: Whether the x axis is logarithmic.
    """

    name: str
    x: str
    points: tuple[tuple[float, float], ...]
    x_log: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a test found.

    Args:
        test: The name of the test.
        step: Optimizer updates that the model had; 0 is untrained.
        figures: The main figures, by their ids.
        heads: The ids of the columns of the table.
        rows: Its rows: texts and numbers; None where there is no value.
        curves: Its lines, all in the same unit.
        y: The id of what the curves show.
    """

    test: str
    step: int
    figures: dict[str, float]
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str | float | None, ...], ...] = ()
    curves: tuple[Curve, ...] = ()
    y: str = "nats per token"
