"""The fields of the files of a run that code relies on, with their types and bounds; other fields may be any data.

A run may come from anybody, so each field is bounded as the code that writes it, or the recipe, bounds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from lab.base.processes import MOST_THREADS
from lab.base.reading import LARGEST_INTEGER

Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=LARGEST_INTEGER)]
Figure: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Amount: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0)]
Threads: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=MOST_THREADS)]
Time: TypeAlias = Annotated[float, Field(strict=True, ge=-(2**35), le=253_402_300_799)]  # seconds since 1970, to 9999
Text: TypeAlias = Annotated[str, Field(strict=True)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]


class Fields(BaseModel):
    """Fields of a JSON object; each may be missing or null."""

    model_config = ConfigDict(extra="ignore", defer_build=True)

    @classmethod
    def check(cls, record: Mapping[str, Any]) -> None:
        """Check the fields of a record.

        Raises:
            ValueError: A field has another type or is out of its bounds; the message names it.
        """
        try:
            cls.model_validate(record)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            field, value = ".".join(str(key)[:40] for key in first["loc"]), _shown(first["input"])
            raise ValueError(f"{field} = {value} is not allowed") from None


class Placement(Fields):
    """The device and number format that a run was trained with."""

    device: Text | None = None
    precision: Text | None = None
    threads: Threads | None = None


class Cost(Fields):
    """The cost of a model that was counted before its run."""

    parameters: Count | None = None
    active_parameters: Count | None = None
    state_bytes: Amount | None = None
    flops_per_token: Amount | None = None
    activation_bytes: Amount | None = None
    blocks: dict[str, Count] | None = None


class Corpus(Fields):
    """The corpus of a run."""

    name: Text | None = None
    kind: Text | None = None
    characters: Count | None = None
    tokenizer_fitted_to: Text | None = None
    facts: dict[str, Any] | None = None


class Parent(Fields):
    """The run that a run branched off."""

    id: Text | None = None
    name: Text | None = None
    step: Count | None = None
    changes: list[Text] | None = None


def _table(value: Any) -> Any:
    """Return what is no table as missing: such a run opens, and its text has to be given."""
    return value if isinstance(value, dict) else None


class RunFacts(Fields):
    """The fields of run.json."""

    format: Count | None = None
    id: Text | None = None
    name: Text | None = None
    created: Text | None = None
    command: Text | None = None
    platform: Text | None = None
    machine: Text | None = None
    processor: Text | None = None
    cpus: Count | None = None
    versions: dict[str, Text | None] | None = None
    plugins: dict[str, Text | None] | None = None
    placement: Placement | None = None
    cost: Cost | None = None
    corpus: Annotated[Corpus | None, BeforeValidator(_table)] = None
    parent: Parent | None = None
    vocabulary: dict[str, Any] | None = None
    floors: dict[str, Figure | None] | None = None
    bytes_per_token: Amount | None = None
    targets: Count | None = None
    probe_text: list[Count] | None = None


class Summary(Fields):
    """The latest figures of a run."""

    architecture: Text | None = None
    learns: Text | None = None
    loss_unit: Text | None = None
    protocol: Text | None = None
    part: Text | None = None
    device: Text | None = None
    precision: Text | None = None
    threads: Threads | None = None
    steps: Count | None = None
    last_step: Count | None = None
    targets: Count | None = None
    tokens: Count | None = None
    parameters: Count | None = None
    reads_later_tokens: Flag | None = None
    train_loss: Figure | None = None
    validation_loss: Figure | None = None
    perplexity: Figure | None = None
    bits_per_byte: Figure | None = None
    seconds: Amount | None = None
    tokens_per_second: Amount | None = None
    activation_bytes: Amount | None = None
    state_bytes: Amount | None = None
    metrics: dict[str, Figure | None] | None = None
    floors: dict[str, Figure | None] | None = None
    infinite: list[Text] = []


class StoredStatus(Fields):
    """The fields of status.json."""

    step: Count = 0
    summary: Summary = Summary()
    problem: dict[str, Any] | None = None


class Line(Fields):
    """The fields of a line of events.jsonl or samples.jsonl."""

    time: Time | None = None
    step: Count | None = None
    event: Text | None = None
    text: Text | None = None


class Edits(Fields):
    """The numbers of live edits that were made until a checkpoint."""

    scheduled: Count = 0
    live: Count = 0


class CheckpointFacts(Fields):
    """The fields of the state.json of a checkpoint."""

    format: Count | None = None
    step: Count | None = None
    tokens: Count | None = None
    examples: Count | None = None
    seconds: Amount | None = None
    best: Figure | None = None
    validation_loss: Figure | None = None
    evaluated: Flag | None = None
    reason: Text | None = None
    edits: Edits = Edits()
    live: dict[str, dict[str, Any]] = {}
    groups: list[dict[str, Any]] = []
    optimizer: dict[str, Any] = {}
    carries: dict[str, Any] = {}
    loss_scale: dict[str, Any] = {}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
