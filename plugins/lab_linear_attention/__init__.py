"""Linear attention: feature maps, decay, gates, the delta rule, RWKV."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Architecture, Mixer, hookimpl
from lab_linear_attention.cards import ARCHITECTURES, MIXERS

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register a stack of each mixer."""
    for card in ARCHITECTURES:
        register(card)


@hookimpl
def lab_register_mixers(register: Callable[[Mixer], None]) -> None:
    """Register the mixers themselves, for stacks whose blocks a pattern names."""
    for card in MIXERS:
        register(card)
