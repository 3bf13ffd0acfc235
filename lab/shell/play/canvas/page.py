"""The page Canvas: the drawing pad, the classes or texts of the picture as bars, and what the likeliest rests on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.shell.play.working import PageWork, side_by_side
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px
from lab.widgets.lists.bar_list import Bar, BarList
from lab.widgets.planes.pad import DrawingPad, Pixels
from lab.widgets.planes.pictures import Pictures
from lab.widgets.tokens.next_tokens import percent

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.answers.classes import PredictedClasses
    from lab.workbench.access.answers.pictures import PictureDecision, PictureForm

OPENING, CLASSIFYING, EXPLAINING = "opening a canvas", "classifying a picture", "explaining a picture"
"""The keys of the works."""
AFTER_STROKE, AFTER_EDIT = 300, 400
"""Milliseconds after the last change of the picture until it is explained, and of the texts until it is classified."""
COLOURS = {
    "white": (242, 242, 242), "red": (230, 51, 51), "green": (51, 191, 64), "blue": (64, 102, 242),
    "yellow": (242, 217, 51), "black": (0, 0, 0),
}  # fmt: skip
"""Colours to draw with, by name."""
WIDTHS = {"thin": 0.02, "middle": 0.045, "thick": 0.09}
"""Half of the width of a stroke as a share of the picture's height, by name."""


