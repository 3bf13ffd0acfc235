"""Encoder-decoders: recurrent ones with and without attention, and transformers."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Architecture, CheckpointFormat, ObjectiveCard, hookimpl
from lab_seq2seq import denoising_settings, encoder_decoder_card, recurrent_card

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the architectures of this plugin."""
    register(recurrent_card.CARD)
    register(encoder_decoder_card.CARD)


@hookimpl
def lab_register_objectives(register: Callable[[ObjectiveCard], None]) -> None:
    """Register the objectives that make pairs from a text."""
    for card in denoising_settings.CARDS:
        register(card)


@hookimpl
def lab_register_checkpoint_formats(register: Callable[[CheckpointFormat], None]) -> None:
    """Register the Hugging Face checkpoints of encoder-decoders that the transformer can express."""
    for model_type, title, build in (
        ("t5", "T5", "lab_seq2seq.formats:T5"),
        ("bart", "BART", "lab_seq2seq.formats:Bart"),
    ):
        register(CheckpointFormat(model_type, title, build, architecture="encoder-decoder", model_type=model_type))
