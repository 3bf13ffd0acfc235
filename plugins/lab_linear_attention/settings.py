"""The settings of this plugin's mixers, the widths that follow from them, and the state they carry between tokens."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from pydantic import ValidationInfo, field_validator

from lab.api import (
    ACTIVATION_NAMES,
    GATED_ACTIVATIONS,
    BadInput,
    FeedForwardActivation,
    ModelConfig,
    StackConfig,
    setting,
    tie_setting,
)

Shapes: TypeAlias = dict[str, tuple[int, ...]]
"""The tensors of a decoding state by name, without the batch axis."""

TAYLOR_KEYS = 8
"""Default channels of a key for Taylor features: 8 channels make 45 features, 32 make 561."""


def shared(width: int, heads: int) -> int:
    """Return the channels of each head when the heads share `width` channels.

    Raises:
        BadInput: The heads do not divide the width.
    """
    if not width or width % heads:
        raise BadInput(f"does not divide {width} channels", field="heads", value=heads, allowed=f"a divisor of {width}")
    return width // heads


class MemorySettings(ModelConfig):
    """The settings of a mixer that has a matrix (keys, values) per head as its state."""

    keys_share: ClassVar[float] = 1.0
    values_share: ClassVar[float] = 1.0
    """Default channels of all keys, and of all values, relative to the width of the model."""

    key_width: int = setting(
        0, ge=0, le=1024, unit="channels",
        group="State", auto="key_channels",
        help="Channels of a key and of a query in each head, the rows of its state; 0 means the width in the paper. "
        "Typical: 32 to 256.",
    )  # fmt: skip
    value_width: int = setting(
        0, ge=0, le=4096, unit="channels",
        group="State", auto="value_channels",
        help="Channels of a value in each head, the columns of its state; 0 means the width in the paper. "
        "Typical: 32 to 512.",
    )  # fmt: skip
    heads: int = setting(
        4,
        ge=1,
        le=1024,
        unit="heads",
        counted="heads",
        group="State",
        help="Heads, each with its own state. Typical: 2 to 16.",
    )

    @field_validator("heads")
    @classmethod
    def _heads_divide(cls, heads: int, given: ValidationInfo) -> int:
        width = given.data.get("width")  # a mixer in a pattern gets it when it is built
        try:
            for own, share in (("key_width", cls.keys_share), ("value_width", cls.values_share)):
                if width is not None and not given.data.get(own):
                    shared(int(width * share), heads)
        except BadInput as error:
            raise ValueError(error.problem.what) from None
        return heads

    def widths(self, width: int) -> tuple[int, int]:
        """Return channels of a key and of a value in each head of a model with `width` channels.

        Raises:
            BadInput: The heads do not divide them.
        """
        keys = self.key_width or shared(int(width * self.keys_share), self.heads)
        return keys, self.value_width or shared(int(width * self.values_share), self.heads)

    def key_channels(self, width: int) -> int:
        """Return the channels of a key in each head; see `widths`."""
        return self.widths(width)[0]

    def value_channels(self, width: int) -> int:
        """Return the channels of a value in each head; see `widths`."""
        return self.widths(width)[1]

    def carried(self, width: int) -> Shapes:
        """Return the shapes of what one layer carries from token to token."""
        return {"memory": (self.heads, *self.widths(width))}


class ConvolvedSettings(MemorySettings):
    """The settings of a mixer that may have a short convolution before its keys, queries and values."""

    convolution: int = setting(
        4, ge=0, le=64, unit="tokens",
        label="Short convolution", group="State", zero="none",
        help="Tokens of a short convolution over time applied to queries, keys and values; 0 for none. "
        "Typical: 0, 3 or 4.",
        cite="Fu et al. 2023, section 3; Yang et al. 2024b, section 3.4",
    )  # fmt: skip

    def carried(self, width: int) -> Shapes:
        """Return the shapes of the memory and of the last inputs of the convolution."""
        keys, values = self.widths(width)
        last = {"convolution": (self.convolution - 1, self.heads * (2 * keys + values))} if self.convolution else {}
        return {**super().carried(width), **last}


class LinearAttentionSettings(ConvolvedSettings):
    """The settings of linear attention."""

    feature_map: Literal["elu", "relu", "exp", "performer", "taylor", "identity"] = setting(
        "elu",
        group="Features",
        names={"elu": "ELU + 1", "relu": "ReLU"},
        help="Feature map of queries and keys: elu(x) + 1; max(x, 0); eˣ; random features of the softmax kernel; its "
        "Taylor series of second order; or none, and then outputs are normalised per head instead of the weights.",
        cite="Katharopoulos et al. 2020, eq. 7; Choromanski et al. 2021, eq. 5; Arora et al. 2024; Sun et al. 2023",
    )
    features: int = setting(
        0, ge=0, le=65536, unit="features",
        label="Random features", group="Features", auto="random_features", when={"feature_map": "performer"},
        help="Random features of each head for “performer”; 0 means twice the channels of a key. "
        "Typical: 1 to 4 times the channels of a key.",
        cite="Choromanski et al. 2021, section 2.4",
    )  # fmt: skip
    feature_seed: int = setting(
        0, ge=0, le=1 << 31, group="Features", when={"feature_map": "performer"},
        help="Seed of the random features of all layers; another seed gives other features.",
    )  # fmt: skip
    convolution: int = setting(
        0, ge=0, le=64, unit="tokens",
        label="Short convolution", group="State", zero="none",
        help="Tokens of a short convolution over time applied to queries, keys and values; 0 for none. "
        "Typical: 0, 3 or 4.",
        cite="Arora et al. 2024, section 4",
    )  # fmt: skip

    @property
    def normalised(self) -> bool:
        """True if the weights of a query sum to 1."""
        return self.feature_map != "identity"

    def widths(self, width: int) -> tuple[int, int]:
        """Return the channels of a key before its feature map, and of a value."""
        keys, values = super().widths(width)
        few = self.feature_map == "taylor" and not self.key_width
        return min(keys, TAYLOR_KEYS) if few else keys, values

    def features_of(self, keys: int) -> int:
        """Return the number of features of a key with `keys` channels."""
        if self.feature_map == "taylor":
            return 1 + keys + keys * (keys + 1) // 2
        return (self.features or 2 * keys) if self.feature_map == "performer" else keys

    def random_features(self, width: int) -> int:
        """Return the features of a key in a model with `width` channels."""
        return self.features_of(self.key_channels(width))

    def carried(self, width: int) -> Shapes:
        """Return the shapes of the memory, with the normaliser as last column, and of the greatest exponents."""
        keys, values = self.widths(width)
        greatest = {"greatest": (self.heads,)} if self.feature_map in ("exp", "performer") else {}
        memory = (self.heads, self.features_of(keys), values + self.normalised)
        return {**super().carried(width), "memory": memory, **greatest}


class RetNetSettings(MemorySettings):
    """The settings of a retentive network's mixer."""

    values_share = 2.0
    decay_exponent: float = setting(
        5.0, gt=0, le=64, group="State", help="Head h, from 0, retains 1 − 2^(−this − h) of its state per token. "
        "Typical: 5.",
        cite="Sun et al. 2023, eq. 8",
    )  # fmt: skip
    rotary_base: float = setting(
        10_000.0, gt=1, le=1e9, log=True, label="RoPE base", group="Positions",
        help="Base of the angles by which queries and keys are rotated. Typical: 10,000.",
        cite="Sun et al. 2023, eq. 3; Su et al. 2021",
    )  # fmt: skip

    def widths(self, width: int) -> tuple[int, int]:
        """Return the channels of a key, an even number, and of a value."""
        keys, values = super().widths(width)
        if keys % 2:
            what, field = "makes an odd number of channels of a key, and they turn in pairs", "heads"
            if self.key_width:
                what, field = "is odd, and the channels of a key turn in pairs", "key_width"
            raise BadInput(what, field=field, value=getattr(self, field), allowed="keys of an even number of channels")
        return keys, values


