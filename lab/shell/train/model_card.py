"""The card with the drawing of the model: its parts, and what is known of the selected one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from lab.base.model_parts import ModelPart
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.shell.train.equations import EquationsPanel
from lab.shell.train.model_drawing import ModelDrawing
from lab.shell.train.shaping import setting_texts
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import INSIDE
from lab.widgets.diagram.labels import flops_text, parameters_text, parts_text, shape_of, title_of, weights_text
from lab.widgets.diagram.view import DiagramArea
from lab.widgets.figures.view import ExportButton
from lab.widgets.formulas.explanation import PanelButton, Typeset

SIDE = 248
"""Width of the text beside the drawing in pixels."""


class ModelCard(Card):
    """The card with the drawing of the model.

    Args:
        drawing: What is drawn.
        plugins: The plugins, for the names and values of settings.
        reveal: Shows the field of a setting in the form.
        typeset: Typesets the equations of the architecture; None shows their LaTeX.
    """

    closed = Signal()
    """The charts are to be shown again."""
    shaping_changed = Signal(object)
    """Paths of the settings in the form that shape the selected part; () for no part, and if the form has others."""

    def __init__(
        self, drawing: ModelDrawing, plugins: Plugins, reveal: Callable[[str], object], typeset: Typeset | None
    ) -> None:
        super().__init__(tr("Model"))
        self.drawing = drawing
        drawing.setParent(self)
        drawing.changed.connect(self._refresh)
        self._plugins, self._reveal = plugins, reveal
        self._shaping: tuple[str, ...] = ()
        self._about: Sequence[str] = ()  # the parts whose equations are opened as soon as the model is drawn
        self._wanted = ""  # the part to show as soon as the model is drawn
        self.area = DiagramArea()
        self.area.diagram.picked.connect(self._show_part)
        self.side = PartText(self._describe, reveal)
        self._sources = MenuButton(tr("drawn model"), [("draft", tr("configuration"))], self._take_source)
        self._sources.hide()
        close = Button(tr("charts"), hint=tr("Loss and other charts (Ctrl+M)"))
        close.clicked.connect(self.closed)
        hint = tr("The equations of the architecture, with the meaning of each symbol")
        self._equations = PanelButton(tr("equations"), hint, typeset, self._equations_panel)
        for control in (self._sources, self._equations, ExportButton(self.area.diagram), close):
            self.add_control(control)
        content = QWidget()
        columns = QHBoxLayout(content)
        columns.setContentsMargins(INSIDE - 4, 0, 0, 0)
        columns.setSpacing(INSIDE)
        columns.addWidget(self.area, 1)
        columns.addWidget(self.side)
        self.set_content(content, margin=0)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Find the parts of the model while the drawing is shown."""
        super().showEvent(event)
        self.drawing.set_shown(True)
        self._report_shaping()

    def hideEvent(self, event: QHideEvent) -> None:
        """Find no parts while the drawing is hidden."""
        super().hideEvent(event)
        self.drawing.set_shown(False)
        self._report_shaping()

    def find_part(self, wanted: str) -> None:
        """Select a part of the selected run's model, or of the draft's if no run is selected, as soon as it is drawn.

        Args:
            wanted: The part, as `lab.api.Explanation.parts` names it.
        """
        self._wanted = wanted
        self.drawing.show_run(True)

    def find_equations(self, about: Sequence[str]) -> None:
        """Select the first of some parts that the model has, as `find_part` does, and open its equations.

        Args:
            about: The parts, as `lab.api.Explanation.parts` names them.
        """
        self._about = about
        self.drawing.show_run(True)

    def show_equations(self) -> None:
        """Open the equations of the architecture of the drawn model, if it has any."""
        if self._equations.isVisible():
            self._equations.open()

    def _equations_panel(self, button: Button) -> EquationsPanel:
        drawing = self.drawing
        tree = None if drawing.structure is None else drawing.structure.tree
        reveal = self._reveal if drawing.of_form else None
        card, choice = self._plugins.cards("architectures")[self._name], drawing.recipe.architecture
        try:
            config = card.config.read(choice.settings, version=choice.version)
        except LabError:
            config = None
        about, self._about = self._about, ()
        mark_part, mark_settings = self.area.diagram.mark, self._mark_settings
        return EquationsPanel(button, card, tree, self._select, reveal, mark_part, mark_settings, config, about)

    def _mark_settings(self, paths: Sequence[str]) -> None:
        """Mark settings in the form; without any, those that shape the selected part again."""
        self.shaping_changed.emit(tuple(paths) or self._shaping)

    @property
    def _name(self) -> str:
        """The name of the architecture of the drawn model."""
        return self.drawing.recipe.architecture.name

    def _select(self, part: str) -> None:
        """Select a part of the drawn model, as soon as it is drawn, and give the drawing the focus."""
        self._wanted = part
        self._refresh()
        self.area.setFocus()

    def _reveal_wanted(self) -> None:
        """Select the part that was asked for."""
        wanted, self._wanted = self._wanted, ""
        part = self.area.diagram.tree.find(wanted)
        if part is None:
            self.set_title(self._whose(), tr("has no part “{part}”", part=wanted))
        else:
            self.area.diagram.reveal(part.path)

    def _take_source(self, source: str) -> None:
        self.drawing.show_run(source == "run")

    def _refresh(self) -> None:
        drawing = self.drawing
        self._offer_run()
        card = self._plugins.cards("architectures").get(self._name)
        self._equations.setVisible(card is not None and bool(card.equations))
        self.set_title(self._whose(), tr("is being drawn…") if drawing.computing else "")
        self._report_shaping()
        if drawing.problem is not None:
            self._wanted, self._about = "", ()
            self._show_problem(drawing.problem)
        elif drawing.structure is None:
            self.show_empty(tr("The parts of the model of the configuration are drawn here, with their sizes."))
        else:
            self.show_content()
            if drawing.structure.tree != self.area.diagram.tree:
                self.area.diagram.set_tree(drawing.structure.tree)
            self._show_part(self.area.diagram.selected)
            if self._wanted and not drawing.computing:
                self._reveal_wanted()
            if self._about and not drawing.computing:
                self._reveal_equations()

    def _reveal_equations(self) -> None:
        """Select the first part that was asked for, and open the equations at it."""
        tree = self.area.diagram.tree
        part = next(filter(None, map(tree.find, self._about)), None)
        if part is not None:
            self.area.diagram.reveal(part.path)
        self.show_equations()
        self._about = ()

    def _whose(self) -> str:
        """Return the title: whose model is drawn."""
        run = self.drawing.run
        if run is not None and self.drawing.of_run:
            return tr("Model of {run}", run=run.name)
        return tr("Model of the configuration")

    def _offer_run(self) -> None:
        run = self.drawing.run
        runs = [] if run is None else [("run", run.name)]
        self._sources.set_choices([("draft", tr("configuration")), *runs])
        self._sources.show_value("run" if self.drawing.of_run else "draft")
        self._sources.setVisible(bool(runs))

    def _show_problem(self, problem: Problem) -> None:
        message = tr("This model cannot be drawn: {problem}", problem=problem_line(problem))
        if problem.field and not self.drawing.of_run:
            self.show_empty(message, tr("Show the setting"), self._show_setting)
        else:
            self.show_empty(message)

    def _show_setting(self) -> None:
        """Show the setting that keeps the model from being drawn."""
        if self.drawing.problem is not None and self.drawing.problem.field:
            self._reveal(self.drawing.problem.field)

    def _report_shaping(self) -> None:
        """Report which settings shape the selected part while a model with the settings of the form is shown."""
        structure, path = self.drawing.structure, self.area.diagram.selected
        shown = path and not self.isHidden() and self.drawing.of_form
        found = (structure.settings or {}).get(path, ()) if shown and structure is not None else ()
        if found != self._shaping:
            self._shaping = found
            self.shaping_changed.emit(found)

    def _show_part(self, path: str) -> None:
        self._report_shaping()
        diagram, structure = self.area.diagram, self.drawing.structure
        part = diagram.part(path)
        if part is None or structure is None:
            return
        settings = None if structure.settings is None else structure.settings.get(path, ())
        self.side.show_part(part, diagram.tree, settings, of_form=self.drawing.of_form)

    def _describe(self, paths: Iterable[str]) -> dict[str, str]:
        """Return settings of the drawn recipe as the form writes them, by path."""
        try:
            return setting_texts(self.drawing.recipe, paths, self._plugins)
        except LabError:
            return {path: path for path in paths}


