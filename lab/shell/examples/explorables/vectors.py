"""The explorables in the plane: attention with vectors that are dragged, and rotary positions."""

from __future__ import annotations

import numpy as np

from lab.shell.examples.explorables.card import ExplorableCard
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.widgets.explorables.bars import Bars
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.explorables.vectors import VectorPlane
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.worked.explorables import attend, rotated


class AttentionCard(ExplorableCard):
    """Attention in the plane: a query, three keys and three values, all of which can be dragged."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Attention in the plane"),
            tr("Drag the ends of the query and the keys; the output is the mean of the values by weight."),
            [r"\alpha = \mathrm{softmax}(q \cdot k_i / \sqrt{2})", r"\mathrm{output} = \sum_i \alpha_i v_i"],
            typeset,
            marks,
        )
        self.plane = VectorPlane(tr("Query and keys"))
        self.plane.vectors = {
            "q": np.array([1.4, 0.6]),
            "k1": np.array([1.2, 1.2]),
            "k2": np.array([-1.0, 1.3]),
            "k3": np.array([0.8, -1.5]),
        }
        self.plane.movable = list(self.plane.vectors)
        self.plane.moved.connect(self._draw)
        self.values = VectorPlane(tr("Values and output"))
        self.values.vectors = {"v1": np.array([2.0, 0.2]), "v2": np.array([-1.6, 1.2]), "v3": np.array([0.2, -1.8])}
        self.values.movable = list(self.values.vectors)
        self.values.moved.connect(self._draw)
        self.bars = Bars(tr("Weights of the keys"), 200)
        self.add_drawings(self.plane, self.values, self.bars)
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
        self.bars.show_bars(["α1", "α2", "α3"], found.weights)
        self.result.setText(
            tr(
                "q·k / √2 = {scores}; softmax gives the weights; output = {output}.",
                scores=scores,
                output=_point(found.output),
            )
        )


def _point(vector: np.ndarray) -> str:
    return f"({vector[0]:.2f}, {vector[1]:.2f})"


class RotaryCard(ExplorableCard):
    """Rotary positions: query and key are turned by their positions, and only the offset counts."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Rotary positions"),
            tr("Query and key turn by their positions; their product depends only on the difference."),
            [r"(R_{m\theta}\,q) \cdot (R_{n\theta}\,k) = q \cdot (R_{(n - m)\theta}\,k)"],
            typeset,
            marks,
        )
        self.query = LabelledSlider(tr("m: position of q"), 0, 40, 11, "{:.0f}".format, whole=True, symbol="m")
        self.key = LabelledSlider(tr("n: position of k"), 0, 40, 1, "{:.0f}".format, whole=True, symbol="n")
        self.frequency = LabelledSlider(tr("θ: radians a token"), 0.01, 1, 0.1, symbol="θ")
        self.both = LabelledSlider(tr("shift of both"), 0, 5000, 0, "{:.0f}".format, whole=True)
        self.plane = VectorPlane(tr("Query and key, before and after turning"))
        self.plane.movable = ["q", "k"]
        self._own = {"q": np.array([1.6, 0.4]), "k": np.array([0.9, 1.2])}
        self.plane.vectors = dict(self._own)
        self.plane.moved.connect(self._moved)
        sliders = [self.query, self.key, self.frequency, self.both]
        for slider in sliders:
            slider.changed.connect(self._draw)
        self.add_sliders(sliders)
        self.add_drawings(self.plane)
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
