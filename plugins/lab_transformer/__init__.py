"""Transformers: one stack or an encoder and a decoder, learned or rotary positions, GELU or SwiGLU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic import model_validator

from lab.api import (
    ACTIVATION_NAMES,
    Architecture,
    CheckpointFormat,
    FeedForwardActivation,
    HeadSettings,
    Mixer,
    Probe,
    StackConfig,
    hookimpl,
    norm_epsilon_setting,
    setting,
    tie_setting,
)
from lab_transformer import encoder_decoder_card, explanations
from lab_transformer.mixers import ATTENTION_EQUATIONS, ATTENTION_SYMBOLS, FEED_FORWARD_SYMBOLS, MIXERS
from lab_transformer.presets import PRESET_NOTES, PRESETS
from lab_transformer.sizes import SIZES
from lab_transformer.state import state_formula

LAB_API_VERSION = 2


POSITIONS = {"rotary": "RoPE", "alibi": "ALiBi", "t5": "T5 bias"}
"""Names of position encodings for people."""


class TransformerConfig(HeadSettings, StackConfig):
    """The settings of the transformer; the defaults are GPT-2's shape without biases."""

    dilation: int = setting(
        1, ge=1, le=1024, unit="tokens", label="Window dilation", group="Attention", when={"window": True},
        help="Step within the window: 2 reads every second token, twice as far back.",
        cite="Beltagy et al. 2020, figure 2c",
    )  # fmt: skip
    global_tokens: int = setting(
        0, ge=0, le=4096, unit="tokens",
        group="Attention", zero="none", when={"window": True},
        help="First tokens that every token may read, whatever its window; in an encoder they also read all tokens.",
        cite="Beltagy et al. 2020, section 3.1; Xiao et al. 2023",
    )  # fmt: skip
    sink: bool = setting(
        False, label="Attention sink", group="Attention",
        help="Attention sink: a trained logit in each head that takes weight and adds nothing to the output.",
        cite="Xiao et al. 2023; Agarwal et al. 2025",
    )  # fmt: skip
    qk_norm: bool = setting(
        False, label="QK norm", group="Attention",
        help="Normalise queries and keys by their root mean square, with a trained gain.",
        cite="Henry et al. 2020; Dehghani et al. 2023",
    )  # fmt: skip
    attention_cap: float = setting(
        0.0, ge=0, le=1e4, label="Attention softcap", group="Attention", zero="none",
        help="Soft cap c of attention logits s: c · tanh(s / c); 0 for none.",
        cite="Gemma Team 2024, section 2",
    )  # fmt: skip
    output_cap: float = setting(
        0.0, ge=0, le=1e4, label="Logit softcap", group="Output", zero="none",
        help="Soft cap of next-token logits; 0 for none.", cite="Gemma Team 2024, section 2",
    )  # fmt: skip
    positions: Literal["none", "sinusoidal", "learned", "rotary", "alibi", "t5"] = setting(
        "learned",
        label="Encoding",
        group="Positions",
        names=POSITIONS,
        help="Position encoding: added to the embedding, a rotation of queries and keys, or a bias of scores.",
        cite="Vaswani et al. 2017, section 3.5; Su et al. 2021, eq. 34; Press et al. 2022; Raffel et al. 2020",
    )
    rotary_base: float = setting(
        10_000.0, gt=1, le=1e9, log=True, label="RoPE base", group="Positions", when={"positions": "rotary"},
        help="Base of the rotary frequencies; a larger one makes the slow ones slower.",
        cite="Su et al. 2021, section 3.3",
    )  # fmt: skip
    rotary_share: float = setting(
        1.0, gt=0, le=1, label="RoPE share", group="Positions", when={"positions": "rotary"},
        help="Share of each head's channels that is rotated.", cite="Black et al. 2022, section 2.1",
    )  # fmt: skip
    rotary_pairs: Literal["halves", "neighbours"] = setting(
        "halves", label="RoPE pairs", group="Positions", when={"positions": "rotary"},
        help="Channels rotated together: one of each half, as in LLaMA's weights here, or neighbours.",
        cite="Su et al. 2021, eq. 34",
    )  # fmt: skip
    rotary_scaling: Literal["none", "linear", "ntk", "llama3"] = setting(
        "none", label="RoPE scaling", group="Positions", when={"positions": "rotary"},
        names={"ntk": "NTK-aware", "llama3": "Llama 3"},
        help="Method of stretching rotary positions beyond the trained context length.",
        cite="Chen et al. 2023; Grattafiori et al. 2024",
    )  # fmt: skip
    rotary_factor: float = setting(
        1.0, ge=1, le=1024, log=True, label="RoPE scaling factor", group="Positions",
        when={"positions": "rotary", "rotary_scaling": ("linear", "ntk", "llama3")},
        help="Factor by which the context is stretched.",
    )  # fmt: skip
    rotary_original: int = setting(
        8192, ge=1, le=1 << 20, unit="tokens", label="Original context", group="Positions",
        when={"positions": "rotary", "rotary_scaling": "llama3"},
        help="Context length before stretching, for “llama3”.",
    )  # fmt: skip
    relative_buckets: int = setting(
        32, ge=4, le=1024, unit="buckets", label="T5 buckets", group="Positions", when={"positions": "t5"},
        help="Buckets of distances with a trained bias each, for positions “t5”.",
        cite="Raffel et al. 2020, section 2.1",
    )  # fmt: skip
    relative_distance: int = setting(
        128, ge=8, le=1 << 16, unit="tokens", label="T5 distance", group="Positions", when={"positions": "t5"},
        help="Distance from which all share a bucket, for positions “t5”.",
        cite="Raffel et al. 2020, section 2.1",
    )  # fmt: skip
    norm: Literal["layer", "rms", "none"] = setting(
        "layer", label="Normalisation", group="Block", names={"layer": "LayerNorm", "rms": "RMSNorm"},
        help="Normalisation: with the mean subtracted, by the root mean square alone, or none.",
        cite="Ba et al. 2016; Zhang & Sennrich 2019",
    )  # fmt: skip
    norm_place: Literal["pre", "post"] = setting(
        "pre", label="Norm placement", group="Block", names={"pre": "pre-norm", "post": "post-norm"},
        help="Norm before each branch, or after the sum as in 2017.", cite="Xiong et al. 2020",
    )  # fmt: skip
    norm_epsilon: float = norm_epsilon_setting()
    feed_forward: FeedForwardActivation = setting(
        "gelu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer: one nonlinearity, or a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; So et al. 2021; Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto="units",
        help="Units of the feed-forward layer; 0 means 4 × width, 8/3 with a gate.",
    )  # fmt: skip
    parallel: Literal["no", "one-norm", "two-norms"] = setting(
        "no", label="Parallel branches", group="Block", names={"one-norm": "one norm", "two-norms": "two norms"},
        help="Compute attention and feed-forward layer in parallel, after one common norm or one norm each.",
        cite="Wang & Komatsuzaki 2021; Chowdhery et al. 2022, section 2; Black et al. 2022",
    )  # fmt: skip
    bias: bool = setting(
        False, label="Biases", group="Block", help="Add a bias to projections and LayerNorm, as in GPT-2."
    )
    tie: bool = tie_setting()
    initialisation: Literal["normal", "small", "xavier", "mup"] = setting(
        "normal", label="Initial weights", group="Initialisation", names={"xavier": "Xavier", "mup": "muP"},
        help="Initial weights: normal(0, 0.02); normal with variance 2 / (5 × width); Xavier's; or muP's.",
        cite="Radford et al. 2019; Nguyen & Salazar 2019; Glorot & Bengio 2010; Yang et al. 2022",
    )  # fmt: skip
    residual_scaling: bool = setting(
        True, group="Initialisation",
        help="Divide initial weights that write into the residual stream by √(2 × layers).",
        cite="Radford et al. 2019, section 2.3",
    )  # fmt: skip

    @model_validator(mode="after")
    def _heads_fit(self) -> TransformerConfig:
        if not self.head_width and self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}: set head_width")
        if self.kv_heads and self.heads % self.kv_heads:
            raise ValueError(f"heads {self.heads} are not a multiple of kv_heads {self.kv_heads}")
        if self.positions == "rotary" and (self.rotated_channels % 2 or not self.rotated_channels):
            raise ValueError(
                f"rotary positions turn pairs of channels, not {self.rotated_channels}: change heads or rotary_share"
            )
        return self

    @model_validator(mode="after")
    def _parts_fit(self) -> TransformerConfig:
        if not self.window and (self.dilation > 1 or self.global_tokens):
            what = "dilation needs" if self.dilation > 1 else "global tokens need"
            raise ValueError(f"{what} a window: set window")
        if self.parallel == "two-norms" and self.norm_place == "post":
            raise ValueError("post-norm has one norm after the sum of two parallel branches: set parallel one-norm")
        buckets, farthest = self.relative_buckets, self.relative_distance
        if self.positions == "t5" and (buckets % 2 or 2 * farthest <= buckets):
            what = f"{buckets} buckets up to distance {farthest}"
            raise ValueError(f"{what}: t5 needs an even number of buckets, half of it below that distance")
        return self

    @property
    def each_head(self) -> int:
        """Channels of each head."""
        return self.head_width or self.width // self.heads

    @property
    def rotated_channels(self) -> int:
        """Channels of each head that rotary positions rotate."""
        return int(self.each_head * self.rotary_share)

    @property
    def units(self) -> int:
        """Units of the feed-forward layer."""
        return self.hidden or (8 * self.width // 3 if self.feed_forward in ("swiglu", "geglu") else 4 * self.width)

    @property
    def key_value_heads(self) -> int:
        """Heads of keys and values."""
        return self.kv_heads or self.heads


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the architectures of this plugin."""
    register(encoder_decoder_card.CARD)
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
                "Q_h": "query",
                "K_h": "key",
                "V_h": "value",
                "W^Q_h": "query, key, value",
                "W^O": "blocks.0.token.output",
                "A_h": "tokens",
                "W_1": "blocks.0.channel.inner",
                "W_2": "down",
                "U": "output",
            },
            symbol_settings={"H": "heads", "D": "head_width", "M": "window", "f": "feed_forward"},
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
    for model_type, title, converter in (
        ("gpt2", "GPT-2", "Gpt2"),
        ("llama", "LLaMA", "Llama"),
        ("mistral", "Mistral", "Mistral"),
        ("gpt_neox", "GPT-NeoX and Pythia", "GptNeoX"),
        ("falcon", "Falcon", "Falcon"),
    ):
        build = f"lab_transformer.formats:{converter}"
        register(CheckpointFormat(model_type, title, build, architecture="transformer", model_type=model_type))


def _complete(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset with all settings of the architecture, so that it replaces those of an earlier preset."""
    return {**preset, "architecture": TransformerConfig(**preset["architecture"]).stored()}
