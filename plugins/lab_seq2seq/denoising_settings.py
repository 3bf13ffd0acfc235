"""The settings and the cards of the objectives that make pairs from a text."""

from __future__ import annotations

from typing import Literal

from lab.api import ModelConfig, ObjectiveCard, setting


class FromTextConfig(ModelConfig):
    """The settings of all of them."""

    label_smoothing: float = setting(
        0.0, ge=0, lt=1, group="Objective", zero="none",
        help="Share of each target's probability that is spread evenly over all in training; the validation loss is "
        "without it. Typical: 0, or 0.1.",
        cite="Szegedy et al. 2016, section 7",
    )  # fmt: skip


class SpanCorruptionConfig(FromTextConfig):
    """The settings of span corruption."""

    share: float = setting(
        0.15, gt=0, lt=1, label="Cut share", group="Objective",
        help="Share of the tokens that are cut out. Typical: 0.15.", cite="Raffel et al. 2020, section 3.3.3",
    )  # fmt: skip
    span: float = setting(
        3.0, ge=1, le=100, unit="tokens", label="Mean span", group="Objective",
        help="Mean length of a span. Typical: 3.", cite="Raffel et al. 2020, section 3.3.4",
    )  # fmt: skip
    sentinels: int = setting(
        32, ge=1, le=1000, unit="symbols", group="Objective",
        help="Symbols that stand for spans, and the most spans of a window. Typical: 32 to 100, as T5 has.",
        cite="Raffel et al. 2020, section 3.1.4",
    )  # fmt: skip


class DenoisingConfig(FromTextConfig):
    """The settings of denoising."""

    noise: Literal["masking", "deletion", "infilling", "rotation", "permutation"] = setting(
        "infilling", group="Objective",
        help="How the source is noised: tokens masked, or left out; spans masked by one symbol each; the text begun at "
        "another token; or its sentences in another order.",
        cite="Lewis et al. 2020, section 2.2",
    )  # fmt: skip
    share: float = setting(
        0.3, gt=0, lt=1, label="Noised share", group="Objective", when={"noise": ("masking", "deletion", "infilling")},
        help="Share of the tokens that are noised. Typical: 0.15 to 0.3.", cite="Lewis et al. 2020, section 5",
    )  # fmt: skip
    span: float = setting(
        3.0, gt=0, le=6, unit="tokens", label="Mean span", group="Objective", when={"noise": "infilling"},
        help="Mean length of a span, λ of its Poisson distribution. Typical: 3.",
        cite="Lewis et al. 2020, section 2.2",
    )  # fmt: skip


CARDS = (
    ObjectiveCard(
        name="span-corruption",
        title="Span corruption",
        build="lab_seq2seq.denoising:SpanCorruption",
        config=SpanCorruptionConfig,
        summary="Write the spans that were cut from a text, each after the symbol that stands for it (T5).",
    ),
    ObjectiveCard(
        name="denoising",
        title="Denoising",
        build="lab_seq2seq.denoising:Denoising",
        config=DenoisingConfig,
        summary="Write a text from a noised copy: masked, with tokens left out, infilled, rotated, or permuted (BART).",
    ),
)
"""The objectives."""
