"""The parts of the card of routing: the text by experts, and maps of what they take, each of one block and text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, label, plain_tip
from lab.widgets.core.i18n import tr
from lab.widgets.maps.categories import Kinds, Legend
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.maps.layout import NameLabel
from lab.widgets.maps.map import MapView
from lab.widgets.maps.token_row import LINE, LINES, TokenStrip
from lab.widgets.readings.axes import labels_along
from lab.widgets.readings.base import Line
from lab_moe import figures
from lab_moe.token_classes import KEYWORDS, classes_of

FAVOURITES = 8
"""Tokens that are told of each expert."""
ANY_HEIGHT = (1 << 24) - 1
"""Pixels that Qt takes for no limit."""
FIGURED = 256
"""Experts of a map with figures at most: among more, no screen has room for one in a cell."""
NAMED = 6
"""Experts that are named in one sentence."""


@dataclass(frozen=True)
class Routed:
    """What the router of a block did with a text.

    Args:
        p: (T, E) probabilities.
        g: (T, E) factors; 0 where an expert does not take a token.
        labels: Of the tokens, as the tokenizer shows them.
        where: The block in words; "" outside the blocks.
    """

    p: Numbers
    g: Numbers
    labels: tuple[str, ...]
    where: str = ""

    @cached_property
    def experts(self) -> list[str]:
        """What the experts are called where they stand along an axis."""
        return [str(number) for number in range(1, self.p.shape[1] + 1)]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens, every character of them seen; their numbers where they are not known."""
        return labels_along("token", len(self.p), self.labels)

    @cached_property
    def order(self) -> Numbers:
        """(T, E) the experts of each token, the largest factor first; NaN from where on it has none."""
        order = np.argsort(-np.nan_to_num(np.abs(self.g)), axis=1, kind="stable")
        known = np.take_along_axis(np.nan_to_num(self.g), order, axis=1) != 0
        return np.where(known, order, np.nan)

    @cached_property
    def load(self) -> NDArray[np.float64]:
        """(E,) shares of all assignments."""
        return figures.load(self.g)

    @cached_property
    def entropy(self) -> Numbers:
        """(T,) bits of the router's choice."""
        return figures.entropy(self.p)

    def figures(self) -> str:
        """Return balance, entropy, confidence, drops and dead experts in one line."""
        taken = np.isfinite(self.order).sum(axis=1)
        parts = [
            tr("balance {figure} (even is 1)", figure=f"{figures.balance(self.p, self.g):.2f}"),
            tr("router entropy {bits} of {most} bits", bits=f"{_mean(self.entropy):.2f}",
                 most=figure(np.log2(self.p.shape[1]))),
            tr("confidence {share}", share=f"{_mean(figures.confidence(self.p)):.2f}"),
            tr("{number} experts per token", number=figure(float(taken.mean()))),
        ]  # fmt: skip
        if (taken == 0).any():
            parts.append(tr("{share} % of tokens taken by none", share=figure(100 * float((taken == 0).mean()))))
        gone = [str(number + 1) for number in np.flatnonzero(figures.dead(self.load))]
        more = "" if len(gone) <= NAMED else " …"
        parts.append(
            tr("{count} of {all} experts dead: {names}", count=len(gone), all=self.p.shape[1],
                 names=", ".join(gone[:NAMED]) + more)
            if gone else tr("no dead experts")
        )  # fmt: skip
        return " · ".join(parts)

    def describe(self, token: int) -> str:
        """Return which experts take a token, with what factor, and how sure the router is."""
        takers = [int(expert) for expert in self.order[token] if np.isfinite(expert)]
        shown = ", ".join(f"{expert + 1} × {figure(float(self.g[token, expert]))}" for expert in takers[:NAMED])
        return tr(
            "“{token}”, token {n} · {experts} · largest probability {share}: expert {best} · {bits} bits",
            token=self.tokens[token], n=token + 1,
            experts=tr("experts {list}", list=shown) if takers else tr("no expert takes it"),
            share=figure(float(np.nanmax(np.nan_to_num(self.p[token])))),
            best=int(np.nan_to_num(self.p[token]).argmax()) + 1, bits=figure(float(self.entropy[token])),
        )  # fmt: skip


