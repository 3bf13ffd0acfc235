"""What the table of many runs shows: those of a study or tag, alone or in groups with a band. It has no widgets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lab.base.units import duration, short
from lab.shell.compare.many.coordinates import Coordinate, coordinates_of
from lab.shell.compare.many.run_figures import BEST, FEW, LAST, MEAN
from lab.shell.compare.many.table_model import Cell
from lab.shell.session.setting_labels import setting_title
from lab.studies.statistics import SPREADS, RunFigures, differing_fields, grouped, pareto_front
from lab.studies.statistics.groups import Field, Group
from lab.widgets.core.i18n import localized, tr

NOTHING = ""
"""The choice of all runs, or of no groups."""
MOST_FIELDS = 8
"""Most settings of an ungrouped table."""
MOST_OFFERED = 40
FACTOR = 8.0
"""Factor between the ends of a quantity from which on its axis is logarithmic."""


@dataclass(frozen=True)
class Choices:
    """What the user selected.

    Args:
        tag: The tag of the runs; NOTHING for all.
        by: The field by which they are grouped; NOTHING for none.
        figure: LAST, BEST or MEAN.
        band: One of SPREADS.
        quantity: A key of `quantities`.
    """

    tag: str = NOTHING
    by: str = NOTHING
    figure: str = LAST
    band: str = SPREADS[2]
    quantity: str = "parameters"

    def as_dict(self) -> dict[str, str]:
        """Return them for the settings file."""
        return dict(vars(self))


def choices_from(stored: object) -> Choices:
    """Return choices from the settings file; what cannot be used has its default."""
    known = stored if isinstance(stored, Mapping) else {}
    given = {name: value for name, value in known.items() if name in vars(Choices()) and isinstance(value, str)}
    found = Choices(**given)
    allowed = {"figure": (LAST, BEST, MEAN), "band": SPREADS, "quantity": tuple(quantities())}
    return Choices(**{name: value for name, value in vars(found).items() if value in allowed.get(name, (value,))})


def figure_labels() -> dict[str, str]:
    """Return the figures that stand for the losses of a run, with their labels."""
    return {
        LAST: tr("last loss"),
        BEST: tr("best loss"),
        MEAN: tr("mean of the last {n} losses", n=FEW),
    }


def band_labels() -> dict[str, str]:
    """Return the measures of a band, with their labels."""
    return dict(
        zip(SPREADS, (tr("standard deviation"), tr("standard error"), tr("95 % interval of the mean")), strict=True)
    )


def quantities() -> dict[str, str]:
    """Return the quantities that the loss is drawn against, with their labels."""
    return {
        "parameters": tr("parameters"),
        "active parameters": tr("active parameters"),
        "tokens": tr("tokens"),
        "seconds": tr("seconds"),
        "FLOPs": tr("FLOPs"),
        "state bytes": tr("bytes of state"),
    }


class ArmsTable:
    """The runs, and what is shown of them.

    Attributes:
        choices: What the user selected.
    """

    def __init__(self) -> None:
        self._all: list[RunFigures] = []
        self.choices = Choices()
        self.selection: frozenset[str] | None = None  # keys of the runs in the selected ranges; None for all

    def set_runs(self, runs: Sequence[RunFigures]) -> None:
        """Take other runs."""
        self._all = list(runs)

    @property
    def runs(self) -> list[RunFigures]:
        """The runs of the selected tag, those in the selected ranges alone."""
        return [run for run in self.tagged if self.selection is None or run.key in self.selection]

    @property
    def tagged(self) -> list[RunFigures]:
        """The runs of the selected tag."""
        tag = self.choices.tag
        return [run for run in self._all if not tag or tag in _tags(run)]

    def coordinates(self) -> list[Coordinate]:
        """Return the runs of the selected tag as lines through the settings in which they differ, and their loss."""
        runs, figure = self.tagged, self.choices.figure
        differing = [name for name in differing_fields(runs) if name not in ("tags", "training.seed")]
        fields = {name: field_title(name) for name in differing[:MOST_FIELDS]}
        return coordinates_of(runs, fields, {figure: figure_labels()[figure]})

    def tags(self) -> list[str]:
        """Return the tags of all runs, those of the most runs first."""
        counts: dict[str, int] = {}
        for run in self._all:
            for tag in _tags(run):
                counts[tag] = counts.get(tag, 0) + 1
        return sorted(counts, key=lambda tag: (-counts[tag], tag))[:MOST_OFFERED]

    def fields(self) -> list[str]:
        """Return the fields by which the runs can be grouped: those in which they differ."""
        return [name for name in differing_fields(self.runs) if name != "tags"][:MOST_OFFERED]

    def groups(self) -> list[Group]:
        """Return the groups of the selected field; none if they are not grouped."""
        return grouped(self.runs, self.choices.by, self.choices.figure) if self.choices.by else []

    def table(self) -> tuple[list[str], list[list[Cell]]]:
        """Return the titles of the columns, and the cells of each row."""
        return self._grouped() if self.choices.by else self._alone()

    def points(self) -> tuple[np.ndarray, list[str], list[int]]:
        """Return the (N, 2) quantity and loss of each run, their names, and the indices of the Pareto front."""
        runs = self.runs
        found = np.array(
            [[_value(run, self.choices.quantity), _value(run, self.choices.figure)] for run in runs], float
        ).reshape(-1, 2)
        return found, [run.name for run in runs], pareto_front(found[:, 0].tolist(), found[:, 1].tolist())

    @property
    def is_log(self) -> bool:
        """True if the quantity spans such a factor that its axis is logarithmic."""
        values = [value for run in self.runs if (value := _value(run, self.choices.quantity)) > 0]
        return bool(values) and max(values) > FACTOR * min(values)

    def _grouped(self) -> tuple[list[str], list[list[Cell]]]:
        figure, band = figure_labels()[self.choices.figure], band_labels()[self.choices.band]
        titles = [field_title(self.choices.by), tr("Runs"), tr("Mean: {figure}", figure=figure), f"± {band}"]
        titles += [tr("Parameters"), tr("Tokens"), tr("Time")]
        rows = []
        for group in self.groups():
            spread = group.spread
            mean = math.nan if spread is None else spread.mean
            half = math.nan if spread is None else spread.half_width(self.choices.band)
            rows.append(
                [
                    _field_cell(group.value),
                    Cell(str(len(group.runs)), float(len(group.runs))),
                    _loss_cell(mean),
                    _loss_cell(half),
                    *_costs([_mean(group.runs, name) for name in ("parameters", "tokens", "seconds")]),
                ]
            )
        return titles, rows

    def _alone(self) -> tuple[list[str], list[list[Cell]]]:
        runs, fields = self.runs, self.fields()[:MOST_FIELDS]
        figure = figure_labels()[self.choices.figure]
        titles = [tr("Run"), figure, *map(field_title, fields), tr("Parameters"), tr("Tokens"), tr("Time")]
        rows = [
            [
                Cell(run.name, run.name),
                _loss_cell(_value(run, self.choices.figure)),
                *(_field_cell(run.fields.get(name)) for name in fields),
                *_costs([_value(run, name) for name in ("parameters", "tokens", "seconds")]),
            ]
            for run in runs
        ]
        return titles, rows


def field_title(path: str) -> str:
    """Return the title of a field in the language of the window."""
    return setting_title(path)


def _tags(run: RunFigures) -> tuple[str, ...]:
    found = run.fields.get("tags")
    return found if isinstance(found, tuple) else ()


def _value(run: RunFigures, name: str) -> float:
    return run.values.get(name, math.nan)


def _mean(runs: Sequence[RunFigures], name: str) -> float:
    known = [value for run in runs if math.isfinite(value := _value(run, name))]
    return sum(known) / len(known) if known else math.nan


def _loss_cell(value: float) -> Cell:
    return Cell(localized(f"{value:.4f}"), value) if math.isfinite(value) else Cell("–", math.nan)


def _costs(values: Sequence[float]) -> list[Cell]:
    parameters, tokens, seconds = values
    found = [
        Cell(localized(short(value)), value) if math.isfinite(value) else Cell("–", math.nan)
        for value in (parameters, tokens)
    ]
    return [*found, Cell(localized(duration(seconds)), seconds) if math.isfinite(seconds) else Cell("–", math.nan)]


def _field_cell(value: Field) -> Cell:
    if isinstance(value, bool):
        return Cell(tr("yes") if value else tr("no"), float(value))
    if isinstance(value, int | float):
        return Cell(localized(f"{value:.6g}"), float(value))
    text = ", ".join(value) if isinstance(value, tuple) else value or "–"
    return Cell(text, text)
