"""What a law says about a budget of compute: the best size and tokens, also when the model is used much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput
from lab.studies.scaling.table import LARGEST_AMOUNT, SMALLEST

TOKENS_PER_PARAMETER = 20.0
"""The rule of thumb of Hoffmann et al. 2022: 20 tokens for each parameter."""
TRAINING, INFERENCE = 6.0, 2.0
"""Operations per parameter and token of a training step, and of a forward pass (Kaplan et al. 2020, section 2.1)."""
GRID = 4001


class PublishedModel(NamedTuple):
    """A model whose size and tokens were published.

    Args:
        name: Its name.
        parameters: Parameters.
        tokens: Tokens of the training.
    """

    name: str
    parameters: float
    tokens: float


PUBLISHED = (
    PublishedModel("GPT-3", 175e9, 300e9),
    PublishedModel("Jurassic-1", 178e9, 300e9),
    PublishedModel("Gopher", 280e9, 300e9),
    PublishedModel("MT-NLG", 530e9, 270e9),
    PublishedModel("LaMDA", 137e9, 168e9),
    PublishedModel("Chinchilla", 70e9, 1.4e12),
    PublishedModel("Pythia 12B", 12e9, 300e9),
    PublishedModel("LLaMA 7B", 6.7e9, 1e12),
    PublishedModel("LLaMA 65B", 65.2e9, 1.4e12),
    PublishedModel("Llama 2 70B", 70e9, 2e12),
    PublishedModel("Llama 3 8B", 8e9, 15e12),
)
"""As published: Hoffmann et al. 2022, table 1; Biderman et al. 2023; Touvron et al. 2023; Meta 2024."""


class Budget(NamedTuple):
    """Size, tokens and compute of a training.

    Args:
        parameters: N.
        tokens: D.
        flops: 6 N D.
    """

    parameters: float
    tokens: float
    flops: float

    @property
    def tokens_per_parameter(self) -> float:
        """D / N."""
        return self.tokens / self.parameters


def budget_of(*, parameters: float | None = None, tokens: float | None = None, flops: float | None = None) -> Budget:
    """Return the budget that two of its quantities give with C = 6 N D, or one with 20 tokens per parameter.

    Raises:
        BadInput: None or all of them are given, or one is not above 0.
    """
    given = {"--parameters": parameters, "--tokens": tokens, "--flops": flops}
    for option, value in given.items():
        if value is not None and not SMALLEST <= value <= LARGEST_AMOUNT:
            allowed = f"{SMALLEST:g} ≤ x ≤ {LARGEST_AMOUNT:g}"
            raise BadInput("is not allowed", field=option, value=value, allowed=allowed)
    named = [option for option, value in given.items() if value is not None]
    if len(named) not in (1, 2):
        raise BadInput("one or two of --parameters, --tokens and --flops give the others", field="options")
    if flops is None:
        n = parameters if parameters is not None else (tokens or 0) / TOKENS_PER_PARAMETER
        d = tokens if tokens is not None else n * TOKENS_PER_PARAMETER
    elif parameters is not None:
        n, d = parameters, flops / (TRAINING * parameters)
    elif tokens is not None:
        n, d = flops / (TRAINING * tokens), tokens
    else:
        n = math.sqrt(flops / (TRAINING * TOKENS_PER_PARAMETER))
        d = n * TOKENS_PER_PARAMETER
    return Budget(n, d, TRAINING * n * d)


def compute_optimal(values: Mapping[str, NDArray[np.float64]], flops: float) -> dict[str, NDArray[np.float64]]:
    """Return the N and D of the least loss with 6 N D = C (Hoffmann et al. 2022, equation 4), and that loss.

    Args:
        values: E, A, B, alpha and beta: numbers, or arrays of equal shape.
        flops: C.
    """
    a, b, alpha, beta = (np.asarray(values[name]) for name in ("A", "B", "alpha", "beta"))
    n = (alpha * a / (beta * b)) ** (1 / (alpha + beta)) * (flops / TRAINING) ** (beta / (alpha + beta))
    d = flops / TRAINING / n
    return {"parameters": n, "tokens": d, "loss": values["E"] + a * n**-alpha + b * d**-beta}


def compute_with_inference(values: Mapping[str, float], loss: float, read: float) -> Budget:
    """Return the N and D that reach a loss with the least compute of training and use: 6 N D + 2 N · tokens read.

    Args:
        values: E, A, B, alpha and beta.
        loss: The loss to reach.
        read: Tokens that the model reads and writes in its life.

    Returns:
        N and D, and the compute of the training alone.

    Raises:
        BadInput: No model reaches this loss, or a number is not allowed.

    Source: Sardana et al. 2024, equation 3.
    """
    e, a, b, alpha, beta = (values[name] for name in ("E", "A", "B", "alpha", "beta"))
    if not e < loss < math.inf:
        what = f"no model comes below the law's E of {e:.4g}"
        raise BadInput(what, field="--reach", value=loss, allowed=f"above {e:.4g}")
    if not 0 <= read <= LARGEST_AMOUNT:
        raise BadInput("is not allowed", field="--read", value=read, allowed=f"0 ≤ x ≤ {LARGEST_AMOUNT:g}")
    with np.errstate(all="ignore"):  # what overflows is no minimum
        least = np.float64(a / (loss - e)) ** (1 / alpha)  # with endless data
        n = least * (1 + np.logspace(-6, 8, GRID))
        d = (b / (loss - e - a * n**-alpha)) ** (1 / beta)
        total = np.nan_to_num(TRAINING * n * d + INFERENCE * n * read, nan=np.inf, posinf=np.inf)
    at = int(np.argmin(total))
    if not 0 < total[at] < np.inf:
        what = "a model that reaches this loss would be too large to compute with"
        raise BadInput(what, field="--reach", value=loss, remedy="Take a loss that is farther above E")
    return Budget(float(n[at]), float(d[at]), float(TRAINING * n[at] * d[at]))
