"""The cards of the rules that come with the lab."""

from __future__ import annotations

from functools import partial
from typing import Any

from lab.api import Register, Rule, RuleFunction, hookimpl, load

LAB_API_VERSION = 2


def rule_of(where: str, config: Any) -> RuleFunction:
    """Return a rule without settings, "package.module:function"."""
    del config
    function: RuleFunction = load(where)
    return function


@hookimpl
def lab_register_rules(register: Register[Rule]) -> None:
    """Register the rules."""
    register(
        Rule(
            name="no-number",
            title="No number",
            build=partial(rule_of, "lab.training.rules.losses:no_number"),
            summary="The first tensor and layer that is not finite, if a loss or gradient is no number.",
        )
    )
    register(
        Rule(
            name="divergence",
            title="Divergence",
            build=partial(rule_of, "lab.training.rules.losses:divergence"),
            summary="The training loss rises again, by half of what it had fallen.",
        )
    )
    register(
        Rule(
            name="spikes",
            title="Spikes",
            build=partial(rule_of, "lab.training.rules.losses:spikes"),
            summary="The loss of several batches is far above that of their neighbours.",
        )
    )
    register(
        Rule(
            name="plateau",
            title="Plateau",
            build=partial(rule_of, "lab.training.rules.losses:plateau"),
            summary="The loss stays at that of guessing blindly, or by the frequencies of symbols alone.",
        )
    )
    register(
        Rule(
            name="overfitting",
            title="Overfitting",
            build=partial(rule_of, "lab.training.rules.losses:overfitting"),
            summary="The validation loss rises by a twentieth while the training loss falls.",
        )
    )
    register(
        Rule(
            name="memorised",
            title="Memorised text",
            build=partial(rule_of, "lab.training.rules.losses:memorised"),
            summary="After several passes the training loss is less than half of the validation loss.",
        )
    )
    register(
        Rule(
            name="too-fast",
            title="Learning rate too high",
            build=partial(rule_of, "lab.training.rules.layers:too_fast"),
            summary="In most layers a step changes the weights by more than 15 % of their length.",
        )
    )
    register(
        Rule(
            name="too-slow",
            title="Learning rate too low",
            build=partial(rule_of, "lab.training.rules.layers:too_slow"),
            summary="In most layers a step changes the weights by less than 0.001 % of their length, and the loss "
            "hardly falls.",
        )
    )
    register(
        Rule(
            name="dead-units",
            title="Dead units",
            build=partial(rule_of, "lab.training.rules.layers:dead_units"),
            summary="More than half of the units of a layer stay near zero for all tokens.",
        )
    )
    register(
        Rule(
            name="saturated-gates",
            title="Saturated gates",
            build=partial(rule_of, "lab.training.rules.layers:saturated_gates"),
            summary="More than 85 % of the gates of a layer are nearly shut or open, or of its states at their bounds.",
        )
    )
    register(
        Rule(
            name="vanishing-gradients",
            title="Vanishing gradients",
            build=partial(rule_of, "lab.training.rules.layers:vanishing"),
            summary="The gradient of the first block is less than a thousandth of that of the last one.",
        )
    )
    register(
        Rule(
            name="attention-collapse",
            title="Attention collapse",
            build=partial(rule_of, "lab.training.rules.layers:attention_collapse"),
            summary="The attention of a layer reads a single token, and read many before.",
        )
    )
    register(
        Rule(
            name="expert-collapse",
            title="Expert collapse",
            build=partial(rule_of, "lab.training.rules.layers:expert_collapse"),
            summary="More than half of the experts of a layer get less than a tenth of an equal load.",
        )
    )
    register(
        Rule(
            name="reads-the-future",
            title="Reads the future",
            build=partial(rule_of, "lab.training.rules.data:reads_the_future"),
            summary="The check at the start found that the model reads the tokens it predicts.",
        )
    )
    register(
        Rule(
            name="validation-in-training",
            title="Validation text in the training text",
            build=partial(rule_of, "lab.training.rules.data:validation_in_training"),
            summary="More than half of the validation text stands in the training text, too.",
        )
    )
    register(
        Rule(
            name="unseen-tokens",
            title="Unseen tokens",
            build=partial(rule_of, "lab.training.rules.data:unseen_tokens"),
            summary="More than half of a large vocabulary does not occur in the training text.",
        )
    )
    register(
        Rule(
            name="decayed-norms",
            title="Weight decay on norms",
            build=partial(rule_of, "lab.training.rules.data:decayed_norms"),
            summary="Weight decay applies to the gains or shifts of norms.",
        )
    )
    register(
        Rule(
            name="vanishing-by-lag",
            title="Vanishing gradients over time",
            build=partial(rule_of, "lab.training.rules.layers:vanishing_by_lag"),
            summary="The loss of a token does not depend on tokens 31 back: their gradient is below a millionth.",
        )
    )
    register(
        Rule(
            name="not-shuffled",
            title="Data not shuffled",
            build=partial(rule_of, "lab.training.rules.data:not_shuffled"),
            summary="Successive batches differ less than half as much as distant ones.",
        )
    )
    register(
        Rule(
            name="smoothed-twice",
            title="Labels smoothed twice",
            build=partial(rule_of, "lab.training.rules.data:smoothed_twice"),
            summary="Label smoothing applies to targets that a teacher softens already.",
        )
    )
