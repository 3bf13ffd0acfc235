"""The settings that shape each part of a model, found by building the model with one setting changed at a time."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from torch import nn

from lab.api import Architecture, BadInput, ModelConfig, Setting, Task, settings_of, without_effect
from lab.base.jobs import Cancelled
from lab.base.model_parts import ModelPart
from lab.base.torch_lock import torch_lock
from lab.diagnostics.cost import blueprint
from lab.diagnostics.structure.tree import CONTAINERS, own_signature

ALTERNATIVES = 4
"""Most other values of one setting that are tried."""
LAYERS = "layers"
"""The setting of stacks that is lowered to build less."""
CONTEXT, VOCABULARY = "context length", "vocabulary"
"""The quantities that a task decides, by the names that stand for them."""

Entries = dict[str, Hashable]
"""The properties in which two models can differ, by path of a module, parameter or table."""


def influences(
    architecture: Architecture,
    config: ModelConfig,
    task: Task,
    tree: ModelPart,
    stop: Callable[[], bool] = lambda: False,
) -> dict[str, tuple[str, ...]]:
    """Return the settings that shape each part of a tree, by the part's path; the closest ones first.

    A setting shapes a part if another value of it changes the class, the shapes or the constants of the part or of
    something inside it. Settings that are read while a model works (dropout) shape nothing.

    Args:
        architecture: The card.
        config: Its settings.
        task: The task it is built for.
        tree: The parts of its model.
        stop: Returns True to return what was found so far.

    Returns:
        Names of settings of the config, dotted within it, CONTEXT and VOCABULARY.
    """
    config = _with_few_layers(architecture, config, task, tree)
    base = _entries(architecture, config, task)
    found: dict[str, dict[str, None]] = {}

    def compare(name: str, other: Any, other_task: Task) -> bool:
        try:
            changed = _entries(architecture, other, other_task)
        except Cancelled:
            raise
        except Exception:  # noqa: BLE001 - a plugin's code; another value may do
            return False
        different = [path for path in base if base[path] != changed.get(path)]
        for path in different:
            found.setdefault(path, {}).setdefault(name)
        return bool(different)

    for setting in _used_settings(config):
        tried = 0
        for value in _other_values(setting, _value_of(config, setting.name), architecture):
            if stop():
                return _by_part(tree, found, base)
            other = _changed(config, setting.name, value)
            if other is not None:
                tried += 1
                if compare(setting.name, other, task) and setting.kind != "choice":
                    break
            if tried == ALTERNATIVES:
                break
    compare(CONTEXT, config, dataclasses.replace(task, context_length=task.context_length + 1))
    if task.classes is None:
        compare(VOCABULARY, config, dataclasses.replace(task, vocabulary_size=task.vocabulary_size + 1))
    return _by_part(tree, found, base)


def _entries(architecture: Architecture, config: ModelConfig, task: Task) -> Entries:
    """Return the entries of a model that is built under torch_lock, which other threads get between two models."""
    with torch_lock:
        model = blueprint(architecture, config, task)
    return entries_of(model)


def entries_of(model: Any) -> Entries:
    """Return what can differ between two models: each module without its parts, each parameter's shape, each table."""
    entries: Entries = {}
    for path, module in model.named_modules():
        kind, parameters, settings = own_signature(module, exact=True)
        own, children = tuple(name for name, _ in parameters), tuple(name for name, _ in module.named_children())
        entries[path] = kind, settings, children, own
    first: dict[int, str] = {}  # of parameters that several modules share: their first name
    for name, parameter in model.named_parameters(remove_duplicate=False):
        entries[name] = tuple(parameter.shape), first.setdefault(id(parameter), name)
    if model.learns == "counting":
        entries[""] = entries[""], tuple(model.tables())
    return entries


