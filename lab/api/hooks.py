"""The hooks a plugin implements. The host passes each plugin its own `register`, so every card has an owner.

A plugin is a module (one .py file is enough) with functions marked `@hookimpl`. It may name the API version it was
written for in a module attribute, `LAB_API_VERSION = 2`; version 1 is the default. Version 2 brought filters and
strategies, data in rows with the objectives and tasks for them, and roles of parameters; a sampler, of version 1, is a
filter that sees no history.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

import pluggy

from lab.api.architecture import Architecture, Mixer
from lab.api.commands import Command
from lab.api.decoding import Filter, Strategy
from lab.api.interventions import Intervention
from lab.api.registrations import (
    Adapter,
    CheckpointFormat,
    LessonFolder,
    ObjectiveCard,
    Optimizer,
    Probe,
    Sampler,
    Schedule,
    View,
)
from lab.api.runs.observers import Observer
from lab.api.runs.rules import Rule
from lab.api.text import Corpus, Tokenization

API_VERSION = 2
"""Incremented when the contract changes; plugins written for OLDEST_API_VERSION or later are loaded."""
OLDEST_API_VERSION = 1
"""The oldest version whose plugins still work."""

_T = TypeVar("_T")
Register: TypeAlias = Callable[[_T], None]
"""The type of a hook's argument: `def lab_register_mixers(register: Register[Mixer]) -> None`.

It raises LabError if the card cannot be used. Do not catch it: the plugin is then left out, and `lm-lab plugins` says
why."""

hookspec = pluggy.HookspecMarker("lab")
hookimpl = pluggy.HookimplMarker("lab")


class Hooks:
    """All hooks, one for each kind of card: call `register(card)` as often as you like."""

    @hookspec
    def lab_register_architectures(self, register: Register[Architecture]) -> None:
        """Register architectures."""

    @hookspec
    def lab_register_mixers(self, register: Register[Mixer]) -> None:
        """Register token and channel mixers; a stack of each is offered as an architecture, too."""

    @hookspec
    def lab_register_corpora(self, register: Register[Corpus]) -> None:
        """Register corpora: sources of text, of generated examples and of data in rows."""

    @hookspec
    def lab_register_tokenizers(self, register: Register[Tokenization]) -> None:
        """Register ways to cut text into tokens."""

    @hookspec
    def lab_register_objectives(self, register: Register[ObjectiveCard]) -> None:
        """Register objectives of training."""

    @hookspec
    def lab_register_optimizers(self, register: Register[Optimizer]) -> None:
        """Register optimizers."""

    @hookspec
    def lab_register_schedules(self, register: Register[Schedule]) -> None:
        """Register learning-rate schedules."""

    @hookspec
    def lab_register_adapters(self, register: Register[Adapter]) -> None:
        """Register adapters: parameters that are trained in place of a model's weights."""

    @hookspec
    def lab_register_samplers(self, register: Register[Sampler]) -> None:
        """Register filters without a history: the hook of version 1, refused in a plugin of version 2."""

    @hookspec
    def lab_register_filters(self, register: Register[Filter]) -> None:
        """Register filters of the next token's distribution."""

    @hookspec
    def lab_register_strategies(self, register: Register[Strategy]) -> None:
        """Register ways to choose the next tokens."""

    @hookspec
    def lab_register_probes(self, register: Register[Probe]) -> None:
        """Register computations that turn a model into readings."""

    @hookspec
    def lab_register_interventions(self, register: Register[Intervention]) -> None:
        """Register reversible changes to a model that is evaluated."""

    @hookspec
    def lab_register_observers(self, register: Register[Observer]) -> None:
        """Register observers of a run."""

    @hookspec
    def lab_register_rules(self, register: Register[Rule]) -> None:
        """Register rules of the doctor, which find in what a run records why it goes wrong."""

    @hookspec
    def lab_register_checkpoint_formats(self, register: Register[CheckpointFormat]) -> None:
        """Register ways to read and write the checkpoints of other programs."""

    @hookspec
    def lab_register_views(self, register: Register[View]) -> None:
        """Register views of readings, for a window."""

    @hookspec
    def lab_register_lessons(self, register: Register[LessonFolder]) -> None:
        """Register folders of lessons."""

    @hookspec
    def lab_register_commands(self, register: Register[Command]) -> None:
        """Register commands of the command line."""


HOOKS: dict[str, type] = {
    "architectures": Architecture,
    "mixers": Mixer,
    "corpora": Corpus,
    "tokenizers": Tokenization,
    "objectives": ObjectiveCard,
    "optimizers": Optimizer,
    "schedules": Schedule,
    "adapters": Adapter,
    "samplers": Sampler,
    "filters": Filter,
    "strategies": Strategy,
    "probes": Probe,
    "interventions": Intervention,
    "observers": Observer,
    "rules": Rule,
    "checkpoint_formats": CheckpointFormat,
    "views": View,
    "lessons": LessonFolder,
    "commands": Command,
}
"""The class of each kind of card, by the last word of its hook, lab_register_<kind>, in the order of the calls."""
