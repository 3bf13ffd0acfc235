"""The names of gauges and of the parts of a step, and what they mean, in the language of the window."""

from __future__ import annotations

from lab.runs.metrics.gauges import (
    ACTIVATION_KURTOSIS,
    ACTIVATION_LARGEST,
    ACTIVATION_MEAN,
    ACTIVATION_RMS,
    ATTENTION_ENTROPY,
    DEAD_UNITS,
    GRADIENT_BY_LAG,
    GRADIENT_NORM,
    RESIDUAL_SHARE,
    SATURATED_UNITS,
    SPECTRAL_NORM,
    UNUSED_EXPERTS,
    UPDATE_RATIO,
    WEIGHT_NORM,
)
from lab.widgets.core.i18n import tr


def gauge_title(name: str) -> str:
    """Return the title of a gauge by its name."""
    titles = {
        GRADIENT_NORM.name: tr("Gradient norm"),
        UPDATE_RATIO.name: tr("Update ratio"),
        WEIGHT_NORM.name: tr("Weight norm"),
        SPECTRAL_NORM.name: tr("Spectral norm"),
        ACTIVATION_MEAN.name: tr("Activation mean"),
        ACTIVATION_RMS.name: tr("Activation RMS"),
        ACTIVATION_KURTOSIS.name: tr("Activation kurtosis"),
        ACTIVATION_LARGEST.name: tr("Largest activation"),
        DEAD_UNITS.name: tr("Dead units"),
        SATURATED_UNITS.name: tr("Saturated units"),
        ATTENTION_ENTROPY.name: tr("Attention entropy"),
        RESIDUAL_SHARE.name: tr("Residual share"),
        UNUSED_EXPERTS.name: tr("Unused experts"),
        GRADIENT_BY_LAG.name: tr("Gradient by lag"),
    }
    return titles.get(name, name)


def gauge_hint(name: str) -> str:
    """Return a sentence about what a gauge measures."""
    hints = {
        GRADIENT_NORM.name: tr("Length of the gradient of each layer, before clipping."),
        UPDATE_RATIO.name: tr("Length of the change of a layer's weights in one step over that of the weights. "
                              "About 0.001 is usual; far more is too fast, far less hardly learns."),
        WEIGHT_NORM.name: tr("Length of the weights of each layer."),
        SPECTRAL_NORM.name: tr("Largest singular value of the matrices of each layer: by how much it can stretch."),
        ACTIVATION_MEAN.name: tr("Mean of what each layer gives out."),
        ACTIVATION_RMS.name: tr("Root mean square of what each layer gives out."),
        ACTIVATION_KURTOSIS.name: tr("Fourth moment over the squared variance: 3 for a normal distribution, "
                                     "more with outliers."),
        ACTIVATION_LARGEST.name: tr("Largest absolute value that each layer gives out."),
        DEAD_UNITS.name: tr("Share of the units of a feed-forward layer that stay near zero for all tokens."),
        SATURATED_UNITS.name: tr("Share of gates that are nearly shut or open, or of states at their bound."),
        ATTENTION_ENTROPY.name: tr("Mean entropy of the attention weights: 0 bits reads a single token."),
        RESIDUAL_SHARE.name: tr("Size of what a block adds over the size of the stream behind it."),
        UNUSED_EXPERTS.name: tr("Share of experts that get less than a tenth of an equal load."),
        GRADIENT_BY_LAG.name: tr("How much the loss of the last of 32 tokens depends on those before it, over that of "
                                 "the one just read. Rows are lags in tokens."),
    }  # fmt: skip
    return hints.get(name, "")


def part_title(part: str) -> str:
    """Return the title of a part of a step."""
    titles = {
        "data": tr("data"),
        "forward": tr("forward pass"),
        "backward": tr("backward pass"),
        "optimizer": tr("optimizer"),
        "gauges": tr("gauges"),
        "between steps": tr("between steps"),
    }
    return titles.get(part, part)


def kind_title(kind: str) -> str:
    """Return the title of what a histogram counts."""
    titles = {
        "weights": tr("weights"),
        "gradients": tr("gradients"),
        "updates": tr("updates"),
        "activations": tr("activations"),
    }
    return titles.get(kind, kind)
