"""The registrations of models, Architecture and Mixer, and Slot, the argument of a mixer's factory."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from pydantic import create_model

from lab.api.config import ModelConfig, StackConfig, setting
from lab.api.model import LanguageModel, Task
from lab.api.readings import Explanation

FIRST_BLOCK = "blocks.0"
"""The path of the first block of a stack."""


@dataclass(frozen=True)
class Slot:
    """The position of a mixer in a stack: the one argument of every mixer factory.

    Args:
        width: C, the channels of the residual stream.
        layer: Index of the block, from 0.
        layers: Number of blocks in the stack.
        context_length: Tokens of a training window.
        causal: Whether position t may read only positions up to t.
        config: The config of the mixer: its own if it was registered, the architecture's otherwise.
    """

    width: int
    layer: int
    layers: int
    context_length: int
    causal: bool
    config: Any


@dataclass(frozen=True)
class Cost:
    """The cost of a model.

    Args:
        parameters: Number of trained numbers, with tied ones once.
        active_parameters: Number of those used to compute one token.
        flops_per_token: Operations of one training step, forward and backward, per token; None if unknown.
        state_bytes: Bytes of decoding state after a full context, per sequence; None if the model cannot decode.
        blocks: Parameters by module ("embedding", "blocks.0"), in order.
        activation_bytes: Bytes that a training step stores per token for the backward pass; None if unknown.
    """

    parameters: int
    active_parameters: int
    flops_per_token: float | None
    state_bytes: int | None
    blocks: Mapping[str, int] = field(default_factory=dict)
    activation_bytes: float | None = None


@dataclass(frozen=True)
class Size:
    """One size of a preset: its settings and where it was published.

    Args:
        name: The name in its paper ("124M"); "width 128" if the lab scaled it.
        settings: Settings of the architecture, merged into those of the preset.
        vocabulary_size: Symbols of the published model; None if the lab scaled it.
        context_length: Tokens of its training windows; None if the lab scaled it.
        parameters: Number of parameters according to the paper; None if the lab scaled it.
        source: The paper and its table; "" if the lab scaled it.
    """

    name: str
    settings: Mapping[str, Any]
    vocabulary_size: int | None = None
    context_length: int | None = None
    parameters: float | None = None
    source: str = ""


@dataclass(frozen=True)
class Architecture:
    """The card of an architecture: its names, its settings and its factory.

    Args:
        name: Lower-case, of letters, digits, "-" and "_"; used by recipes and the command line.
        title: The name shown to the user.
        family: The group it is listed under ("transformer").
        summary: One or two sentences.
        config: Its ModelConfig.
        build: (config, task) -> LanguageModel, or "package.module:function", imported only when called.
        tasks: The tasks it can be trained for: Objective.needs is one of them.
        inputs: What it can read: "tokens", "vectors", "images".
        devices: Device kinds it runs on; None means all.
        presets: By name, a piece of a recipe: {"architecture": {"layers": 4}, "training": {"steps": 2000}}.
        preset_notes: By name of a preset, a sentence for the user, such as the loss it reaches.
        equations: Its equations in LaTeX.
        symbols: The meaning of each symbol of the equations, in a few words, by the symbol in LaTeX.
        symbol_parts: The part of the model that a symbol stands for or comes from, as `Explanation.parts`; the window
            links the symbol to it.
        symbol_settings: The field of its config that sets a symbol ("heads"), by the symbol; linked too.
        references: The papers.
        cost: A function that replaces the measurement on the meta device.
        sizes: By name of a preset, its sizes from small to large.
        records: Names of probes whose readings its runs record, in addition to those of the recipe.
        state_formula: (config, task) -> (text, bytes): the size of its decoding state after a full context, written as
            a formula ("2 × 4 layers × …"); shown next to the measured size.
        baselines: By name ("dense, equal total parameters"), config -> the settings to merge into it to get the
            simpler model that it is compared with; none if it is that model already.
        explanations: What the readings that its models report show, by their names.
        learns: How its models learn, as `LanguageModel.learns`; a form offers no optimizer for one that counts.
        floor: The settings that make it, with any `order` from 1 on, an interpolated modified Kneser-Ney model, whose
            losses are floors of runs on the same text; None for other architectures.

    Raises:
        ValueError: A part or a setting is given for what is none of the symbols.
    """

    name: str
    title: str
    family: str
    summary: str
    config: type[ModelConfig]
    build: Callable[[Any, Task], LanguageModel] | str
    tasks: frozenset[str] = frozenset({"causal"})
    inputs: frozenset[str] = frozenset({"tokens"})
    devices: frozenset[str] | None = None
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    equations: Sequence[str] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    symbol_parts: Mapping[str, str] = field(default_factory=dict)
    symbol_settings: Mapping[str, str] = field(default_factory=dict)
    references: Sequence[str] = ()
    cost: Callable[[Any, Task], Cost] | None = None
    sizes: Mapping[str, Sequence[Size]] = field(default_factory=dict)
    records: Sequence[str] = ()
    state_formula: Callable[[Any, Task], tuple[str, int]] | None = None
    baselines: Mapping[str, Callable[[Any], Mapping[str, Any]]] = field(default_factory=dict)
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    preset_notes: Mapping[str, str] = field(default_factory=dict)
    learns: Literal["gradient", "counting"] = "gradient"
    floor: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        _check_links(self)

    def make(self, config: ModelConfig, task: Task) -> LanguageModel:
        """Return the model with new weights, drawn from torch's default generator."""
        model: LanguageModel = load(self.build)(config, task)
        return model

    def baseline(self, name: str, config: ModelConfig) -> ModelConfig:
        """Return the config of a baseline for comparison with a model of this config.

        Args:
            name: One of `baselines`.
            config: The config of the model; not changed.

        Raises:
            BadInput: The baseline holds a setting that is not allowed.
        """
        settings = self.baselines[name](config.model_copy(deep=True))
        return self.config.read({**config.stored(), **settings}, field=f"architectures.{self.name}.baselines.{name}")