class GLASettings(ConvolvedSettings):
    """The settings of gated linear attention."""

    keys_share = 0.5
    gate_rank: int = setting(
        16, ge=1, le=4096, unit="channels", group="Gates",
        help="Channels of the bottleneck in the projection of the decays. Typical: 16 to 128.",
        cite="Yang et al. 2024a, section 4.2",
    )  # fmt: skip
    gate_divisor: float = setting(
        16.0, gt=0, le=1e4, log=True,
        group="Gates", help="τ: each channel retains σ(·)^(1/τ) of its state per token, so a larger τ retains more. "
        "Typical: 16.",
        cite="Yang et al. 2024a, section 4.2",
    )  # fmt: skip
    convolution: int = setting(
        0, ge=0, le=64, unit="tokens",
        label="Short convolution", group="State", zero="none",
        help="Tokens of a short convolution over time applied to queries, keys and values; 0 for none. "
        "Typical: 0, 3 or 4.",
    )  # fmt: skip


Eigenvalues: TypeAlias = Literal["positive", "signed"]


class DeltaNetSettings(ConvolvedSettings):
    """The settings of DeltaNet."""

    eigenvalues: Eigenvalues = setting(
        "positive",
        group="State",
        help="A token multiplies the state along its key by 1 − β: “positive” with β = σ(·) from 0 to 1, “signed” with "
        "β = 2 σ(·), so that a state can change its sign at each token, which counting modulo two needs.",
        cite="Grazzi et al. 2025, eq. 5",
    )


