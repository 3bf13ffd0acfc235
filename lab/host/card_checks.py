"""The checks of every card that a plugin registers; a refusal names the problem and the remedy."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, get_args

from lab.api import (
    AXES,
    HOOKS,
    Architecture,
    ChannelStackConfig,
    Command,
    Corpus,
    DataKind,
    Intervention,
    LessonFolder,
    Mixer,
    MixerStackConfig,
    ModelConfig,
    Optimizer,
    PatternStackConfig,
    Probe,
    Size,
    Tokenization,
    View,
    settings_of,
)
from lab.api.commands import COMMON_OPTIONS
from lab.base.problems import BadInput, Problem

NAME = re.compile(r"[a-z][a-z0-9_-]*")
FACTORY = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
SECTIONS = ("corpus", "tokenizer", "architecture", "objective", "training", "readings")
"""The parts of a recipe that a preset may set."""


TASKS = (
    "causal",
    "masked",
    "next-sentence",
    "replaced-tokens",
    "classification",
    "regression",
    "sequence-to-sequence",
    "contrastive",
)
"""The values of `Objective.needs` among the built-ins."""
INPUTS = ("tokens", "vectors", "images")
"""The allowed values of `Architecture.inputs`."""


def check_tasks(card: Architecture, needed: Collection[str]) -> None:
    """Check that some objective needs each task of a card.

    Args:
        card: The card.
        needed: What the registered objectives of plugins need.

    Raises:
        BadInput: No objective needs one of its tasks.
    """
    for name in sorted(card.tasks - {*TASKS, *needed}):
        allowed = ", ".join(dict.fromkeys((*TASKS, *sorted(needed))))
        remedy = _nearest(
            name, TASKS, "Name tasks that an objective needs, or register an objective that needs this one"
        )
        _refuse(
            "is needed by no objective", f"architectures.{card.name}.tasks", value=name, allowed=allowed, remedy=remedy
        )


def check_card(kind: str, card: Any, plugin: str, *, in_full: bool = True) -> None:
    """Check a card; nothing is imported, so only the form of a factory given as text is checked.

    Args:
        kind: The last part of the name of its hook, a key of HOOKS.
        card: The object that the plugin passed to `register`.
        plugin: The name of the plugin.
        in_full: False skips the checks that read settings, presets and sizes: a third of a start of the window, which
            the cards of built-in plugins need not pay for, since the tests of the lab check them in full.

    Raises:
        BadInput: The card cannot be used; the problem names plugin, card, error and remedy.
    """
    try:
        _check_class(kind, card)
        where = f"{kind}.{_check_name(kind, card)}"
        if isinstance(card, Command):
            _check_command(where, card)
            return
        if isinstance(card, LessonFolder):
            _check_folder(where, card)
            return
        _check_factory(f"{where}.build", card.build)
        if not in_full:
            return
        _check_config(where, card)
        if isinstance(card, Architecture | Mixer):
            _check_set(f"{where}.tasks", card.tasks, '{"causal"}')
        if isinstance(card, Architecture):
            _check_inputs(where, card)
        if isinstance(card, Mixer):
            _check_mixer(where, card)
        if isinstance(card, Architecture | Mixer):
            _check_presets(where, card)
        if isinstance(card, Architecture):
            _check_sizes(where, card)
            _check_baselines(where, card)
            _check_floor(where, card)
        if isinstance(card, Optimizer):
            _check_optimizer(where, card)
        if isinstance(card, Corpus):
            _check_kind(where, card)
        if isinstance(card, Tokenization):
            _check_factory(f"{where}.load", card.load)
        if isinstance(card, Probe) and card.labelled is not None:
            _check_factory(f"{where}.labelled", card.labelled)
        if isinstance(card, View):
            _check_axes(where, card)
            _check_view(where, card)
        if isinstance(card, Intervention):
            _check_factory(f"{where}.targets", card.targets)
            _check_labels(where, card)
    except BadInput as error:
        raise BadInput(replace(error.problem, plugin=plugin)) from None


def _refuse(what: str, field: str, *, remedy: str, value: Any = None, allowed: str | None = None) -> NoReturn:
    shown = None if value is None else repr(value)
    raise BadInput(Problem(what, field=field, value=shown, allowed=allowed, remedy=remedy))


def _check_kind(where: str, card: Corpus) -> None:
    kinds = get_args(DataKind)
    if card.kind not in kinds:
        remedy = "Say what its factory gives"
        _refuse("is no kind of data", f"{where}.kind", value=card.kind, allowed=", ".join(kinds), remedy=remedy)


def _check_class(kind: str, card: Any) -> None:
    wanted = HOOKS[kind]
    if isinstance(card, wanted):
        return
    right = next((other for other, known in HOOKS.items() if isinstance(card, known)), None)
    _refuse(
        f"lab_register_{kind} was given {'the class' if isinstance(card, type) else 'a'} "
        f"{(card if isinstance(card, type) else type(card)).__name__}",
        kind,
        allowed=f"instances of lab.api.{wanted.__name__}",
        remedy=f"Register it in lab_register_{right}" if right else f"Call register({wanted.__name__}(name=…, …))",
    )


def _check_name(kind: str, card: Any) -> str:
    if not isinstance(card.name, str) or not NAME.fullmatch(card.name):
        remedy = "Choose a name such as decaying-average"
        _refuse(
            "cannot be a name", f"{kind}.name", value=card.name, allowed=f"the pattern {NAME.pattern}", remedy=remedy
        )
    if not isinstance(card, Command) and (not isinstance(card.title, str) or not card.title.strip()):
        _refuse("has no title", f"{kind}.{card.name}.title", remedy="Give the name as the user reads it")
    return card.name


def _check_factory(field: str, factory: Any) -> None:
    if callable(factory) or (isinstance(factory, str) and FACTORY.fullmatch(factory)):
        return
    allowed = 'a callable, or the text "package.module:function"'
    remedy = "Give the class or function itself, or its module and name"
    _refuse("is not a factory", field, value=factory, allowed=allowed, remedy=remedy)


def _check_config(where: str, card: Any) -> None:
    config = card.config
    if not (isinstance(config, type) and issubclass(config, ModelConfig)):
        remedy = "Give the class itself, a subclass of lab.api.ModelConfig"
        _refuse("is not a ModelConfig class", f"{where}.config", value=config, remedy=remedy)
    for name in ("name", "version"):
        if name in config.model_fields:
            _refuse(f"{config.__name__} has a field called {name}", where, remedy="Recipes use that name: rename it")
    for setting in settings_of(config):
        if not setting.help.strip():
            remedy = "Declare it by setting(…, help=…), with one sentence for users who see it for the first time"
            _refuse(f"the field {setting.name} of {config.__name__} has no description", where, remedy=remedy)
    required = [name for name, field in config.model_fields.items() if field.is_required()]
    if required and not isinstance(card, Architecture | Mixer):
        return  # such as the path of a file
    try:
        config.read({}, field=where)
    except BadInput as error:
        what = f"the defaults of {config.__name__} are not a valid config: {error.problem.what}"
        remedy = "Give every field a default that its bounds and validators allow"
        raise BadInput(replace(error.problem, what=what, remedy=remedy)) from None


def _check_set(field: str, names: Any, example: str) -> None:
    if not isinstance(names, Set) or not names or not all(map(_is_text, names)):
        remedy = f"Write {field.rpartition('.')[2]}=frozenset({example})"
        _refuse("is not a set of names", field, value=names, allowed="a frozenset of texts", remedy=remedy)


def _check_inputs(where: str, card: Architecture) -> None:
    _check_set(f"{where}.inputs", card.inputs, '{"tokens"}')
    for name in sorted(card.inputs - {*INPUTS}):
        remedy = _nearest(name, INPUTS, "Name what the model reads")
        _refuse("is no kind of input", f"{where}.inputs", value=name, allowed=", ".join(INPUTS), remedy=remedy)


def _nearest(name: str, known: Sequence[str], otherwise: str) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"Did you mean {near[0]}?" if near else otherwise


def _check_presets(where: str, card: Architecture | Mixer) -> None:
    allowed = f"tables of settings under {', '.join(SECTIONS)}"
    remedy = 'Write a preset as {"small": {"architecture": {"layers": 2}, "training": {"steps": 500}}}'
    if not isinstance(card.presets, Mapping):
        _refuse("is not a mapping", f"{where}.presets", value=card.presets, allowed=allowed, remedy=remedy)
    for name, preset in card.presets.items():
        field = f"{where}.presets.{name}"
        if not isinstance(preset, Mapping):
            _refuse("is not a mapping", field, value=preset, allowed=allowed, remedy=remedy)
        for section, values in preset.items():
            if section not in SECTIONS or not isinstance(values, Mapping):
                _refuse(
                    "is not a section of a recipe", f"{field}.{section}", value=values, allowed=allowed, remedy=remedy
                )
        config = card.stack().config if isinstance(card, Mixer) else card.config
        if issubclass(config, PatternStackConfig):
            continue  # read once the mixers are known
        config.read(preset.get("architecture", {}), field=f"{field}.architecture")


def _check_sizes(where: str, card: Architecture) -> None:
    allowed = "lists of lab.api.Size by the names of presets"
    remedy = 'Write sizes={"small": [Size("width 64", {"width": 64})]}'
    if not isinstance(card.sizes, Mapping):
        _refuse("is not a mapping", f"{where}.sizes", value=card.sizes, allowed=allowed, remedy=remedy)
    for preset, sizes in card.sizes.items():
        field = f"{where}.sizes.{preset}"
        if preset not in card.presets:
            known = ", ".join(card.presets) or "none"
            _refuse(
                "is not a preset of this card", field, allowed=known, remedy="Name sizes by the preset they belong to"
            )
        if not isinstance(sizes, Sequence) or not all(map(_is_size, sizes)):
            _refuse("is not a list of sizes", field, value=sizes, allowed=allowed, remedy=remedy)
        names = [size.name for size in sizes]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            _refuse("occurs twice", f"{field}.{twice}", remedy="Give each size a name of its own")
        for size in sizes if not issubclass(card.config, PatternStackConfig) else ():
            settings = {**card.presets[preset].get("architecture", {}), **size.settings}
            card.config.read(settings, field=f"{field}.{size.name}")


def _check_baselines(where: str, card: Architecture) -> None:
    allowed = "functions from a config to settings, by name"
    remedy = 'Write baselines={"one block": lambda config: {"layers": 1}}'
    if not isinstance(card.baselines, Mapping):
        _refuse("is not a mapping", f"{where}.baselines", value=card.baselines, allowed=allowed, remedy=remedy)
    presets = [{}, *(preset.get("architecture", {}) for preset in card.presets.values())]
    for name, baseline in card.baselines.items():
        field = f"{where}.baselines.{name}"
        if not isinstance(name, str) or not name.strip() or not callable(baseline):
            _refuse("is not a baseline", field, value=baseline, allowed=allowed, remedy=remedy)
        for settings in presets if not issubclass(card.config, PatternStackConfig) else ():
            config = card.config.read(settings)
            found = baseline(config.model_copy(deep=True))
            if not isinstance(found, Mapping):
                _refuse("returns no settings", field, value=found, allowed=allowed, remedy=remedy)
            card.baseline(name, config)


def _check_floor(where: str, card: Architecture) -> None:
    if card.floor is None:
        return
    allowed, remedy = "settings that leave the order open", 'Write floor={"smoothing": "modified-kneser-ney"}'
    if not isinstance(card.floor, Mapping) or "order" in card.floor:
        _refuse("are no settings of a floor", f"{where}.floor", value=card.floor, allowed=allowed, remedy=remedy)
    card.config.read({**card.floor, "order": 1}, field=f"{where}.floor")


def _is_size(size: Any) -> bool:
    return isinstance(size, Size) and isinstance(size.name, str) and isinstance(size.settings, Mapping)


def _check_mixer(where: str, card: Mixer) -> None:
    if card.kind not in ("token", "channel"):
        remedy = 'Write kind="token" if it mixes along the sequence, kind="channel" otherwise'
        _refuse("is not a kind of mixer", f"{where}.kind", value=card.kind, allowed="token, channel", remedy=remedy)
    own = MixerStackConfig if card.kind == "token" else ChannelStackConfig
    if any(card.key in {*dir(base), *base.model_fields, *base.__class_vars__} for base in (own, PatternStackConfig)):
        _refuse("the settings of every stack have a field of this name", where, remedy="Choose another name")


def _check_optimizer(where: str, card: Optimizer) -> None:
    if not any(setting.name == "learning_rate" and setting.live for setting in settings_of(card.config)):
        remedy = "Add learning_rate: float = setting(1e-3, gt=0, log=True, live=True, help=…)"
        _refuse(f"{card.config.__name__} has no live field learning_rate", f"{where}.config", remedy=remedy)


def _check_folder(where: str, card: LessonFolder) -> None:
    folder: Any = card.folder
    if not isinstance(folder, Path) or not folder.is_dir():
        remedy = 'Give the folder as Path(__file__).parent / "lessons"'
        _refuse("is not a folder", f"{where}.folder", value=folder, remedy=remedy)


def _check_command(where: str, card: Command) -> None:
    _check_factory(f"{where}.run", card.run)
    if not isinstance(card.summary, str) or not card.summary.strip():
        _refuse("has no summary", f"{where}.summary", remedy="Describe the command in one line")
    add_arguments: Any = card.add_arguments
    if add_arguments is None:
        return
    if not callable(add_arguments):
        remedy = "Pass a function that adds the options to an argparse parser"
        _refuse("cannot be called", f"{where}.add_arguments", value=add_arguments, remedy=remedy)
    parser = argparse.ArgumentParser(prog=f"lm-lab {card.name}")
    for option in COMMON_OPTIONS:
        parser.add_argument(option)
    field, allowed = f"{where}.add_arguments", f"options other than -h, --help, {', '.join(COMMON_OPTIONS)}"
    try:
        add_arguments(parser)
    except argparse.ArgumentError as error:
        _refuse(f"an option cannot be added: {error}", field, allowed=allowed, remedy="Rename the option")
    try:
        parser.format_help()
    except (ValueError, TypeError, KeyError) as error:
        remedy = "Write %% for a percent sign in the help of an option"
        _refuse(f"the help of an option cannot be shown: {error}", field, remedy=remedy)


def _check_axes(where: str, card: View) -> None:
    allowed = ", ".join(axis for axis in AXES if axis != "batch")
    axes = card.axes if isinstance(card.axes, tuple) else ()
    wrong = not axes or len(set(axes)) != len(axes) or not all(axis in AXES and axis != "batch" for axis in axes)
    if wrong:
        remedy = 'Write the axes of the readings it shows, each once, as in axes=("head", "query", "key")'
        _refuse("are not axes of a reading", f"{where}.axes", value=card.axes, allowed=allowed, remedy=remedy)


def _check_view(where: str, card: View) -> None:
    names = card.readings
    if not isinstance(names, tuple) or len(set(names)) != len(names) or not all(map(_is_text, names)):
        remedy = 'Write the names of the readings, each once, as in readings=("routing", "gates")'
        _refuse("are not names of readings", f"{where}.readings", value=names, remedy=remedy)
    if card.readings and card.replaces:
        remedy = "Name readings, or replace the lab's view of all readings with these axes, in two views if need be"
        _refuse("replaces the view of its axes and names readings, too", f"{where}.replaces", value=True, remedy=remedy)
    if card.foot is not None:
        _check_factory(f"{where}.foot", card.foot)


def _check_labels(where: str, card: Intervention) -> None:
    given = card.singular, card.plural
    if given != ("", "") and not (all(map(_is_text, given)) and "{n}" in card.singular):
        remedy = 'Write both, as in singular="expert {n}", plural="experts"'
        _refuse("are not the labels of one part and of several", f"{where}.singular", value=given, remedy=remedy)


def _is_text(name: Any) -> bool:
    return isinstance(name, str) and bool(name.strip())
