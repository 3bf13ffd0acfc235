"""The n-gram model: how often each token followed the last few, counted, and smoothed for what was never seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lab.api import Architecture, ModelConfig, hookimpl, setting

LAB_API_VERSION = 1


class NgramConfig(ModelConfig):
    """The settings of the n-gram model. The counts do not depend on the smoothing, so it may change at any time."""

    order: int = setting(
        5, ge=1, le=20, unit="tokens", help="Tokens of the longest n-gram: the next one and those it is guessed from.",
        cite="Shannon 1948, section 3",
    )  # fmt: skip
    smoothing: Literal["witten-bell", "jelinek-mercer", "add-k"] = setting(
        "witten-bell",
        live=True,
        help="Where the probability of the unseen comes from: from shorter contexts, weighted by what this context "
        "has shown or by a fixed share; or from k extra sightings of every token.",
        cite="Witten & Bell 1991, method C; Jelinek & Mercer 1980; Lidstone 1920",
    )
    weight: float = setting(
        0.7, ge=0, lt=1, live=True,
        help="Jelinek-Mercer: share that a context seen before keeps; the rest goes to the context one token shorter.",
        cite="Jelinek & Mercer 1980",
    )  # fmt: skip
    k: float = setting(
        0.01, gt=0, le=1000, log=True, live=True, unit="sightings",
        help="Add-k: how often every token is taken to have been seen after every context beforehand.",
        cite="Lidstone 1920; Chen & Goodman 1998, section 2.1",
    )  # fmt: skip


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """The one architecture of this plugin."""
    register(
        Architecture(
            name="n-gram",
            title="N-gram",
            family="n-gram",
            summary="Counts what followed every short context in the training text; nothing is trained by gradient.",
            config=NgramConfig,
            build="lab_ngram.model:NgramModel",
            devices=frozenset({"cpu"}),
            presets={
                "shannon-2": {"architecture": {"order": 2, "smoothing": "witten-bell"}},
                "order-5": {"architecture": {"order": 5, "smoothing": "witten-bell"}},
                "add-k-5": {"architecture": {"order": 5, "smoothing": "add-k", "k": 0.01}},
            },
            equations=(
                r"p(w \mid h) = \lambda(h)\, \frac{c(hw)}{c(h)} + (1 - \lambda(h))\, p(w \mid h'), \qquad"
                r" p_0(w) = \frac{1}{V}",
                r"\lambda_\text{Witten-Bell}(h) = \frac{c(h)}{c(h) + N_{1+}(h\,\cdot)}",
                r"p_\text{add-k}(w \mid h) = \frac{c(hw) + k}{c(h) + k V}",
            ),
            references=(
                "Shannon 1948, A Mathematical Theory of Communication",
                "Jelinek & Mercer 1980, Interpolated Estimation of Markov Source Parameters from Sparse Data",
                "Witten & Bell 1991, The Zero-Frequency Problem",
                "Lidstone 1920, Note on the General Case of the Bayes-Laplace Formula",
                "Chen & Goodman 1998, An Empirical Study of Smoothing Techniques for Language Modeling",
            ),
        )
    )
