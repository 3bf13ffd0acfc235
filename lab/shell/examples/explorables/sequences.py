"""The explorables of texts: the chain rule of a sentence, softmax with temperature, and the nucleus."""

from __future__ import annotations

import numpy as np

from lab.shell.examples.explorables.card import ExplorableCard
from lab.widgets.core.i18n import tr
from lab.widgets.explorables.bars import Bars
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.worked.explorables import at_temperature, entropy_bits, nucleus, running_product
from lab.worked.expressions.values import Array

SENTENCE = (("the", 0.06), ("cat", 0.02), ("sat", 0.15), ("on", 0.6), ("the", 0.7), ("mat", 0.2))
"""Words with a conditional probability each, for a start."""
WORDS = ("good", "bad", "funny", "dull", "fun", "short", "long", "great", "awful", "okay")
CHANCES = (0.45, 0.20, 0.15, 0.08, 0.05, 0.03, 0.02, 0.01, 0.005, 0.005)
"""The ten words of lecture 004, problem 19.7.8."""


class SentenceCard(ExplorableCard):
    """The chain rule: the probability of a sentence is a running product that falls word by word."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Chain rule of a sentence"),
            tr("Each word multiplies the probability by that of itself given the words before it."),
            [r"p(w_1 \ldots w_n) = \prod_i p(w_i \mid w_1 \ldots w_{i-1})"],
            typeset,
            marks,
        )
        self.sliders = [LabelledSlider(word, -3, 0, float(np.log10(q)), _chance, symbol="w") for word, q in SENTENCE]
        self.bars = Bars(tr("Probability of the words so far"), 240)
        for slider in self.sliders:
            slider.changed.connect(self._draw)
        self.add_sliders(self.sliders)
        self.add_drawings(self.bars)
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        q = np.array([10**slider.value for slider in self.sliders])
        found = running_product(q)
        digits = -np.log10(found.products)
        names = [f"…{word}" if at else word for at, (word, _) in enumerate(SENTENCE)]
        self.bars.show_bars(names, digits, most=max(6.0, float(digits.max())), form=lambda value: f"{10**-value:.2g}")
        self.result.setText(
            tr(
                "The probability is {p}: {bits} bits in all, {mean} a word, so the perplexity is {perplexity}. A bar "
                "is as high as the product has zeros after the point.",
                p=f"{found.products[-1]:.3g}",
                bits=f"{found.bits.sum():.2f}",
                mean=f"{found.bits.mean():.2f}",
                perplexity=f"{found.perplexity:.2f}",
            )
        )


def _chance(exponent: float) -> str:
    return f"{10**exponent:.3g}"


class SoftmaxCard(ExplorableCard):
    """Softmax of three logits at a temperature."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Softmax with temperature"),
            tr("Only differences of logits count; the temperature divides them. At 0 the largest takes all."),
            [
                r"p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}",
                r"\frac{\partial p_1}{\partial z_1} = \frac{p_1 (1 - p_1)}{T}",
            ],
            typeset,
            marks,
        )
        self.logits = [
            LabelledSlider(f"z{at}", -4, 4, value, symbol="z") for at, value in enumerate((2.0, 1.0, -1.0), start=1)
        ]
        self.temperature = LabelledSlider(tr("T: temperature"), 0, 5, 1.0, symbol="T")
        self.bars = Bars(tr("Probabilities"), 240)
        sliders = [*self.logits, self.temperature]
        for slider in sliders:
            slider.changed.connect(self._draw)
        self.add_sliders(sliders)
        self.add_drawings(self.bars)
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        z = np.array([knob.value for knob in self.logits])
        p = at_temperature(z, self.temperature.value)
        self.bars.show_bars(["p1", "p2", "p3"], p)
        self.result.setText(
            tr(
                "Entropy {entropy} of at most {most} bits. Slope of p1 along z1: {slope} = p1·(1 − p1) / temperature.",
                entropy=f"{entropy_bits(p):.3f}",
                most=f"{np.log2(3):.3f}",
                slope=self._slope(p),
            )
        )

    def _slope(self, p: Array) -> str:
        temperature = self.temperature.value
        return "–" if temperature == 0 else f"{p[0] * (1 - p[0]) / temperature:.3f}"


class NucleusCard(ExplorableCard):
    """Top-p on a bar chart: which tokens are in the nucleus, and what they get."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Nucleus on a bar chart"),
            tr("The fewest of the most probable words whose sum reaches top-p stay; the rest gets nothing."),
            [r"\sum_{w \in N} p(w) \geq \mathrm{top\ p}", r"p \propto e^{z / T}"],
            typeset,
            marks,
        )
        self.share = LabelledSlider("top-p", 0.05, 1, 0.85)
        self.temperature = LabelledSlider(tr("T: temperature"), 0.1, 3, 1.0, symbol="T")
        self.bars = Bars(tr("Probabilities of ten words"), 280)
        sliders = [self.share, self.temperature]
        for slider in sliders:
            slider.changed.connect(self._draw)
        self.add_sliders(sliders)
        self.add_drawings(self.bars)
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        p = at_temperature(np.log(np.array(CHANCES)), self.temperature.value)
        inside = nucleus(p, self.share.value)
        self.bars.show_bars(WORDS, p, inside=[bool(each) for each in inside], most=max(0.5, float(p.max())))
        mass = float(p[inside].sum())
        self.result.setText(
            tr(
                "{n} of {all} words stay, with {mass} of the probability; {word} goes from {before} to {after}.",
                n=int(inside.sum()),
                all=len(WORDS),
                mass=f"{mass:.3f}",
                word=WORDS[0],
                before=f"{p[0]:.3f}",
                after=f"{p[0] / mass:.3f}",
            )
        )
