"""From what an author hands over, a name, a file, a mixer, to the architecture that is tested."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from lab.api import Architecture, Mixer, Task, load
from lab.layers import Attention, ResidualStack


def architecture_of(card: str | Architecture | Mixer, plugin: str | Path | ModuleType | None = None) -> Architecture:
    """The architecture of a card, or of the name under which a plugin registers one; a mixer's is a stack of it.

    Raises:
        ValueError: A name is given without a plugin, or the plugin registers nothing of that name.
    """
    if isinstance(card, str):
        if plugin is None:
            raise ValueError(f"conformance({card!r}, plugin=…): say which file or module registers it")
        cards = cards_of(plugin)
        if card not in cards:
            raise ValueError(f"{plugin} registers no {card!r}; it registers {', '.join(cards) or 'nothing'}")
        card = cards[card]
    if isinstance(card, Mixer):
        return card.stack() if card.kind == "token" else _stack_of_channel_mixer(card)
    return card


def cards_of(plugin: str | Path | ModuleType) -> dict[str, Architecture | Mixer]:
    """The architectures and mixers that a plugin registers, by name."""
    module = plugin if isinstance(plugin, ModuleType) else _imported(plugin)
    found: dict[str, Architecture | Mixer] = {}

    def register(card: Any) -> None:
        found[card.name] = card

    for hook in ("lab_register_mixers", "lab_register_architectures"):
        if hasattr(module, hook):
            getattr(module, hook)(register)
    return found


def _imported(plugin: str | Path) -> ModuleType:
    path = Path(plugin)
    if path.is_dir():
        path = path / "__init__.py"
    if path.suffix != ".py":
        return importlib.import_module(str(plugin))
    name = f"lab_conformance_{path.parent.name if path.stem == '__init__' else path.stem}"
    folders = [str(path.parent)] if path.stem == "__init__" else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _stack_of_channel_mixer(mixer: Mixer) -> Architecture:
    """A stack of attention and this channel mixer, with the config that a stack of a token mixer has."""
    stack = mixer.stack()

    def build(config: Any, task: Task) -> ResidualStack:
        own, make = getattr(config, mixer.name.replace("-", "_")), load(mixer.build)
        return ResidualStack(
            config,
            task,
            token_mixer=lambda slot: Attention(slot, heads=2),
            channel_mixer=lambda slot: make(dataclasses.replace(slot, config=own)),
        )

    return dataclasses.replace(stack, build=build)
