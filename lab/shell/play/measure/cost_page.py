"""The page Cost of Play: what a text costs by its length, measured on the selected run, beside the theory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.base.units import short
from lab.shell.play.working import PageWork, WorkBar, WorkButton, side_by_side, work_column
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.scales import run_colour
from lab.widgets.charts.chart import Chart, Line
from lab.widgets.core.card import Card
from lab.widgets.core.controls import MenuButton, label
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.number_table import NumberTable
from lab.workbench.analysis.positions import (
    LAST,
    SIZES,
    THEORY,
    TIMES,
    PositionCosts,
    over_positions,
    positions_to,
)

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel

JOB = "measuring costs"
"""The key of the work."""
ENDS = (512, LAST, 8192, 32768)
"""The lengths that are offered."""


class CostWork:
    """Costs that are being measured; a thread writes them and the progress here.

    Args:
        run: The run; None for the untrained model of the draft.
    """

    def __init__(self, run: RunModel | None) -> None:
        self.run = run
        self.costs: PositionCosts | None = None
        self.share, self.count = 0.0, 0

    def report(self, costs: PositionCosts) -> None:
        """Store the costs so far."""
        self.costs, self.count = costs, len(costs.points)

    def progress(self, share: float) -> None:
        """Store the progress."""
        self.share = share


class CostPage(QWidget):
    """The page Cost.

    Args:
        model_provider: Provides the selected model.
        background: Runs work in threads.

    Attributes:
        work: What is shown or being measured; None before the first.
    """

    def __init__(self, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._model_provider = model_provider
        self.work: CostWork | None = None
        self._worker = PageWork(background, JOB, tr("Measuring costs"), self)
        self._ready = False
        self._shown = 0  # positions that are drawn
        self.card = Card(tr("Cost of writing"))
        ends = [(str(end), number_text(end)) for end in (LAST, *(end for end in ENDS if end != LAST))]
        self.ends = MenuButton(tr("Tokens of the longest text"), ends, _ignore, prefix=tr("up to") + " ")
        self.card.add_control(self.ends)
        self.button = WorkButton(
            tr("Measure"), hint=tr("Let the selected run read longer and longer texts"),
            cancel_hint=tr("Stop measuring; the rows so far stay"),
        )  # fmt: skip
        self.button.clicked.connect(self.toggle)
        self._about, self._note = label(tr("Time and memory by the number of tokens before."), "dim"), label("", "note")
        self._problem = label("", "bad")
        for each in (self._about, self._note, self._problem):
            each.setWordWrap(True)
        self._bar = WorkBar(tr("Progress of measuring"))
        self.growth = NumberTable(tr("How costs grow"))
        self.table = NumberTable(tr("Costs by position"))
        self.card.set_content(
            work_column(
                self._about, self.button, self._bar, self._problem, self.growth, growing=self.table, last=self._note
            )
        )
        self._make_charts()
        side_by_side(self, self.card, self.chart_card, sizes=(560, 560))
        self._worker.polled.connect(self._refresh)
        self._worker.changed.connect(self._show)
        themes.changed.connect(self._draw)
        self._show()

    def _make_charts(self) -> None:
        self.chart_card = Card(tr("Against position"))
        self.times, self.sizes = Chart(), Chart()
        self.chart_card.add_control(ExportButton(self.times))
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        for chart in (self.times, self.sizes):
            rows.addWidget(chart, 1)
        self.chart_card.set_content(content, margin=0)

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._worker.close_down()

    def toggle(self) -> None:
        """Measure the selected run, or cancel; rows that are done stay."""
        if self._worker.works:
            self._worker.cancel()
        else:
            self.start()

    def start(self) -> None:
        """Measure the selected run."""
        if not self._ready or self._worker.works:
            return
        access, run = self._model_provider.current("play")
        work = self.work = CostWork(run)
        positions = positions_to(int(self.ends.value))

        def measure(job: Job) -> PositionCosts:
            return over_positions(
                access, positions, report=work.report, progress=work.progress, cancelled=lambda: job.cancelled
            )

        self._shown = 0
        self._worker.start(measure)

    # ------------------------------------------------------------------------------------------------------------- show

    def _show(self) -> None:
        """Show the state of the work."""
        works, problem = self._worker.works, self._worker.problem
        self.button.show_work(works=works)
        self.button.setEnabled(self._ready)
        self.ends.setEnabled(not works)
        self._bar.setVisible(works)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        has_costs = self.work is not None and self.work.costs is not None
        for table in (self.growth, self.table):
            table.setVisible(has_costs)
        what = tr(
            "What a text costs by its length: the next token, reading it at once with fused and with explicit "
            "attention, and its memory, beside the theory."
        )
        if not has_costs and not works and not problem:
            self.card.show_empty(what, tr("Measure") if self._ready else "", self.start)
        else:
            self.card.show_content()
        if self.work is not None and self.work.count >= 2:
            self.chart_card.show_content()
        else:
            self.chart_card.show_empty(tr("Time and memory appear here, with what theory says as dashed lines."))

    def _refresh(self) -> None:
        """Show the progress, and new rows."""
        if self.work is None:
            return
        self._bar.show_share(self.work.share)
        if self.work.count != self._shown:
            self._shown = self.work.count
            self._draw()
            self._show()

    def _draw(self) -> None:
        work = self.work
        if work is None or work.costs is None:
            return
        costs = work.costs
        self.card.set_title(tr("Cost of writing"), model_name(work.run, costs.step))
        names = costs.quantities
        growth = [[_title(name), *_growth(costs, name)] for name in names]
        heads = [tr("quantity"), tr("measured ∝"), tr("counted ∝"), tr("in the end")]
        hints = [
            "", tr("Fitted to the last positions"),
            tr("Operations of matrix products, or bytes by shape, at the same positions"), tr("By theory"),
        ]  # fmt: skip
        self.growth.show_rows(heads, growth, hints=hints)
        self.growth.setFixedHeight(self.growth.height_of_rows(len(names)))
        rows = [
            [number_text(point.position), *(_cell(name, point.values.get(name)) for name in names)]
            for point in costs.points
        ]
        self.table.show_rows([tr("tokens"), *map(_title, names)], rows)
        self._note.setText(_note(costs))
        self._note.setVisible(bool(self._note.text()))
        self._draw_chart(self.times, TIMES, tr("milliseconds"), 1000)
        self._draw_chart(self.sizes, SIZES, tr("megabytes"), 1e-6)

    def _draw_chart(self, chart: Chart, names: tuple[str, ...], unit: str, scale: float) -> None:
        assert self.work is not None
        assert self.work.costs is not None
        costs, lines = self.work.costs, []
        first = themes.now.runs[0] if self.work.run is None else run_colour(self.work.run)
        colours = [first, *(colour for colour in themes.now.runs if colour != first)]
        for number, name in enumerate(names):
            line = costs.line(name)
            if not line:
                continue
            x, y = (np.array(values, float) for values in zip(*line, strict=True))
            shown = _title(name)
            lines.append(Line(name, shown, colours[number], x, scale * y, "main", 0, shown))
            theory = costs.line(THEORY[name]) if name in THEORY else []
            if len(theory) > 1 and theory[-1][1] > 0 and name not in SIZES:
                x, counted = (np.array(values, float) for values in zip(*theory, strict=True))
                last = dict(line).get(theory[-1][0], line[-1][1])  # through the last measured point
                long_name = tr("{name}, by theory", name=shown)
                fitted = scale * last * counted / counted[-1]
                lines.append(Line(f"{name} by theory", "", colours[number], x, fitted, "thin", 1, long_name))
        chart.set_axes(tr("tokens before"), unit, x_log=True, y_log=True)
        chart.set_lines(lines)
        chart.draw()

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.card, self.chart_card]


def _ignore(_value: str) -> None:
    """Do nothing: the choice is read when costs are measured next."""


def _title(name: str) -> str:
    """Return the name of a quantity."""
    return {
        "step": tr("next token"), "read": tr("read all"), "explicit": tr("read all, explicit"), "state": tr("state"),
        "read memory": tr("memory"), "explicit memory": tr("memory, explicit"),
    }[name]  # fmt: skip


def _growth(costs: PositionCosts, name: str) -> list[str]:
    """Return the cells of a quantity's growth."""
    powers = [costs.exponent(name), costs.theory_exponent(name)]
    cells = ["" if power is None else f"T^{number_text(power, '.2f')}" for power in powers]
    order = costs.order(name)
    return [*cells, "" if order is None else (tr("constant"), "T", "T²")[order]]


def _cell(name: str, value: float | None) -> str:
    if value is None:
        return ""
    return f"{localized(short(value))}B" if name in SIZES else f"{number_text(1000 * value, '.3g')} ms"


def _note(costs: PositionCosts) -> str:
    if not costs.is_remade or costs.reach is None:
        return ""
    return tr(
        "This run reads {n} tokens and then starts again: an untrained model like it, built for more, is measured.",
        n=number_text(costs.reach),
    )
