"""The settings of the vision transformer."""

from __future__ import annotations

from typing import Literal

from lab.api import ACTIVATION_NAMES, FeedForwardActivation, StackConfig, setting


class VisionTransformerConfig(StackConfig):
    """The settings of the vision transformer (Dosovitskiy et al. 2021)."""

    heads: int = setting(
        4, ge=1, le=256, unit="heads", group="Attention",
        help="Attention heads; they divide the width. Typical: 2 to 12.",
        cite="Dosovitskiy et al. 2021, table 1",
    )  # fmt: skip
    patch: int = setting(
        0, ge=0, le=256, unit="pixels", group="Patches", zero="automatic",
        help="Side of the squares into which an image is cut; each becomes one token. It divides height and width; 0 "
        "makes at most 64 squares. Typical: 2 to 8 for small pictures, 16 for photographs.",
        cite="Dosovitskiy et al. 2021, section 3.1",
    )  # fmt: skip
    positions: Literal["learned", "sinusoidal", "none"] = setting(
        "learned", label="Encoding", group="Patches", names={"sinusoidal": "sinusoidal in 2-D"},
        help="What tells patches apart by their place: a trained vector for each, sinusoids of row and column, or "
        "nothing, which makes the model blind to their order.",
        cite="Dosovitskiy et al. 2021, appendix D.4; Vaswani et al. 2017, section 3.5",
    )  # fmt: skip
    pool: Literal["class-token", "mean"] = setting(
        "class-token", group="Output", names={"class-token": "class token"},
        help="What the output reads: a token of its own before the patches, as in BERT, or the mean of all patches.",
        cite="Dosovitskiy et al. 2021, appendix D.3",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 18, unit="units", group="Feed-forward", zero="4 × width",
        help="Units of the feed-forward layer; 0 for 4 × width. Typical: 4 × width.",
    )  # fmt: skip
    activation: FeedForwardActivation = setting(
        "gelu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer: one nonlinearity, or a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; Shazeer 2020, eq. 6",
    )  # fmt: skip
    norm_epsilon: float = setting(
        1e-6, gt=0, le=0.1, log=True, label="Norm epsilon", group="Block",
        help="Added under the root of a normalisation, against division by zero. Typical: 1e-6.",
    )  # fmt: skip
