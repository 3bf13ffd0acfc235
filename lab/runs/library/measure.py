"""What is measured of a finished run, as lessons and studies write it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Figure: TypeAlias = Literal[
    "validation loss", "train loss", "perplexity", "bits per byte", "parameters", "metric", "floor", "loss at length",
    "accuracy at length", "loss at positions", "loss under protocol", "series", "step reached", "reading",
    "written text", "flops per token", "decoding state",
]  # fmt: skip
"""What can be measured of a run."""
NEEDS_OF = ("metric", "floor", "loss under protocol", "series", "step reached", "reading", "written text")
"""The figures that need to be told which of several."""

_Word: TypeAlias = Annotated[str, Field(max_length=200)]


class RunMeasure(BaseModel):
    """A quantity that is measured of one run.

    Attributes:
        title: Its title.
        figure: What is measured.
        of: Which metric, floor, protocol, series, reading or measure of written texts.
        length: The length, for the figures at a length.
        positions: First and last position in a window, counted from 1, of the losses at positions.
        step: The step of a series; the last one if it is missing.
        at_least: For the step reached: the first step at which the series is so large.
        at_most: The first step at which it is so small.
        checkpoint: The checkpoint that writes: "best", "last" or its step.
        decoding: How it writes, such as "greedy" or "top-p=0.9"; "" for the texts of its corpus.
        texts: How many texts it writes.
        unit: Its unit.
        probe: The probe of a reading.
        probe_settings: The settings of the probe.
        text: The text that the probe reads; "" for the probe text of the run.
        at: Positions along axes of the reading, by axis.
        reduce: How what is left of the reading becomes one number.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Annotated[str, Field(min_length=1, max_length=400)]
    figure: Figure
    of: _Word = ""
    length: Annotated[int, Field(ge=1, le=65536)] | None = None
    positions: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]] | None = None
    step: Annotated[int, Field(ge=0)] | None = None
    at_least: float | None = None
    at_most: float | None = None
    checkpoint: _Word = "last"
    decoding: _Word = ""
    texts: Annotated[int, Field(ge=1, le=1000)] = 32
    unit: _Word = ""
    probe: _Word = "reports"
    probe_settings: dict[str, int | float | str | bool] = Field(default_factory=dict)
    text: _Word = ""
    at: dict[str, int | str] = Field(default_factory=dict)
    reduce: Literal["mean", "least", "most", "last"] = "mean"

    @property
    def missing(self) -> tuple[str, str] | None:
        """What it does not say, and the field that says it; None if it is complete."""
        if self.figure in NEEDS_OF and not self.of:
            return f"which {self.figure}", "of"
        if self.figure.endswith("at length") and self.length is None:
            return "at which length", "length"
        if self.figure == "loss at positions" and self.positions is None:
            return "at which positions", "positions"
        if self.figure == "step reached" and (self.at_least is None) == (self.at_most is None):
            return "which one value is to be reached", "at_least or at_most"
        return None