class Part(QWidget):
    """A widget under its own title and controls, which are hidden where there is no height.

    Args:
        title: Its title.
        content: It.
        controls: At the right end of the title.
    """

    def __init__(self, title: str, content: QWidget, controls: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.content = content
        self.head = QWidget()
        head = QHBoxLayout(self.head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(4)
        self._title = Line()
        self._title.set_full_text(title)
        head.addWidget(self._title, 1)
        for control in controls:
            head.addWidget(control)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self.head)
        rows.addWidget(content, 1)

    def set_title(self, title: str) -> None:
        """Set the title."""
        self._title.set_full_text(title)


class TextPart(QWidget):
    """The text in the colours of its experts: the ground is that of the first, a line under a token of the second."""

    def __init__(self) -> None:
        super().__init__()
        self.legend, self.strip, self.message = Legend(), TokenStrip(), Line()
        self.strip.setAccessibleName(tr("The text, coloured by expert"))
        self.strip.hovered.connect(self._update_message)
        self.strip.picked.connect(self._select)
        self._routed: Routed | None = None
        self._selected = -1
        self._most = 0
        self._fit()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self.legend)
        rows.addWidget(self.strip, 1)
        rows.addWidget(self.message)

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        self._routed = routed
        self._selected = self._selected if self._selected < len(routed.p) else -1
        count = routed.p.shape[1]
        self.legend.set_kinds(count, tr("expert"))
        self.strip.set_tokens(routed.tokens)
        under = routed.order[:, 1] if count > 1 else None
        self.strip.set_values(routed.order[:, 0], Kinds(count), self._selected, under)
        self._fit()
        self._update_message(-1)

    def set_most(self, pixels: int) -> None:
        """Let the text be as high as it needs, up to so many pixels; 0 fills the room."""
        self._most = pixels
        self._fit()

    def _fit(self) -> None:
        if self._most:
            self.strip.setFixedHeight(self.strip.height_for(self.width(), max(LINES, self._most // LINE)))
        else:
            self.strip.setMinimumHeight(2 * LINE)
            self.strip.setMaximumHeight(ANY_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height of the text to its width."""
        super().resizeEvent(event)
        self._fit()

    def _select(self, token: int) -> None:
        self._selected = -1 if token == self._selected else token
        if self._routed is not None:
            self.show_routed(self._routed)
            self._update_message(token)

    def _update_message(self, token: int) -> None:
        token = token if token >= 0 else self._selected
        if self._routed is not None and token >= 0:
            self.message.set_full_text(self._routed.describe(token))
        else:
            self.message.set_full_text(tr("ground: the expert with the largest factor · line: the second one"))


class TakenPart(QWidget):
    """A map of experts, or a sentence where it would say nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.map = MapView()
        self._sentence = label("", "dim")
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.hide()
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(4)
        self.rows.addWidget(self.map, 1)
        self.rows.addWidget(self._sentence, 1)

    def show_message(self, words: str) -> None:
        """Show a message in place of the map; "" shows the map again."""
        self._sentence.setText(words)
        self._sentence.setVisible(bool(words))
        self.map.setVisible(not words)

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        raise NotImplementedError


class FavouritesPart(TakenPart):
    """The tokens that each expert takes most often, in its row: bright where it takes most of all there are of them."""

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        lists = figures.favourites(routed.g, routed.tokens, FAVOURITES)
        most = max((len(one) for one in lists), default=0)
        if not most:
            self.show_message(tr("No expert takes any token of this text."))
            return
        self.show_message("")
        values = np.full((len(lists), most), np.nan, np.float32)
        words = [[""] * most for _ in lists]
        for row, found in enumerate(lists):
            for place, one in enumerate(found):
                values[row, place] = 100 * one.taken / one.total
                words[row][place] = f"{one.symbol} {one.taken}"
        self.map.caption = routed.where
        self.map.set_map(
            values, routed.experts, [str(place) for place in range(1, most + 1)], row_name=tr("expert"),
            column_name=tr("rank, with how often the expert takes the token: % of all there are of it"),
            unit=tr("%"), levels=(0.0, 100.0),
        )  # fmt: skip
        self.map.set_cell_texts(words)


class TogetherPart(TakenPart):
    """Which experts take a token together."""

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        shares = 100 * figures.co_activation(routed.g)
        np.fill_diagonal(shares, np.nan)
        most = float(np.nanmax(shares, initial=0))
        if not most:
            self.show_message(tr("Every token has one expert at most, so no two work together."))
            return
        self.show_message("")
        self.map.caption = routed.where
        self.map.set_map(
            shares.astype(np.float32), routed.experts, routed.experts, row_name=tr("expert"),
            column_name=tr("partner: takes so many of the expert's tokens too"), unit=tr("%"),
            levels=(0.0, most), square=True,
        )  # fmt: skip
        self.map.set_cell_texts(_figures(shares), all_or_none=True)


class ClassesPart(TakenPart):
    """How the tokens of each class spread over the experts; the keywords are a list that a person may edit."""

    edited = Signal()
    """A person gave other keywords."""

    def __init__(self) -> None:
        super().__init__()
        self.keywords: Collection[str] = KEYWORDS
        self._routed: Routed | None = None
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Keywords"))
        self.field.editingFinished.connect(self._on_choice)
        self._back = Button(tr("Python's"), hint=tr("The keywords of Python again"))
        self._back.clicked.connect(self._go_back)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(tr("keywords"), "note"))
        row.addWidget(self.field, 1)
        row.addWidget(self._back)
        self.rows.addLayout(row)
        self.set_keywords(KEYWORDS)

    def set_keywords(self, keywords: Collection[str]) -> None:
        """Set the words that count as keywords."""
        self.keywords = keywords
        words = " ".join(sorted(keywords, key=str.lower))
        self.field.setText(words)
        self.field.setCursorPosition(0)
        self.field.setToolTip(plain_tip(tr("Words that count as keywords, apart from letters: {list}", list=words)))
        self._back.setVisible(set(keywords) != KEYWORDS)
        if self._routed is not None:
            self.show_routed(self._routed)

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        self._routed = routed
        if len(routed.labels) != len(routed.p):
            self.show_message(tr("The words of the tokens are not known here."))
            return
        names = class_labels()
        shares = 100 * figures.by_class(routed.g, classes_of(routed.labels, self.keywords), tuple(names))
        there = [row for row in range(len(names)) if np.isfinite(shares[row]).any()]
        if not there:
            self.show_message(tr("No expert takes any token of this text."))
            return
        self.show_message("")
        values = shares[there].T.astype(np.float32)
        self.map.caption = routed.where
        self.map.set_map(
            values, routed.experts, [NameLabel(tuple(names.values())[row]) for row in there], row_name=tr("expert"),
            column_name=tr("class: how its tokens spread over the experts"), unit=tr("%"),
            levels=(0.0, float(np.nanmax(values))),
        )  # fmt: skip
        self.map.set_cell_texts(_figures(values), all_or_none=True)

    def _on_choice(self) -> None:
        keywords = frozenset(re.findall(r"\w+", self.field.text()))
        if keywords != frozenset(self.keywords):
            self.set_keywords(keywords)
            self.edited.emit()

    def _go_back(self) -> None:
        self.set_keywords(KEYWORDS)
        self.edited.emit()


class TrainingPart(TakenPart):
    """The load of each expert in the snapshots of a training, with the current one at the right end."""

    def show_loads(self, loads: Sequence[tuple[str, Numbers]], where: str) -> None:
        """Show the loads of other snapshots.

        Args:
            loads: What each moment is called, and its load (E,).
            where: The block in words.
        """
        values = np.stack([load for _, load in loads], axis=1).astype(np.float32)
        self.map.caption = where
        experts = [str(number) for number in range(1, len(values) + 1)]
        self.map.set_map(
            values, experts, [NameLabel(name) for name, _ in loads], row_name=tr("expert"), column_name=tr("step"),
            unit=tr("load"), levels=(0.0, max(float(np.nan_to_num(values).max()), 1 / len(values))),
        )  # fmt: skip


def class_labels() -> dict[str, str]:
    """Return the labels of the classes; the longest is not the last one, where the unit stands."""
    return {
        "keyword": tr("keyword"),
        "letter": tr("letter"),
        "digit": tr("digit"),
        "punctuation": tr("punctuation"),
        "space": tr("space"),
        "other": tr("other"),
    }


def _figures(shares: Numbers) -> list[list[str]]:
    if max(shares.shape) > FIGURED:
        return []
    return [["" if share != share else f"{share:.0f}" for share in row] for row in shares.tolist()]


def _mean(values: Numbers) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")
