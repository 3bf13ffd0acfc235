"""The settings of a training that regularise it, average its weights, let it grow, and end it."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from lab.api import ModelConfig, setting


class Controls(ModelConfig):
    """Settings of a training that are off unless they are named, and then cost nothing."""

    model_config = ConfigDict(frozen=True)

    budget: str = setting(
        "",
        max_length=40,
        label="Budget",
        group="Batches",
        help="What the training may spend, a number and a unit: 2e6 tokens, 3 epochs, 90 seconds, 1e15 FLOPs, 500 "
        "steps. The steps follow from it; those of seconds are counted while it trains. Empty: the steps.",
    )
    batch_warmup: int = setting(
        0,
        ge=0,
        le=10**9,
        unit="steps",
        label="Batch warm-up",
        group="Batches",
        zero="none",
        help="Steps over which the batch grows to its size. Typical: 0, or a tenth to a third of the steps.",
        cite="Smith et al. 2018; Brown et al. 2020, appendix B",
    )
    batch_start: int = setting(
        1,
        ge=1,
        le=2**20,
        log=True,
        unit="examples",
        label="First batch",
        group="Batches",
        when={"batch_warmup": True},
        help="Examples of the first step. Typical: an eighth of the batch size.",
    )
    context_warmup: int = setting(
        0,
        ge=0,
        le=10**9,
        unit="steps",
        label="Context warm-up",
        group="Batches",
        zero="none",
        help="Steps over which the tokens read of each example grow to the context length; for next tokens of a text. "
        "Typical: 0, or a fifth of the steps.",
        cite="Li et al. 2022",
    )
    context_start: int = setting(
        8,
        ge=1,
        le=2**20,
        log=True,
        unit="tokens",
        label="First context",
        group="Batches",
        when={"context_warmup": True},
        help="Tokens of each example of the first step. Typical: 8 to 64.",
    )
    clip: float = setting(
        1.0,
        ge=0,
        live=True,
        label="Gradient clip",
        group="Optimizer",
        zero="none",
        help="Limit of the gradients, in the way of the next setting. 0 means no limit. Typical: 0.5 to 1 for norms, "
        "0.1 to 1 for values, 0.01 to 0.1 for adaptive clipping.",
        cite="Pascanu et al. 2013",
    )
    clip_by: Literal["norm", "value", "adaptive"] = setting(
        "norm",
        label="Clip by",
        group="Optimizer",
        when={"clip": True},
        names={"norm": "norm of all", "value": "each value", "adaptive": "size of the weights"},
        help="What the limit holds for: the norm of all gradients together, each value of a gradient, or the norm of "
        "the gradient of each unit relative to that of its weights, for all but the head.",
        cite="Pascanu et al. 2013; Brock et al. 2021, eq. 3",
    )
    l1: float = setting(
        0.0,
        ge=0,
        le=10,
        live=True,
        label="L1",
        group="Regularisation",
        zero="none",
        help="λ of λ ∑ |w| over the matrices, whose gradient λ sign(w) is added; it makes weights that are 0. The "
        "recorded loss is without it. Typical: 0, or 1e-6 to 1e-4.",
        cite="Tibshirani 1996",
    )
    gradient_noise: float = setting(
        0.0,
        ge=0,
        le=100,
        live=True,
        label="Gradient noise",
        group="Regularisation",
        zero="none",
        help="Variance η of the normal noise that is added to the gradients of the first step, after clipping; later "
        "it is η / (1 + t)^γ. Typical: 0, or 0.01 to 1.",
        cite="Neelakantan et al. 2015, eq. 1",
    )
    noise_decay: float = setting(
        0.55,
        ge=0,
        le=10,
        label="Decay of the noise",
        group="Regularisation",
        when={"gradient_noise": True},
        help="γ, with which the variance of the noise falls. Typical: 0.55.",
        cite="Neelakantan et al. 2015",
    )
    averaging: Literal["tail", "ema", "swa"] = setting(
        "tail",
        label="Weight averaging",
        group="Regularisation",
        names={"tail": "last steps", "ema": "EMA", "swa": "SWA"},
        help="Mean of the weights of several steps: of the last steps, which becomes the trained model; an exponential "
        "mean of all (EMA), or the mean of every n-th of the last steps (SWA), which are kept beside the model and "
        "have a validation loss of their own.",
        cite="Polyak & Juditsky 1992; Jain et al. 2018; Izmailov et al. 2018",
    )
    average: int = setting(
        0,
        ge=0,
        unit="steps",
        label="Averaged steps",
        group="Regularisation",
        zero="off",
        when={"averaging": ("tail", "swa")},
        help="Last steps whose weights are averaged; 0 means none. Typical: 0, or a tenth of the steps.",
        cite="Polyak & Juditsky 1992; Jain et al. 2018",
    )
    average_every: int = setting(
        10,
        ge=1,
        le=10**9,
        unit="steps",
        label="Averaged every",
        group="Regularisation",
        when={"averaging": "swa"},
        help="Steps from one averaged step to the next. Typical: 10 to 1,000.",
        cite="Izmailov et al. 2018, algorithm 1",
    )
    average_decay: float = setting(
        0.999,
        ge=0,
        lt=1,
        label="Decay of the mean",
        group="Regularisation",
        when={"averaging": "ema"},
        help="Share of the mean that is left after a step; its bias at the start is divided out. Typical: 0.99 to "
        "0.9999, so that 1 / (1 − decay) is a tenth of the steps.",
    )
    patience: int = setting(
        0,
        ge=0,
        le=10**6,
        unit="evaluations",
        label="Patience",
        group="Evaluation",
        zero="no early stop",
        help="Evaluations without a lower validation loss after which the training ends. Typical: 0, or 3 to 10.",
        cite="Prechelt 1998",
    )
    recompute: bool = setting(
        False,
        label="Recompute blocks",
        group="Hardware",
        help="Store only the input of each block for the backward pass, and compute the block again there: about a "
        "third more time for much less memory, with the same result.",
        cite="Chen et al. 2016",
    )
    loss_chunk: int = setting(
        0,
        ge=0,
        le=2**24,
        unit="tokens",
        label="Tokens per loss",
        group="Hardware",
        zero="all at once",
        help="Tokens whose logits are computed at once and computed again in the backward pass, so that those of a "
        "large vocabulary fit into memory. Typical: 0, or 256 to 4,096 from 30,000 symbols on.",
    )
    compile: bool = setting(
        False,
        label="Compile blocks",
        group="Hardware",
        help="Let torch write code of its own for the blocks: seconds to minutes before the first step, then faster "
        "steps on most graphics cards, and seldom on a processor. Losses differ in the last digits from those without.",
        cite="Ansel et al. 2024",
    )
    deterministic: bool = setting(
        False,
        group="Hardware",
        help="On a graphics card, take algorithms that give the same result each time, which can be slower; on a "
        "processor all do.",
    )
