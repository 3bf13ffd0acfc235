"""The card of what the doctor found in the selected run: the cause, its evidence as a chart, and the remedies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.api import Finding, Remedy
from lab.runs.finding_list import RuleFinding
from lab.shell.session.findings import KnownFindings
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import axis_name, run_colour
from lab.shell.train.run_card import RunCard
from lab.widgets.charts.chart import Chart, Flag, Floor, Line
from lab.widgets.core.card import VerticalScroll
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import capitalized, message_text
from lab.widgets.core.theme import INSIDE, mixed, px, themes
from lab.widgets.figures.view import ExportButton

Apply = Callable[[RunModel, Finding, Remedy], object]
SIDE = 300
"""Width of the text beside the chart in pixels."""
LOWEST = 168
"""The least height of the card in pixels: a finding, and three remedies."""


class FindingsCard(RunCard):
    """The card with one finding at a time; hidden while there is none.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
        findings: The findings of the runs.
        apply: Applies a remedy.
    """

    shows_selected_only = True

    def __init__(self, registry: RunRegistry, drawing: Drawing, findings: KnownFindings, apply: Apply) -> None:
        super().__init__(tr("Doctor"), registry, drawing)
        self._findings, self._apply = findings, apply
        self._index = 0
        self._shown: tuple[object, ...] = ()
        self.chart = Chart()
        self._menu = MenuButton(tr("finding"), [("0", "")], self._take)
        self._what, self._remedy = label("", "strong"), label("", "note")
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(INSIDE, 0, INSIDE, 0)
        for text in (self._what, self._remedy):
            text.setWordWrap(True)
            self._column.addWidget(text)
        self.buttons: list[Button] = []
        self._column.addStretch()
        self._offered = QVBoxLayout()
        self._offered.setSpacing(4)
        scroll = VerticalScroll(inside)
        scroll.setFixedWidth(px(SIDE))
        content = QWidget()
        columns = QHBoxLayout(content)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.addWidget(scroll)
        column = QVBoxLayout()
        column.addLayout(self._offered)
        column.addStretch()
        columns.addLayout(column)
        columns.addWidget(self.chart, 1)
        self.add_control(self._menu)
        self.add_control(ExportButton(self.chart))
        self.set_content(content, margin=0)
        follow_type(self, lambda card: card.setMinimumHeight(px(LOWEST)))
        self.hide()
        registry.data_changed.connect(self._on_new_data)
        registry.selection_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show or hide the card; a hidden card is not drawn."""
        self.setVisible(bool(self._findings.of(self._registry.selected)))
        self.change_at_once()

    def _on_new_data(self, run: RunModel) -> None:
        if run is self._registry.selected:
            self.setVisible(bool(self._findings.of(run)))

    def _take(self, index: str) -> None:
        self._index = int(index)
        self.change_at_once()

    def draw(self) -> None:
        """Draw the selected finding."""
        run = self._registry.selected
        found = self._findings.of(run)
        if run is None or not found:
            self.show_empty(tr("The doctor finds nothing wrong in this run."))
            return
        self._index = min(self._index, len(found) - 1)
        self._menu.set_choices([(str(index), _short(one)) for index, one in enumerate(found)])
        self._menu.show_value(str(self._index))
        self._menu.setVisible(len(found) > 1)
        one = found[self._index]
        self.show_content()
        self.set_title(tr("Doctor"), f"{run.name} · {tr('step {step}', step=number_text(one.finding.step))}")
        if self._shown != (run.key, one):
            self._shown = (run.key, one)
            self._what.setText(f"{capitalized(message_text(one.finding.what))}.")
            self._remedy.setText(f"{message_text(one.finding.remedy)}." if one.finding.remedy else "")
            self._offer(run, one.finding)
        self._draw_evidence(run, one.finding)

    def _offer(self, run: RunModel, finding: Finding) -> None:
        for button in self.buttons:
            self._offered.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        for index, remedy in enumerate(finding.remedies):
            button = Button(message_text(remedy.what), hint=hint_of(remedy), role="" if index else "primary")
            button.clicked.connect(partial(self._start, run, finding, remedy))
            self._offered.addWidget(button)
            self.buttons.append(button)

    def _start(self, run: RunModel, finding: Finding, remedy: Remedy, *_: object) -> None:
        self._apply(run, finding, remedy)

    def _draw_evidence(self, run: RunModel, finding: Finding) -> None:
        evidence = finding.evidence
        known = run.curves.names()
        names = [name for name in (() if evidence is None else evidence.series) if name in known]
        self.chart.setVisible(bool(names))
        if evidence is None or not names:
            return
        lines = []
        for index, name in enumerate(names):
            colour = mixed(run_colour(run), themes.now.text, 1 - 0.65 * index / max(1, len(names) - 1))
            x, y = run.curves.steps(name), run.curves.values(name)
            lines.append(Line(f"{run.key}/{name}", name, colour, x, y, "thin"))
        self.chart.set_axes(axis_name("steps"), "", y_log=evidence.log, x_kind="steps")
        self.chart.set_floors([] if evidence.limit is None else [Floor(tr("limit"), evidence.limit)])
        self.chart.set_flags([Flag(float(finding.step), tr("seen first"))])
        self.chart.set_lines(lines)
        self.chart.draw()


def hint_of(remedy: Remedy) -> str:
    """Return what a remedy does, with its settings."""
    changes = ", ".join(f"{path} = {value}" for path, value in remedy.changes.items())
    if remedy.start == "now":
        return tr("Change this run now: {changes}", changes=changes)
    if remedy.start == "beginning":
        return tr("Stop this run and start it again from the beginning with {changes}", changes=changes)
    return tr("Stop this run and continue from the last checkpoint before, or from the beginning, with {changes}",
              changes=changes)  # fmt: skip


def _short(one: RuleFinding) -> str:
    text = message_text(one.finding.what)
    return capitalized(text if len(text) <= 60 else f"{text[:59]}…")


def finding_line(found: list[RuleFinding]) -> str:
    """Return a line about the findings of a run; "" if there are none."""
    if not found:
        return ""
    first: Any = found[0].finding
    more = tr(" (and {n} more)", n=number_text(len(found) - 1)) if len(found) > 1 else ""
    return f"{tr('Doctor')}: {message_text(first.what)}{more}"
