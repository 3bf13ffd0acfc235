"""Transformers: learned or rotary positions, GELU or SwiGLU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lab.api import Architecture, CheckpointFormat, Mixer, Probe, hookimpl
from lab_transformer import explanations
from lab_transformer.mixers import (
    ATTENTION_EQUATIONS,
    ATTENTION_PARTS,
    ATTENTION_SETTINGS,
    ATTENTION_SYMBOLS,
    FEED_FORWARD_PARTS,
    FEED_FORWARD_SYMBOLS,
    MIXERS,
)
from lab_transformer.presets import PRESET_NOTES, PRESETS
from lab_transformer.settings import TransformerConfig
from lab_transformer.sizes import SIZES
from lab_transformer.state import state_formula

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the architecture of this plugin."""
    register(
        Architecture(
            name="transformer",
            title="Transformer",
            family="transformer",
            summary="Every token reads every earlier one through attention heads, then passes a feed-forward layer.",
            config=TransformerConfig,
            build="lab_transformer.model:build",
            tasks=frozenset({"causal", "masked", "classification", "regression"}),
            inputs=frozenset({"tokens", "vectors", "images"}),
            presets={name: _complete(preset) for name, preset in PRESETS.items()},
            preset_notes=PRESET_NOTES,
            sizes=SIZES,
            records=("head-scores",),
            state_formula=state_formula,
            equations=(
                r"x_t = E_{w_t} + P_t",
                *ATTENTION_EQUATIONS,
                r"x \leftarrow x + \mathrm{Attention}(\mathrm{norm}(x))",
                r"x \leftarrow x + W_2\, f(W_1\, \mathrm{norm}(x))",
                r"\mathrm{gated:}\ x \leftarrow x + W_2\, (f(W_1\, \mathrm{norm}(x)) \odot W_3\, \mathrm{norm}(x))",
                r"p(w_{t+1} \mid w_1 \dots w_t) = \mathrm{softmax}(U\, \mathrm{norm}(x_t))",
            ),
            symbols={
                **ATTENTION_SYMBOLS,
                **FEED_FORWARD_SYMBOLS,
                "w_t": "the token at position t",
                "E_{w_t}": "its trained embedding",
                "P_t": "the position, where positions are added to the embedding",
                "U": "the head; the embedding itself if both are tied",
                "p": "the probability of the next token",
            },
            symbol_parts={
                "E_{w_t}": "embedding",
                "P_t": "positions",
                **ATTENTION_PARTS,
                **FEED_FORWARD_PARTS,
                "U": "output",
                "p": "output",
            },
            symbol_settings={**ATTENTION_SETTINGS, "W_3": "feed_forward", "f": "feed_forward"},
            references=(
                "Vaswani et al. 2017, Attention Is All You Need",
                "Radford et al. 2019, Language Models are Unsupervised Multitask Learners",
                "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding",
                "Shazeer 2020, GLU Variants Improve Transformer",
                "Zhang & Sennrich 2019, Root Mean Square Layer Normalization",
            ),
        )
    )


@hookimpl
def lab_register_mixers(register: Callable[[Mixer], None]) -> None:
    """Register attention and the feed-forward layer, for stacks whose blocks a pattern names."""
    for mixer in MIXERS:
        register(mixer)


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probes of attention."""
    register(
        Probe(
            name="score-histogram",
            title="Scores with and without 1/√D",
            build="lab_transformer.probes:score_histogram",
            summary="The effect of dividing by √D: the scores q·k of all pairs of tokens that are read, divided and "
            "not, and the mean of the largest weight after softmax of each.",
            explanations=explanations.SCORES,
        )
    )
    register(
        Probe(
            name="composition",
            title="Circuits of heads",
            build="lab_transformer.circuits:composition",
            summary="How much queries, keys and values of each head read from the output of heads in earlier layers "
            "(NaN for other heads), and whether each head copies the symbols it reads. For small models.",
            explanations=explanations.CIRCUITS,
        )
    )
    register(
        Probe(
            name="permutation",
            title="Permuted tokens",
            build="lab_transformer.probes:permutation",
            summary="The change of each token's logits when the text is read in another order: for the model as it is, "
            "and without positions and mask, where the outputs are only permuted.",
            explanations=explanations.PERMUTATION,
        )
    )
    register(
        Probe(
            name="position-scores",
            title="Scores of positions",
            build="lab_transformer.probes:position_scores",
            summary="The part of a score that depends on positions alone, by the distance of the two tokens, and the "
            "encodings themselves if there are any.",
            explanations=explanations.POSITIONS,
        )
    )


@hookimpl
def lab_register_checkpoint_formats(register: Callable[[CheckpointFormat], None]) -> None:
    """Register the Hugging Face checkpoints of transformers that this one can express."""
    for model_type, title, build in (
        ("gpt2", "GPT-2", "lab_transformer.formats:Gpt2"),
        ("llama", "LLaMA", "lab_transformer.formats:Llama"),
        ("mistral", "Mistral", "lab_transformer.formats:Mistral"),
        ("gpt_neox", "GPT-NeoX and Pythia", "lab_transformer.formats:GptNeoX"),
        ("falcon", "Falcon", "lab_transformer.formats:Falcon"),
    ):
        register(CheckpointFormat(model_type, title, build, architecture="transformer", model_type=model_type))


def _complete(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset with all settings of the architecture, so that it replaces those of an earlier preset."""
    return {**preset, "architecture": TransformerConfig(**preset["architecture"]).stored()}