def _by_part(
    tree: ModelPart, found: Mapping[str, Mapping[str, None]], base: Mapping[str, Hashable]
) -> dict[str, tuple[str, ...]]:
    """Return the settings of each part: its own first, then those of the parts in it."""
    result: dict[str, tuple[str, ...]] = {}

    def collect(part: ModelPart, around: str) -> dict[str, None]:
        path = part.path.partition(":")[0]
        own: dict[str, None] = {}
        for entry in _entries_of_part(path, around, part, base):
            own |= dict.fromkeys(found.get(entry, ()))
        if part.kind == "table":
            own |= dict.fromkeys(found.get("", ()))
        inner: dict[str, None] = {}
        for child in part.children:
            inner |= collect(child, around if part.kind == "group" else path)
        result[part.path] = tuple(own | inner)
        return own | inner

    collect(tree, "")
    return result


def _entries_of_part(path: str, around: str, part: ModelPart, base: Mapping[str, Hashable]) -> Iterator[str]:
    """Yield the entries of a part itself: its module, its own parameters, and the containers that hold it."""
    if part.kind != "group":
        yield path
        prefix = f"{path}." if path else ""
        yield from (name for name in base if name.startswith(prefix) and "." not in name.removeprefix(prefix)
                    and not _is_module(base[name]) and path)  # fmt: skip
    pieces = path.split(".")
    for length in range(len(pieces) - 1, 0, -1):
        outer = ".".join(pieces[:length])
        if len(outer) <= len(around):
            break
        entry = base.get(outer)
        if _is_module(entry) and issubclass(entry[0], CONTAINERS):  # type: ignore[index]
            yield outer


def _is_module(entry: Hashable) -> bool:
    return isinstance(entry, tuple) and bool(entry) and isinstance(entry[0], type) and issubclass(entry[0], nn.Module)


def _with_few_layers(architecture: Architecture, config: ModelConfig, task: Task, tree: ModelPart) -> ModelConfig:
    """Return the config with as few layers as show each part of a tree, if the parts are then the same."""
    layers = getattr(config, LAYERS, None)
    paths = {part.path.partition(":")[0] for part in tree.walk()}
    numbers = [int(piece) for path in paths for piece in path.split(".") if piece.isdigit()]
    least = max(numbers, default=0) + 1
    if not isinstance(layers, int) or least >= layers:
        return config
    few = _changed(config, LAYERS, least)
    if few is None:
        return config
    try:
        one, other = _entries(architecture, few, task), _entries(architecture, config, task)
    except Cancelled:
        raise
    except Exception:  # noqa: BLE001 - a plugin's code
        return config
    return few if all(path in one for path in paths if path in other) else config


def _used_settings(config: ModelConfig, prefix: str = "") -> Iterator[Setting]:
    """Yield the settings that have an effect and do not change while a model works."""
    unused = without_effect(type(config), config.stored())
    for setting in settings_of(type(config), nested=False):
        value = getattr(config, setting.name, None)
        if setting.name in unused or setting.live:
            continue
        if isinstance(value, ModelConfig):
            yield from _used_settings(value, f"{prefix}{setting.name}.")
        else:
            yield dataclasses.replace(setting, name=prefix + setting.name)


def _other_values(setting: Setting, value: Any, architecture: Architecture) -> Iterator[Any]:
    """Yield other values of a setting that may be allowed, the most likely ones first."""
    match setting.kind:
        case "bool":
            yield not value
        case "choice":
            yield from (choice for choice in setting.choices if choice != value)
        case "int":
            yield from (2 * value, value + 1, value // 2, value - 1) if value else (1, 2, 4, 8, 64)
        case "float":
            yield from (value / 2, 2 * value) if value else (0.5, 1.0)
        case _:
            for preset in architecture.presets.values():
                other = preset.get("architecture", {})
                for piece in setting.name.split("."):
                    other = other.get(piece) if isinstance(other, Mapping) else None
                if other is not None and other != value:
                    yield other


def _value_of(config: Any, name: str) -> Any:
    for piece in name.split("."):
        config = getattr(config, piece, None)
    return config


def _changed(config: ModelConfig, name: str, value: Any) -> ModelConfig | None:
    """Return the config with one setting changed; None if that is not allowed."""
    values = copy.deepcopy(config.stored())
    table = values
    *outer, last = name.split(".")
    for piece in outer:
        table = table.setdefault(piece, {})
    table[last] = value
    try:
        return type(config).read(values, version=config.version)
    except BadInput:
        return None
