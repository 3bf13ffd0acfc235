"""The settings of the objectives of encoders."""

from __future__ import annotations

from lab.api import MaskingConfig, setting


class NextSentenceConfig(MaskingConfig):
    """The settings of hidden tokens with the next sentence."""


class ReplacedConfig(MaskingConfig):
    """The settings of replaced tokens; the generator sees the mask symbol at every hidden token."""

    masked: float = setting(
        1.0, ge=0, le=1, label="Shown as mask", group="Objective",
        help="Share of the hidden tokens in whose place the generator sees the mask symbol. Typical: 0.85 to 1.",
        cite="Clark et al. 2020",
    )  # fmt: skip
    swapped: float = setting(
        0.0, ge=0, le=1, label="Shown as another", group="Objective",
        help="Share of the hidden tokens in whose place the generator sees another, random token. Typical: 0.",
        cite="Clark et al. 2020",
    )  # fmt: skip
    discriminator_weight: float = setting(
        50.0, gt=0, le=1e4, log=True, label="λ", group="Objective",
        help="Weight of the loss of replaced tokens over that of the generator. Typical: 50.",
        cite="Clark et al. 2020, section 3.2",
    )  # fmt: skip
