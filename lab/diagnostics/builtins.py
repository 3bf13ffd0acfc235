"""Probes and interventions: those that come with the lab."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Intervention, Probe, hookimpl
from lab.diagnostics import explanations
from lab.diagnostics.examples import explanations as example_explanations

LAB_API_VERSION = 2


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probes of the lab, most of which work for models of any architecture."""
    register(
        Probe(
            name="reports",
            title="Reports",
            build="lab.diagnostics.probes:reports",
            summary="Everything the model itself reports in one forward pass over the probe text, or over one row.",
            reads=frozenset({"tokens", "vectors", "images"}),
            explanations=explanations.REPORTS,
        )
    )
    register(
        Probe(
            name="surprise",
            title="Surprise",
            build="lab.diagnostics.probes:surprise",
            summary="The loss in nats of each token of the probe text, given the tokens before it.",
            explanations=explanations.SURPRISE,
        )
    )
    register(
        Probe(
            name="logit-lens",
            title="Logit lens",
            build="lab.diagnostics.lens:logit_lens",
            summary="The prediction of the model if it ended after each block: its top token, the KL divergence to the "
            "final prediction in nats, and the rank of the true next token, NaN where there is none.",
            everywhere=True,
            explanations=explanations.LOGIT_LENS,
        )
    )
    register(
        Probe(
            name="head-scores",
            title="Head scores",
            build="lab.diagnostics.heads:head_scores",
            summary="Where each head reads, as means from the second token on: entropy in bits, mean distance in "
            "tokens, and its shares on the previous token, on the first, and, in a repeated random sequence, on the "
            "same token and on the one after it; NaN where a layer has fewer heads. The maps of layers without heads "
            "have a card of their own.",
            everywhere=True,
            explanations=explanations.HEAD_SCORES,
        )
    )
    register(
        Probe(
            name="rollout",
            title="Attention rollout",
            build="lab.diagnostics.flow:rollout",
            summary="The share of each token at each position after all layers, if every layer passes on half of its "
            "input and mixes the other half by the mean of its heads.",
            everywhere=True,
            explanations=explanations.ROLLOUT,
        )
    )
    register(
        Probe(
            name="influence",
            title="Influence",
            build="lab.diagnostics.flow:influence",
            summary="How strongly each token affects the prediction at each position, for models of every kind: the "
            "norm of a logit's gradient, or the change of log p when the token is replaced. Compare models by rows.",
            everywhere=True,
            explanations=explanations.INFLUENCE,
        )
    )
    register(
        Probe(
            name="state",
            title="State",
            build="lab.diagnostics.state.spectrum:state",
            summary="The norm of each layer's state after each token, and the effective rank of a state that is a "
            "matrix, which is its number of directions in use; NaN where it is not finite.",
            everywhere=True,
            explanations=explanations.STATE,
        )
    )
    register(
        Probe(
            name="eigenvalues",
            title="Eigenvalues",
            build="lab.diagnostics.state.eigenvalues:eigenvalues",
            summary="The eigenvalues of the matrix by which one token multiplies the state of each recurrent layer, in "
            "the complex plane: inside the unit circle a state fades; NaN where a matrix is not finite.",
            everywhere=True,
            explanations=explanations.EIGENVALUES,
        )
    )
    register(
        Probe(
            name="memory",
            title="Memory by lag",
            build="lab.diagnostics.state.memory:memory",
            summary="How much the state of each layer retains of earlier tokens, by lag: how much the token affects "
            "it, relative to the last token, and how often a linear probe recovers it, compared with chance; NaN where "
            "a state is not finite or the last token does not affect it.",
            everywhere=True,
            explanations=explanations.MEMORY,
        )
    )
    register(
        Probe(
            name="predictions",
            title="Predictions",
            build="lab.diagnostics.examples.predictions:predictions",
            summary="What the model predicts for one row; and for up to 1,000 rows of the validation split its matrix "
            "of confusion, ROC curves, calibration (NaN where no prediction falls), or the fit with its residuals.",
            everywhere=True,
            reads=frozenset({"vectors", "images"}),
            explanations=example_explanations.PREDICTIONS,
        )
    )
    register(
        Probe(
            name="plane",
            title="Decision surface",
            build="lab.diagnostics.examples.plane:plane",
            summary="What a model of two numbers gives everywhere in their plane, what each of its hidden units hands "
            "on there, and the regions in which it is linear; nothing for more numbers.",
            everywhere=True,
            reads=frozenset({"vectors"}),
            explanations=example_explanations.PLANE,
        )
    )


@hookimpl
def lab_register_interventions(register: Callable[[Intervention], None]) -> None:
    """Register the interventions that switch off or replace values at the hook points of a model."""

    def add(
        name: str, title: str, targets: str, apply: str, summary: str, singular: str = "", plural: str = ""
    ) -> None:
        register(Intervention(name, title, apply, summary=summary, targets=targets, singular=singular, plural=plural))

    where = "lab.diagnostics.interventions"

    add("head", "Head", f"{where}:head_targets", f"{where}:without_heads",
        "head:B.H: the output of head H of block B is zero (Michel et al. 2019).",
        "head {n}", "heads")  # fmt: skip
    add("layer", "Block", f"{where}:layer_targets", f"{where}:without_layers",
        "layer:B: block B is skipped, and only the residual stream passes.",
        "block {n}", "blocks")  # fmt: skip
    add("mixer", "Mixer", f"{where}:mixer_targets", f"{where}:without_mixers",
        "mixer:B.token or mixer:B.channel: this mixer of block B adds nothing to the residual stream.",
        "the {n} mixer", "mixers")  # fmt: skip
    add("residual", "Residual connection", f"{where}:residual_targets", f"{where}:without_residuals",
        "residual:B.token or residual:B.channel: behind this mixer of block B, the stream is only what it "
        "computes; what bypasses it is dropped (He et al. 2016).",
        "the residual connection around the {n} mixer", "residual connections")  # fmt: skip
    add("unit", "Unit", f"{where}:unit_targets", f"{where}:without_units",
        "unit:B.N: unit N of block B is zero, of its feed-forward layer or of its recurrent state.",
        "unit {n}", "units")  # fmt: skip
    add("channel", "Channel", f"{where}:channel_targets", f"{where}:without_channels",
        "channel:B.N: channel N of the state that block B carries is zero at every token; what bypasses the state "
        "stays.",
        "channel {n}", "channels")  # fmt: skip
    add("mean", "Mean over a text", f"{where}:mean_targets", f"{where}:with_means",
        "mean:head:B.H, mean:unit:B.N, …: the value is its mean over a reference text (Wang et al. 2023).")  # fmt: skip
    add("other", "Value of another text", f"{where}:other_targets", f"{where}:with_others",
        "other:head:B.H, other:mixer:B.token, …: the value is that of a reference text at the same position; after "
        "its end it is unchanged (activation patching, Meng et al. 2022).")  # fmt: skip
