"""The layers that architectures share: base classes, residual stack, norms, attention, feed-forward, scans."""

from lab.layers.activations import ACTIVATIONS, Activation, activate
from lab.layers.attention.attention import Attention
from lab.layers.attention.biases import Alibi, RelativeBias
from lab.layers.attention.cross import CrossAttention, Memory
from lab.layers.attention.masks import Window
from lab.layers.attention.positions import Rotary, rotate, sinusoids
from lab.layers.dispatch import Assignments, dispatched, grouped_linear
from lab.layers.encoder_decoder import DecoderBlock, Encoder, EncoderDecoder, check_source
from lab.layers.feed_forward import FeedForward
from lab.layers.initial import Initialisation
from lab.layers.inputs import Features, Patches, patch_side
from lab.layers.losses import EXACT_MATCH, right_rows, written_loss
from lab.layers.mixers import ChannelMixer, TokenMixer
from lab.layers.model import LanguageModel, unreduced_cross_entropy
from lab.layers.norms import LayerNorm, NoNorm, RMSNorm
from lab.layers.precision import full_precision
from lab.layers.recurrence.both_ways import BothWays
from lab.layers.recurrence.chunks import decayed_attention, delta_attention
from lab.layers.recurrence.decay import half_life
from lab.layers.recurrence.kernels import fast_kernel
from lab.layers.recurrence.scan import linear_scan
from lab.layers.recurrence.selective import selective_scan
from lab.layers.recurrence.short_convolution import ShortConvolution
from lab.layers.reports import AuxiliaryLosses, Reports, name_readings
from lab.layers.roles import UNDECAYED, fan_ins, parameter_roles, spared_by_name
from lab.layers.stack import Block, Make, ResidualStack, maker, stack_of_mixer

__all__ = [
    "ACTIVATIONS",
    "EXACT_MATCH",
    "UNDECAYED",
    "Activation",
    "Alibi",
    "Assignments",
    "Attention",
    "AuxiliaryLosses",
    "Block",
    "BothWays",
    "ChannelMixer",
    "CrossAttention",
    "DecoderBlock",
    "Encoder",
    "EncoderDecoder",
    "Features",
    "FeedForward",
    "Initialisation",
    "LanguageModel",
    "LayerNorm",
    "Make",
    "Memory",
    "NoNorm",
    "Patches",
    "RMSNorm",
    "RelativeBias",
    "Reports",
    "ResidualStack",
    "Rotary",
    "ShortConvolution",
    "TokenMixer",
    "Window",
    "activate",
    "check_source",
    "decayed_attention",
    "delta_attention",
    "dispatched",
    "fan_ins",
    "fast_kernel",
    "full_precision",
    "grouped_linear",
    "half_life",
    "linear_scan",
    "maker",
    "name_readings",
    "parameter_roles",
    "patch_side",
    "right_rows",
    "rotate",
    "selective_scan",
    "sinusoids",
    "spared_by_name",
    "stack_of_mixer",
    "unreduced_cross_entropy",
    "written_loss",
]
