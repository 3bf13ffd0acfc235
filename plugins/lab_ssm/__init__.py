"""State spaces: S4, Mamba, Mamba-2, and hybrids whose blocks are any mixers that a pattern names."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Architecture, CheckpointFormat, Mixer, hookimpl
from lab_ssm import cards_hybrid, cards_mamba, cards_s4

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register a stack of each mixer, and the hybrid."""
    for card in (*cards_s4.ARCHITECTURES, *cards_mamba.ARCHITECTURES, *cards_hybrid.ARCHITECTURES):
        register(card)


@hookimpl
def lab_register_mixers(register: Callable[[Mixer], None]) -> None:
    """Register the mixers that patterns may name."""
    for mixer in (*cards_s4.MIXERS, *cards_mamba.MIXERS):
        register(mixer)


@hookimpl
def lab_register_checkpoint_formats(register: Callable[[CheckpointFormat], None]) -> None:
    """Register the Hugging Face checkpoints of Mamba and Mamba-2."""
    for card in cards_mamba.FORMATS:
        register(card)
