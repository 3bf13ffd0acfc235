"""The table of the parts of the lab that compute examples, and their comparison with the arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lab.base.torch_lock import torch_lock
from lab.worked.examples import Computed, largest_difference
from lab.worked.expressions.values import plain
from lab.worked.parts import attention, functions, networks, optimizers, sequences
from lab.worked.parts.common import Figures, as_data


@dataclass(frozen=True)
class Part:
    """A part of the lab that computes an example.

    Args:
        title: What it is, by its name in the code.
        compute: Computes figures, by the names of steps.
        tolerance: Largest relative difference to the arithmetic that is no error: float32 tables have fewer digits.
    """

    title: str
    compute: Callable[[Computed], Figures]
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Comparison:
    """Figures of a part of the lab beside those of the arithmetic.

    Args:
        title: The part.
        figures: Its figures by the names of steps.
        difference: The largest relative difference.
    """

    title: str
    figures: Figures
    difference: float


def compare_with_part(computed: Computed) -> Comparison:
    """Compute an example with its part of the lab.

    Raises:
        KeyError: The example has none.
        RuntimeError: The part does not take inputs of these sizes.
    """
    part = PARTS[computed.example.part]
    with torch_lock:  # layers draw their initial weights before they get those of the example
        figures = {name: as_data(value) for name, value in part.compute(computed).items()}
    ours = [plain(computed.values[name]) for name in figures]
    return Comparison(part.title, figures, largest_difference(figures.values(), ours))


PARTS: Mapping[str, Part] = {
    "activations": Part("lab.layers.activate, and torch's slopes", functions.activations),
    "adam": Part("optimizer adam", optimizers.adam),
    "attention": Part("lab.layers.Attention", attention.attention_outputs),
    "attention_gradient": Part("lab.layers.Attention, backward", attention.attention_gradient),
    "attention_permuted": Part("lab.layers.Attention", attention.attention_permuted),
    "balance": Part("mixer moe: its balance loss, over k", attention.balance),
    "batch_norm": Part("architecture mlp: batch normalisation", networks.batch_norm),
    "clipping": Part("clipping by the norm", optimizers.clipping),
    "cross_entropy": Part("lab.layers.unreduced_cross_entropy, backward", functions.cross_entropy),
    "divergence": Part("torch's divergence, as in distillation", functions.divergence),
    "filters": Part("lab.decoding.filters: top_k, top_p", functions.filters),
    "graph_of_product": Part("torch's autograd", functions.graph_of_product),
    "half": Part("torch's float16", functions.half),
    "layer_norm": Part("lab.layers.LayerNorm, RMSNorm", functions.layer_norm),
    "linear_attention": Part("lab.layers.decayed_attention", sequences.linear_attention),
    "lstm": Part("architecture lstm: its cell, forward and backward", sequences.lstm),
    "mlp_parameters": Part("architecture mlp: its parameters", networks.mlp_parameters),
    "momentum": Part("optimizer sgd", optimizers.momentum),
    "network": Part("architecture mlp, objective binary", networks.network_of_sample),
    "network_221": Part("architecture mlp", networks.network_221),
    "network_batch": Part("architecture mlp, objective binary", networks.network_batch),
    "network_batch_gradient": Part("architecture mlp, objective binary, backward", networks.network_batch_gradient),
    "network_descent": Part("architecture mlp, objective binary, optimizer sgd", networks.network_descent),
    "network_gradient": Part("architecture mlp, objective binary, backward", networks.network_gradient),
    "network_second_pass": Part("architecture mlp, objective binary, optimizer sgd", networks.network_second_pass),
    "network_step": Part("architecture mlp, objective binary, optimizer sgd", networks.network_step),
    "perceptron": Part("architecture perceptron", networks.perceptron),
    "permute": Part("torch's permute", functions.permute),
    "rnn": Part("architecture rnn: its cell", sequences.rnn),
    "rnn_gradient": Part("architecture rnn: its cell, backward", sequences.rnn_gradient),
    "rotary": Part("lab.layers.rotate", attention.rotary, 1e-5),
    "router": Part("mixer moe: its router", attention.routing),
    "scan": Part("lab.layers.linear_scan", sequences.scan),
    "score": Part("lab.base.units.perplexity", functions.score),
    "sgd_steps": Part("optimizer sgd", optimizers.sgd_steps),
    "sinusoids": Part("lab.layers.sinusoids", attention.sinusoids, 1e-5),
    "sinusoids_rotated": Part("lab.layers.sinusoids", attention.sinusoids_rotated, 1e-5),
    "softmax": Part("lab.decoding.filters.at_temperature", functions.softmax),
    "softmax_columns": Part("torch's softmax", functions.softmax_columns),
    "temperature": Part("lab.decoding.filters.at_temperature", functions.temperature),
}
"""The parts by name."""
