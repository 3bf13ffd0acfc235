"""The page Measure of Play: the table of degeneration with its plots, and the card of tests."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.base.units import duration
from lab.shell.play.measure.model import PARAMETERS, Measuring, line_of, lines_over_steps
from lab.shell.play.working import PageWork, WorkBar, WorkButton, side_by_side, work_column
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import run_colour
from lab.widgets.charts.chart import Chart, Floor, Line
from lab.widgets.core.card import Card
from lab.widgets.core.controls import MenuButton, label
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.lists.number_table import NumberTable
from lab.workbench.scoring.by_checkpoint import ALL, BEST, LAST, SETTINGS, CheckpointTable
from lab.workbench.scoring.degeneration import GRID, MEASURES, Measures, Row

JOB = "measuring decoding"
"""The key of the work."""
SHARES = ("repetition", "repeated")
"""Measures that are shown in percent."""


class MeasurePage(QWidget):
    """The page Measure.

    Args:
        registry: The runs.
        model_provider: Provides the selected model.
        background: Runs work in threads.

    Attributes:
        measuring: The table that is shown or being made; None before the first.
    """

    def __init__(self, registry: RunRegistry, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._registry, self._model_provider = registry, model_provider
        self.measuring: Measuring | None = None
        self._worker = PageWork(background, JOB, tr("Measuring ways of decoding"), self)
        self._ready = False
        self._rows_shown = -1
        self.card = Card(tr("Ways of decoding"))
        self._texts = MenuButton(
            tr("Texts of each setting"), [(str(n), str(n)) for n in (32, 8, 16, 64)], _ignore, prefix=tr("texts") + " "
        )
        self._tokens = MenuButton(
            tr("Tokens of each text"),
            [(str(n), str(n)) for n in (200, 50, 100, 400)],
            _ignore,
            prefix=tr("tokens") + " ",
        )
        self._checkpoints = MenuButton(
            tr("Checkpoints of the run"),
            [(LAST, tr("the last")), (f"{BEST} {LAST}", tr("best and last")), (ALL, tr("all"))],
            _ignore,
            prefix=tr("checkpoints") + " ",
        )
        self.button = WorkButton(
            tr("Measure"),
            hint=tr("Let the selected run write texts in each way"),
            cancel_hint=tr("Stop measuring; the rows so far stay"),
        )
        self.button.clicked.connect(self.toggle)
        for control in (self._texts, self._tokens, self._checkpoints):
            self.card.add_control(control)
        self._bar = WorkBar(tr("Progress of measuring"))
        self._note, self._problem = label("", "note"), label("", "bad")
        self._sentence = ""  # about the table
        for each in (self._note, self._problem):
            each.setWordWrap(True)
        self.table = NumberTable(tr("Ways of decoding"))
        self.table.row_selected.connect(self._show_example)
        self._example = label("", "dim")
        self._example.setTextFormat(Qt.TextFormat.PlainText)
        self._example.setWordWrap(True)
        self.card.set_content(
            work_column(self._note, self.button, self._bar, self._problem, growing=self.table, last=self._example)
        )
        self._make_plots()
        side_by_side(self, self.card, self.plots_card, sizes=(800, 460))
        self._worker.polled.connect(self._refresh)
        self._worker.changed.connect(self._show)
        themes.changed.connect(self._draw)
        self._show()

    def _make_plots(self) -> None:
        self.plots_card = Card(tr("Plots"))
        self.measures = MenuButton(tr("measure"), [(name, _title(name)) for name in MEASURES], self._draw_plots)
        self.plots_card.add_control(self.measures)
        self.charts = {parameter: Chart() for parameter in PARAMETERS}
        self.over_steps = Chart()
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        for chart in (*self.charts.values(), self.over_steps):
            rows.addWidget(chart, 1)
        self.plots_card.set_content(content, margin=0)

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._worker.close_down()

    # -------------------------------------------------------------------------------------------------------- measuring

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
        names = self._checkpoints.value.split()
        is_one = names == [LAST] or run is None or run.path is None
        measuring = self.measuring = Measuring(
            access, run, GRID if is_one else SETTINGS, texts=int(self._texts.value), tokens=int(self._tokens.value),
            checkpoints=() if is_one else names,
        )  # fmt: skip
        self._rows_shown = -1
        self._example.setText("")
        self._worker.start(measuring.work)

    # ------------------------------------------------------------------------------------------------------------- show

    def _show(self) -> None:
        """Show the state of the work."""
        works, problem = self._worker.works, self._worker.problem
        self.button.show_work(works=works)
        self.button.setEnabled(self._ready)
        for menu in (self._texts, self._tokens, self._checkpoints):
            menu.setEnabled(not works)
        self._bar.setVisible(works)
        if not works:
            self._note.setText(self._sentence)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        table = None if self.measuring is None else self.measuring.table
        what = tr(
            "Perplexity, repetition and diversity of what a run writes, for each way of decoding, "
            "beside its corpus (Holtzman et al. 2020)."
        )
        if table is None and not works and not problem:
            self.card.show_empty(what, tr("Measure") if self._ready else "", self.start)
        else:
            self.card.show_content()
        by_checkpoint = self.measuring is not None and bool(self.measuring.checkpoints)
        self.over_steps.setVisible(by_checkpoint)
        for chart in self.charts.values():
            chart.setVisible(not by_checkpoint)
        if self.measuring is None or len(self.measuring.rows) < 3:  # the corpus' own, and two settings
            self.plots_card.show_empty(
                tr("Each measure over the temperature, over k and over p; or over the steps of the checkpoints.")
            )
        else:
            self.plots_card.show_content()

    def _refresh(self) -> None:
        """Show the progress, and new rows."""
        measuring = self.measuring
        if measuring is None:
            return
        self._bar.show_share(measuring.share)
        left = measuring.left
        rest = "" if left is None else tr("about {time} left", time=localized(duration(left)))
        self._note.setText(" · ".join(filter(None, (measuring.setting, rest))))
        rows = len(measuring.rows)
        if rows != self._rows_shown:
            self._rows_shown = rows
            self._draw()
            self._show()

    def _draw(self) -> None:
        measuring = self.measuring
        if measuring is None or measuring.table is None:
            return
        table = measuring.table
        name = model_name(measuring.run, table.step)
        self.card.set_title(tr("Ways of decoding"), name)
        rows, marked = [], set()
        for at, (checkpoint, own, row) in enumerate(measuring.rows):
            rows.append([_name_of(checkpoint, row), *_cells(own.human if row is None else row.measures)])
            if row is not None:
                marked |= {(at, 1 + place) for place, one in enumerate(MEASURES) if own.nearest(one) == row.setting}
                marked |= {(at, 0)} if own.nearest() == row.setting else set()
        self.table.show_rows(
            [tr("setting"), *(_title(measure) for measure in MEASURES)], rows, marked=marked,
            hints=["", *(_hint(measure) for measure in MEASURES)],
        )  # fmt: skip
        about = tr("{n} texts of {tokens} tokens after pieces of the validation text.",
                  n=number_text(len(table.prompts)), tokens=number_text(table.tokens))  # fmt: skip
        if measuring.tables:
            about += " " + tr("Bold: the nearest to the corpus at the same step.")
        elif table.nearest() is not None:
            about += " " + tr("Bold: the nearest to the corpus by each measure; by perplexity {setting}.",
                             setting=table.nearest())  # fmt: skip
        self._sentence = about
        self._draw_plots(self.measures.value)

    def _draw_plots(self, measure: str) -> None:
        measuring = self.measuring
        if measuring is None or measuring.table is None:
            return
        table = measuring.table
        colour = themes.now.runs[0] if measuring.run is None else run_colour(measuring.run)
        scale = 100 if measure in SHARES else 1
        if measuring.checkpoints:
            self._draw_over_steps(measuring, measure, scale)
            return
        human = getattr(table.human, measure) * scale
        for parameter, chart in self.charts.items():
            points = [(x, y * scale) for x, y in line_of(table.rows, parameter, measure) if math.isfinite(y)]
            x, y = (np.array(values, float) for values in (zip(*points, strict=True) if points else ((), ())))
            axis = {"temperature": tr("temperature"), "top-k": "k", "top-p": "p"}[parameter]
            unit = f"{_title(measure)} (%)" if scale == 100 else _title(measure)
            chart.set_axes(axis, unit, x_log=parameter == "top-k")
            chart.set_lines([Line(f"{parameter}/{measure}", "", colour, x, y, "main", 0, unit)])
            explanation = tr("What the corpus itself has")
            chart.set_floors([Floor(tr("corpus"), human, explanation)] if math.isfinite(human) else [])
            if math.isfinite(human):
                chart.include_values(human)
            chart.draw()

    def _draw_over_steps(self, measuring: Measuring, measure: str, scale: int) -> None:
        """Draw a measure of each setting, and of the corpus as a dashed line, over the steps of the checkpoints."""
        colours, lines = themes.now.runs, []
        for number, (setting, points) in enumerate(lines_over_steps(measuring.tables, measure).items()):
            known = [(x, y * scale) for x, y in points if math.isfinite(y)]
            x, y = (np.array(values, float) for values in (zip(*known, strict=True) if known else ((), ())))
            colour = colours[(number - 1) % len(colours)] if setting else themes.now.dim
            name = setting or tr("corpus")
            lines.append(Line(f"steps/{setting}", name, colour, x, y, "main", 0 if setting else 1, name))
        unit = f"{_title(measure)} (%)" if scale == 100 else _title(measure)
        self.over_steps.set_axes(tr("step"), unit, y_log=measure == "perplexity")  # that of the corpus may grow far
        self.over_steps.set_lines(lines)
        self.over_steps.draw()

    def _show_example(self, row: int) -> None:
        """Show the start of a text of the selected row."""
        rows = [] if self.measuring is None else self.measuring.rows
        if not 0 <= row < len(rows):
            self._example.setText("")
            return
        _, table, one = rows[row]
        self._example.setText(f"{table.prompts[0]}▸{(table.originals if one is None else one.texts)[0]}")

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.card, self.plots_card]


def _ignore(_value: str) -> None:
    """Do nothing: the choice is read when the next table is made."""


def _name_of(checkpoint: CheckpointTable | None, row: Row | None) -> str:
    """Return the name of a row: the setting, after the step of its checkpoint; the corpus has the validation loss."""
    setting = tr("the corpus") if row is None else row.setting
    if checkpoint is None:
        return setting
    step = number_text(checkpoint.step)
    if row is not None or checkpoint.loss is None:
        return f"{step} · {setting}"
    loss = number_text(checkpoint.loss, ".3f")
    if checkpoint.is_best:
        return tr("{step} · the corpus (loss {loss}, best)", step=step, loss=loss)
    return tr("{step} · the corpus (loss {loss})", step=step, loss=loss)


def _title(measure: str) -> str:
    """Return the name of a measure."""
    return {
        "perplexity": tr("perplexity"), "repetition": tr("repetition"), "repeated": "rep-4", "self_bleu": "Self-BLEU",
        "distinct_1": "dist-1", "distinct_2": "dist-2", "distinct_3": "dist-3", "zipf": "Zipf",
    }[measure]  # fmt: skip


def _hint(measure: str) -> str:
    """Return what a measure is."""
    return {
        "perplexity": tr("exp of the mean surprisal under the model itself, before any filter"),
        "repetition": tr("Texts that end in a phrase of two tokens or more, three times in a row"),
        "repeated": tr("Share of sequences of four words that came before in the same text"),
        "self_bleu": tr("BLEU-4 of each text with the others as references: near 1, the texts are alike"),
        "distinct_1": tr("Share of distinct words among those of all texts"),
        "distinct_2": tr("Share of distinct pairs of words"),
        "distinct_3": tr("Share of distinct triples of words"),
        "zipf": tr("Exponent of Zipf's law: frequency falls with rank to this power"),
    }[measure]


def _cells(found: Measures) -> list[str]:
    cells = []
    for name, value in found.as_dict().items():
        shown = f"{number_text(100 * value, '.1f')} %" if name in SHARES else number_text(value, ".2f")
        cells.append("" if math.isnan(value) else shown)
    return cells
