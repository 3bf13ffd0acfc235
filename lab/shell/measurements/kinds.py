"""What the dialog measures: how each measurement is made, what is drawn of it, and what is said of it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lab.base.units import finite
from lab.runs import RunFolder
from lab.widgets.charts.lines import Line
from lab.widgets.core.i18n import localized, number_text, quoted, tr, tr_n
from lab.widgets.core.theme import themes
from lab.widgets.forms.values import number

if TYPE_CHECKING:
    from lab.training.measurements.difficulty import ClassLoss, Difficulty
    from lab.training.measurements.planes import LossPlane
    from lab.workbench.analysis.measurements import Measurer
    from lab.workbench.analysis.strip import Strip

Other = tuple[RunFolder, int]
"""Another run, and the step of its checkpoint."""
Report = Callable[[Any], object]


@dataclass(frozen=True)
class Reading:
    """A passage that can be read.

    Args:
        figures: What is said of it.
        text: The passage itself.
        start: Where the token begins to which the reader's eye is led; 0 for the whole text.
        length: How long it is; 0 for none.
    """

    figures: str
    text: str
    start: int = 0
    length: int = 0


class Kind(ABC):
    """One of the measurements.

    Attributes:
        key: Its name.
        needs_other: Whether it measures two runs.
        content: What shows it: "chart", "plane" or "passages".
    """

    key: ClassVar[str]
    needs_other: ClassVar[bool] = False
    content: ClassVar[str] = "chart"

    @property
    @abstractmethod
    def title(self) -> str:
        """Its title."""

    @property
    @abstractmethod
    def explanation(self) -> str:
        """What it does, in two sentences."""

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The names of the axes, and whether each is logarithmic."""
        return "", "", False, False

    @abstractmethod
    def work(self, measurer: Measurer, other: Other | None, report: Report) -> Any:
        """Measure in a thread, reporting what there is so far; return the result."""

    @abstractmethod
    def sentence(self, found: Any) -> str:
        """Return what a result says."""

    def lines(self, reported: Sequence[Any], found: Any | None) -> list[Line]:
        """Return the lines of what was reported so far, or of the result."""
        del reported, found
        return []

    def plane(self, reported: Sequence[Any], found: Any | None) -> LossPlane | None:
        """Return the plane so far."""
        plane: LossPlane | None = found if found is not None else next(reversed(reported), None)
        return plane

    def readings(self, found: Any) -> list[Reading]:
        """Return the passages of a result that can be read."""
        del found
        return []


class HardKind(Kind):
    """What the model finds hard."""

    key = "hard"
    content = "passages"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("What is hard")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The loss of every target of the validation text, by its position in the window and by what it is. "
            "The list has the hardest tokens and passages; a click reads them."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("position in the window"), tr("loss (nats per token)"), False, False

    def work(self, measurer: Measurer, other: Other | None, report: Report) -> Any:
        """Read the validation text."""
        del other, report
        return measurer.difficulty()

    def sentence(self, found: Difficulty) -> str:
        """Return the losses of the classes."""
        parts = [tr("{loss} over {n} targets", loss=_three(found.loss), n=number_text(found.targets))]
        classes = (*found.by_kind, *found.by_rank)
        return " · ".join([*parts, *(_class_text(one) for one in classes)])

    def lines(self, reported: Sequence[Any], found: Difficulty | None) -> list[Line]:
        """Return the losses by position."""
        del reported
        if found is None:
            return []
        y = np.array(found.by_position)
        return [Line("hard", tr("loss"), themes.now.accent, np.arange(1, len(y) + 1, dtype=float), y, "main")]

    def readings(self, found: Difficulty) -> list[Reading]:
        """Return the hardest tokens with the text around them, and the hardest passages."""
        tokens = [
            Reading(
                tr("token, loss {loss}", loss=_three(one.loss)),
                f"{one.before}{one.token}{one.after}",
                len(one.before),
                len(one.token),
            )
            for one in found.tokens
        ]
        kinds = {
            "documents": tr("document {n}, loss {loss}"),
            "windows": tr("window {n}, loss {loss}"),
            "examples": tr("example {n}, loss {loss}"),
        }
        passages = [
            Reading(kinds[found.passage_kind].format(n=number_text(one.number), loss=_three(one.loss)), one.text)
            for one in found.passages
        ]
        return [one for pair in _alternating(tokens, passages) for one in pair]


