"""Encoders, which read both ways: BERT, RoBERTa, ALBERT, DistilBERT, ELECTRA, and any other mixers."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Architecture, CheckpointFormat, ObjectiveCard, hookimpl
from lab_encoder.cards import ELECTRA, ENCODER
from lab_encoder.objective_settings import NextSentenceConfig, ReplacedConfig

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the encoder and ELECTRA."""
    register(ENCODER)
    register(ELECTRA)


@hookimpl
def lab_register_objectives(register: Callable[[ObjectiveCard], None]) -> None:
    """Register the objectives of encoders."""
    register(
        ObjectiveCard(
            name="next-sentence",
            title="Hidden tokens and next sentence",
            build="lab_encoder.objectives:NextSentence",
            config=NextSentenceConfig,
            summary="Hide tokens of two pieces of text and predict them, and whether the second follows the first.",
        )
    )
    register(
        ObjectiveCard(
            name="replaced-tokens",
            title="Replaced tokens",
            build="lab_encoder.objectives:ReplacedTokens",
            config=ReplacedConfig,
            summary="Tell the tokens that a small generator has put into a text from those that belong there.",
        )
    )


@hookimpl
def lab_register_checkpoint_formats(register: Callable[[CheckpointFormat], None]) -> None:
    """Register the Hugging Face checkpoints of encoders; what several of them can express is written as the first."""
    for model_type, title, build in (
        ("bert", "BERT", "lab_encoder.formats:Bert"),
        ("distilbert", "DistilBERT", "lab_encoder.formats:DistilBert"),
        ("albert", "ALBERT", "lab_encoder.formats:Albert"),
        ("electra", "ELECTRA", "lab_encoder.formats:Electra"),
        ("roberta", "RoBERTa", "lab_encoder.formats:Roberta"),
    ):
        register(CheckpointFormat(model_type, title, build, architecture="encoder", model_type=model_type))
