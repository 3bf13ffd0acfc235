"""The settings of the n-gram model."""

from __future__ import annotations

from typing import Any, Literal

from lab.api import ModelConfig, setting

SMOOTHINGS = {
    "modified-kneser-ney": "modified Kneser-Ney",
    "kneser-ney": "Kneser-Ney",
    "katz": "Katz",
    "witten-bell": "Witten-Bell",
    "jelinek-mercer": "Jelinek-Mercer",
    "laplace": "Laplace",
    "stupid-backoff": "stupid back-off",
    "maximum-likelihood": "maximum likelihood",
}
"""Names of kinds of smoothing for display."""


class NgramConfig(ModelConfig):
    """The settings of the n-gram model. The counts do not depend on the smoothing, so it may be changed at any time."""

    version = 2

    order: int = setting(
        5, ge=0, le=20, unit="tokens",
        group="Size",
        help="Tokens of the longest n-gram: the next token and its context; with 0 all tokens are equally likely. "
        "Typical: 3 to 6.",
        cite="Shannon 1948, section 3",
    )  # fmt: skip
    answer_order: int | None = setting(
        None, ge=0, le=20, live=True, unit="tokens",
        group="Size", help="Order of the n-grams used for answers, if lower than the order that is counted. "
        "Typical: 1 to 5.",
    )  # fmt: skip
    smoothing: Literal[
        "modified-kneser-ney",
        "kneser-ney",
        "absolute-discounting",
        "katz",
        "witten-bell",
        "jelinek-mercer",
        "add-k",
        "laplace",
        "stupid-backoff",
        "maximum-likelihood",
    ] = setting(
        "modified-kneser-ney",
        live=True,
        group="Smoothing",
        names=SMOOTHINGS,
        help="Source of the probability of unseen n-grams: a discount on seen ones, a share for shorter contexts, or "
        "extra sightings of every token. With maximum likelihood it is zero, and the loss is infinite where an "
        "unseen n-gram occurs.",
        cite="Chen & Goodman 1998 compare them; Brants et al. 2007 for stupid backoff, here divided by its sum",
    )
    weight: float | None = setting(
        None, ge=0, lt=1, live=True,
        label="Interpolation weight", group="Smoothing", when={"smoothing": "jelinek-mercer"},
        help="Jelinek-Mercer: share of a context that was seen before; the rest goes to the context one token shorter. "
        "Without a number, weights are fitted on held-out text, by how often the context was seen. "
        "Typical: 0.5 to 0.9.",
        cite="Jelinek & Mercer 1980; Ney, Essen & Kneser 1994 for leaving one out",
    )  # fmt: skip
    k: float = setting(
        0.01, gt=0, le=1000, log=True, live=True, unit="sightings",
        label="Added count k", group="Smoothing", when={"smoothing": "add-k"},
        help="Add-k: number of sightings added for every token after every context. Typical: 0.001 to 1.",
        cite="Lidstone 1920; Chen & Goodman 1998, section 2.1",
    )  # fmt: skip
    backoff: float = setting(
        0.4, gt=0, le=1, live=True,
        label="Back-off factor", group="Smoothing", when={"smoothing": "stupid-backoff"},
        help="Stupid backoff: factor for each token removed from the context until the n-gram was seen. Typical: 0.4.",
        cite="Brants et al. 2007, equation 5",
    )  # fmt: skip

    @classmethod
    def migrate(cls, settings: dict[str, Any], version: int) -> dict[str, Any]:
        """Restore the defaults of version 1: Witten and Bell's smoothing, and one weight for all contexts."""
        del version
        return {"smoothing": "witten-bell", "weight": 0.7, **settings}