class TextsKind(Kind):
    """What the checkpoints write."""

    key = "texts"
    content = "passages"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Texts of all checkpoints")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "One prompt, continued with the same seed at every checkpoint up to the selected one. The chart has the "
            "mean probability of the tokens that each wrote: how sure it was."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("step"), tr("probability of its tokens"), False, False

    def work(self, measurer: Measurer, other: Other | None, report: Report) -> Any:
        """Write the texts."""
        del other
        return measurer.texts(report=report)

    def sentence(self, found: Strip) -> str:
        """Return the prompt."""
        prompt = tr("Prompt: {prompt}", prompt=quoted(found.prompt))
        return f"{prompt} · {tr_n('1 checkpoint', '{n} checkpoints', len(found.texts))}"

    def lines(self, reported: Sequence[Any], found: Any | None) -> list[Line]:
        """Return the geometric mean of the probabilities."""
        del found
        x = np.array([one.step for one in reported], float)
        y = np.exp(np.array([one.logarithm for one in reported], float))
        return [Line("texts", tr("probability"), themes.now.accent, x, y, "main")] if reported else []

    def readings(self, found: Strip) -> list[Reading]:
        """Return the texts, the last one first, with what was written marked."""
        return [
            Reading(
                tr("step {step}", step=number_text(one.step)),
                f"{found.prompt}{one.text}",
                len(found.prompt),
                len(one.text),
            )
            for one in reversed(found.texts)
        ]


class GradientsKind(Kind):
    """How gradients agree."""

    key = "gradients"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Agreement of gradients")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The cosine between the gradients of the two halves of a batch, and between those of a step and the one "
            "before, while a copy makes 20 steps. Near 0 the batches say different things; larger ones agree more."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("step of the copy"), tr("cosine"), False, False

    def work(self, measurer: Measurer, other: Other | None, report: Report) -> Any:
        """Compare gradients."""
        del other
        return measurer.agreement(report=report)

    def sentence(self, found: Any) -> str:
        """Return the means and the noise scale."""
        scale = finite(found.noise.examples)
        noise = tr("not told from noise") if scale is None else tr("about {n} examples", n=_three(scale))
        return tr(
            "Mean cosine {halves} between halves, {steps} between steps. Noise scale: {noise}; the batch has {size}.",
            halves=_three(found.halves),
            steps=_three(found.previous) if math.isfinite(found.previous) else "–",
            noise=noise,
            size=number_text(found.batch_size),
        )

    def lines(self, reported: Sequence[Any], found: Any | None) -> list[Line]:
        """Return both cosines."""
        del found
        x, colours = np.array([one.step for one in reported], float), themes.now.runs
        halves, before = (np.array([getattr(one, name) for one in reported]) for name in ("halves", "previous"))
        return [
            Line("halves", tr("halves of a batch"), colours[0], x, halves, "main"),
            Line("previous", tr("step before"), colours[1], x, before, "main"),
        ]


class SharpnessKind(Kind):
    """The curvature of the loss."""

    key = "sharpness"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Sharpness")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The largest eigenvalue of the Hessian by power iteration, and its spectrum by the Lanczos method, on 16 "
            "examples of the training text. Plain gradient descent is stable while the eigenvalue is below 2 / rate."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("eigenvalue"), tr("share of the spectrum up to it (%)"), False, False

    def work(self, measurer: Measurer, other: Other | None, report: Report) -> Any:
        """Measure it."""
        del other
        return measurer.sharpness(report=report)

    def sentence(self, found: Any) -> str:
        """Return the eigenvalue and the bound."""
        return tr(
            "Largest eigenvalue {largest}, smallest {smallest}; 2 / learning rate is {bound}.",
            largest=_three(found.largest),
            smallest=_three(found.eigenvalues[0]) if found.eigenvalues else "–",
            bound=_three(found.bound),
        )

    def lines(self, reported: Sequence[Any], found: Any | None) -> list[Line]:
        """Return the cumulated spectrum."""
        del reported
        if found is None or not found.eigenvalues:
            return []
        values, shares = np.array(found.eigenvalues), 100 * np.cumsum(found.shares)
        x = np.repeat(values, 2)
        y = np.concatenate([[0.0], np.repeat(shares, 2)[:-1]])
        return [Line("spectrum", tr("spectrum"), themes.now.accent, x, y, "main")]


