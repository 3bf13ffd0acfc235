"""The state of the table of decoding, without Qt: what is being measured, how far it is, and the lines of its plots."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lab.workbench import SavedRun
from lab.workbench.scoring.by_checkpoint import CheckpointTable, tables_by_checkpoint
from lab.workbench.scoring.degeneration import GRID, Row, Table, degeneration_table

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.model_access import ModelAccess

PARAMETERS = ("temperature", "top-k", "top-p")
"""The filters over whose first setting the measures are drawn."""


class Measuring:
    """One table that is being made; a thread writes its rows and progress here.

    Args:
        access: The model.
        run: Its run; None for the untrained model of the draft.
        settings: The settings.
        texts: Texts of each.
        tokens: Tokens of each text.
        checkpoints: The checkpoints of the run that are measured, as of `checkpoints_named`; () measures the model.
        clock: Returns seconds.

    Attributes:
        table: The rows so far, of the last checkpoint; None before the corpus is measured.
        tables: Those of all checkpoints; () without checkpoints.
        share: The share that is done.
        setting: The setting that is being measured.
    """

    def __init__(
        self,
        access: ModelAccess,
        run: RunModel | None,
        settings: Sequence[str] = GRID,
        *,
        texts: int,
        tokens: int,
        checkpoints: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.run, self.settings = run, tuple(settings)
        self.table: Table | None = None
        self.tables: tuple[CheckpointTable, ...] = ()
        self.checkpoints = tuple(checkpoints)
        self.share, self.setting = 0.0, ""
        self._access, self._texts, self._tokens = access, texts, tokens
        self._clock, self._started = clock, clock()

    def work(self, job: Job) -> None:
        """Measure; in a thread."""
        if self.checkpoints and self.run is not None and self.run.path is not None:
            saved = SavedRun.find(self.run.path, self._access.plugins)
            tables_by_checkpoint(
                saved, self.checkpoints, self.settings, texts=self._texts, tokens=self._tokens,
                report=self._report_all, progress=self._progress, cancelled=lambda: job.cancelled,
            )  # fmt: skip
            return
        degeneration_table(
            self._access, self.settings, texts=self._texts, tokens=self._tokens, report=self._report,
            progress=self._progress, cancelled=lambda: job.cancelled,
        )  # fmt: skip

    @property
    def left(self) -> float | None:
        """Seconds that it will still take, if it goes on as so far; None before that is known."""
        if self.share < 0.01:
            return None
        return (self._clock() - self._started) * (1 - self.share) / self.share

    @property
    def rows(self) -> list[tuple[CheckpointTable | None, Table, Row | None]]:
        """The rows: the checkpoint, its table, and the setting; None for the corpus' own."""
        given = [(one, one.table) for one in self.tables] if self.tables else [(None, self.table)]
        return [
            (checkpoint, table, row) for checkpoint, table in given if table is not None for row in (None, *table.rows)
        ]

    def _report(self, table: Table) -> None:
        self.table = table

    def _report_all(self, tables: Sequence[CheckpointTable]) -> None:
        self.table, self.tables = tables[-1].table, tuple(tables)

    def _progress(self, share: float, setting: str) -> None:
        self.share, self.setting = share, setting


def lines_over_steps(tables: Sequence[CheckpointTable], measure: str) -> dict[str, list[tuple[float, float]]]:
    """Return (step, measure) of each setting, and of "" for the corpus, by checkpoint."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for one in tables:
        for setting, measures in [("", one.table.human), *((row.setting, row.measures) for row in one.table.rows)]:
            lines.setdefault(setting, []).append((float(one.step), getattr(measures, measure)))
    return lines


def line_of(rows: Sequence[Row], parameter: str, measure: str) -> list[tuple[float, float]]:
    """Return (setting, measure) of the rows that use one filter alone, in ascending order of its setting.

    "sampling" stands for temperature 1 and p = 1: both filters leave the distribution as it is there.
    """
    points = {}
    for row in rows:
        name, sign, value = row.setting.partition("=")
        if name == parameter and sign and "," not in row.setting:
            points[float(value)] = getattr(row.measures, measure)
        elif row.setting == "sampling" and parameter in ("temperature", "top-p"):
            points[1.0] = getattr(row.measures, measure)
        elif row.setting == "greedy" and parameter in ("temperature", "top-k"):
            points[0.0 if parameter == "temperature" else 1.0] = getattr(row.measures, measure)
    return sorted(points.items())
