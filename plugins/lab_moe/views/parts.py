"""The parts of the routing card: the text by experts, and maps of what they take, for one block and one text."""

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
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px
from lab.widgets.maps.categories import Kinds, Legend
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.maps.layout import NameLabel
from lab.widgets.maps.map import MapView
from lab.widgets.maps.token_row import LINE, LINES, TokenStrip
from lab.widgets.readings.axes import labels_along
from lab.widgets.readings.base import Line
from lab_moe import statistics
from lab_moe.token_classes import KEYWORDS, classes_of

ANY_HEIGHT = (1 << 24) - 1
"""The height in pixels that Qt takes for no limit."""
FIGURED = 256
"""Most experts of a map with figures: with more, no screen has room for a figure in a cell."""
NAMED = 6
"""Most experts named in one sentence."""


@dataclass(frozen=True)
class Routed:
    """The routing of a text in one block.

    Args:
        p: (T, E) probabilities.
        g: (T, E) factors; 0 where an expert does not take a token.
        labels: The labels of the tokens, as the tokenizer shows them.
        where: The label of the block; "" outside the blocks.
    """

    p: Numbers
    g: Numbers
    labels: tuple[str, ...]
    where: str = ""

    @cached_property
    def experts(self) -> list[str]:
        """The labels of the experts along an axis."""
        return [str(number) for number in range(1, self.p.shape[1] + 1)]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens with every character visible; their numbers if their labels are not known."""
        return labels_along("token", len(self.p), self.labels)

    @cached_property
    def order(self) -> Numbers:
        """The experts of each token (T, E), the largest factor first; NaN after the last one."""
        order = np.argsort(-np.nan_to_num(np.abs(self.g)), axis=1, kind="stable")
        known = np.take_along_axis(np.nan_to_num(self.g), order, axis=1) != 0
        return np.where(known, order, np.nan)

    @cached_property
    def load(self) -> NDArray[np.float64]:
        """The experts' shares of all assignments (E,)."""
        return statistics.load(self.g)

    @cached_property
    def entropy(self) -> Numbers:
        """The entropy of the router's choice in bits (T,)."""
        return statistics.entropy(self.p)

    def figures(self) -> str:
        """Return balance, entropy, confidence, drops and dead experts in one line."""
        taken = np.isfinite(self.order).sum(axis=1)
        mean = figure(float(taken.mean()))
        parts = [
            tr("balance {figure} (even is 1)", figure=number_text(statistics.balance(self.p, self.g), ".2f")),
            tr("router entropy {bits} of {most} bits", bits=number_text(_mean(self.entropy), ".2f"),
                 most=figure(np.log2(self.p.shape[1]))),
            tr("confidence {share}", share=number_text(_mean(statistics.confidence(self.p)), ".2f")),
            tr("1 expert per token") if mean == "1" else tr("{number} experts per token", number=mean),
        ]  # fmt: skip
        if (taken == 0).any():
            parts.append(tr("{share} % of tokens taken by none", share=figure(100 * float((taken == 0).mean()))))
        idle = [str(number + 1) for number in np.flatnonzero(statistics.dead(self.load))]
        more = "" if len(idle) <= NAMED else " …"
        parts.append(
            tr("{count} of {all} experts dead: {names}", count=len(idle), all=self.p.shape[1],
                 names=", ".join(idle[:NAMED]) + more)
            if idle else tr("no dead experts")
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
    """A widget under its own title and controls, which are hidden where the height is short.

    Args:
        title: The title.
        content: The widget.
        controls: The controls at the right end of the title.
    """

    def __init__(self, title: str, content: QWidget, controls: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.content = content
        self.head = QWidget()
        head = QHBoxLayout(self.head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(4)
        caption = Line()
        caption.set_full_text(title)
        head.addWidget(caption, 1)
        for control in controls:
            head.addWidget(control)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self.head)
        rows.addWidget(content, 1)


class TextPart(QWidget):
    """The text coloured by experts: a token's background shows its first expert, the line under it the second."""

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
        """Let the text be as high as it needs, up to `pixels`; 0 fills the available room."""
        self._most = pixels
        self._fit()

    def _fit(self) -> None:
        if self._most:
            self.strip.setFixedHeight(self.strip.height_for(self.width(), max(LINES, self._most // px(LINE))))
        else:
            self.strip.setMinimumHeight(2 * px(LINE))
            self.strip.setMaximumHeight(ANY_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height of the text to its width."""
        super().resizeEvent(event)
        self._fit()

    def _select(self, token: int) -> None:
        self._selected = -1 if token == self._selected else token
        assert self._routed is not None  # without it there is no token to click
        self.show_routed(self._routed)
        self._update_message(token)

    def _update_message(self, token: int) -> None:
        token = token if token >= 0 else self._selected
        if self._routed is not None and token >= 0:
            self.message.set_full_text(self._routed.describe(token))
        else:
            self.message.set_full_text(
                tr("background: expert with the largest gate weight · underline: the second one")
            )


class TakenPart(QWidget):
    """A map of experts, or a message where the map would be empty."""

    def __init__(self) -> None:
        super().__init__()
        self.map = MapView()
        self._message = label("", "dim")
        self._message.setWordWrap(True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.hide()
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(4)
        self.rows.addWidget(self.map, 1)
        self.rows.addWidget(self._message, 1)

    def show_message(self, message: str) -> None:
        """Show a message in place of the map; "" shows the map again."""
        self._message.setText(message)
        self._message.setVisible(bool(message))
        self.map.setVisible(not message)


class TogetherPart(TakenPart):
    """The experts that take a token together."""

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        shares = 100 * statistics.co_activation(routed.g)
        np.fill_diagonal(shares, np.nan)
        most = float(np.nanmax(shares, initial=0))
        if not most:
            self.show_message(tr("Every token has one expert at most, so no two are used together."))
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
    """The spread of each class of tokens over the experts; the list of keywords can be edited."""

    edited = Signal()
    """The keywords were edited."""

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
        text = " ".join(sorted(keywords, key=str.lower))
        self.field.setText(text)
        self.field.setCursorPosition(0)
        self.field.setToolTip(plain_tip(tr("Words that count as keywords, apart from letters: {list}", list=text)))
        self._back.setVisible(set(keywords) != KEYWORDS)
        if self._routed is not None:
            self.show_routed(self._routed)

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        self._routed = routed
        if len(routed.labels) != len(routed.p):
            self.show_message(tr("The labels of the tokens are not known here."))
            return
        names = class_labels()
        shares = 100 * statistics.by_class(routed.g, classes_of(routed.labels, self.keywords), tuple(names))
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
            loads: The label of each snapshot, and its load (E,).
            where: The label of the block.
        """
        values = np.stack([load for _, load in loads], axis=1).astype(np.float32)
        self.map.caption = where
        experts = [str(number) for number in range(1, len(values) + 1)]
        self.map.set_map(
            values, experts, [NameLabel(name) for name, _ in loads], row_name=tr("expert"), column_name=tr("step"),
            unit=tr("load"), levels=(0.0, max(float(np.nan_to_num(values).max()), 1 / len(values))),
        )  # fmt: skip


def class_labels() -> dict[str, str]:
    """Return the labels of the classes; a short one is last, where the unit is written."""
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
    return [["" if share != share else number_text(share, ".0f") for share in row] for row in shares.tolist()]


def _mean(values: Numbers) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")