class PlaneKind(Kind):
    """A plane of random directions."""

    key = "random"
    content = "plane"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Plane of random directions")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The loss around the weights in two random directions, in which each filter is as long as that of the "
            "weights (Li et al. 2018). A wide basin is flat in both."
        )

    def work(self, measurer: Measurer, other: Other | None, report: Report) -> Any:
        """Measure the plane."""
        return measurer.plane(self.key, other=other, report=report)

    def sentence(self, found: LossPlane) -> str:
        """Return the losses of the plane."""
        values = np.array(found.losses)
        return tr(
            "Loss {least} to {most} on the plane, on {n} examples of the training text.",
            least=_three(float(np.nanmin(values))),
            most=_three(float(np.nanmax(values))),
            n=number_text(found.examples),
        )


class PathKind(PlaneKind):
    """The plane of the path of the checkpoints."""

    key = "path"

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Plane of the training's path")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The loss on the plane in which the checkpoints of the run differ most, with the path from checkpoint to "
            "checkpoint. The run needs at least three checkpoints."
        )

    def sentence(self, found: LossPlane) -> str:
        """Return the losses, and how much of the path the plane shows."""
        share = tr(
            "{percent} % of the path's variance lies in this plane.",
            percent=number_text(100 * sum(found.shares), ".0f"),
        )
        return f"{super().sentence(found)} {share}"


class BetweenKind(PlaneKind):
    """The plane through two runs."""

    key = "between"
    needs_other = True

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Plane through another run")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The loss on the plane through the weights of this run and of another one, with a random second direction. "
            "A ridge between them says that the trainings ended in different basins."
        )


class LineKind(Kind):
    """The line between two runs."""

    key = "line"
    needs_other = True

    @property
    def title(self) -> str:
        """Its title."""
        return tr("Line to another run")

    @property
    def explanation(self) -> str:
        """What it does."""
        return tr(
            "The loss on the straight line between the weights of two runs. Without a barrier they are linearly mode "
            "connected (Frankle et al. 2020), and the mean of their weights works."
        )

    @property
    def axes(self) -> tuple[str, str, bool, bool]:
        """The axes."""
        return tr("from this run (0) to the other (1)"), tr("loss (nats per token)"), False, False

    def work(self, measurer: Measurer, other: Other | None, report: Report) -> Any:
        """Measure the line."""
        assert other is not None  # the dialog asks for it first
        return measurer.line(other, report=lambda *one: report(one))

    def sentence(self, found: Any) -> str:
        """Return the barriers."""
        names = _splits()
        each = [
            tr("{barrier} in {split}", barrier=_three(found.barrier(name)), split=names[name]) for name in found.losses
        ]
        return tr("Barrier: {barriers}.", barriers=", ".join(each))

    def lines(self, reported: Sequence[Any], found: Any | None) -> list[Line]:
        """Return the losses of each split."""
        del found
        colours, lines = themes.now.runs, []
        for index, (name, title) in enumerate(_splits().items()):
            points = sorted((position, loss) for position, split, loss in reported if split == name)
            x, y = (np.array([point[axis] for point in points], float) for axis in (0, 1))
            lines.append(Line(name, title, colours[index], x, y, "main"))
        return [line for line in lines if len(line.x)]


KINDS: tuple[Kind, ...] = (
    HardKind(),
    TextsKind(),
    GradientsKind(),
    SharpnessKind(),
    PlaneKind(),
    PathKind(),
    BetweenKind(),
    LineKind(),
)


def _splits() -> dict[str, str]:
    return {"training": tr("training"), "validation": tr("validation")}


def _class_text(one: ClassLoss) -> str:
    return f"{_class_name(one.name)} {_three(one.loss)}"


def _class_name(name: str) -> str:
    """Return the name of a class in the language of the window."""
    if name.startswith("rank "):
        first, _, last = name.removeprefix("rank ").partition(" to ")
        return tr("rank {first} to {last}", first=first, last=last)
    names = {
        "space": tr("space"),
        "line end": tr("line end"),
        "letter at the start of a word": tr("letter at the start of a word"),
        "letter within a word": tr("letter within a word"),
        "digit": tr("digit"),
        "punctuation": tr("punctuation"),
        "other": tr("other"),
    }
    return names[name]


def _alternating(one: Sequence[Reading], other: Sequence[Reading]) -> list[list[Reading]]:
    longest = max(len(one), len(other))
    return [[*one[at : at + 1], *other[at : at + 1]] for at in range(longest)]


def _three(value: float) -> str:
    return localized(number(float(f"{value:.3g}")))
