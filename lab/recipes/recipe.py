"""Recipe and its sections. A recipe is frozen: every edit makes a new one, so an undo history is a list."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import tomli_w
from pydantic import ConfigDict

from lab.api import ModelConfig, setting
from lab.base import BadInput
from lab.base.files.reading import parse_toml, read_text
from lab.base.processes import MOST_THREADS
from lab.recipes.assignments import merged, parse_assignments
from lab.recipes.choices import Choice, Choices
from lab.recipes.controls import Controls
from lab.recipes.decoding import Decoding

LISTED = ("probes", "observers", "filters")
"""Kinds of cards that a recipe holds as a list."""


class Edit(ModelConfig):
    """A change of a live setting at a step that is planned before the run starts."""

    model_config = ConfigDict(frozen=True)

    step: int = setting(ge=0, unit="steps", help="Number of steps before the change.")
    path: str = setting(min_length=1, help="Path of the live setting, such as training.optimizer.learning_rate.")
    value: bool | int | float | str = setting(help="New value of the setting.")


class Training(Controls):
    """The settings of training."""

    model_config = ConfigDict(frozen=True)

    steps: int = setting(
        1000,
        ge=0,
        le=10**9,
        log=True,
        live=True,
        unit="steps",
        counted="steps",
        group="Batches",
        when={"budget": False},
        help="Optimizer updates; for a model that counts, slices of the text, each twice as long as the last. "
        "Typical: 500 to 50,000 updates.",
    )
    batch_size: int = setting(
        16,
        ge=1,
        le=2**20,
        log=True,
        live=True,
        unit="examples",
        group="Batches",
        help="Examples per step. Typical: 8 to 64 on a CPU.",
    )
    accumulation: int = setting(
        1,
        ge=1,
        le=2**20,
        live=True,
        unit="pieces",
        counted="pieces",
        label="Accumulation",
        group="Batches",
        help="Pieces into which a step is split to save memory. The result is the same but for draws (dropout, noise) "
        "and the balance of experts, which are by piece. Typical: 1 to 8.",
    )
    context_length: int = setting(
        64,
        ge=1,
        le=2**20,
        log=True,
        unit="tokens",
        group="Batches",
        help="Tokens per example. Typical: 64 to 512 on a CPU.",
    )
    order: Literal["crops", "epochs"] = setting(
        "crops",
        label="Order",
        group="Batches",
        help="Examples from uniformly random positions, or every window once per epoch in shuffled order.",
    )
    separate_documents: bool = setting(
        False,
        label="Separate documents",
        group="Batches",
        help="Read nothing across the border of two documents: attention is masked, positions and states start again. "
        "Needs a corpus of documents; not for n-grams and experts that choose tokens.",
    )
    validation_share: float = setting(
        0.1,
        gt=0,
        lt=1,
        group="Evaluation",
        help="Share of the corpus, at its end, that is reserved for validation. Typical: 0.05 to 0.1.",
    )
    seed: int = setting(
        0, ge=0, lt=2**63, group="Batches", help="Seed of initial weights, order of the data and dropout."
    )
    device: str = setting("auto", group="Hardware", help="Device of the computation: auto, cpu, cuda, cuda:1, mps.")
    precision: Literal["auto", "float32", "tf32", "bfloat16", "float16"] = setting(
        "auto",
        group="Hardware",
        names={"tf32": "TF32"},
        help="Number format of matrix products; TF32 has the range of float32 and 10 bits of a fraction, on NVIDIA "
        "cards; auto means bfloat16 on CUDA, float16 with a scaled loss on older cards "
        "without it, and float32 elsewhere. Recurrent layers (RNN, GRU, LSTM) always compute in float32.",
    )
    threads: int = setting(
        0, ge=0, le=MOST_THREADS, unit="threads", counted="threads", group="Hardware", auto=True,
        help="Processor threads; 0 means one per core. Typical: 0, or 1 to the number of cores.",
    )  # fmt: skip
    frozen: str = setting(
        "",
        max_length=2000,
        label="Frozen parts",
        group="Optimizer",
        help="Parameters that are not trained: names separated by commas, * for any characters. Empty trains all. "
        "Example: embedding.weight, blocks.0.*",
    )
    evaluate_every: int = setting(
        250,
        ge=0,
        unit="steps",
        group="Evaluation",
        zero="at the end",
        help="Steps between evaluations; 0 means only at the end. Typical: 100 to 1,000.",
    )
    evaluate_tokens: int = setting(
        16384,
        ge=0,
        log=True,
        unit="tokens",
        label="Evaluation tokens",
        group="Evaluation",
        zero="all",
        help="Validation tokens read by each evaluation, or targets if the corpus has rows; 0 for all. The final "
        "evaluation always reads all. "
        "Typical: 10,000 to 100,000.",
    )
    sample_tokens: int = setting(
        120,
        ge=0,
        le=100_000,
        unit="tokens",
        label="Sample length",
        group="Evaluation",
        zero="none",
        help="Length of the sample at each evaluation and snapshot; in the first steps it is shorter. "
        "Typical: 50 to 200.",
    )
    checkpoint_every: int = setting(
        0,
        ge=0,
        unit="steps",
        group="Checkpoints",
        zero="off",
        help="Steps between checkpoints; 0 means none by steps. Typical: 0, or 100 to 10,000.",
    )
    checkpoint_seconds: float = setting(
        60.0,
        ge=0,
        le=10**7,
        unit="s",
        label="Checkpoint interval",
        group="Checkpoints",
        zero="off",
        help="Seconds of training between checkpoints; 0 means none by time. Typical: 30 to 600.",
    )
    keep_last: int = setting(
        2,
        ge=1,
        le=10_000,
        unit="checkpoints",
        label="Keep latest",
        group="Checkpoints",
        help="Number of latest checkpoints to keep, besides requested ones. Typical: 1 to 5.",
    )
    keep_best: bool = setting(True, group="Checkpoints", help="Keep the checkpoint with the lowest validation loss.")
    edits: list[Edit] = setting([], group="Schedule", help="Schedule of changes of live settings at given steps.")
    optimizer: Choice = setting(Choice(name="adamw"), help="Optimizer that updates the weights.")
    schedule: Choice = setting(Choice(name="cosine"), help="Schedule of the learning rate.")


class Distillation(ModelConfig):
    """The settings of learning from the predictions of another run."""

    model_config = ConfigDict(frozen=True)

    teacher: str = setting(
        "",
        max_length=500,
        label="Teacher",
        group="Distillation",
        help="Run whose predictions the model learns besides the data: its folder, its name, or NAME@STEP for one of "
        "its checkpoints. It must have the same vocabulary. Empty means none.",
        cite="Hinton et al. 2015",
    )
    temperature: float = setting(
        2.0,
        gt=0,
        le=100,
        log=True,
        label="Temperature",
        group="Distillation",
        help="T by which the logits of both are divided before the softmax; the term is multiplied by T². "
        "Typical: 1 to 4.",
        cite="Hinton et al. 2015, section 2",
    )
    weight: float = setting(
        0.5,
        ge=0,
        le=1,
        label="Weight of the teacher",
        group="Distillation",
        help="w of the loss (1 − w) · data + w · teacher. Typical: 0.5 to 0.9.",
    )


class Readings(ModelConfig):
    """The settings of readings recorded inside the model during training."""

    model_config = ConfigDict(frozen=True)

    text: str = setting(
        "",
        max_length=2000,
        label="Probe text",
        group="Recording",
        help="Probe text; empty means the start of the validation text.",
    )
    tokens: int = setting(
        64,
        ge=0,
        le=4096,
        unit="tokens",
        label="Probe tokens",
        group="Recording",
        zero="none",
        help="Tokens of the probe text that are read; 0 records none. Typical: 32 to 128.",
    )
    moments: int = setting(
        12,
        ge=0,
        le=1000,
        unit="snapshots",
        label="Snapshots",
        group="Recording",
        zero="none",
        help="Log-spaced steps at which readings are recorded. Typical: 8 to 30.",
    )
    budget: int = setting(
        64 * 2**20,
        ge=0,
        unit="bytes",
        label="Size limit",
        group="Recording",
        help="Most bytes of all readings; fewer snapshots are recorded if necessary. Typical: 16 to 256 MiB.",
    )
    gauges_every: int = setting(
        20,
        ge=0,
        unit="steps",
        label="Gauges every",
        group="Recording",
        zero="none",
        help="Steps between two measurements of the gauges: norms, updates and activations of each layer. 0 records "
        "none. Typical: 10 to 100.",
    )
    probes: Choices = setting([Choice(name="reports")], help="The probes that are recorded, by name.")


class Recipe(ModelConfig):
    """All that determines a result: corpus, tokenizer, architecture, objective, training, seed."""

    model_config = ConfigDict(frozen=True)
    version: ClassVar[int] = 1

    title: str = setting("", max_length=200, help="Title of the recipe.")
    corpus: Choice = setting(Choice(name="python-manual"), help="Text to train on.")
    tokenizer: Choice = setting(Choice(name="character"), help="Tokenizer that splits the text.")
    architecture: Choice = setting(Choice(name="transformer"), help="Model and its settings.")
    objective: Choice = setting(Choice(name="causal"), help="Objective of the training.")
    adapter: Choice = setting(Choice(name="none"), help="What is trained in place of the weights of a finished run.")
    distillation: Distillation = setting(Distillation(), help="The run whose predictions the model learns, too.")
    training: Training = setting(Training(), help="Settings of the training.")
    readings: Readings = setting(Readings(), help="Settings of the recorded readings.")
    observers: Choices = setting([], help="Observers with changed settings; all others run with their defaults.")
    decoding: Decoding | None = setting(
        None, help="How texts of the model are decoded unless a command says otherwise; training does not depend on it."
    )

    def choices(self) -> dict[str, tuple[str, Choice]]:
        """Return every card that the recipe names, as (kind in lab.api.HOOKS, choice) by its path."""
        single = {
            "corpus": ("corpora", self.corpus),
            "tokenizer": ("tokenizers", self.tokenizer),
            "architecture": ("architectures", self.architecture),
            "objective": ("objectives", self.objective),
            "adapter": ("adapters", self.adapter),
            "training.optimizer": ("optimizers", self.training.optimizer),
            "training.schedule": ("schedules", self.training.schedule),
        }
        probes = {f"readings.probes.{probe.name}": ("probes", probe) for probe in self.readings.probes}
        observers = {f"observers.{observer.name}": ("observers", observer) for observer in self.observers}
        decoding: dict[str, tuple[str, Choice]] = {}
        if self.decoding is not None:
            decoding["decoding.strategy"] = "strategies", self.decoding.strategy
            decoding |= {f"decoding.filters.{one.name}": ("filters", one) for one in self.decoding.filters}
        return {**single, **probes, **observers, **decoding}

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read a recipe file.

        Raises:
            BadInput: The file is missing, is empty, is not TOML, or holds a setting that is not allowed.
        """
        try:
            text = read_text(file)
            if not text.strip():  # one that was cut off, rather than one that wants all defaults
                remedy = "Save the recipe again, or take another file"
                raise BadInput("is empty", field="recipe", value=str(file), remedy=remedy)
            return cls.from_toml(text, name=file.name)
        except FileNotFoundError:
            raise BadInput("there is no such recipe file", field="recipe", value=str(file)) from None
        except UnicodeDecodeError:
            raise BadInput("is not a recipe: not a text file", field="recipe", value=str(file)) from None
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            remedy = "Choose a recipe file, as the lab writes it"
            raise BadInput(f"cannot be read: {reason}", field="recipe", value=str(file), remedy=remedy) from None

    @classmethod
    def from_toml(cls, text: str, *, name: str = "recipe") -> Self:
        """Read a recipe from text; migrate older formats.

        Raises:
            BadInput: It is not TOML, has an unknown format, or holds a setting that is not allowed.
        """
        try:
            data = parse_toml(text)
        except ValueError as error:
            remedy = "Correct it, or take another file"
            raise BadInput(f"is not TOML: {error}", field="recipe", value=name, remedy=remedy) from None
        version = data.pop("format", cls.version)
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise BadInput("is not allowed", field="format", value=repr(version), allowed=f"1 to {cls.version}")
        if version > cls.version:
            what = "written in a newer format than this lab knows"
            remedy = "Update the lab"
            raise BadInput(what, field="format", value=str(version), allowed=f"1 to {cls.version}", remedy=remedy)
        return cls.read(data, version=version, field="")

    def to_toml(self) -> str:
        """Return the recipe as TOML with all defaults written out, so that a later change of defaults has no effect."""
        return tomli_w.dumps({"format": self.version, **self.model_dump(mode="json", exclude_none=True)})

    def with_values(self, *pieces: Mapping[str, Any]) -> Self:
        """Return the recipe with pieces (such as presets) merged in; a new card name drops the old card's settings.

        Raises:
            BadInput: A piece holds a setting that is not allowed.
        """
        values = self.model_dump(exclude_none=True)
        for piece in pieces:
            if isinstance(piece.get("decoding"), Mapping) and "decoding" not in values:
                values["decoding"] = Decoding().model_dump(exclude_none=True)
            values = merged(values, piece)
        return type(self).read(values, field="")

    def with_assignments(self, *assignments: str) -> Self:
        """Return the recipe with "path=value" assignments: "training.optimizer.learning_rate=3e-4".

        Raises:
            BadInput: An assignment is malformed, names no setting, or has a value that is not allowed.
        """
        return self.with_values(*parse_assignments(assignments))
