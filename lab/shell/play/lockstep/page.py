"""The page Side by side of Play: up to four runs or checkpoints that write in lockstep, and how alike they predict."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from lab.base.files.writing import write_file
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.units import bits
from lab.shell.play.choices import RunChoice
from lab.shell.play.lockstep.columns import ColumnRow
from lab.shell.play.lockstep.model import LockstepModel, Quantity, Writing
from lab.shell.play.panel import PlayPanel
from lab.shell.play.picker import RunPicker, Runs
from lab.shell.play.working import WorkButton
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import run_colour
from lab.widgets.charts.chart import Chart, Line
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized, number_text, tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import BETWEEN, LIGHT, px, themes, token_font
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.number_table import NumberTable
from lab.widgets.tokens.surprisal import SURPRISAL, SurprisalLegend, place_colour, quantity
from lab.workbench.lockstep.columns import MOST
from lab.workbench.lockstep.texts import DIRECTION, LockstepTexts

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.generation import Piece
    from lab.workbench.access.model_access import ModelAccess

POLL = 50
"""Milliseconds between two updates of the texts."""
LEAST, REST = 1.0, 25
"""Seconds between two updates of chart and table while texts grow: at least so many, and so many times their cost."""
BUTTON = 132
"""Width of the button in pixels, as on the page Write."""
JOB = "writing side by side"
"""The key of the work."""
LONGEST_STORED = 20_000
"""Most characters of a prompt that is stored."""


class LockstepPage(QWidget):
    """The page Side by side. Its state is in `model`; strategy, filters, length and seed are those of Play's panel.

    Args:
        registry: The runs.
        model_provider: Provides the selected model.
        background: Runs work in threads.
        panel: The settings of strategy and filters.
    """

    changed = Signal()
    """Writing started or ended."""

    def __init__(
        self, registry: RunRegistry, model_provider: ModelProvider, background: Background, panel: PlayPanel
    ) -> None:
        super().__init__()
        self._registry, self._model_provider, self._background = registry, model_provider, background
        self._panel = panel
        self.model = LockstepModel()
        self._runs = Runs(registry, background, self._reference)
        self._ready = self._is_picked = False  # the latter: whether the user chose the columns
        self._drawn_again = 0.0
        self._make_text_card()
        self._make_chart_card()
        self.split = Splitter(Qt.Orientation.Vertical)
        self.split.addWidget(self.text_card)
        self.split.addWidget(self.chart_card)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self.split.setSizes([420, 260])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, BETWEEN, 0)
        layout.addWidget(self.split)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(self._take)
        registry.list_changed.connect(self._drop_gone)
        registry.selection_changed.connect(self._show_default)
        panel.changed.connect(self._show_how)
        themes.changed.connect(self._draw)
        self._show()

    def _make_text_card(self) -> None:
        self.text_card = Card(tr("Side by side"))
        modes = [("own", tr("each on its own text")), ("held", tr("all on the text of the first"))]
        self.mode = MenuButton(tr("What they read"), modes, self._show_mode)
        self.mode.set_hints(
            {
                "own": tr("Each run goes on with what it has written itself"),
                "held": tr("Every run reads what the first one writes: all predict after the same text"),
            }
        )
        self.add_button = RunPicker(
            tr("Add a run"), tr("Let another run, or a checkpoint, write beside these"), self._runs, takes_others=True
        )
        self.add_button.picked.connect(self._add)
        kinds = [("csv", tr("table as CSV…")), ("json", tr("all as JSON…")), ("html", tr("page as HTML…"))]
        self.export = MenuButton(tr("Export the texts"), kinds, self._export, face=tr("Export"))
        for control in (self.mode, self.add_button, self.export):
            self.text_card.add_control(control)
        self.prompt = QPlainTextEdit("The ")
        self.prompt.setFont(token_font())
        follow_type(self.prompt, lambda prompt: prompt.setFixedHeight(px(64)))
        self.prompt.setAccessibleName(tr("Prompt of all columns"))
        self.prompt.setPlaceholderText(tr("The start of the text"))
        self.prompt.setTabChangesFocus(True)
        self.prompt.setAcceptDrops(False)  # the window opens what is dropped
        self.write_button = WorkButton(
            tr("Write"), hint=tr("Let all columns continue the prompt"), cancel_hint=tr("Stop writing; the texts stay")
        )
        follow_type(self.write_button, lambda button: button.setMinimumWidth(px(BUTTON)))
        self.write_button.clicked.connect(self.toggle)
        self.go_on_button = Button(tr("Go on"), hint=tr("Let all columns continue their texts"))
        self.go_on_button.clicked.connect(self.go_on)
        self.again_button = Button(tr("Another seed"), hint=tr("Write again from the prompt with other random numbers"))
        self.again_button.clicked.connect(self.write_again)
        buttons = QVBoxLayout()
        buttons.setSpacing(2)
        buttons.addWidget(self.write_button)
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.go_on_button)
        below.addWidget(self.again_button)
        buttons.addLayout(below)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.prompt, 1)
        row.addLayout(buttons)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.columns = ColumnRow(self._runs)
        self.columns.removed.connect(self._remove)
        self.columns.picked.connect(self._replace)
        self._how = label("", "note")
        self._how.setWordWrap(True)
        self._legend = SurprisalLegend()
        foot = QHBoxLayout()
        foot.addWidget(self._legend)
        foot.addWidget(self._how, 1)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(row)
        rows.addWidget(self._problem)
        rows.addWidget(self.columns, 1)
        rows.addLayout(foot)
        self.text_card.set_content(content)

    def _make_chart_card(self) -> None:
        self.chart_card = Card(tr("Against the first"))
        choices = [
            (Quantity.KL_BITS.value, tr("KL divergence (bits)")),
            (Quantity.KL_NATS.value, tr("KL divergence (nats)")),
            (Quantity.OVERLAP.value, tr("overlap")),
            (Quantity.LIKELIEST.value, tr("same likeliest token")),
            (Quantity.SURPRISAL.value, tr("bits per character")),
        ]
        self.quantities = MenuButton(tr("quantity"), choices, self._draw_lines)
        self.chart = Chart()
        self.chart_card.add_control(self.quantities)
        self.chart_card.add_control(ExportButton(self.chart))
        self.table = NumberTable(tr("Agreement with the first column"))
        self._sentence = label("", "note")
        self._sentence.setWordWrap(True)
        side = QWidget()
        rows = QVBoxLayout(side)
        rows.setContentsMargins(0, 0, 8, 0)
        rows.setSpacing(4)
        rows.addWidget(self.table, 1)
        rows.addWidget(self._sentence)
        inner = Splitter(Qt.Orientation.Horizontal)
        inner.addWidget(self.chart)
        inner.addWidget(side)
        inner.setStretchFactor(0, 1)
        inner.setStretchFactor(1, 1)
        inner.setSizes([480, 520])
        self.chart_card.set_content(inner, margin=0)

    # ------------------------------------------------------------------------------------------------------ the columns

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show_default()

    def _reference(self) -> ModelAccess | None:
        """Return the model of the first column, whose vocabulary comes first in the lists of runs."""
        first = next(iter(self.model.choices), None)
        if first is None:
            return None
        return first.own if first.run is None else first.run.source

    def _show_default(self) -> None:
        """Let the selected run, and the others that are shown, have the columns until they write or are chosen."""
        if not self._ready or self._is_picked or self.model.texts is not None:
            return
        self.model.choices = [self._selected()]
        selected = self._registry.selected
        others = [run for run in self._registry.shown if run is not selected and run.state.value != "queued"]
        for run in others[: MOST - 1] if selected is not None else []:
            self.model.add(RunChoice(run))
        self._show()

    def _selected(self) -> RunChoice:
        access, run = self._model_provider.current("play")
        return RunChoice(run) if run is not None and access is run.source else RunChoice(run, own=access)

    def _drop_gone(self) -> None:
        """Drop the columns of runs that were deleted."""
        if self.model.writing is not None:
            return
        known = self._registry.runs
        gone = [at for at, one in enumerate(self.model.choices) if one.run is not None and one.run not in known]
        for at in reversed(gone):
            self.model.remove(at)
        if not self.model.choices and self._ready:
            self.model.choices = [self._selected()]
        if gone:
            self._show()

    def _add(self, choice: RunChoice) -> None:
        self._is_picked = True
        self.model.add(choice)
        self._show()

    def _replace(self, at: int, choice: RunChoice) -> None:
        self._is_picked = True
        self.model.replace(at, choice)
        self._show()

    def _remove(self, at: int) -> None:
        self._is_picked = True
        self.model.remove(at)
        self._show()

    # ---------------------------------------------------------------------------------------------------------- writing

    @property
    def works(self) -> bool:
        """True while columns write."""
        return self.model.writing is not None

    def toggle(self) -> None:
        """Start writing from the prompt, or stop; the texts stay."""
        if self.works:
            self.stop()
        else:
            self.start()

    def start(self) -> None:
        """Let all columns continue the prompt."""
        if not self._can_start():
            return
        self._panel.renew_seed()
        prompt = self.prompt.toPlainText()
        writing = self.model.begin(prompt, self._panel.options(), held=self.mode.value == "held")
        for at, view in enumerate(self.columns.views):
            view.show_text(prompt, self.model.text_of(at))
        self._run(writing)

    def go_on(self) -> None:
        """Let all columns continue their texts."""
        if self._can_start() and self.model.can_go_on:
            self._panel.renew_seed()
            self._run(self.model.go_on(self._panel.options()))

    def write_again(self) -> None:
        """Let all columns continue the prompt with another seed."""
        if self.works:
            self.stop()
        self._panel.draw_seed()
        self.start()

    def _can_start(self) -> bool:
        if not self._ready or self.works or not self.model.choices:
            return False
        problem = next(iter(self._panel.problems.values()), None)
        self._show_problem(problem)
        return problem is None

    def _run(self, writing: Writing) -> None:
        self._show_problem(None)
        self._poll.start()
        ended, failed = partial(self._ended, writing), partial(self._failed, writing)
        self._background.run(tr("Writing side by side"), writing.work, ended, failed, replaces=JOB)
        self._show()
        self.changed.emit()

    def stop(self) -> None:
        """Stop writing; the texts stay."""
        if self.works:
            self._end()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._poll.stop()
        self._background.cancel(JOB)
        self.model.end()

    def _take(self) -> None:
        """Show the tokens that were written since the last call."""
        new = self.model.take()
        for view, own in zip(self.columns.views, new, strict=False):
            if own:
                view.add(own)
        now = time.perf_counter()
        if any(new) and now >= self._drawn_again:
            self._show_figures()
            self._draw()
            cost = time.perf_counter() - now
            self._drawn_again = now + max(LEAST, REST * cost)  # long texts are drawn more rarely

    def _ended(self, writing: Writing, _result: None) -> None:
        if writing is self.model.writing:
            self._end()

    def _failed(self, writing: Writing, problem: Problem) -> None:
        if writing is self.model.writing:
            self._end()
            self._show_problem(problem)

    def _end(self) -> None:
        writing = self.model.writing
        self._take()
        self.model.end()
        self._background.cancel(JOB)
        self._poll.stop()
        if writing is not None:
            writing.forget(self._registry.selected)
        self._show()
        self._draw()
        self.changed.emit()

    # ------------------------------------------------------------------------------------------------------------- show

    def _show(self) -> None:
        """Show the state of the work, and the columns."""
        works, texts = self.works, self.model.texts
        self.write_button.show_work(works=works)
        self.write_button.setEnabled(self._ready and bool(self.model.choices))
        self.go_on_button.setEnabled(self.model.can_go_on and texts is not None and any(map(_text, texts.columns)))
        self.again_button.setEnabled(texts is not None)
        self.export.setEnabled(texts is not None and not works and any(map(_text, texts.columns)))
        self.mode.setEnabled(not works)
        self.add_button.setEnabled(self._ready and self.model.has_room and not works)
        self.columns.show_choices(self.model.choices, works=works)
        for at, view in enumerate(self.columns.views):
            if not works:
                view.show_text("" if texts is None else texts.prompt, self.model.text_of(at))
        self._show_figures()
        self._show_how()
        if texts is None:
            self.chart_card.show_empty(
                tr("How far the predictions of each run are from those of the first: the KL divergence at each token.")
            )
        else:
            self.chart_card.show_content()
            self._draw()

    def _show_figures(self) -> None:
        for at, view in enumerate(self.columns.views):
            view.show_state(self.model.text_of(at), at)

    def _show_mode(self, _mode: str) -> None:
        self._show_how()

    def _show_how(self) -> None:
        """Say how all columns write."""
        options = self._panel.options()
        decoding = options["decoding"]
        names = [tr_registered(name) for name in (decoding.strategy.name, *(one.name for one in decoding.filters))]
        self._how.setText(
            tr(
                "{way} · seed {seed} · at most {n} tokens · every column draws with the same uniform numbers",
                way=", ".join(names), seed=options["seed"], n=number_text(options["count"]),
            )
        )  # fmt: skip

    def _show_problem(self, problem: Problem | None) -> None:
        self._problem.setText("" if problem is None else problem_line(problem))
        self._problem.setVisible(problem is not None)
        is_about_prompt = problem is not None and problem.field == "prompt"
        refresh_style(self.prompt, "state", "bad" if is_about_prompt else "")

    def _draw(self) -> None:
        if self.model.texts is not None:
            self._draw_lines(self.quantities.value)
            self._show_table()

    def _draw_lines(self, value: str) -> None:
        shown = Quantity(value)
        if self.model.texts is None:
            return
        named = {
            Quantity.KL_BITS: tr("KL (bits)"), Quantity.KL_NATS: tr("KL (nats)"), Quantity.OVERLAP: tr("overlap"),
            Quantity.LIKELIEST: tr("share of the last 16 tokens"), Quantity.SURPRISAL: tr("bits per character"),
        }  # fmt: skip
        lines: list[Line] = []
        used: list[str] = []
        for at, choice in enumerate(self.model.choices):
            colour = themes.now.runs[0] if choice.run is None else run_colour(choice.run)
            found = self.model.line(at, shown)
            if found is not None:
                dashes = used.count(colour)
                lines.append(Line(f"{at}/{value}", choice.name, colour, *found, "thin", dashes))
            used.append(colour)
        self.chart.set_axes(tr("token") if shown.compares else tr("characters"), named[shown])
        self.chart.include_values(0.0)
        self.chart.set_lines(lines)
        self.chart.draw()

    def _show_table(self) -> None:
        texts = self.model.texts
        assert texts is not None
        heads = [
            tr("run"), tr("KL (bits)"), tr("overlap"), tr("argmax"), tr("draw"), tr("bits/char"),
        ]  # fmt: skip
        hints = [
            "", tr("Mean of {divergence} over the tokens", divergence=DIRECTION),
            tr("Mean of Σ min(p, q): 100 % for equal predictions"),
            tr("Tokens at which both have the same likeliest token"),
            tr("Tokens at which both chose the same token, with the same random numbers"),
            tr("Surprisal of the own text under the run itself, per character"),
        ]  # fmt: skip
        rows = []
        for column in texts.columns:
            found, rate = column.summary, column.bits_per_character
            cells = [""] * 4
            if found is not None:
                divergence = number_text(bits(found.kl), ".3f") if np.isfinite(found.kl) else "∞"
                shares = (found.overlap, found.same_likeliest, found.same_token)
                cells = [divergence, *(f"{number_text(100 * share, '.0f')} %" for share in shares)]
            shown = number_text(rate, ".2f") if np.isfinite(rate) else ""
            rows.append([column.name, *cells, shown])
        self.table.show_rows(heads, rows, hints=hints)
        self._sentence.setText(_sentence(texts))

    # ----------------------------------------------------------------------------------------------------------- export

    def _export(self, kind: str) -> None:
        """Ask for a file and write the texts to it; the dialog asks before a file is replaced."""
        texts = self.model.texts
        if texts is None:
            return
        heading = tr("Texts side by side")
        start = str(last_folder() / f"{file_name(heading)}.{kind}")
        file, _ = QFileDialog.getSaveFileName(self, tr("Export the texts"), start, f"{kind.upper()} (*.{kind})")
        if not file:
            return
        path = Path(file)
        if path.suffix.lower() != f".{kind}":
            path = unused(path.with_name(f"{path.name}.{kind}"))
        remember_folder(path.parent)
        content: Callable[[], str] = {"csv": texts.to_csv, "json": texts.to_json}.get(kind, texts.to_csv)
        if kind == "html":
            content = partial(texts.to_html, _ground, quantity(SURPRISAL).spoken, heading)
        self._background.run(tr("Exporting {file}", file=path.name), partial(_put, path, content), _report)

    def state_dict(self) -> dict[str, Any]:
        """Return what is shown and, if it is not too long to be stored, the prompt."""
        prompt = self.prompt.toPlainText()
        return {
            "mode": self.mode.value, "quantity": self.quantities.value,
            **({"prompt": prompt} if len(prompt) <= LONGEST_STORED else {}),
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; what is not known any more is left out."""
        for name, menu in (("mode", self.mode), ("quantity", self.quantities)):
            if isinstance(state.get(name), str) and menu.offers(state[name]):
                menu.pick(state[name])
        if isinstance(state.get("prompt"), str):
            self.prompt.setPlainText(state["prompt"])

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.text_card, self.chart_card]


def _text(column: Any) -> bool:
    return bool(column.written)


def _sentence(texts: LockstepTexts) -> str:
    """Return how the figures are read."""
    parts = [tr("KL is {divergence}, before all filters.", divergence=DIRECTION)]
    if any(not column.comparable for column in texts.columns):
        parts.append(tr("It is not defined where vocabularies differ; such runs go on character by character."))
    elif not texts.held and any(column.summary and column.summary.apart for column in texts.columns):
        parts.append(tr("Where texts differ, it compares predictions after different texts."))
    return localized(" ".join(parts))


def _ground(piece: Piece) -> str:
    """Return the colour of a token on white."""
    measured = quantity(SURPRISAL)
    return place_colour(measured.place(piece.probability, piece.entropy, piece.rank), LIGHT)


def _put(path: Path, content: Callable[[], str], _job: Job) -> Path:
    write_file(path, content())
    return path


def _report(path: Path) -> None:
    notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))
