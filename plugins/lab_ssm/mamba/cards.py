"""The cards of Mamba and Mamba-2, with their settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import model_validator

from lab.api import (
    Architecture,
    BadInput,
    CheckpointFormat,
    Mixer,
    ModelConfig,
    Size,
    StackConfig,
    Task,
    counted,
    norm_epsilon_setting,
    setting,
    tie_setting,
)
from lab_ssm.mamba.presets import MAMBA2_PRESETS, MAMBA2_SIZES, MAMBA_PRESETS, MAMBA_SIZES

FLOAT = 4
"""Bytes of a number."""
RECORDED = ("state", "eigenvalues")
"""Probes that all runs record; their readings at one step take some tenths of a second at most."""


class SelectiveSettings(ModelConfig):
    """The settings that Mamba and Mamba-2 share."""

    expand: int = setting(
        2, ge=1, le=64, unit="times the width", label="Expansion", group="State",
        help="Channels inside the mixer, as a multiple of the width. Typical: 2.",
        cite="Gu & Dao 2023, section 3.4",
    )  # fmt: skip
    convolution: int = setting(
        4, ge=1, le=64, unit="tokens", label="Short convolution", group="State",
        help="Tokens of the short convolution before the recurrence. Typical: 4.",
        cite="Gu & Dao 2023, section 3.4",
    )  # fmt: skip
    conv_bias: bool = setting(True, label="Convolution bias", group="Block", help="Add a bias to the convolution.")
    bias: bool = setting(
        False, label="Biases", group="Block", help="Add biases to the input and output projections of the mixer."
    )
    step_min: float = setting(
        1e-3, ge=1e-6, le=1, log=True, label="Smallest step Δ", group="Initialisation",
        help="Smallest initial step size; small steps remember longer. Typical: 0.001.",
        cite="Gu & Dao 2023, section 3.6",
    )  # fmt: skip
    step_max: float = setting(
        0.1, ge=1e-6, le=10, log=True, label="Largest step Δ", group="Initialisation",
        help="Largest initial step size. Typical: 0.1.", cite="Gu & Dao 2023, section 3.6",
    )  # fmt: skip

    @model_validator(mode="after")
    def _steps_in_order(self) -> Self:
        if self.step_min > self.step_max:
            raise ValueError(f"step sizes from {self.step_min:g} to {self.step_max:g}: step_min is above step_max")
        return self


class MambaSettings(SelectiveSettings):
    """The settings of the mixer Mamba."""

    state: int = setting(
        16, ge=1, le=1024, unit="numbers", label="State size", group="State",
        help="State of each channel; cost and memory grow with it. Typical: 16.",
        cite="Gu & Dao 2023, table 10",
    )  # fmt: skip
    dt_rank: int = setting(
        0, ge=0, le=65536, unit="numbers", label="Rank of Δ", group="State", auto="step_rank",
        help="Rank of the projection to the step sizes; 0 means width / 16. Typical: width / 16.",
        cite="Gu & Dao 2023, table 9",
    )  # fmt: skip
    eigenvalues: Literal["positive", "signed"] = setting(
        "positive",
        group="State",
        help="Factor of a token on the state: 0 to 1, or −1 to 1, which lets the state count modulo two.",
        cite="Grazzi et al. 2025",
    )

    def step_rank(self, width: int) -> int:
        """Return the rank of the projection to the step sizes in a stack of `width` channels."""
        return self.dt_rank or -(-width // 16)


class Mamba2Settings(SelectiveSettings):
    """The settings of the mixer Mamba-2."""

    state: int = setting(
        64, ge=1, le=4096, unit="numbers", label="State size", group="State",
        help="State of each channel; computed in chunks, a large one is cheap. Typical: 64 to 128.",
        cite="Dao & Gu 2024, section 6",
    )  # fmt: skip
    head_width: int = setting(
        64, ge=1, le=4096, unit="channels", group="State", help="Channels of each head; they share one decay. "
        "Typical: 64 to 128.",
        cite="Dao & Gu 2024, section 7.2",
    )  # fmt: skip
    groups: int = setting(
        1, ge=1, le=1024, unit="groups", group="State",
        help="Groups of heads with common B and C and a norm of their own. Typical: 1 to 8.",
        cite="Dao & Gu 2024, sections 7.2 and 8.1",
    )  # fmt: skip
    step_least: float = setting(
        0.0,
        ge=0,
        le=1e6,
        label="Δ lower limit",
        group="State",
        help="Lower limit of step sizes, also in training. Typical: 0.",
    )
    step_most: float = setting(
        0.0,
        ge=0,
        le=1e6,
        label="Δ upper limit",
        group="State",
        zero="none",
        help="Upper limit of step sizes; 0 is no limit. Typical: 0.",
    )
    norm_epsilon: float = norm_epsilon_setting()

    @model_validator(mode="after")
    def _limits_in_order(self) -> Self:
        if self.step_most and self.step_least > self.step_most:
            raise ValueError(
                f"step sizes from {self.step_least:g} to {self.step_most:g}: step_least is above step_most"
            )
        return self

    def heads_of(self, width: int) -> int:
        """Return the number of heads in a stack of `width` channels.

        Raises:
            BadInput: The number is not an integer, or not a multiple of the groups.
        """
        inner = self.expand * width
        heads = inner // self.head_width
        if inner % self.head_width:
            what = f"{inner} channels, expand × width, are not a multiple of head_width {self.head_width}"
            raise BadInput(what, field="head_width", value=self.head_width)
        if heads % self.groups:
            raise BadInput(
                f"{heads} heads are not a multiple of groups {self.groups}", field="groups", value=self.groups
            )
        return heads


class MambaConfig(MambaSettings, StackConfig):
    """The settings of a stack of Mamba."""

    norm_epsilon: float = norm_epsilon_setting()
    tie: bool = tie_setting()


class Mamba2Config(Mamba2Settings, StackConfig):
    """The settings of a stack of Mamba-2."""

    tie: bool = tie_setting()

    @model_validator(mode="after")
    def _heads_fit(self) -> Self:
        try:
            self.heads_of(self.width)
        except BadInput as error:
            raise ValueError(error.problem.what) from None
        return self


def mamba_state(config: MambaConfig, task: Task) -> tuple[str, int]:
    """Return the formula and size of the states of all channels and the last inputs of the convolution."""
    del task
    inner, before = config.expand * config.width, config.convolution - 1
    layers = counted(config.layers, "layers")
    formula = f"{layers} × {inner} channels × ({config.state} states + {before} tokens) × {FLOAT} bytes"
    return formula, config.layers * inner * (config.state + before) * FLOAT


def mamba2_state(config: Mamba2Config, task: Task) -> tuple[str, int]:
    """Return the formula and size of the state, where B and C pass the convolution too."""
    del task
    inner, before = config.expand * config.width, config.convolution - 1
    read = inner + 2 * config.groups * config.state
    formula = (
        f"{counted(config.layers, 'layers')} × ({inner} channels × {config.state} states + {before} tokens × {read} "
        f"channels) × {FLOAT} bytes"
    )
    return formula, config.layers * (inner * config.state + before * read) * FLOAT


def _complete(presets: Mapping[str, Mapping[str, Any]], config: type[ModelConfig]) -> dict[str, dict[str, Any]]:
    """Return presets with all settings of the architecture, so that they replace those of an earlier preset."""
    return {
        name: {**preset, "architecture": config(**preset["architecture"]).stored()} for name, preset in presets.items()
    }


MAMBA_SUMMARY = (
    "A state for each channel, whose step size, input and output depend on the current token: it selects what to "
    "remember and what to forget. No attention and no feed-forward layers."
)
_MAMBA_EQUATIONS = (
    r"x, z = W_{\mathrm{in}} u, \qquad x \leftarrow \mathrm{SiLU}(\mathrm{conv}(x))",
    r"\Delta_t = \mathrm{softplus}(W_\Delta W_r x_t + b_\Delta), \qquad B_t = W_B x_t, \qquad C_t = W_C x_t",
    r"h_t = e^{\Delta_t A} \odot h_{t-1} + \Delta_t B_t x_t, \qquad A = -e^{A_{\log}}",
    r"y_t = C_t^\top h_t + D x_t, \qquad \mathrm{out}_t = W_{\mathrm{out}} (y_t \odot \mathrm{SiLU}(z_t))",
)
_MAMBA_SYMBOLS = {
    "u": "the input of the layer",
    "x": "the channels that pass the recurrence",
    "z": "the channels of the gate",
    r"\Delta_t": "the step size of each channel at token t",
    r"b_\Delta": "the bias of the step size",
    "B_t": "how the token enters the state",
    "C_t": "how the output is read from the state",
    "h_t": "the state of a channel after token t",
    "A": "the rate at which the state decays, trained as its logarithm",
    "D": "the share of the input that passes unchanged",
    "y_t": "the output of the recurrence",
    r"W_{\mathrm{in}}": "trained matrices, into the layer and out of it",
    "W_r": "the matrix to the few channels from which the step size is made",
}
_MAMBA_PARTS = {
    "x": "input",
    "z": "gate",
    r"\Delta_t": "step size",
    r"b_\Delta": "step size",
    "B_t": "write B",
    "C_t": "read C",
    "h_t": "tokens",
    "A": "rates A",
    "D": "skip D",
    r"W_{\mathrm{in}}": "input, gate",
    "W_r": "step size (low rank)",
    "y_t": "tokens",
}
_MAMBA_REFERENCES = (
    "Gu & Dao 2023, Mamba: Linear-Time Sequence Modeling with Selective State Spaces",
    "Ali, Zimerman & Wolf 2024, The Hidden Attention of Mamba Models",
    "Grazzi et al. 2025, Unlocking State-Tracking in Linear RNNs Through Negative Eigenvalues",
)
MAMBA_2_SUMMARY = (
    "One decay for each head makes the recurrence a product of matrices, so that states can be large: linear attention "
    "with decay between a short convolution and a gated norm."
)
_MAMBA_2_EQUATIONS = (
    r"z, (x, B, C), \Delta = W_{\mathrm{in}} u, \qquad x, B, C \leftarrow \mathrm{SiLU}(\mathrm{conv}(x, B, C))",
    r"S_t = e^{\Delta_t A} S_{t-1} + B_t (\Delta_t x_t)^\top, \qquad \Delta_t = \mathrm{softplus}(\Delta_t + b_\Delta)",
    r"A = -e^{A_{\log}}, \qquad y_t = S_t^\top C_t + D x_t, \qquad Y = (L \circ C B^\top) \Delta X \;\text{where}\;"
    r" L_{ts} = \prod_{r=s+1}^{t} e^{\Delta_r A}",
    r"\mathrm{out}_t = W_{\mathrm{out}}\, \mathrm{RMSNorm}(y_t \odot \mathrm{SiLU}(z_t))",
)
_MAMBA_2_SYMBOLS = {
    "u": "the input of the layer",
    "x_t": "the channels of a head that pass the recurrence, at token t",
    "z_t": "the channels of the gate",
    r"\Delta_t": "the step size of a head",
    r"b_\Delta": "the bias of the step size",
    "B_t": "how the token enters the state",
    "C_t": "how the output is read from the state",
    "S_t": "the state of a head after token t, a matrix",
    "A": "the rate at which the state of a head decays, trained as its logarithm",
    "D": "the share of the input that passes unchanged",
    "y_t": "the output of the recurrence",
    "Y": "the outputs of all tokens, a row each",
    "X": "the inputs of all tokens, a row each",
    "L_{ts}": "the share of what token s wrote that is left at token t",
    "r": "the tokens between the two",
    r"W_{\mathrm{in}}": "trained matrices, into the layer and out of it",
}
_MAMBA_2_PARTS = {
    **dict.fromkeys(("x_t", "z_t", "B_t", "C_t", r"\Delta_t", r"W_{\mathrm{in}}"), "input projection"),
    r"b_\Delta": "dt bias",
    "S_t": "tokens",
    "A": "A log",
    "D": "D",
    "X": "input projection",
    **dict.fromkeys(("y_t", "Y", "L_{ts}"), "tokens"),
}
_MAMBA_2_REFERENCES = (
    "Dao & Gu 2024, Transformers are SSMs: Generalized Models and Efficient Algorithms Through Structured State Space "
    "Duality",
    _MAMBA_REFERENCES[0],
)

_TEXTS: dict[str, dict[str, Any]] = {
    "mamba": {
        "title": "Mamba",
        "summary": MAMBA_SUMMARY,
        "equations": _MAMBA_EQUATIONS,
        "symbols": _MAMBA_SYMBOLS,
        "symbol_parts": _MAMBA_PARTS,
        "references": _MAMBA_REFERENCES,
    },
    "mamba2": {
        "title": "Mamba-2",
        "summary": MAMBA_2_SUMMARY,
        "equations": _MAMBA_2_EQUATIONS,
        "symbols": _MAMBA_2_SYMBOLS,
        "symbol_parts": _MAMBA_2_PARTS,
        "references": _MAMBA_2_REFERENCES,
    },
}
"""The texts that an architecture and the mixer of the same name share, by that name."""


def _architecture(
    name: str,
    build: str,
    config: type[ModelConfig],
    presets: Mapping[str, Mapping[str, Any]],
    sizes: Mapping[str, Sequence[Size]],
    state_formula: Callable[[Any, Task], tuple[str, int]],
) -> Architecture:
    """Return the card of a stack of the mixer of this name."""
    return Architecture(
        name=name,
        family="state spaces",
        config=config,
        build=build,
        presets=_complete(presets, config),
        sizes=sizes,
        records=RECORDED,
        state_formula=state_formula,
        **_TEXTS[name],
    )


def _mixer(name: str, build: str, config: type[ModelConfig]) -> Mixer:
    return Mixer(name=name, kind="token", config=config, build=build, alone=False, **_TEXTS[name])


ARCHITECTURES = (
    _architecture("mamba", "lab_ssm.mamba.mamba:build_mamba", MambaConfig, MAMBA_PRESETS, MAMBA_SIZES, mamba_state),
    _architecture(
        "mamba2", "lab_ssm.mamba.mamba2:build_mamba2", Mamba2Config, MAMBA2_PRESETS, MAMBA2_SIZES, mamba2_state
    ),
)
MIXERS = (
    _mixer("mamba", "lab_ssm.mamba.mamba:Mamba", MambaSettings),
    _mixer("mamba2", "lab_ssm.mamba.mamba2:Mamba2", Mamba2Settings),
)
FORMATS = (
    CheckpointFormat("mamba", "Mamba", "lab_ssm.mamba.formats:Mamba", architecture="mamba", model_type="mamba"),
    CheckpointFormat("mamba2", "Mamba-2", "lab_ssm.mamba.formats:Mamba2", architecture="mamba2", model_type="mamba2"),
)