class CanvasPage(QWidget):
    """The page Canvas.

    Args:
        model_provider: Provides the selected model.
        background: Runs work in threads.

    Attributes:
        form: The form of the pictures of the selected run; None before it is known.
        found: The classes that are shown; None before the first.
        decision: What the likeliest one rests on; None while the picture changes.
    """

    def __init__(self, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._model_provider = model_provider
        self._opener = PageWork(background, OPENING, tr("Opening the canvas"), self)
        self._worker = PageWork(background, CLASSIFYING, tr("Classifying the picture"), self)
        self._explainer = PageWork(background, EXPLAINING, tr("Explaining the class"), self)
        self._ready = self._is_stale = False
        self.form: PictureForm | None = None
        self.found: PredictedClasses | None = None
        self.decision: PictureDecision | None = None
        self._run: RunModel | None = None
        self._recipe: object = None  # of the model whose form is known
        self._example = 0
        self._make_picture_card()
        self._make_answer_card()
        side_by_side(self, self.picture_card, self.card, sizes=(480, 520))
        self._settled, self._edited = (QTimer(self) for _ in range(2))
        for timer, pause, do in (
            (self._settled, AFTER_STROKE, self._explain),
            (self._edited, AFTER_EDIT, self._classify),
        ):
            timer.setSingleShot(True)
            timer.setInterval(pause)
            timer.timeout.connect(do)
        self._opener.changed.connect(self._show)
        self._worker.changed.connect(self._on_classified)
        self._explainer.changed.connect(self._show)
        self._show()

    def _make_picture_card(self) -> None:
        self.picture_card = Card(tr("Picture"))
        self.pad = DrawingPad()
        self.pad.drawn.connect(self._on_drawn)
        self.colours = MenuButton(tr("Colour"), [], self._pick_colour, prefix=tr("colour") + " ")
        names = {"thin": tr("thin"), "middle": tr("medium"), "thick": tr("thick")}
        self.widths = MenuButton(
            tr("Stroke"), [(name, names[name]) for name in WIDTHS], self._pick_width, prefix=tr("stroke") + " "
        )
        self.widths.pick("middle")
        self.picture_card.add_control(self.colours)
        self.picture_card.add_control(self.widths)
        self.empty = Button(tr("Clear"), hint=tr("Erase the picture"))
        self.empty.clicked.connect(self.pad.clear)
        self.example = Button(tr("Example"), hint=tr("Show the next picture of the validation split"))
        self.example.clicked.connect(self._open_example)
        self.file = Button(tr("Open picture…"), hint=tr("Read a picture from a file, in the size that the run reads"))
        self.file.clicked.connect(self._pick_file)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for button in (self.empty, self.example, self.file):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._problem = label("", "bad")
        self._about = label("", "note")
        note = label(tr("Draw with the left button of the mouse, erase with the right one."), "note")
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(buttons)
        for each in (self._problem, self._about, note):
            each.setWordWrap(True)
        rows.addWidget(self._problem)
        rows.addWidget(self.pad, 1)
        rows.addWidget(self._about)
        rows.addWidget(note)
        self.picture_card.set_content(content)

    def _make_answer_card(self) -> None:
        self.card = Card(tr("Classes"))
        self._ask = label(tr("Texts that may belong to it, one in each line"), "note")
        self.prompts = QPlainTextEdit()
        follow_type(self.prompts, lambda field: field.setFixedHeight(px(112)))
        self.prompts.setAccessibleName(tr("Texts that may belong to the picture"))
        self.prompts.setTabChangesFocus(True)
        self.prompts.setAcceptDrops(False)  # the window opens what is dropped
        self.prompts.textChanged.connect(self._on_edited)
        self.bars = BarList(tr("Classes"))
        self._why = label("", "")
        self.occlusion, self.gradient = Pictures(), Pictures()
        maps = QHBoxLayout()
        maps.setSpacing(12)
        self._maps: list[QWidget] = [self._why]
        for title, view, hint in (
            (tr("without each place"), self.occlusion,
             tr("How much the log-odds of the class fall where a square around a pixel is covered")),
            (tr("gradient"), self.gradient,
             tr("The gradient of the log-odds times what the pixel differs from the background")),
        ):  # fmt: skip
            column, head = QVBoxLayout(), label(title, "note")
            head.setToolTip(hint)
            view.setAccessibleName(title)
            column.addWidget(head)
            column.addWidget(view, 1)
            maps.addLayout(column, 1)
            self._maps += [head, view]
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self._ask)
        rows.addWidget(self.prompts)
        rows.addWidget(self.bars, 4)
        rows.addWidget(self._why)
        rows.addLayout(maps, 3)
        self.card.set_content(content)

    # ------------------------------------------------------------------------------------------------------------ life

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self.open_selected()

    def close_down(self) -> None:
        """Stop all work of this page."""
        for timer in (self._settled, self._edited):
            timer.stop()
        for worker in (self._opener, self._worker, self._explainer):
            worker.close_down()

    def open_selected(self) -> None:
        """Show an empty picture in the form of the selected run, unless it is shown already; classify it again then."""
        if not self._ready:
            return
        access, run = self._model_provider.current("play")
        known = (access.recipe.corpus, access.recipe.objective, access.recipe.tokenizer)
        if self.form is not None and known == self._recipe:
            self._classify()
            return
        self.close_down()
        self.form = self.found = self.decision = None

        def open_form(_job: Job) -> PictureForm:
            return access.picture_form()

        self._opener.start(open_form, partial(self._opened, run, known))

    def _opened(self, run: RunModel | None, known: object, form: PictureForm) -> None:
        self.form, self._recipe, self._run = form, known, run
        is_grey = form.shape[2] == 1
        names = {
            "white": tr("white"), "red": tr("red"), "green": tr("green"), "blue": tr("blue"), "yellow": tr("yellow"),
            "black": tr("black"),
        }  # fmt: skip
        offered = ("white", "black") if is_grey else tuple(COLOURS)
        self.pad.background = form.background
        self.pad.set_pixels(np.broadcast_to(form.background, form.shape))
        is_bright = float(form.background.mean()) > 127
        self.colours.set_choices([(name, names[name]) for name in (reversed(offered) if is_bright else offered)])
        self._pick_colour("black" if is_bright else "white")
        self._pick_width(self.widths.value)
        with QSignalBlocker(self.prompts):
            self.prompts.setPlainText("\n".join(form.captions))
        self._example = 0
        self._about.setText("")
        self._classify()

    # ------------------------------------------------------------------------------------------------------ the picture

    def _pick_colour(self, name: str) -> None:
        if self.form is not None:
            self.pad.colour = np.array(COLOURS[name][: self.form.shape[2]], np.uint8)

    def _pick_width(self, name: str) -> None:
        if self.form is not None:
            self.pad.radius = WIDTHS[name] * self.form.shape[0]

    def _on_drawn(self) -> None:
        self._about.setText("")
        self._opener.problem = ""  # of a picture that is not the one drawn now
        self._classify()

    def _open_example(self) -> None:
        access, _ = self._model_provider.current("play")
        number, self._example = self._example, self._example + 1

        def read(_job: Job) -> tuple[Pixels, str]:
            return access.example_picture(number)

        self._opener.start(read, self._take_example)

    def _take_example(self, found: tuple[Pixels, str]) -> None:
        self.pad.set_pixels(found[0])
        self._about.setText(tr("Picture of the validation split: {name}", name=found[1]))
        self._classify()

    def _pick_file(self) -> None:
        title = tr("Open a picture")
        file, _ = QFileDialog.getOpenFileName(self.window(), title, str(last_folder()), tr("All files (*)"))
        if file:
            remember_folder(Path(file).parent)
            self.open_file(Path(file))

    def open_file(self, path: Path) -> None:
        """Read a picture from a file."""
        access, _ = self._model_provider.current("play")

        def read(_job: Job) -> Pixels:
            return access.read_picture(path)

        self._opener.start(read, partial(self._take_file, path.name))

    def _take_file(self, name: str, pixels: Pixels) -> None:
        self.pad.set_pixels(pixels)
        self._about.setText(name)
        self._classify()

    # ------------------------------------------------------------------------------------------------------ the answers

    def _on_edited(self) -> None:
        if self.form is not None:
            self._edited.start()

    def _texts(self) -> list[str]:
        """Return the texts to compare with; [] of a run with classes."""
        if self.form is None or self.form.classes:
            return []
        return [line.strip() for line in self.prompts.toPlainText().splitlines() if line.strip()]

    def _classify(self) -> None:
        """Classify the picture, or after the work that runs."""
        if self.form is None:
            return
        self._settled.stop()
        if self._explainer.works:  # what it explains is not shown any more
            self._explainer.cancel()
        self.decision = None
        if self._worker.works:
            self._is_stale = True
            return
        self._is_stale = False
        access, run = self._model_provider.current("play")
        pixels, texts = self.pad.pixels, self._texts()

        def classify(_job: Job) -> PredictedClasses:
            return access.classify_picture(pixels, texts)

        self._worker.start(classify, partial(self._classified, run))

    def _classified(self, run: RunModel | None, found: PredictedClasses) -> None:
        self.found, self._run = found, run
        bars = [Bar(name, share, (percent(share),), f"{name} {percent(share)}") for name, share in found.ranked()]
        self.bars.set_bars([tr("class") if self._is_of_classes else tr("text"), tr("probability")], bars)
        self._settled.start()

    def _on_classified(self) -> None:
        if self._worker.problem:
            self.found = None
        if self._is_stale and not self._worker.works:
            self._classify()
        self._show()

    def _explain(self) -> None:
        """Find what the likeliest class rests on, once the picture stands still."""
        if self.form is None or self.found is None:
            return
        access, _ = self._model_provider.current("play")
        pixels, texts = self.pad.pixels, self._texts()

        def explain(_job: Job) -> PictureDecision:
            return access.picture_decision(pixels, texts)

        self._explainer.start(explain, self._explained)

    def _explained(self, decision: PictureDecision) -> None:
        if self._worker.works or self.found is None:
            return
        self.decision = decision
        for view, values in ((self.occlusion, decision.occlusion), (self.gradient, decision.gradient)):
            view.set_pictures(values[None], (tr("nats"),), tr("nats"), _levels(values))

    # ------------------------------------------------------------------------------------------------------------- show

    @property
    def _is_of_classes(self) -> bool:
        return self.form is not None and bool(self.form.classes)

    def _show(self) -> None:
        """Show the state of the page."""
        problem = self._opener.problem or self._worker.problem or self._explainer.problem
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        has_form = self.form is not None
        controls: tuple[QWidget, ...] = (self.pad, self.empty, self.example, self.file, self.colours, self.widths)
        for control in controls:
            control.setEnabled(has_form)
        takes_texts = has_form and not self._is_of_classes
        self._ask.setVisible(takes_texts)
        self.prompts.setVisible(takes_texts)
        for part in self._maps:
            part.setVisible(self.decision is not None)
        if self.decision is not None:
            self._why.setText(
                tr("What {name} rests on: warm colours speak for it, cold ones against it", name=self.decision.name)
            )
        name = model_name(self._run, self.found.step) if self.found is not None else ""
        self.card.set_title(tr("Classes") if self._is_of_classes or not has_form else tr("Texts"), name)
        if has_form:
            self.card.show_content()
        else:
            self.card.show_empty(tr("What the run sees in the picture appears here."))

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.picture_card, self.card]


def _levels(values: Any) -> tuple[float, float]:
    """Return levels around 0 for what speaks for a class and against it."""
    most = float(np.abs(values).max()) or 1.0
    return -most, most