class PartFact(Enum):
    """The facts that the card shows about a part."""

    PARAMETERS = auto()
    SHARED = auto()
    FLOPS = auto()
    OUTPUT = auto()
    WEIGHTS = auto()


class _FactRow(QWidget):
    """A number of a part below its name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.value = label("")
        self.value.setAccessibleName(name)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 4, 0, 0)
        rows.setSpacing(0)
        for widget in (label(name, "note"), self.value):
            widget.setWordWrap(True)
            rows.addWidget(widget)


class PartText(QScrollArea):
    """The facts of one part: its numbers, and the settings that shape it as links to the form.

    Args:
        describe: Returns texts of settings by path, from their paths.
        reveal: Shows the field of a setting in the form.
    """

    def __init__(self, describe: Callable[[Iterable[str]], dict[str, str]], reveal: Callable[[str], object]) -> None:
        super().__init__()
        self._describe, self._reveal = describe, reveal
        self.links: dict[str, Button] = {}
        self.setFixedWidth(SIDE)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        self._rows = QVBoxLayout(inside)
        self._rows.setContentsMargins(0, 0, INSIDE, 0)
        self._rows.setSpacing(2)
        self._name, self._note = label("", "strong"), label("", "note")
        self._heading = label("", "note")
        self._facts = {fact: _FactRow(title) for fact, title in fact_titles().items()}
        for widget in (self._name, self._note):
            widget.setWordWrap(True)
            self._rows.addWidget(widget)
        for fact in self._facts.values():
            self._rows.addWidget(fact)
        self._heading.setWordWrap(True)
        self._heading.setContentsMargins(0, 8, 0, 0)
        self._rows.addWidget(self._heading)
        self._links = QVBoxLayout()
        self._links.setSpacing(0)
        self._rows.addLayout(self._links)
        self._rows.addStretch()
        self.setWidget(inside)

    @property
    def text(self) -> str:
        """All visible facts, line by line."""
        titles, rows = fact_titles(), self._facts.items()
        facts = [f"{titles[fact]}: {row.value.text()}" for fact, row in rows if not row.isHidden()]
        return "\n".join([self._name.text(), *facts])

    def show_part(self, part: ModelPart, tree: ModelPart, settings: tuple[str, ...] | None, *, of_form: bool) -> None:
        """Show a part.

        Args:
            part: The part.
            tree: The model, for shares.
            settings: Paths of the settings that shape it; None while they are being found.
            of_form: Whether its settings are those in the form.
        """
        self._name.setText(title_of(part))
        note = parts_text(part.note)
        if part.kind == "table" or not tree.parameters:
            note = tr("This model counts: its tables grow with the text, so they have no fixed size.")
        self._note.setText(note)
        self._note.setVisible(bool(note))
        counts = not tree.parameters
        values = {
            PartFact.PARAMETERS: "" if counts else parameters_text(part, tree),
            PartFact.SHARED: number_text(part.shared) if part.shared else "",
            PartFact.FLOPS: "" if counts else flops_text(part, tree),
            PartFact.OUTPUT: shape_of(part),
            PartFact.WEIGHTS: weights_text(part),
        }
        for fact, row in self._facts.items():
            row.value.setText(values[fact])
            row.setVisible(bool(values[fact]))
        self._show_settings(settings, of_form=of_form)

    def _show_settings(self, settings: tuple[str, ...] | None, *, of_form: bool) -> None:
        headings = {True: tr("Settings that shape it"), False: tr("No setting changes its shape")}
        found = settings is not None
        self._heading.setText(headings[bool(settings)] if found else tr("Settings that shape it: …"))
        wanted = self._describe(settings or ())
        if [*wanted] != [*self.links]:
            for button in self.links.values():
                self._links.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.links = {path: self._link(path) for path in wanted}
        for path, text in wanted.items():
            self.links[path].setText(f"{text} ›")
            self.links[path].setAccessibleName(text)
            self.links[path].setEnabled(of_form)

    def _link(self, path: str) -> Button:
        button = Button("", hint=tr("Show {setting} in the configuration", setting=path))
        button.clicked.connect(partial(self._open, path))
        self._links.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _open(self, path: str, *_: object) -> None:
        self._reveal(path)


def fact_titles() -> dict[PartFact, str]:
    """Return the titles of the facts of a part, in order."""
    return {
        PartFact.PARAMETERS: tr("Parameters"),
        PartFact.SHARED: tr("Shared with a part before it"),
        PartFact.FLOPS: tr("FLOPs of a training step per token"),
        PartFact.OUTPUT: tr("Output"),
        PartFact.WEIGHTS: tr("Weights"),
    }
