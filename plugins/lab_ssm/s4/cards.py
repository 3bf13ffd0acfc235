"""The cards of S4 and S4D: a mixer, and the architecture that stacks it."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from lab.api import Architecture, Mixer, ModelConfig, StackConfig, Task, counted, setting, tie_setting
from lab_ssm.s4.presets import PRESETS


class S4Settings(ModelConfig):
    """The settings of the mixer."""

    kernel: Literal["s4", "s4d"] = setting(
        "s4d",
        group="State",
        names={"s4": "S4", "s4d": "S4D"},
        help="State matrix: HiPPO's full one, as a diagonal minus a product of rank one (S4), or only a diagonal "
        "(S4D), which is simpler, faster and about as good.",
        cite="Gu et al. 2022a, theorem 1; Gu et al. 2022b",
    )
    initialisation: Literal["legs", "lin", "inv", "real"] = setting(
        "legs",
        label="Initial diagonal",
        group="Initialisation",
        when={"kernel": "s4d"},
        names={"legs": "HiPPO-LegS", "lin": "S4D-Lin", "inv": "S4D-Inv"},
        help="Initialisation of the diagonal: that of HiPPO-LegS, −1/2 + iπn, −1/2 + i N/π (N/(2n + 1) − 1), or "
        "without oscillation, −(n + 1). S4 always uses “legs”.",
        cite="Gu et al. 2022b, section 4",
    )
    discretisation: Literal["bilinear", "zoh"] = setting(
        "bilinear",
        group="State",
        when={"kernel": "s4d"},
        names={"zoh": "zero-order hold"},
        help="Discretisation of the continuous system: the bilinear rule, or a constant input in between (zero-order "
        "hold), for S4D alone.",
        cite="Gu et al. 2022b, eq. 4",
    )
    state: int = setting(
        64, ge=2, le=4096, multiple_of=2, log=True, unit="numbers",
        label="State size", group="State",
        help="Numbers N in the state of each channel: N/2 complex ones with their conjugates. Typical: 64.",
        cite="Gu et al. 2022a, section 3.4",
    )  # fmt: skip
    step_min: float = setting(
        1e-3, gt=0, le=100, log=True,
        label="Smallest step Δ", group="Initialisation",
        help="Smallest initial step size Δ, about 1 / the longest time that a channel looks back, in tokens; Δ is "
        "drawn log-uniformly for each channel. Typical: 0.001.",
        cite="Gu et al. 2022b, section 4.1",
    )  # fmt: skip
    step_max: float = setting(
        0.1, gt=0, le=100, log=True, label="Largest step Δ", group="Initialisation",
        help="Largest initial step size. Typical: 0.1.", cite="Gu et al. 2022b, section 4.1",
    )  # fmt: skip

    @model_validator(mode="after")
    def _fit(self) -> S4Settings:
        if self.step_min > self.step_max:
            raise ValueError(f"step sizes from {self.step_min:g} to {self.step_max:g}: step_min is above step_max")
        if self.kernel == "s4" and self.initialisation != "legs":
            raise ValueError(f"S4 needs initialisation legs, not {self.initialisation}: set kernel s4d")
        if self.kernel == "s4" and self.discretisation != "bilinear":
            raise ValueError("S4 is discretised by the bilinear rule: set discretisation bilinear, or kernel s4d")
        return self


class S4Config(S4Settings, StackConfig):
    """The settings of a stack of S4 blocks."""

    feed_forward: Literal["none", "gelu", "swiglu"] = setting(
        "none",
        label="FFN activation",
        group="Feed-forward",
        names={"gelu": "GELU", "swiglu": "SwiGLU"},
        help="Feed-forward layer after each S4 layer, plain or gated; without one, only the gated linear layer after "
        "S4 mixes channels.",
        cite="Gu et al. 2022a, appendix D.3; Shazeer 2020, eq. 6",
    )
    tie: bool = tie_setting()


def state_formula(config: S4Config, task: Task) -> tuple[str, int]:
    """Return the formula and size of the state of all channels in all layers; it does not grow with the context."""
    del task
    formula = f"{counted(config.layers, 'layers')} × {config.width} channels × {config.state} numbers × 4 bytes"
    return formula, config.layers * config.width * config.state * 4


_EQUATIONS = (
    r"x'(t) = A x(t) + B u(t), \qquad y(t) = C x(t) + D u(t)",
    r"\bar A = (1 - \frac{\Delta}{2} A)^{-1} (1 + \frac{\Delta}{2} A), \qquad "
    r"\bar B = (1 - \frac{\Delta}{2} A)^{-1} \Delta B",
    r"x_t = \bar A x_{t-1} + \bar B u_t, \qquad y_t = \sum_s \bar K_s u_{t-s} + D u_t, \qquad "
    r"\bar K_s = C \bar A^s \bar B",
    r"A = \Lambda - P P^*, \qquad \sum_s \bar K_s z^s = \frac{2}{1+z} \left( c_{CB} - "
    r"c_{CP} (1 + c_{P^*P})^{-1} c_{P^*B} \right), \qquad c_{vw} = \sum_n \frac{v_n w_n}{g(z) - \lambda_n}, "
    r"\qquad g(z) = \frac{2}{\Delta} \cdot \frac{1-z}{1+z}",
    r"\mathrm{S4D:}\ A = \Lambda, \qquad \bar K_s = \sum_n C_n \bar\lambda_n^s \bar B_n",
    r"\mathrm{zero\ order\ hold:}\ \bar A = e^{\Delta A}, \qquad \bar B = A^{-1} (\bar A - 1) B",
    r"\mathrm{out} = \mathrm{GLU}(W\, \mathrm{GELU}(y))",
)
_SYMBOLS = {
    "u": "the input of a channel",
    "x": "the state of this channel",
    "y": "its output",
    "t": "the time, or the index of the token",
    "A": "how the state changes by itself",
    "B": "how the input enters the state",
    "C": "how the output is read from the state",
    "D": "the share of the input that passes unchanged",
    r"\Delta": "the step size of the channel",
    r"\bar A": "the matrices of one step from token to token",
    r"\bar K_s": "the kernel: what an input s tokens before adds to the output",
    r"\Lambda": "a diagonal matrix of the eigenvalues",
    r"\lambda_n": "eigenvalue n",
    "P": "the vector of the correction of rank one",
    "z": "a point on the unit circle, at which the kernel is evaluated",
    "c_{vw}": "a sum over the states, for two of the vectors",
    "g(z)": "the bilinear rule at this point",
    "W": "the matrix that mixes the channels",
}
_PARTS = {
    "x": "tokens",
    "y": "tokens",
    "A": "log decay",
    r"\Lambda": "log decay",
    r"\lambda_n": "frequency",
    "B": "B",
    "C": "C",
    "D": "D",
    r"\Delta": "log step",
    "W": "blocks.0.token.output",
}
_SETTINGS = {
    **dict.fromkeys((r"\bar A", "g(z)"), "discretisation"),
    **dict.fromkeys((r"\bar K_s", "P", "z", "c_{vw}"), "kernel"),
}
_REFERENCES = (
    "Gu et al. 2020, HiPPO: Recurrent Memory with Optimal Polynomial Projections",
    "Gu, Goel & Ré 2022a, Efficiently Modeling Long Sequences with Structured State Spaces",
    "Gu et al. 2022b, On the Parameterization and Initialization of Diagonal State Space Models",
    "Rush & Karamcheti 2022, The Annotated S4",
    "Abate & Whitt 1992, Numerical Inversion of Probability Generating Functions",
)

MIXERS = (
    Mixer(
        name="s4",
        title="S4",
        kind="token",
        config=S4Settings,
        build="lab_ssm.s4.model:build_mixer",
        alone=False,
        equations=_EQUATIONS,
        symbols=_SYMBOLS,
        symbol_parts=_PARTS,
        symbol_settings=_SETTINGS,
        references=_REFERENCES,
    ),
)
ARCHITECTURES = (
    Architecture(
        name="s4",
        title="S4",
        family="state spaces",
        summary="A linear state space for each channel, which HiPPO initialises to remember long inputs: trained as "
        "one long convolution, decoded token by token with a state of constant size. What it remembers does not depend "
        "on the tokens.",
        config=S4Config,
        build="lab_ssm.s4.model:build",
        presets=PRESETS,
        equations=_EQUATIONS,
        symbols=_SYMBOLS,
        symbol_parts=_PARTS,
        symbol_settings=_SETTINGS,
        references=_REFERENCES,
        records=("state", "eigenvalues"),
        state_formula=state_formula,
    ),
)
