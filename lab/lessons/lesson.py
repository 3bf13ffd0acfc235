"""A lesson as data: what is run, predicted, measured, checked and asked. It holds no code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from lab.runs.library.measure import Figure, RunMeasure

Depth: TypeAlias = Literal["look", "lesson", "further"]
"""How deep a lesson is taken: ten minutes of looking, the lesson, going further."""
DEPTHS: tuple[Depth, ...] = ("look", "lesson", "further")
"""All depths, the shortest first; each includes those before."""
TRACKS = {
    "probability": "Probability and n-grams",
    "networks": "Networks and training",
    "attention": "Attention and transformers",
    "beyond": "Beyond attention",
    "using": "Using models",
}
"""Titles of the lab's tracks by key; a lesson may name one of its own."""

Place: TypeAlias = Literal["data", "train", "inspect", "play", "compare"]
"""A place of the window that a lesson may open."""

Key: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Line: TypeAlias = Annotated[str, Field(min_length=1, max_length=400)]
Passage: TypeAlias = Annotated[str, Field(min_length=1, max_length=4000)]
Word: TypeAlias = Annotated[str, Field(max_length=200)]
MOST_RUNS = 40
"""Most trainings of a lesson."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Run(_Part):
    """A training of a lesson, or several that differ in one setting.

    Attributes:
        name: Its name in measures.
        title: Its title.
        recipe: The name of a shipped recipe, or a TOML file in the lesson's folder; "" for the defaults.
        settings: Assignments such as "architecture.order=3".
        along: The setting that differs, for several trainings.
        values: Its values, one training for each.
        start: A run before it whose recipe and weights it starts with; "" for none.
        teacher: A run before it whose predictions it learns too; "" for none.
    """

    name: Key
    title: Line
    recipe: Word = ""
    settings: Annotated[tuple[Line, ...], Field(max_length=40)] = ()
    along: Word = ""
    values: Annotated[tuple[int | float | str, ...], Field(max_length=MOST_RUNS)] = ()
    start: Annotated[str, Field(max_length=40)] = ""
    teacher: Annotated[str, Field(max_length=40)] = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The values as keys of measured quantities; ("",) for one training."""
        return tuple(f"{value:g}" if isinstance(value, float) else str(value) for value in self.values) or ("",)


class Measure(RunMeasure):
    """A quantity that is measured of one run or several, or that a worked example gives.

    Attributes:
        name: Its name in comparisons.
        runs: The runs; () for an example. Of one training the quantity is a number, of several it has an entry for
            each.
        figure: What is measured, or "example".
        example: The worked example; `of` then names its step, with the position of an entry, as in "z[0]".
    """

    name: Key
    runs: Annotated[tuple[Key, ...], Field(max_length=MOST_RUNS)] = ()
    figure: Figure | Literal["example"]  # type: ignore[assignment]
    example: Word = ""

    @property
    def missing(self) -> tuple[str, str] | None:
        """What it does not say, and the field that says it; None if it is complete."""
        if self.figure != "example":
            return super().missing
        if not self.example:
            return "of which worked example", "example"
        return None if self.of else ("which step of the worked example", "of")


class Option(_Part):
    """One of the answers to pick from.

    Attributes:
        key: What comparisons call it, such as the name of a run.
        label: What the learner reads.
    """

    key: Word
    label: Line


class Prediction(_Part):
    """What the learner predicts before the runs start.

    Attributes:
        kind: A number that is typed, an option that is picked, or a curve that is drawn.
        text: What is to be predicted.
        right: Comparisons that all hold for a right prediction, which they call `prediction`.
        answer: The term that gives the measured counterpart of a number or an option.
        explanation: Why it is so, shown afterwards.
        unit: The unit of a number.
        options: What can be picked.
        of: The measured quantity that is drawn, with an entry for each position of the curve.
        x: The label of the horizontal axis.
        y: The label of the vertical axis.
        low: The least number, or the lower end of the vertical axis.
        high: The largest number, or its upper end.
        log: Whether the axis is logarithmic.
    """

    kind: Literal["number", "pick", "curve"]
    text: Line
    right: Annotated[tuple[Line, ...], Field(min_length=1, max_length=8)]
    answer: Word = ""
    explanation: Passage
    unit: Word = ""
    options: Annotated[tuple[Option, ...], Field(max_length=12)] = ()
    of: Word = ""
    x: Word = ""
    y: Word = ""
    low: float = 0.0
    high: float = 1.0
    log: bool = False


