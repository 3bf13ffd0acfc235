"""The fields of the files of a run that code relies on, with their types and bounds; other fields may be any data.

A run may come from anybody, so each field is bounded as the code that writes it, or the recipe, bounds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import eq
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from lab.base.files.reading import LARGEST_INTEGER, unfit, unfit_numbers
from lab.base.processes import MOST_THREADS

MOST_ENTRIES = 10_000
"""Most entries of a table whose values are checked, since each that is not allowed takes a kilobyte to tell."""


def _few(value: Any) -> Any:
    if isinstance(value, dict) and len(value) > MOST_ENTRIES:
        raise ValueError(f"it has more than {MOST_ENTRIES:,} entries")
    return value


Few = BeforeValidator(_few)

Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=LARGEST_INTEGER)]
Figure: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Amount: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0)]
Threads: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=MOST_THREADS)]
Time: TypeAlias = Annotated[float, Field(strict=True, ge=-(2**35), le=253_402_300_799)]  # seconds since 1970, to 9999
Text: TypeAlias = Annotated[str, Field(strict=True)]
Counts: TypeAlias = Annotated[list[Count], Field(fail_fast=True)]
Texts: TypeAlias = Annotated[list[Text], Field(fail_fast=True)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Tables: TypeAlias = Annotated[list[dict[str, Any]], Field(fail_fast=True)]
CountsByName: TypeAlias = Annotated[dict[str, Count], Few]
TextsByName: TypeAlias = Annotated[dict[str, Text | None], Few]
FiguresByName: TypeAlias = Annotated[dict[str, Figure | None], Few]
TablesByName: TypeAlias = Annotated[dict[str, dict[str, Any]], Few]


class Fields(BaseModel):
    """Fields of a JSON object; each may be missing or null.

    Attributes:
        needed: The paths, with dots, of what the lab needs to open, resume or compute; None if it needs everything.
            The rest is shown or convenient, and taken as missing where it is not allowed, so that no single figure
            hides a run.
    """

    model_config = ConfigDict(extra="ignore", defer_build=True)
    needed: ClassVar[tuple[str, ...] | None] = None

    @classmethod
    def check(cls, record: dict[str, Any]) -> None:
        """Remove what is not allowed from a record, each value from the table nearest to it.

        Not allowed is a known field of another type or out of its bounds, and in any field a number that the lab
        cannot compute with.

        Raises:
            ValueError: A needed field is not allowed; the message names it.
        """
        for path in list(unfit_numbers(record)):
            if cls._needs(path):
                raise unfit(path)
            _remove(record, path)
        try:
            cls.model_validate(record)
        except ValidationError as error:
            for each in error.errors(include_url=False, include_context=False):
                if cls._needs(each["loc"]):
                    field, value = ".".join(str(key)[:40] for key in each["loc"]), _shown(each["input"])
                    raise ValueError(f"{field} = {value} is not allowed") from None
                _remove(record, each["loc"])

    @classmethod
    def _needs(cls, path: Sequence[Any]) -> bool:
        """Return True if the lab needs what is at a path, or something in it."""
        parts = None if cls.needed is None else [name.split(".") for name in cls.needed]
        return parts is None or any(all(map(eq, path, names)) for names in parts)


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
    blocks: CountsByName | None = None


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
    changes: Texts | None = None


class RunFacts(Fields):
    """The fields of run.json. A run without a corpus opens, and its text has to be given."""

    needed = ("format", "id", "placement", "vocabulary")
    format: Count | None = None
    id: Text | None = None
    name: Text | None = None
    created: Text | None = None
    command: Text | None = None
    platform: Text | None = None
    machine: Text | None = None
    processor: Text | None = None
    cpus: Count | None = None
    versions: TextsByName | None = None
    plugins: TextsByName | None = None
    placement: Placement | None = None
    cost: Cost | None = None
    corpus: Corpus | None = None
    parent: Parent | None = None
    vocabulary: dict[str, Any] | None = None
    floors: FiguresByName | None = None
    bytes_per_token: Amount | None = None
    targets: Count | None = None
    probe_text: Counts | None = None


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
    standard_error: Amount | None = None
    perplexity: Figure | None = None
    bits_per_byte: Figure | None = None
    seconds: Amount | None = None
    tokens_per_second: Amount | None = None
    activation_bytes: Amount | None = None
    state_bytes: Amount | None = None
    metrics: FiguresByName | None = None
    floors: FiguresByName | None = None
    infinite: Texts = []


class StoredStatus(Fields):
    """The fields of status.json; losses, counts and what they were computed with are compared with other runs'."""

    needed = (
        *("step", "problem", "summary.architecture", "summary.learns", "summary.loss_unit", "summary.protocol"),
        *("summary.part", "summary.device", "summary.precision", "summary.threads", "summary.steps"),
        *("summary.last_step", "summary.targets", "summary.tokens", "summary.parameters"),
        *("summary.reads_later_tokens", "summary.train_loss", "summary.validation_loss", "summary.perplexity"),
        "summary.bits_per_byte",
    )
    step: Count = 0
    summary: Summary = Summary()
    problem: dict[str, Any] | None = None


class Event(Fields):
    """The fields of a line of events.jsonl, whose live edits are made again when a run is repeated."""

    time: Time | None = None
    step: Count | None = None
    event: Text | None = None
    text: Text | None = None


class Sample(Fields):
    """The fields of a line of samples.jsonl."""

    time: Time | None = None
    step: Count | None = None
    text: Text | None = None

    @classmethod
    def check(cls, record: dict[str, Any]) -> None:
        """Empty a record that is no sample; the lines that are samples do not depend on it."""
        try:
            super().check(record)
        except ValueError:
            record.clear()


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
    live: TablesByName = {}
    groups: Tables = []
    optimizer: dict[str, Any] = {}
    carries: dict[str, Any] = {}
    loss_scale: dict[str, Any] = {}


def _remove(record: dict[str, Any], path: Sequence[Any]) -> None:
    """Remove what is at a path, or the list that holds it, from the table nearest to it."""
    *tables, last = path
    for key in tables:
        inner = record.get(key)
        if not isinstance(inner, dict):
            last = key
            break
        record = inner
    record.pop(last, None)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
