"""The explorables in the plane: attention with vectors that are dragged, and rotary positions."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QHBoxLayout

from lab.shell.examples.explorables.common import Bars, Knob, Plane
from lab.shell.examples.explorables.sequences import wrapped
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.worked.explorables import attend, rotated


class AttentionCard(Card):
    """Attention in the plane: a query, three keys and three values, all of which can be dragged."""

    def __init__(self) -> None:
        super().__init__(tr("Attention in the plane"))
        self.set_caption(tr("Drag the ends of the query and the keys; the output is the mean of the values by weight."))
        self.plane = Plane(tr("Query and keys"))
        self.plane.vectors = {
            "q": np.array([1.4, 0.6]),
            "k1": np.array([1.2, 1.2]),
            "k2": np.array([-1.0, 1.3]),
            "k3": np.array([0.8, -1.5]),
        }
        self.plane.movable = list(self.plane.vectors)
        self.plane.moved.connect(self._draw)
        self.values = Plane(tr("Values and output"))
        self.values.vectors = {"v1": np.array([2.0, 0.2]), "v2": np.array([-1.6, 1.2]), "v3": np.array([0.2, -1.8])}
        self.values.movable = list(self.values.vectors)
        self.values.moved.connect(self._draw)
        self.bars = Bars(tr("Weights of the keys"), 200)
        self.result = label("", "")
        self.result.setWordWrap(True)
        inside, rows = wrapped()
        planes = QHBoxLayout()
        planes.setSpacing(12)
        for widget in (self.plane, self.values, self.bars):
            planes.addWidget(widget, 1)
        rows.addLayout(planes, 1)
        rows.addWidget(self.result)
        self.set_content(inside)
        themes.changed.connect(self._draw)
        self._draw()

    def _draw(self, _: object = None) -> None:
        theme = themes.now
        keys = np.array([self.plane.vectors[f"k{at}"] for at in (1, 2, 3)])
        values = np.array([self.values.vectors[f"v{at}"] for at in (1, 2, 3)])
        found = attend(self.plane.vectors["q"], keys, values)
        self.plane.colours = {"q": theme.accent}
        self.values.colours = {"output": theme.accent}
        self.values.vectors = {
            **{name: self.values.vectors[name] for name in self.values.movable},
            "output": found.output,
        }
        scores = ", ".join(f"{score:.2f}" for score in found.scores)
        self.plane.show_state(", ".join(f"{name} {_point(each)}" for name, each in self.plane.vectors.items()))
        self.values.show_state(", ".join(f"{name} {_point(each)}" for name, each in self.values.vectors.items()))
        self.bars.show_bars(["k1", "k2", "k3"], found.weights)
        self.result.setText(
            tr(
                "q·k / √2 = {scores}; softmax gives the weights; output = {output}.",
                scores=scores,
                output=_point(found.output),
            )
        )


def _point(vector: np.ndarray) -> str:
    return f"({vector[0]:.2f}, {vector[1]:.2f})"


class RotaryCard(Card):
    """Rotary positions: query and key are turned by their positions, and only the offset counts."""

    def __init__(self) -> None:
        super().__init__(tr("Rotary positions"))
        self.set_caption(tr("Query and key turn by their positions; their product depends only on the difference."))
        self.query = Knob(tr("position of q"), 0, 40, 11, "{:.0f}".format, whole=True)
        self.key = Knob(tr("position of k"), 0, 40, 1, "{:.0f}".format, whole=True)
        self.frequency = Knob(tr("radians a token"), 0.01, 1, 0.1)
        self.both = Knob(tr("shift of both"), 0, 5000, 0, "{:.0f}".format, whole=True)
        self.plane = Plane(tr("Query and key, before and after turning"))
        self.plane.movable = ["q", "k"]
        self._own = {"q": np.array([1.6, 0.4]), "k": np.array([0.9, 1.2])}
        self.plane.vectors = dict(self._own)
        self.plane.moved.connect(self._moved)
        self.result = label("", "")
        self.result.setWordWrap(True)
        inside, rows = wrapped()
        for pair in ((self.query, self.key), (self.frequency, self.both)):
            row = QHBoxLayout()
            row.setSpacing(24)
            for knob in pair:
                knob.changed.connect(self._draw)
                row.addWidget(knob)
            rows.addLayout(row)
        rows.addWidget(self.plane, 1)
        rows.addWidget(self.result)
        self.set_content(inside)
        themes.changed.connect(self._draw)
        self._draw()

    def _moved(self, name: str) -> None:
        self._own[name] = self.plane.vectors[name]
        self._draw()

    @property
    def score(self) -> float:
        """The product of the turned query and key."""
        shift, frequency = self.both.value, self.frequency.value
        q = rotated(self._own["q"], self.query.value + shift, frequency)
        return float(q @ rotated(self._own["k"], self.key.value + shift, frequency))

    def _draw(self, _: object = None) -> None:
        theme = themes.now
        shift, frequency = self.both.value, self.frequency.value
        turned = {
            "q′": rotated(self._own["q"], self.query.value + shift, frequency),
            "k′": rotated(self._own["k"], self.key.value + shift, frequency),
        }
        self.plane.vectors = {**self._own, **turned}
        self.plane.colours = {"q": theme.dim, "k": theme.dim, "q′": theme.accent, "k′": theme.text}
        self.plane.show_state(", ".join(f"{name} {_point(each)}" for name, each in self.plane.vectors.items()))
        offset = self.query.value - self.key.value
        self.result.setText(
            tr(
                "Offset {offset}: the score is {score}, wherever both stand; without turning it would be {plain}.",
                offset=f"{offset:.0f}",
                score=f"{self.score:.4f}",
                plain=f"{self._own['q'] @ self._own['k']:.4f}",
            )
        )
