"""The floors of a loss chart: their names and descriptions, and the menu that shows or hides them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from lab.api import ENTROPY_RATE
from lab.base import LabError
from lab.base.settings import change_section, read_section
from lab.shell.session.runs.loss_unit import BITS, NATS, PERPLEXITY
from lab.widgets.core.controls import Button, wrapped_tip
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import LARGE_TYPE, themes

SECTION = "floors"
KNESER_NEY = "kneser-ney "
COMPRESSORS = ("zlib", "bz2", "lzma")


def kind_of(name: str) -> str:
    """Return the kind of a floor, by which it is hidden; Kneser-Ney models of all orders are one kind."""
    return KNESER_NEY.strip() if name.startswith(KNESER_NEY) else name


def floor_name(name: str, unit: str = NATS, *, searching: bool = False) -> str:
    """Return the label of a floor; a floor of the corpus is labelled with its own name.

    Args:
        name: The name of the floor.
        unit: The unit in which it is shown, such as BITS; the uniform floor is labelled with its value in it.
        searching: True while better orders of the Kneser-Ney model are searched for.
    """
    if name.startswith(KNESER_NEY) and searching:
        return tr("Kneser-Ney, order {n} so far", n=name.removeprefix(KNESER_NEY))
    if name.startswith(KNESER_NEY):
        return tr("Kneser-Ney, order {n}", n=name.removeprefix(KNESER_NEY))
    names = {
        "uniform": _uniform_name(unit),
        "unigram": tr("unigram"),
        "bigram": tr("bigram"),
        "class priors": tr("shares of the classes"),
        "linear": tr("linear model"),
        "mean": tr("mean of the targets"),
        "constant": tr("best constant"),
        ENTROPY_RATE: tr("entropy of the source"),
    }
    return names.get(name, name)


def _uniform_name(unit: str) -> str:
    """Return the label of the uniform floor, with its value where that is a formula in V alone."""
    labels = {NATS: tr("uniform (ln V)"), BITS: tr("uniform (log₂ V)"), PERPLEXITY: tr("uniform (V)")}
    return labels.get(unit) or tr("uniform")


def floor_description(name: str) -> str:
    """Return the meaning of a floor in one sentence."""
    match kind_of(name):
        case "uniform":
            return tr("The loss if all V symbols are equally probable: ln V nats. An untrained model is close to it.")
        case "unigram":
            return tr("The loss of a model that knows only how frequent each symbol is, without any context.")
        case "bigram":
            return tr("The loss of a Kneser-Ney model of order 2, which sees only the previous symbol.")
        case "class priors":
            return tr("The loss of a model that knows only the share of each class in training, and reads nothing.")
        case "linear":
            return tr(
                "What a model without hidden layers reaches: logistic regression, or least squares for numbers, fitted "
                "until it converges to the vector, the pixels, or how often each token occurs."
            )
        case "mean":
            return tr("The loss of a model that always predicts the mean of the training targets, and reads nothing.")
        case "constant":
            return tr("The loss of a model that always predicts the number with the lowest loss in training.")
        case "kneser-ney":
            return tr(
                "What counting reaches without a network: the loss of the best interpolated modified Kneser-Ney "
                "model of orders 1 to 10, counted on the training text and evaluated like the curve."
            )
        case compressor if compressor in COMPRESSORS:
            return tr(
                "What compression reaches without a network: the bits that {name} needs for the validation text after "
                "the training text, of which it uses only the last part, as much as its window holds.",
                name=name,
            )
        case "entropy rate":
            return tr("No model has a lower loss on average: the entropy of the source. Loss − entropy is KL(P‖Q).")
    return tr("A floor given by the corpus: no model has a lower loss on average.")


def compared_with(names: Iterable[str], floors: Mapping[str, float], *, entropy: bool = True) -> str | None:
    """Return the floor to compare a loss with: the source's entropy, or the best model, or the best compressor.

    Args:
        names: The names of the floors that may be returned.
        floors: Nats per token by name.
        entropy: True if the entropy of the source may be returned.

    Returns:
        The name of the floor; None if there is none.
    """
    allowed = [name for name in names if entropy or name != ENTROPY_RATE]
    if ENTROPY_RATE in allowed:
        return ENTROPY_RATE
    models = [name for name in allowed if name not in COMPRESSORS]
    return min(models or allowed, key=floors.__getitem__, default=None)


def by_weight(names: Iterable[str]) -> list[str]:
    """Return floors by descending priority of their labels: the entropy, then the best models, then the compressors."""
    order = [ENTROPY_RATE, KNESER_NEY.strip(), "unigram", "bigram", "uniform"]
    return sorted(names, key=lambda name: order.index(kind) if (kind := kind_of(name)) in order else len(order))


def _face() -> str:
    """Return the text of the menu's button, which large type leaves less room."""
    return tr("reference lines ▾") if themes.scale <= LARGE_TYPE else tr("lines ▾")


class FloorMenu(Button):
    """A button with a menu of the selected run's floors; ticked ones are drawn. The selection is stored.

    Until the user selects, the compressors are hidden: they crowd the models that say what a loss has learned.
    """

    changed = Signal()
    """A floor was shown or hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            _face(),
            hint=tr("Reference lines: floors, the losses that simpler models reach"),
            parent=parent,
        )
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.triggered.connect(self._take)
        self.setMenu(self._menu)
        follow_type(self, lambda menu: menu.setText(_face()))
        self._offered: tuple[list[str], str, bool] = [], NATS, False
        stored = read_section(SECTION).get("hidden")
        self.hidden = {one for one in (stored if isinstance(stored, list) else COMPRESSORS) if isinstance(one, str)}

    def offer(self, names: Iterable[str], unit: str = NATS, *, searching: bool = False) -> None:
        """Offer these floors in the menu, with their labels in a unit; see `floor_name`."""
        names = list(names)
        if (names, unit, searching) == self._offered:
            return
        self._offered = names, unit, searching
        self._menu.clear()
        for name in names:
            action = self._menu.addAction(floor_name(name, unit, searching=searching))
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(self.shows(name))
            action.setToolTip(wrapped_tip(floor_description(name)))
        self.setEnabled(bool(names))

    def shows(self, name: str) -> bool:
        """Return True if a floor is drawn."""
        return kind_of(name) not in self.hidden

    def _take(self, action: QAction) -> None:
        kind = kind_of(str(action.data()))
        self.hidden = self.hidden - {kind} if action.isChecked() else self.hidden | {kind}
        with contextlib.suppress(LabError):  # it is not stored; the reason was reported already
            change_section(SECTION, lambda section: {**section, "hidden": sorted(self.hidden)})
        self.changed.emit()
