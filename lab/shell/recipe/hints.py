"""The hints below the costs: what is likely to go wrong with the draft, and a click that changes the setting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.controls import ElidedButton
from lab.widgets.core.i18n import localized, tr
from lab.widgets.forms.values import number
from lab.workbench.launch.hints import Hint, format_value

MOST = 3
"""Most hints that are shown."""


class HintLines(QWidget):
    """A line for each hint; a click on one that names a value changes the setting."""

    taken = Signal(str, object)
    """The path of a setting and its value, which the user takes."""
    revealed = Signal(str)
    """The path of a setting that the user wants to see."""

    def __init__(self) -> None:
        super().__init__()
        self.hints: Sequence[Hint] = ()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self.lines = [ElidedButton(icon_name="warning") for _ in range(MOST)]
        for index, line in enumerate(self.lines):
            line.clicked.connect(partial(self._click, index))
            line.hide()
            self._rows.addWidget(line)
        self.hide()

    def show_hints(self, hints: Sequence[Hint]) -> None:
        """Show other hints."""
        self.hints = tuple(hints[:MOST])
        for index, line in enumerate(self.lines):
            line.setVisible(index < len(self.hints))
            if index < len(self.hints):
                hint = self.hints[index]
                about = f"{what_of(hint)}. {why_of(hint)} {remedy_of(hint)}"
                line.set_full_text(title_of(hint), hint=about)
        self.setVisible(bool(self.hints))

    def _click(self, index: int) -> None:
        hint = self.hints[index]
        if hint.field and hint.change is not None:
            self.taken.emit(hint.field, hint.change)
        elif hint.field:
            self.revealed.emit(hint.field)


def title_of(hint: Hint) -> str:
    """Return what a hint is about, in a few words."""
    titles = {
        "undertrained": tr("Few tokens per parameter"),
        "overtrained": tr("Many tokens per parameter"),
        "repeats": tr("Text read {passes} times"),
        "documents": tr("Context longer than documents"),
        "vocabulary": tr("Vocabulary larger than model"),
        "dropout": tr("Dropout in a single pass"),
        "overfits": tr("Will overfit: {passes} passes"),
    }
    return _filled(titles[hint.kind], hint)


def what_of(hint: Hint) -> str:
    """Return what is likely to go wrong."""
    sentences = {
        "undertrained": tr("{ratio} tokens per parameter are far fewer than 20"),
        "overtrained": tr("{ratio} tokens per parameter are far more than 20"),
        "repeats": tr("The text is read {passes} times"),
        "documents": tr("The context of {context} tokens is longer than most documents, of {length} on average"),
        "vocabulary": tr("{percent} % of the parameters are in the tables of the vocabulary"),
        "dropout": tr("Dropout of {dropout} in a training that reads no text twice"),
        "overfits": tr("{parameters} parameters for {tokens} tokens, each read {passes} times, will overfit"),
    }
    return _filled(sentences[hint.kind], hint)


def why_of(hint: Hint) -> str:
    """Return why that is so."""
    smaller = tr("A smaller model reaches a lower loss with the same compute (Hoffmann et al. 2022).")
    larger = tr("A larger model reaches a lower loss with the same compute (Hoffmann et al. 2022).")
    sentences = {
        "undertrained": smaller,
        "overtrained": larger,
        "repeats": tr("From about four passes on, each further one teaches less (Muennighoff et al. 2023)."),
        "documents": tr("What stands before the border of a document says nothing of what follows."),
        "vocabulary": tr("The layers that compute are then the smaller part, and rare symbols are seen too seldom."),
        "dropout": tr("Dropout keeps a model from learning a text by heart, which takes more than one pass."),
        "overfits": tr("A model with more parameters than the text has tokens can learn it by heart."),
    }
    return sentences[hint.kind]


def remedy_of(hint: Hint) -> str:
    """Return what helps, and what a click does."""
    sentences = {
        "undertrained": tr("Train for more steps, or make the model smaller."),
        "overtrained": tr("Make the model larger, if the time allows."),
        "repeats": tr("Take a longer text, or fewer steps."),
        "documents": tr("Take a shorter context, or read each document separately."),
        "vocabulary": tr("Take a smaller vocabulary, or a wider model."),
        "dropout": tr("Take no dropout."),
        "overfits": tr("Take dropout, early stopping with patience, or a longer text."),
    }
    if hint.change is None:
        return sentences[hint.kind]
    click = tr("A click sets {setting} to {value}.", setting=hint.field, value=_value_text(hint.change))
    return f"{sentences[hint.kind]} {click}"


def _filled(sentence: str, hint: Hint) -> str:
    return sentence.format(**{name: localized(format_value(value)) for name, value in hint.values.items()})


def _value_text(value: Any) -> str:
    return localized(number(value)) if isinstance(value, int | float) else str(value)
