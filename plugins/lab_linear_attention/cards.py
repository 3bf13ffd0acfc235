"""The cards of the mixers, and of the stacks of them that are offered as architectures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lab.api import Architecture, Mixer, ModelConfig, Task, counted
from lab_linear_attention import presets, settings

FLOAT = 4
"""Bytes of a number."""


def state_formula(config: Any, task: Task) -> tuple[str, int]:
    """Return the formula and size of what all layers carry from token to token; it does not grow with the context."""
    del task
    shapes = config.carried_by_block()
    each = " + ".join(f"{name} {' × '.join(map(str, shape))}" for name, shape in shapes.items())
    size = config.layers * sum(math.prod(shape) for shape in shapes.values()) * FLOAT
    return f"{counted(config.layers, 'layers')} × ({each}) × {FLOAT} bytes", size


_SYMBOLS = {
    "S_t": "the state of a head after token t, keys by values",
    "k_t": "the key at token t",
    "v_t": "the value at token t",
    "o_t": "what the head reads",
}
"""The symbols that all kinds share."""
_GATED = {
    "x_t": "the input at token t",
    "y_t": "the output at token t",
    "q_t": "the query at token t",
    "K": "the width of a key",
    "W_g": "the matrix of the output gate",
    "W_o": "the matrix that joins the heads",
}
_PARTS = {
    "S_t": "tokens",
    "o_t": "tokens",
    "q_t": "input projection",
    "k_t": "input projection",
    "v_t": "input projection",
}
"""The parts that their symbols are linked to."""
_OUTPUT = "blocks.0.token.output"
"""The path of the matrix that joins the heads."""
_GATED_PARTS = {"W_g": "gate", "W_o": _OUTPUT, "y_t": _OUTPUT}
_DELTA = {
    r"\beta_t": "the share by which the token overwrites what its key held",
    r"\sigma": "the logistic function",
    "I": "the identity matrix",
}


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """A mixer and the stack built from it.

    Args:
        name: The name of both cards.
        title: The title of the architecture.
        mixer: The title of the mixer.
        summary: The summary of both cards.
        config: The settings of the mixer, and of the stack.
        build: The builders of the mixer and of the stack, as "module:name".
        presets: The presets of the stack.
        equations: The equations of both cards.
        symbols: The meanings of their symbols, besides those that all kinds share.
        symbol_parts: The parts that their symbols are linked to.
        symbol_settings: The settings that their symbols are linked to.
        references: The references of both cards.
    """

    name: str
    title: str
    mixer: str
    summary: str
    config: tuple[type[ModelConfig], type[ModelConfig]]
    build: tuple[str, str]
    presets: Mapping[str, Mapping[str, Any]]
    equations: tuple[str, ...]
    symbols: Mapping[str, str]
    symbol_parts: Mapping[str, str]
    symbol_settings: Mapping[str, str]
    references: tuple[str, ...]

    def architecture(self) -> Architecture:
        """Return the card of the stack."""
        return Architecture(
            name=self.name,
            title=self.title,
            family="linear attention",
            summary=self.summary,
            config=self.config[1],
            build=f"lab_linear_attention.{self.build[1]}",
            presets=self.presets,
            equations=self.equations,
            symbols={**_SYMBOLS, **self.symbols},
            symbol_parts=self.symbol_parts,
            symbol_settings=self.symbol_settings,
            references=self.references,
            records=("state", "eigenvalues"),
            state_formula=state_formula,
        )

    def token_mixer(self) -> Mixer:
        """Return the card of the mixer."""
        return Mixer(
            name=self.name,
            title=self.mixer,
            kind="token",
            config=self.config[0],
            build=f"lab_linear_attention.{self.build[0]}",
            summary=self.summary,
            equations=self.equations,
            symbols={**_SYMBOLS, **self.symbols},
            symbol_parts=self.symbol_parts,
            symbol_settings=self.symbol_settings,
            references=self.references,
            alone=False,
        )


_KINDS = (
    _Kind(
        name="linear-attention",
        title="Linear attention",
        mixer="Linear attention",
        summary="Attention whose weights are products of features instead of a softmax, so that everything read so far "
        "fits into one matrix per head. The feature map can be selected.",
        config=(settings.LinearAttentionSettings, settings.LinearAttentionConfig),
        build=("model:LinearAttention", "model:linear_attention"),
        presets=presets.LINEAR_ATTENTION,
        equations=(
            r"S_t = S_{t-1} + \phi(k_t)\, v_t^\top, \qquad z_t = z_{t-1} + \phi(k_t)",
            r"o_t = \frac{S_t^\top \phi(q_t)}{z_t^\top \phi(q_t)}",
            r"\phi(x) = \mathrm{elu}(x) + 1,\quad \max(x, 0),\quad e^x",
            r"\mathrm{performer:}\ \phi(x) = e^{W x' - |x'|^2 / 2},\quad x' = x / K^{1/4}",
            r"\mathrm{taylor:}\ \phi(x) = [1,\ x',\ x' \otimes x' / \sqrt{2}]",
            r"\mathrm{identity:}\ o_t = \mathrm{norm}(S_t^\top q_t / \sqrt{K})",
        ),
        symbols={
            "z_t": "the sum of the features of all keys so far",
            "q_t": "the query at token t",
            r"\phi": "the feature map",
            "x": "a query or a key",
            "W": "the random directions of Performer",
            "K": "the width of a key",
        },
        symbol_parts={**_PARTS, r"\phi": "features", "z_t": "tokens", "x": "input projection"},
        symbol_settings={"K": "key_width", "W": "features"},
        references=(
            "Katharopoulos et al. 2020, Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
            "Choromanski et al. 2021, Rethinking Attention with Performers",
            "Arora et al. 2024, Simple Linear Attention Language Models Balance the Recall-Throughput Tradeoff (Based)",
            "Qin et al. 2022, The Devil in Linear Transformer",
        ),
    ),
    _Kind(
        name="retnet",
        title="RetNet",
        mixer="Retention",
        summary="Linear attention that forgets: each head retains a fixed share of its state per token, and queries "
        "and keys are rotated by their positions.",
        config=(settings.RetNetSettings, settings.RetNetConfig),
        build=("model:Retention", "model:retnet"),
        presets=presets.RETNET,
        equations=(
            r"q_t = R_t W_q x_t, \qquad k_t = R_t W_k x_t, \qquad v_t = W_v x_t",
            r"S_t = \gamma_h S_{t-1} + k_t v_t^\top, \qquad \gamma_h = 1 - 2^{-5-h}",
            r"o_t = S_t^\top q_t / \sqrt{K}",
            r"y_t = W_o\, (\mathrm{swish}(W_g x_t) \odot \mathrm{GroupNorm}(o_t))",
        ),
        symbols={
            **_GATED,
            r"\gamma_h": "the share of its state that head h retains",
            "h": "the index of the head, from 0",
            "R_t": "the rotation by the position t",
            "W_q": "the matrices of queries, keys and values",
        },
        symbol_parts={**_PARTS, **_GATED_PARTS, "W_q": "input projection"},
        symbol_settings={"K": "key_width", r"\gamma_h": "decay_exponent", "R_t": "rotary_base"},
        references=("Sun et al. 2023, Retentive Network: A Successor to Transformer for Large Language Models",),
    ),
    _Kind(
        name="gla",
        title="GLA",
        mixer="Gated linear attention",
        summary="Linear attention in which each token decides, for each channel of the key, how much of the state to "
        "retain.",
        config=(settings.GLASettings, settings.GLAConfig),
        build=("model:GatedLinearAttention", "model:gla"),
        presets=presets.GLA,
        equations=(
            r"S_t = \mathrm{diag}(a_t)\, S_{t-1} + k_t v_t^\top, \qquad a_t = \sigma(W_2 W_1 x_t + b)^{1/\tau}",
            r"o_t = S_t^\top q_t / \sqrt{K}",
            r"y_t = W_o\, (\mathrm{swish}(W_g x_t) \odot \mathrm{RMSNorm}(o_t))",
        ),
        symbols={
            **_GATED,
            "a_t": "the share of each channel of the key that is retained",
            r"\sigma": "the logistic function",
            "W_2": "the gate's matrices, through a few channels",
            "b": "the bias of the gate",
            r"\tau": "the divisor of the gate: larger means longer memory",
        },
        symbol_parts={**_PARTS, **_GATED_PARTS, "a_t": "decays", "W_2": "decays", "b": "decays"},
        symbol_settings={"K": "key_width", r"\tau": "gate_divisor"},
        references=("Yang et al. 2024a, Gated Linear Attention Transformers with Hardware-Efficient Training",),
    ),
    _Kind(
        name="deltanet",
        title="DeltaNet",
        mixer="Delta rule",
        summary="A token overwrites what its key held before instead of adding to it: the state moves by a share β "
        "towards the new value. With signed eigenvalues it can count modulo two.",
        config=(settings.DeltaNetSettings, settings.DeltaNetConfig),
        build=("delta:DeltaNet", "model:deltanet"),
        presets=presets.DELTANET,
        equations=(
            r"S_t = (I - \beta_t k_t k_t^\top)\, S_{t-1} + \beta_t k_t v_t^\top, \qquad \beta_t = \sigma(w^\top x_t)",
            r"q_t, k_t = \frac{\mathrm{silu}(\cdot)}{|\mathrm{silu}(\cdot)|}, \qquad o_t = S_t^\top q_t / \sqrt{K}",
            r"\mathrm{signed:}\ \beta_t = 2\, \sigma(w^\top x_t)",
        ),
        symbols={
            **_DELTA,
            "q_t": "the query at token t, of length 1 as the key",
            "x_t": "the input at token t",
            "w": "the weights that set the share",
            "K": "the width of a key",
        },
        symbol_parts={**_PARTS, r"\beta_t": "strength", "w": "strength"},
        symbol_settings={"K": "key_width"},
        references=(
            "Schlag, Irie & Schmidhuber 2021, Linear Transformers Are Secretly Fast Weight Programmers",
            "Yang et al. 2024b, Parallelizing Linear Transformers with the Delta Rule over Sequence Length",
            "Grazzi et al. 2025, Unlocking State-Tracking in Linear RNNs Through Negative Eigenvalues",
        ),
    ),
    _Kind(
        name="gated-deltanet",
        title="Gated DeltaNet",
        mixer="Gated delta rule",
        summary="The delta rule with a decay of the whole state that each token sets for each head: it overwrites the "
        "value of one key and forgets the rest when it is no longer needed.",
        config=(settings.GatedDeltaNetSettings, settings.GatedDeltaNetConfig),
        build=("delta:GatedDeltaNet", "model:gated_deltanet"),
        presets=presets.GATED_DELTANET,
        equations=(
            r"S_t = a_t (I - \beta_t k_t k_t^\top)\, S_{t-1} + \beta_t k_t v_t^\top",
            r"a_t = \exp(-A\, \mathrm{softplus}(w_a^\top x_t + b)), \qquad \beta_t = \sigma(w_\beta^\top x_t)",
            r"q_t, k_t = \frac{\mathrm{silu}(\cdot)}{|\mathrm{silu}(\cdot)|}, \qquad o_t = S_t^\top q_t / \sqrt{K}",
            r"y_t = W_o\, (\mathrm{swish}(W_g x_t) \odot \mathrm{RMSNorm}(o_t))",
            r"\mathrm{signed:}\ \beta_t = 2\, \sigma(w_\beta^\top x_t)",
        ),
        symbols={
            **_GATED,
            **_DELTA,
            "a_t": "the share of the state that is retained",
            "A": "the trained rate of the decay",
            "w_a": "the weights that set decay and share",
            "b": "the bias of the decay",
        },
        symbol_parts={
            **_PARTS,
            **_GATED_PARTS,
            r"\beta_t": "strength",
            "a_t": "step size",
            "w_a": "step size",
            "A": "A log",
            "b": "step bias",
        },
        symbol_settings={"K": "key_width"},
        references=(
            "Yang, Kautz & Hatamizadeh 2025, Gated Delta Networks: Improving Mamba2 with Delta Rule",
            "Dao & Gu 2024, Transformers are SSMs (the decay)",
            "Grazzi et al. 2025, Unlocking State-Tracking in Linear RNNs Through Negative Eigenvalues",
        ),
    ),
    _Kind(
        name="rwkv6",
        title="RWKV-6",
        mixer="RWKV-6 time mixing",
        summary="A recurrent network built as linear attention: decays per channel that depend on the data, a bonus "
        "for the current token, and inputs that mix each token with the one before it.",
        config=(settings.RWKV6Settings, settings.RWKV6Config),
        build=("rwkv:TimeMixing", "rwkv:RWKV6"),
        presets=presets.RWKV6,
        equations=(
            r"S_t = \mathrm{diag}(w_t)\, S_{t-1} + k_t v_t^\top, \qquad w_t = \exp(-\exp(d_t))",
            r"o_t = (S_{t-1} + \mathrm{diag}(u)\, k_t v_t^\top)^\top r_t",
            r"m^a_t = x_t + (x_{t-1} - x_t) \odot \mu_a(x_t, x_{t-1})",
            r"a_t = W_a\, m^a_t, \quad a = r, k, v, g, \qquad d_t = \lambda + B \tanh(A\, m^d_t)",
            r"y_t = W_o\, (\mathrm{silu}(g_t) \odot \mathrm{GroupNorm}(o_t))",
            r"\mathrm{channel\ mixing:}\ y_t = \sigma(r_t) \odot W_v \max(k_t, 0)^2",
        ),
        symbols={
            "x_t": "the input at token t",
            "y_t": "the output at token t",
            "w_t": "the share of each channel of the key that is retained",
            "d_t": "what the decay is made from",
            "u": "the bonus of the current token",
            "r_t": "the receptance, which reads the state as a query does",
            "g_t": "the output gate",
            "m^a_t": "the input mixed with the one before it",
            r"\mu_a": "the share of the one before, which depends on both",
            "W_a": "the trained matrix of each of r, k, v and g",
            r"\lambda": "the trained decay that no token changes",
            "A": "the small matrices through which a token changes the decay",
            "B": "the second of these matrices",
            "W_o": "the matrix that joins the heads",
            r"\sigma": "the logistic function",
        },
        symbol_parts={
            "S_t": "tokens",
            "o_t": "tokens",
            "k_t": "key",
            "v_t": "value",
            "r_t": "receptance",
            "g_t": "gate",
            "u": "bonus",
            r"\lambda": "decay base",
            "A": "decay narrow",
            "B": "decay wide",
            r"\mu_a": "shifts",
            "W_o": _OUTPUT,
            "y_t": _OUTPUT,
            "d_t": "decay wide",
            "w_t": "decay base",
            "m^a_t": "shifts",
            "W_a": "receptance",
        },
        symbol_settings={},
        references=(
            "Peng et al. 2024, Eagle and Finch: RWKV with Matrix-Valued States and Dynamic Recurrence",
            "Peng et al. 2023, RWKV: Reinventing RNNs for the Transformer Era",
        ),
    ),
)

ARCHITECTURES = tuple(kind.architecture() for kind in _KINDS)
MIXERS = (
    *(kind.token_mixer() for kind in _KINDS),
    Mixer(
        name="rwkv6-channel",
        title="RWKV-6 channel mixing",
        kind="channel",
        config=settings.RWKV6ChannelSettings,
        build="lab_linear_attention.rwkv:ChannelMixing",
        summary="A feed-forward layer with squared ReLU and a gate, whose inputs mix each token with the one before "
        "it.",
        equations=(
            r"r_t = W_r (x_t + (x_{t-1} - x_t) \odot \mu_r), \qquad k_t = W_k (x_t + (x_{t-1} - x_t) \odot \mu_k)",
            r"y_t = \sigma(r_t) \odot W_v \max(k_t, 0)^2",
        ),
        symbols={
            "x_t": "the input at token t",
            "y_t": "the output at token t",
            "r_t": "the receptance, a gate",
            "k_t": "the hidden units",
            r"\mu_r": "the trained share of the token before",
            "W_r": "trained matrices, of gate, hidden units and output",
            "W_v": "the matrix from the hidden units to the output",
            r"\sigma": "the logistic function",
        },
        symbol_parts={
            "r_t": "receptance",
            "k_t": "key",
            "y_t": "channels",
            r"\mu_r": "receptance shift",
            "W_r": "receptance",
            "W_v": "value",
        },
        references=("Peng et al. 2024, Eagle and Finch: RWKV with Matrix-Valued States and Dynamic Recurrence",),
        alone=False,
    ),
)
