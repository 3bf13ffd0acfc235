"""The floors of a loss chart: what each is called and means, and the menu in which a person hides some."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from lab.api import ENTROPY_RATE
from lab.base import LabError
from lab.base.settings import change_section, read_section
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr

SECTION = "floors"
KNESER_NEY = "kneser-ney "
COMPRESSORS = ("zlib", "bz2", "lzma")


def kind_of(name: str) -> str:
    """What a floor is hidden by: the best order of Kneser-Ney is one kind, whatever the order."""
    return KNESER_NEY.strip() if name.startswith(KNESER_NEY) else name


def floor_name(name: str) -> str:
    """What a floor is called; one that a corpus knows has its name from there."""
    if name.startswith(KNESER_NEY):
        return tr("Kneser-Ney, order {n}", n=name.removeprefix(KNESER_NEY))
    names = {
        "uniform": tr("uniform (ln V)"),
        "unigram": tr("unigram"),
        "bigram": tr("bigram"),
        ENTROPY_RATE: tr("entropy of the source"),
    }
    return names.get(name, name)


def floor_words(name: str) -> str:
    """What a floor means, in one sentence."""
    match kind_of(name):
        case "uniform":
            return tr("ln V: what a model loses that takes all symbols for equally likely; an untrained one is near.")
        case "unigram":
            return tr("What a model loses that knows how frequent each symbol is, and nothing of the context.")
        case "bigram":
            return tr("A Kneser-Ney model of order 2: it knows which symbol follows which.")
        case "kneser-ney":
            return tr(
                "The best interpolated modified Kneser-Ney model of orders 1 to 10, counted on the training text and "
                "evaluated as the curve is: what counting reaches without a network."
            )
        case compressor if compressor in COMPRESSORS:
            return tr(
                "What {name} needs for the validation text behind the training text, of which it can look back only as "
                "far as its window.",
                name=name,
            )
        case "entropy rate":
            return tr("The truth of the source: no model loses less in the mean. Loss − entropy is KL(P‖Q).")
    return tr("A loss that the corpus itself tells: no model passes it in the mean.")


def compared_with(names: Iterable[str], floors: Mapping[str, float], *, entropy: bool = True) -> str | None:
    """The floor that a loss is compared with: the truth of its source, else the strongest model, else a compressor.

    Args:
        names: Of the floors that may be named.
        floors: Nats per token by name.
        entropy: Whether the truth of the source may be named.

    Returns:
        Its name; None where there is none.
    """
    may = [name for name in names if entropy or name != ENTROPY_RATE]
    if ENTROPY_RATE in may:
        return ENTROPY_RATE
    models = [name for name in may if name not in COMPRESSORS]
    return min(models or may, key=floors.__getitem__, default=None)


def by_weight(names: Iterable[str]) -> list[str]:
    """Floors in the order in which they are to have room: the truth, the strongest models, compressors last."""
    order = [ENTROPY_RATE, KNESER_NEY.strip(), "unigram", "bigram", "uniform"]
    return sorted(names, key=lambda name: order.index(kind) if (kind := kind_of(name)) in order else len(order))


class FloorMenu(Button):
    """A quiet button that lists the floors of the selected run; a ticked one is drawn. What is hidden stays hidden."""

    changed = Signal()
    """Another floor is to be drawn, or one no more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("floors ▾"), hint=tr("Floors: losses that simpler models reach"), parent=parent)
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.triggered.connect(self._take)
        self.setMenu(self._menu)
        self._offered: list[str] = []
        stored = read_section(SECTION).get("hidden", [])
        self.hidden = {name for name in stored if isinstance(name, str)} if isinstance(stored, list) else set[str]()

    def offer(self, names: Iterable[str]) -> None:
        """Lists these floors."""
        names = list(names)
        if names == self._offered:
            return
        self._offered = names
        self._menu.clear()
        for name in names:
            action = self._menu.addAction(floor_name(name))
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(self.shows(name))
            action.setToolTip(floor_words(name))
        self.setEnabled(bool(names))

    def shows(self, name: str) -> bool:
        """Whether a floor is drawn."""
        return kind_of(name) not in self.hidden

    def _take(self, action: QAction) -> None:
        kind = kind_of(str(action.data()))
        self.hidden = self.hidden - {kind} if action.isChecked() else self.hidden | {kind}
        with contextlib.suppress(LabError):  # forgotten at the next start; that settings cannot be written was told
            change_section(SECTION, lambda section: {**section, "hidden": sorted(self.hidden)})
        self.changed.emit()