class Check(_Part):
    """A claim of the lesson, and the comparisons that decide it.

    Attributes:
        claim: The claim in words.
        holds: Comparisons of measured quantities that all have to hold.
    """

    claim: Line
    holds: Annotated[tuple[Line, ...], Field(min_length=1, max_length=12)]


class Question(_Part):
    """A question to answer in words, with the answer that is shown afterwards.

    Attributes:
        text: The question.
        answer: The answer.
        depth: The depth from which on it is asked.
    """

    text: Line
    answer: Passage
    depth: Depth = "lesson"


class Opening(_Part):
    """The place of the window in which the runs are seen.

    Attributes:
        place: The place.
        runs: The runs that are shown; () for all.
        look: What is to be seen there.
    """

    place: Place
    runs: Annotated[tuple[Key, ...], Field(max_length=MOST_RUNS)] = ()
    look: Line


class Written(_Part):
    """What the file of a lesson holds."""

    format: Literal[1]
    title: Line
    summary: Line
    track: Annotated[str, Field(min_length=1, max_length=60)]
    position: Annotated[int, Field(ge=0, le=1000)] = 0
    minutes: Annotated[int, Field(ge=1, le=600)]
    lectures: Annotated[tuple[Word, ...], Field(max_length=20)] = ()
    examples: Annotated[tuple[Word, ...], Field(max_length=40)] = ()
    mistake: Line
    runs: Annotated[tuple[Run, ...], Field(max_length=MOST_RUNS)] = ()
    measures: Annotated[tuple[Measure, ...], Field(min_length=1, max_length=MOST_RUNS)]
    prediction: Prediction
    checks: Annotated[tuple[Check, ...], Field(min_length=1, max_length=20)]
    questions: Annotated[tuple[Question, ...], Field(max_length=20)] = ()
    view: Opening | None = None


class Lesson(Written):
    """A lesson that was read from a folder.

    Attributes:
        name: The name of the folder.
        folder: The folder.
        language: The language of its texts.
        texts: The Markdown of each depth, and of "teacher"; a missing one is "".
        recipes: The texts of the recipes in its folder, by file name.
    """

    name: str
    folder: Path
    language: str = "en"
    texts: Mapping[str, str]
    recipes: Mapping[str, str]

    @cached_property
    def digest(self) -> str:
        """What decides the measured quantities, as a digest; results of another digest are not its own."""
        decides: Any = [
            [_decisive(run) for run in self.runs],
            [_decisive(measure) for measure in self.measures],
            sorted(self.recipes.items()),
        ]
        return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:32]

    def run(self, name: str) -> Run:
        """Return a run by its name."""
        return next(run for run in self.runs if run.name == name)

    def measure(self, name: str) -> Measure:
        """Return a measure by its name."""
        return next(measure for measure in self.measures if measure.name == name)

    def keys_of(self, measure: Measure) -> tuple[str, ...]:
        """Return the keys of the entries of a measured quantity; () for a number, or for a curve over steps."""
        if len(measure.runs) != 1:
            return measure.runs
        keys = self.run(measure.runs[0]).keys
        return () if keys == ("",) else keys

    @property
    def training_count(self) -> int:
        """The number of trainings."""
        return sum(len(run.keys) for run in self.runs)


_LATER = ("start", "teacher", "decoding", "example")
"""Fields that were added later, and are left out of digests where they are empty."""


def _decisive(part: Run | Measure) -> dict[str, Any]:
    """Return the fields of a part that decide what is measured."""
    fields = part.model_dump(mode="json", exclude={"title", "unit"})
    return {name: value for name, value in fields.items() if name not in _LATER or value}
