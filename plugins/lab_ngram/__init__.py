"""N-gram models: counts of what followed the last few tokens, smoothed for what was never seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.api import Architecture, Command, Intervention, Probe, View, hookimpl
from lab_ngram import explanations
from lab_ngram.commands import ARPA
from lab_ngram.settings import NgramConfig

LAB_API_VERSION = 2


def _shannon(order: int, tokenizer: str) -> dict[str, Any]:
    """Return one of Shannon's approximations, with the least smoothing that gives a finite loss."""
    settings = {"order": order, "smoothing": "add-k", "k": 1e-6}
    return {"architecture": settings, "tokenizer": {"name": tokenizer}}


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the architecture of this plugin."""
    register(
        Architecture(
            name="n-gram",
            title="N-gram",
            family="n-gram",
            learns="counting",
            floor={"smoothing": "modified-kneser-ney"},
            summary="Counts what followed every short context in the training text; no training by gradient.",
            config=NgramConfig,
            build="lab_ngram.model:NgramModel",
            devices=frozenset({"cpu"}),
            presets={
                "order-5": {"architecture": {"order": 5, "smoothing": "modified-kneser-ney"}},
                "shannon-zero-order-letters": _shannon(0, "character"),
                "shannon-first-order-letters": _shannon(1, "character"),
                "shannon-second-order-letters": _shannon(2, "character"),
                "shannon-third-order-letters": _shannon(3, "character"),
                "shannon-first-order-words": _shannon(1, "word"),
                "shannon-second-order-words": _shannon(2, "word"),
                "shannon-2": {"architecture": {"order": 2, "smoothing": "witten-bell"}},
                "add-k-5": {"architecture": {"order": 5, "smoothing": "add-k", "k": 0.01}},
            },
            equations=(
                r"p(w \mid h) = q(w \mid h)\ \mathrm{if}\ hw\ \mathrm{was\ seen,\ else}\ \gamma(h)\, p(w \mid h'),"
                r" \qquad p_0(w) = \frac{1}{V}",
                r"q_\text{Kneser-Ney}(w \mid h) = \frac{\max(a(hw) - D_{a(hw)}, 0)}{\sum_v a(hv)}"
                r" + \gamma(h)\, p(w \mid h')",
                r"D_1 = 1 - 2Y\frac{n_2}{n_1}, \quad D_2 = 2 - 3Y\frac{n_3}{n_2}, \quad D_{3+} = 3 - 4Y\frac{n_4}{n_3},"
                r" \quad Y = \frac{n_1}{n_1 + 2 n_2}",
                r"q_\text{interpolated}(w \mid h) = \lambda(h)\, \frac{c(hw)}{c(h)} + (1 - \lambda(h))\, p(w \mid h'),"
                r" \qquad \lambda_\text{Witten-Bell}(h) = \frac{c(h)}{c(h) + N_{1+}(h\,\cdot)}",
                r"q_\text{Katz}(w \mid h) = d_{c(hw)} \frac{c(hw)}{c(h)}",
                r"p_\text{add-k}(w \mid h) = \frac{c(hw) + k}{c(h) + k V}",
                r"q_\text{stupid backoff}(w \mid h) \propto \frac{c(hw)}{c(h)}"
                r"\ \mathrm{if}\ hw\ \mathrm{was\ seen,\ else}\ \beta\, q_\text{stupid backoff}(w \mid h')",
            ),
            symbols={
                "w": "a token that may come next",
                "v": "every token that came after the context",
                "h": "the context: the tokens before",
                "h'": "the context without its oldest token",
                "p": "the probability of the next token",
                "q": "the probability of a token that was seen after the context",
                "V": "the number of tokens in the vocabulary",
                r"\gamma": "the share of a context that goes to the shorter one, so that all sums to 1",
                "a": "Kneser and Ney's count: sightings, or in shorter contexts different tokens before",
                "D_1": "the discount of what was counted once; twice; three times or more",
                "Y": "the factor by which Good and Turing's estimate discounts",
                "n_1": "how many n-grams were counted once; twice, three and four times",
                r"\lambda": "the share of a context that its own counts get",
                "c": "the number of sightings",
                "N_{1+}": "how many different tokens came after the context",
                "d": "Katz's discount, by the number of sightings",
                "k": "what is added to every count",
                r"\beta": "the back-off factor",
            },
            symbol_parts={
                "h": "last tokens",
                "V": "1-grams",
                "a": "how often",
                "n_1": "how often",
                "c": "how often",
                "N_{1+}": "which were seen",
            },
            symbol_settings={
                "h'": "order",
                "k": "k",
                r"\beta": "backoff",
                r"\lambda": "weight",
                **dict.fromkeys(("p", "q", r"\gamma", "D_1", "Y", "d"), "smoothing"),
            },
            explanations=explanations.MODEL,
            references=(
                "Shannon 1948, A Mathematical Theory of Communication",
                "Jelinek & Mercer 1980, Interpolated Estimation of Markov Source Parameters from Sparse Data",
                "Katz 1987, Estimation of Probabilities from Sparse Data",
                "Witten & Bell 1991, The Zero-Frequency Problem",
                "Ney, Essen & Kneser 1994, On Structuring Probabilistic Dependences in Stochastic Language Modelling",
                "Kneser & Ney 1995, Improved Backing-Off for M-gram Language Modeling",
                "Chen & Goodman 1998, An Empirical Study of Smoothing Techniques for Language Modeling",
                "Brants et al. 2007, Large Language Models in Machine Translation",
                "Heafield et al. 2013, Scalable Modified Kneser-Ney Language Model Estimation (KenLM)",
                "Lidstone 1920, Note on the General Case of the Bayes-Laplace Formula",
            ),
        )
    )


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probe of the counts of an n-gram model."""
    register(
        Probe(
            name="n-grams",
            title="Counts of n-grams",
            build="lab_ngram.readings:probe",
            summary="The number of n-grams of each order, seen and possible; the share of a text's contexts that were "
            "seen; and counts of what followed the end of the text, by the length of the context.",
            explanations=explanations.COUNTS,
        )
    )


@hookimpl
def lab_register_commands(register: Callable[[Command], None]) -> None:
    """Register `lm-lab arpa`."""
    register(ARPA)


@hookimpl
def lab_register_interventions(register: Callable[[Intervention], None]) -> None:
    """Register the intervention that leaves out the higher orders of n-grams."""
    register(
        Intervention(
            name="order",
            title="Orders from N up",
            build="lab_ngram.interventions:without_orders",
            targets="lab_ngram.interventions:targets",
            singular="order {n} and above",
            plural="orders",
            summary="order:N: answer with order N − 1, without the n-grams of order N and above.",
        )
    )


@hookimpl
def lab_register_views(register: Callable[[View], None]) -> None:
    """Register the views of readings by order, those of other plugins' n-grams too."""

    def add(name: str, title: str, axes: tuple[str, ...], build: str) -> None:
        register(View(name=name, title=title, axes=axes, replaces=True, build=f"lab_ngram.views.{build}"))

    add("orders", "Orders by token", ("token", "order"), "orders:OrdersView")
    add("order-bars", "Orders", ("order",), "orders:OrderBarsView")
    add("continuations", "Continuations", ("order", "vocabulary"), "continuations:ContinuationsView")
