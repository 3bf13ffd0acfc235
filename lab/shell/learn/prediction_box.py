"""The prediction of a lesson: a number that is typed, an option that is picked, or a curve that is drawn."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLineEdit, QRadioButton, QVBoxLayout, QWidget

from lab.lessons.lesson import Lesson
from lab.lessons.predictions import Predicted, Score, positions, shown
from lab.lessons.results import Outcome
from lab.shell.learn.curve_pad import CurvePad
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.theme import px


class PredictionBox(QWidget):
    """A prediction before the runs, and what became of it afterwards.

    Attributes:
        pad: The axes of a curve.
        number: The field of a number.
        options: The options to pick from.
        commit: The button that makes the prediction.
    """

    predicted = Signal(object)
    """The prediction that was made: a number, a key or a curve."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lesson: Lesson | None = None
        self._text = label("", "strong")
        self._text.setWordWrap(True)
        self.pad = CurvePad()
        self.pad.changed.connect(self._allow)
        self.number = QLineEdit()
        self.number.setFixedWidth(px(120))
        self.number.textChanged.connect(self._allow)
        self.number.returnPressed.connect(self._commit)
        self._unit = label("", "dim")
        self._typed = QWidget()
        typed = QHBoxLayout(self._typed)
        typed.setContentsMargins(0, 0, 0, 0)
        typed.addWidget(self.number)
        typed.addWidget(self._unit)
        typed.addStretch(1)
        self._picked = QWidget()
        self._rows = QVBoxLayout(self._picked)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(6)
        self.options: list[QRadioButton] = []
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._allow)
        self.commit = Button(tr("This is my prediction"), role="primary")
        self.commit.clicked.connect(self._commit)
        self._rule = label("", "note")
        self._rule.setWordWrap(True)
        self._outcome, self._why = label("", "strong"), label("")
        for text in (self._outcome, self._why):
            text.setWordWrap(True)
        foot = QHBoxLayout()
        foot.addWidget(self.commit)
        foot.addWidget(self._rule, 100)
        foot.addStretch(1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        for widget in (self._text, self.pad, self._typed, self._picked):
            rows.addWidget(widget)
        rows.addLayout(foot)
        rows.addWidget(self._outcome)
        rows.addWidget(self._why)

    def show_lesson(
        self, lesson: Lesson, predicted: Predicted | None, score: Score | None, outcome: Outcome | None
    ) -> None:
        """Show the prediction of a lesson.

        Args:
            lesson: The lesson.
            predicted: What was predicted; None before.
            score: What became of it; None until the result was seen.
            outcome: What was measured; None if it is not to be seen yet.
        """
        prediction = lesson.prediction
        if lesson is not self._lesson:
            self._lesson = lesson
            self._make_fields(lesson)
        self._text.setText(prediction.text)
        is_open = score is None
        self._show_predicted(lesson, predicted, is_open=is_open)
        if prediction.kind == "curve" and score is not None and outcome is not None:
            measured = outcome.values.get(prediction.of)
            self.pad.show_measured(measured if isinstance(measured, dict) else {})
        self.commit.setVisible(is_open)
        self.commit.setText(tr("This is my prediction") if predicted is None else tr("Change the prediction"))
        rules = ", ".join(prediction.right)
        self.commit.change_role("primary" if predicted is None else "")
        self._rule.setText(tr("Right is: {rules}", rules=rules))
        self._rule.setVisible(predicted is not None)
        self._outcome.setVisible(score is not None)
        self._why.setVisible(score is not None)
        if score is not None:
            self._outcome.setText(_verdict(lesson, predicted, score))
            self._why.setText(prediction.explanation)
        self._allow()

    def forget(self) -> None:
        """Forget the lesson, which changed."""
        self._lesson = None

    def _make_fields(self, lesson: Lesson) -> None:
        prediction = lesson.prediction
        self.pad.setVisible(prediction.kind == "curve")
        self._typed.setVisible(prediction.kind == "number")
        self._picked.setVisible(prediction.kind == "pick")
        if prediction.kind == "curve":
            keys = positions(lesson)
            self.pad.set_axes(keys, prediction.x, prediction.y, prediction.low, prediction.high, log=prediction.log)
        self._unit.setText(prediction.unit)
        self.number.clear()
        self.number.setAccessibleName(prediction.text)
        low, high = number_text(prediction.low, "g"), number_text(prediction.high, "g")
        self.number.setPlaceholderText(tr("{low} to {high}", low=low, high=high))
        self.number.setValidator(QDoubleValidator(self.number))
        for shown_before in self.options:
            self._group.removeButton(shown_before)
            shown_before.deleteLater()
        self.options = []
        for number, option in enumerate(prediction.options):
            button = QRadioButton(option.label.replace("&", "&&"))
            self._group.addButton(button, number)
            self._rows.addWidget(button)
            self.options.append(button)

    def _show_predicted(self, lesson: Lesson, predicted: Predicted | None, *, is_open: bool) -> None:
        if isinstance(predicted, dict):
            self.pad.show_drawn(predicted, is_open=is_open)
        elif lesson.prediction.kind == "curve":
            self.pad.show_drawn(self.pad.drawn, is_open=is_open)
        elif isinstance(predicted, float):
            self.number.setText(localized(f"{predicted:g}"))
        elif isinstance(predicted, str):
            for option, button in zip(lesson.prediction.options, self.options, strict=True):
                button.setChecked(option.key == predicted)
        self.number.setReadOnly(not is_open)
        for button in self.options:
            button.setEnabled(is_open)

    def current(self) -> Predicted | None:
        """Return what is drawn, picked or typed now; None while it is not complete."""
        lesson = self._lesson
        if lesson is None:
            return None
        if lesson.prediction.kind == "curve":
            return dict(self.pad.drawn) if self.pad.is_complete else None
        if lesson.prediction.kind == "pick":
            number = self._group.checkedId()
            return lesson.prediction.options[number].key if number >= 0 else None
        value, is_number = self.number.locale().toDouble(self.number.text())
        if not is_number:
            try:
                value = float(self.number.text().replace(",", "."))
            except ValueError:
                return None
        return value if lesson.prediction.low <= value <= lesson.prediction.high else None

    def _allow(self, *_: object) -> None:
        self.commit.setEnabled(self.current() is not None)

    def _commit(self) -> None:
        predicted = self.current()
        if predicted is not None and self.commit.isVisible():
            self.predicted.emit(predicted)


def _verdict(lesson: Lesson, predicted: Predicted | None, score: Score) -> str:
    """Return the outcome of a prediction in a sentence."""
    right = {True: tr("Right."), False: tr("Not this time."), None: tr("It could not be decided.")}[score.right]
    if lesson.prediction.kind == "curve":
        if score.distance is None:
            return right
        distance = number_text(score.distance, ".2g")
        return f"{right} " + tr("Your curve is {distance} away on average.", distance=distance)
    yours, measured = shown(lesson, predicted), shown(lesson, score.answer)
    return f"{right} " + tr(
        "Predicted: {yours}. Measured: {measured}.", yours=localized(yours), measured=localized(measured)
    )
