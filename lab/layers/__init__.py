"""The blocks architectures share: base classes, residual stack, norms, positions, attention, feed-forward, scans."""

from lab.layers.attention import Attention
from lab.layers.feed_forward import FeedForward
from lab.layers.mixers import ChannelMixer, TokenMixer
from lab.layers.model import LanguageModel, unreduced_cross_entropy
from lab.layers.norms import LayerNorm, RMSNorm
from lab.layers.positions import rotate, sinusoids
from lab.layers.precision import full_precision
from lab.layers.reports import AuxiliaryLosses, Reports
from lab.layers.scan import linear_scan
from lab.layers.stack import Block, Make, ResidualStack, stack_of_mixer

__all__ = [
    "Attention",
    "AuxiliaryLosses",
    "Block",
    "ChannelMixer",
    "FeedForward",
    "LanguageModel",
    "LayerNorm",
    "Make",
    "RMSNorm",
    "Reports",
    "ResidualStack",
    "TokenMixer",
    "full_precision",
    "linear_scan",
    "rotate",
    "sinusoids",
    "stack_of_mixer",
    "unreduced_cross_entropy",
]
