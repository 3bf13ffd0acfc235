"""The blocks architectures share: base classes, residual stack, norms, positions, attention, feed-forward, scans."""

from lab.layers.attention import Attention
from lab.layers.biases import Alibi, RelativeBias
from lab.layers.chunks import decayed_attention, delta_attention
from lab.layers.decay import half_life
from lab.layers.dispatch import grouped_linear
from lab.layers.experts import Experts
from lab.layers.feed_forward import FeedForward
from lab.layers.initial import Initialisation
from lab.layers.kernels import fast_kernel
from lab.layers.masks import Window
from lab.layers.mixers import ChannelMixer, TokenMixer
from lab.layers.model import LanguageModel, unreduced_cross_entropy
from lab.layers.norms import LayerNorm, NoNorm, RMSNorm
from lab.layers.positions import Rotary, rotate, sinusoids
from lab.layers.precision import full_precision
from lab.layers.reports import AuxiliaryLosses, Reports
from lab.layers.scan import linear_scan
from lab.layers.selective import selective_scan
from lab.layers.short_convolution import ShortConvolution
from lab.layers.stack import Block, Make, ResidualStack, stack_of_mixer

__all__ = [
    "Alibi",
    "Attention",
    "AuxiliaryLosses",
    "Block",
    "ChannelMixer",
    "Experts",
    "FeedForward",
    "Initialisation",
    "LanguageModel",
    "LayerNorm",
    "Make",
    "NoNorm",
    "RMSNorm",
    "RelativeBias",
    "Reports",
    "ResidualStack",
    "Rotary",
    "ShortConvolution",
    "TokenMixer",
    "Window",
    "decayed_attention",
    "delta_attention",
    "fast_kernel",
    "full_precision",
    "grouped_linear",
    "half_life",
    "linear_scan",
    "rotate",
    "selective_scan",
    "sinusoids",
    "stack_of_mixer",
    "unreduced_cross_entropy",
]