class MixerStackConfig(StackConfig):
    """The config of a stack of one mixer: the stack's fields, and the mixer's own nested under its name."""

    mixer: ClassVar[Mixer]


class ChannelStackConfig(MixerStackConfig):
    """The config of a stack of attention and a channel mixer."""

    heads: int = setting(
        4, ge=1, le=1024, group="Attention", unit="heads", counted="heads",
        help="Attention heads of every block; they divide the width.",
    )  # fmt: skip


@dataclass(frozen=True)
class Mixer:
    """A token or channel mixer, usable in every stack; a stack of it is also offered as an architecture.

    In that stack the mixers of the other kind are the usual ones: feed-forward layers, or attention with rotary
    positions.

    Args:
        name: As Architecture.name; also the name of its config inside a stack's config.
        title: The name shown to the user.
        kind: "token" mixes along the sequence, "channel" within one token.
        config: Its ModelConfig, which Slot.config holds.
        build: Slot -> lab.layers.TokenMixer or ChannelMixer, or "package.module:function".
        summary: One or two sentences.
        tasks: The tasks a stack of it can be trained for.
        presets: As Architecture.presets, for the stack.
        equations: Its equations in LaTeX.
        symbols: The meaning of each symbol of the equations, in a few words, by the symbol in LaTeX.
        symbol_parts: The part of the model that a symbol stands for or comes from, as `Explanation.parts`; the window
            links the symbol to it. A path in the first block ("blocks.0.token.output") means that part of any block.
        symbol_settings: The field of its config that sets a symbol ("heads"), by the symbol; linked too.
        references: The papers.
        alone: Whether a stack of it is offered. Set it to False if the plugin has a better architecture for it.
        explanations: What the readings that it reports show, by their names.

    Raises:
        ValueError: A part or a setting is given for what is none of the symbols.
    """

    name: str
    title: str
    kind: Literal["token", "channel"]
    config: type[ModelConfig]
    build: Callable[[Slot], Any] | str
    summary: str = ""
    tasks: frozenset[str] = frozenset({"causal"})
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    equations: Sequence[str] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    symbol_parts: Mapping[str, str] = field(default_factory=dict)
    symbol_settings: Mapping[str, str] = field(default_factory=dict)
    references: Sequence[str] = ()
    alone: bool = True
    explanations: Mapping[str, Explanation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_links(self)

    def parts_in(self, block: str) -> dict[str, str]:
        """Return `symbol_parts` for the mixer in a block ("blocks.3"): paths in the first block lead into this one."""
        return {
            symbol: re.sub(rf"^{re.escape(FIRST_BLOCK)}(?=\.)", block, part)
            for symbol, part in self.symbol_parts.items()
        }

    @property
    def key(self) -> str:
        """The name of its config inside a stack's config: its own name, with "_" for "-"."""
        return self.name.replace("-", "_")

    def stack(self) -> Architecture:
        """Return the architecture that is a stack of this mixer.

        Raises:
            ValueError: The mixer has the name of a field of the stack's own config.
        """
        base = MixerStackConfig if self.kind == "token" else ChannelStackConfig
        if self.key in base.model_fields:
            raise ValueError(f"a mixer cannot be called {self.name!r}: every stack has a setting of that name")
        nested: Any = (
            self.config,
            setting(self.config(), label=self.title, help=f"Settings of the mixer {self.title}."),
        )
        config = create_model(f"{self.config.__name__}Stack", __base__=base, **{self.key: nested})
        config.mixer = self
        between = "feed-forward layers" if self.kind == "token" else "attention"
        return Architecture(
            name=self.name,
            title=self.title,
            family="mixers",
            summary=self.summary or f"A residual stack of {self.title} and {between}.",
            config=config,
            build="lab.layers.stack:stack_of_mixer",
            tasks=self.tasks,
            presets=self.presets,
            equations=self.equations,
            symbols=self.symbols,
            symbol_parts=self.symbol_parts,
            symbol_settings={symbol: f"{self.key}.{name}" for symbol, name in self.symbol_settings.items()},
            references=self.references,
            explanations=self.explanations,
        )


def _check_links(card: Architecture | Mixer) -> None:
    """Check that parts and settings are given for symbols alone.

    Raises:
        ValueError: They are not.
    """
    for name, links in (("symbol_parts", card.symbol_parts), ("symbol_settings", card.symbol_settings)):
        unknown = [symbol for symbol in links if symbol not in card.symbols]
        if unknown:
            known = ", ".join(card.symbols) or "there are none"
            raise ValueError(f"{name} of {card.name} names {unknown[0]!r}, which is not one of its symbols: {known}")


def load(factory: Callable[..., Any] | str) -> Callable[..., Any]:
    """Return the callable itself, or the one that "package.module:function" names, imported now."""
    if callable(factory):
        return factory
    module, _, function = factory.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return loaded
