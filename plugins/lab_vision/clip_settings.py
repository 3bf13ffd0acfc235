"""The settings of CLIP, and those of its two encoders."""

from __future__ import annotations

from lab.api import ACTIVATION_NAMES, FeedForwardActivation, StackConfig, setting
from lab_vision.settings import VisionTransformerConfig


class TextConfig(StackConfig):
    """The settings of the text encoder, which follow from those of the model."""

    heads: int = setting(4, ge=1, le=256, unit="heads", help="Attention heads.")
    hidden: int = setting(0, ge=0, le=1 << 18, unit="units", help="Units of the feed-forward layer; 0 for 4 × width.")
    activation: FeedForwardActivation = setting("gelu", help="Activation of the feed-forward layer.")
    norm_epsilon: float = setting(1e-5, gt=0, le=0.1, log=True, help="Added under the root of a normalisation.")


class ClipConfig(StackConfig):
    """The settings of CLIP (Radford et al. 2021); layers, width and heads are those of the image encoder."""

    heads: int = setting(
        4, ge=1, le=256, unit="heads", group="Images",
        help="Attention heads of the image encoder; they divide the width. Typical: 2 to 12.",
        cite="Radford et al. 2021, table 20",
    )  # fmt: skip
    patch: int = setting(
        0, ge=0, le=256, unit="pixels", group="Images", zero="automatic",
        help="Side of the squares into which an image is cut; each becomes one token. It divides height and width; 0 "
        "makes at most 64 squares. Typical: 2 to 8 for small pictures, 16 or 32 for photographs.",
        cite="Dosovitskiy et al. 2021, section 3.1",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 18, unit="units", group="Images", zero="4 × width",
        help="Units of the image encoder's feed-forward layer; 0 for 4 × width. Typical: 4 × width.",
    )  # fmt: skip
    text_layers: int = setting(
        0, ge=0, le=200, unit="blocks", label="Layers", group="Texts", zero="as for images",
        help="Blocks of the text encoder; 0 for as many as the image encoder has. Typical: 2 to 12.",
        cite="Radford et al. 2021, section 2.4",
    )  # fmt: skip
    text_width: int = setting(
        0, ge=0, le=16_384, unit="channels", label="Width", group="Texts", zero="as for images",
        help="Channels of the text encoder; 0 for as many as the image encoder has. Typical: 64 to 512.",
        cite="Radford et al. 2021, section 2.4",
    )  # fmt: skip
    text_heads: int = setting(
        0, ge=0, le=256, unit="heads", label="Heads", group="Texts", zero="as for images",
        help="Attention heads of the text encoder; they divide its width. 0 for as many as the image encoder has. "
        "Typical: 2 to 8.",
        cite="Radford et al. 2021, table 20",
    )  # fmt: skip
    text_hidden: int = setting(
        0, ge=0, le=1 << 18, unit="units", label="Hidden", group="Texts", zero="4 × width",
        help="Units of the text encoder's feed-forward layer; 0 for 4 × its width. Typical: 4 × width.",
    )  # fmt: skip
    embedding_width: int = setting(
        0, ge=0, le=16_384, unit="channels", label="Shared channels", group="Comparison", zero="width",
        help="Numbers of the vectors in which images and texts are compared; 0 for as many as the image encoder has "
        "channels. Typical: 32 to 512.",
        cite="Radford et al. 2021, table 20",
    )  # fmt: skip
    temperature: float = setting(
        0.07, ge=0.01, le=10, log=True, group="Comparison",
        help="Divides the cosines at the start of a training; it is learned then, and never below 0.01. Typical: 0.07.",
        cite="Radford et al. 2021, section 2.5",
    )  # fmt: skip
    activation: FeedForwardActivation = setting(
        "gelu-sigmoid", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layers: one nonlinearity, or a SiLU or GELU gate. Typical: the approximation of GELU by a "
        "sigmoid, as published.",
        cite="Hendrycks & Gimpel 2016, section 2",
    )  # fmt: skip
    norm_epsilon: float = setting(
        1e-5, gt=0, le=0.1, log=True, label="Norm epsilon", group="Block",
        help="Added under the root of a normalisation, against division by zero. Typical: 1e-5.",
    )  # fmt: skip

    @property
    def embedding_channels(self) -> int:
        """Numbers of the vectors in which images and texts are compared."""
        return self.embedding_width or self.width

    def of_images(self) -> VisionTransformerConfig:
        """Return the settings of the image encoder."""
        own = ("layers", "width", "heads", "patch", "hidden", *_SHARED)
        return VisionTransformerConfig(**{name: getattr(self, name) for name in own})

    def of_texts(self) -> TextConfig:
        """Return the settings of the text encoder."""
        return TextConfig(
            layers=self.text_layers or self.layers,
            width=self.text_width or self.width,
            heads=self.text_heads or self.heads,
            hidden=self.text_hidden,
            **{name: getattr(self, name) for name in _SHARED},
        )


_SHARED = ("activation", "norm_epsilon", "dropout", "layer_dropout")
"""Settings that both encoders share."""