class GatedDeltaNetSettings(DeltaNetSettings):
    """The settings of Gated DeltaNet."""

    keys_share = 0.75
    values_share = 1.5


class RWKV6Settings(ModelConfig):
    """The settings of RWKV-6's time mixing."""

    heads: int = setting(
        4,
        ge=1,
        le=1024,
        unit="heads",
        counted="heads",
        group="State",
        help="Heads, each with its own state; in the paper each has 64 channels. Typical: width / 64.",
    )
    shift_rank: int = setting(
        32, ge=1, le=4096, unit="channels",
        group="State",
        help="Channels of the bottleneck that computes how much of the previous token each of the five inputs sees. "
        "Typical: 32 to 64.",
        cite="Peng et al. 2024, eq. 4-6",
    )  # fmt: skip
    decay_rank: int = setting(
        64, ge=1, le=4096, unit="channels", group="State",
        help="Channels of the bottleneck in the projection of the decays. Typical: 16 to 128.",
        cite="Peng et al. 2024, eq. 14-15",
    )  # fmt: skip

    @field_validator("heads")
    @classmethod
    def _heads_divide(cls, heads: int, given: ValidationInfo) -> int:
        try:
            if given.data.get("width") is not None:
                shared(given.data["width"], heads)
        except BadInput as error:
            raise ValueError(error.problem.what) from None
        return heads

    def carried(self, width: int) -> Shapes:
        """Return the shapes of the memory and of the previous token."""
        each = shared(width, self.heads)
        return {"memory": (self.heads, each, each), "before": (width,)}


class RWKV6ChannelSettings(ModelConfig):
    """The settings of RWKV-6's channel mixing."""

    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto="units",
        help="Units of the layer; 0 is 3.5 × width. Typical: 3.5 × width.",
        cite="Peng et al. 2024, section 4",
    )  # fmt: skip

    def units(self, width: int) -> int:
        """Return the units of the layer in a model with `width` channels."""
        return self.hidden or 7 * width // 2


FeedForwardKind: TypeAlias = Literal["none", FeedForwardActivation]


class _Stacked(MemorySettings, StackConfig):
    """The further settings of a stack of these mixers."""

    feed_forward: FeedForwardKind = setting(
        "swiglu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer of each block: none, with one nonlinearity, or with a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; So et al. 2021; Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto="feed_forward_units",
        when={"feed_forward": tuple(ACTIVATION_NAMES)},
        help="Units of the feed-forward layer; 0 means 4 × width, 8/3 with a gate. Typical: 8/3 to 4 × width.",
    )  # fmt: skip
    tie: bool = tie_setting()

    @property
    def feed_forward_units(self) -> int:
        """Units of the feed-forward layer."""
        return self.hidden or (8 * self.width // 3 if self.feed_forward in GATED_ACTIVATIONS else 4 * self.width)

    def carried_by_block(self) -> Shapes:
        """Return the shapes of what one block carries from token to token."""
        return self.carried(self.width)


class LinearAttentionConfig(LinearAttentionSettings, _Stacked):
    """The settings of a stack of linear attention."""

    positions: Literal["none", "learned", "sinusoidal"] = setting(
        "sinusoidal",
        label="Encoding",
        group="Positions",
        help="Positions of tokens: learned or sinusoidal vectors added to the embedding, or none.",
        cite="Vaswani et al. 2017, section 3.5",
    )
    feed_forward: FeedForwardKind = setting(
        "gelu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer of each block: none, with one nonlinearity, or with a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; So et al. 2021; Shazeer 2020, eq. 6",
    )  # fmt: skip


class RetNetConfig(RetNetSettings, _Stacked):
    """The settings of a retentive network."""

    feed_forward: FeedForwardKind = setting(
        "gelu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer of each block: none, with one nonlinearity, or with a SiLU or GELU gate.",
        cite="Sun et al. 2023, eq. 9",
    )  # fmt: skip


class GLAConfig(GLASettings, _Stacked):
    """The settings of a stack of gated linear attention."""


class DeltaNetConfig(DeltaNetSettings, _Stacked):
    """The settings of a DeltaNet."""


class GatedDeltaNetConfig(GatedDeltaNetSettings, _Stacked):
    """The settings of a Gated DeltaNet."""


class RWKV6Config(RWKV6Settings, RWKV6ChannelSettings, StackConfig):
    """The settings of an RWKV-6."""

    tie: bool = tie_setting(default=False)

    def carried_by_block(self) -> Shapes:
        """Return the shapes of what one block carries: the state of time mixing, the last input of channel mixing."""
        return {**self.carried(self.width), "before in the channel mixing": (self.width,)}
