"""State spaces: S4, Mamba, Mamba-2, and hybrids whose blocks are any mixers that a pattern names."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Architecture, CheckpointFormat, Mixer, hookimpl
from lab_ssm import hybrid
from lab_ssm.mamba import cards as mamba_cards
from lab_ssm.s4 import cards as s4_cards

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register a stack of each mixer, and the hybrid."""
    for card in (*s4_cards.ARCHITECTURES, *mamba_cards.ARCHITECTURES, *hybrid.ARCHITECTURES):
        register(card)


@hookimpl
def lab_register_mixers(register: Callable[[Mixer], None]) -> None:
    """Register the mixers that patterns may name."""
    for mixer in (*s4_cards.MIXERS, *mamba_cards.MIXERS):
        register(mixer)


@hookimpl
def lab_register_checkpoint_formats(register: Callable[[CheckpointFormat], None]) -> None:
    """Register the Hugging Face checkpoints of Mamba and Mamba-2."""
    for card in mamba_cards.FORMATS:
        register(card)
