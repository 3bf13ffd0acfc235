"""Diagnostics: the probes and interventions of the lab."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Intervention, Probe, hookimpl

LAB_API_VERSION = 1


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """What a model reports, how surprised it is, and what can be found in a model of any architecture."""
    register(
        Probe(
            name="reports",
            title="Reports",
            build="lab.diagnostics.probes:reports",
            summary="Everything the model itself reports in one forward pass over the probe text.",
        )
    )
    register(
        Probe(
            name="surprise",
            title="Surprise",
            build="lab.diagnostics.probes:surprise",
            summary="Nats each token of the probe text costs after those before it.",
        )
    )
    register(
        Probe(
            name="logit-lens",
            title="Logit lens",
            build="lab.diagnostics.lens:logit_lens",
            summary="What the model would guess if it ended after each block: its choice, the KL divergence to the end "
            "in nats, and the rank of the token that came, NaN where none did.",
            everywhere=True,
        )
    )
    register(
        Probe(
            name="head-scores",
            title="Head scores",
            build="lab.diagnostics.heads:head_scores",
            summary="What each head reads: entropy in bits, mean distance in tokens, and its shares on the token "
            "before, on the first, and, in random tokens written twice, on the same token and on what followed it; NaN "
            "where a layer has fewer heads.",
            everywhere=True,
        )
    )
    register(
        Probe(
            name="rollout",
            title="Attention rollout",
            build="lab.diagnostics.flow:rollout",
            summary="What of each token is left at each position after all layers, if every layer keeps half and "
            "mixes half by the mean of its heads.",
            everywhere=True,
        )
    )
    register(
        Probe(
            name="influence",
            title="Influence",
            build="lab.diagnostics.flow:influence",
            summary="How far each token moves the guess at each position, of models of every kind: the norm of the "
            "gradient of a logit, or what log p changes when other tokens stand there. Compare models by rows.",
            everywhere=True,
        )
    )
    register(
        Probe(
            name="state",
            title="State",
            build="lab.diagnostics.state:state",
            summary="Of what each layer carries from token to token: its norm after each token, and its effective rank "
            "where it is a matrix, the number of directions in use; NaN where it is not finite.",
            everywhere=True,
        )
    )
    register(
        Probe(
            name="eigenvalues",
            title="Eigenvalues",
            build="lab.diagnostics.eigenvalues:eigenvalues",
            summary="What one token multiplies the state of each recurrent layer by, as points in the complex plane: "
            "inside the unit circle a state fades; NaN where a matrix is not finite.",
            everywhere=True,
        )
    )
    register(
        Probe(
            name="memory",
            title="Memory by lag",
            build="lab.diagnostics.memory:memory",
            summary="What the state of each layer still knows of the token some tokens before: how far that one moves "
            "it, over how far the last one does, and how often a linear probe reads it right, beside chance; NaN where "
            "a state is not finite or the last token leaves it alone.",
            everywhere=True,
        )
    )


@hookimpl
def lab_register_interventions(register: Callable[[Intervention], None]) -> None:
    """What can be switched off in a model, or replaced, by what its modules let pass."""

    def add(name: str, title: str, targets: str, apply: str, summary: str) -> None:
        where = "lab.diagnostics.interventions"
        register(Intervention(name, title, f"{where}:{apply}", summary=summary, targets=f"{where}:{targets}"))

    add("head", "Head", "head_targets", "without_heads",
        "head:B.H: what head H of block B reads counts as zero (Michel et al. 2019).")  # fmt: skip
    add("layer", "Block", "layer_targets", "without_layers",
        "layer:B: block B is skipped, and only the residual stream passes.")  # fmt: skip
    add("mixer", "Mixer", "mixer_targets", "without_mixers",
        "mixer:B.token or mixer:B.channel: this mixer of block B adds nothing to the residual stream.")  # fmt: skip
    add("unit", "Unit", "unit_targets", "without_units",
        "unit:B.N: unit N of block B is zero, of its feed-forward layer or of its recurrent state.")  # fmt: skip
    add("channel", "Channel", "channel_targets", "without_channels",
        "channel:B.N: what channel N of a state space model's state gives out in block B is zero.")  # fmt: skip
    add("mean", "Mean over a text", "mean_targets", "with_means",
        "mean:head:B.H, mean:unit:B.N, …: the value is its mean over a reference text (Wang et al. 2023).")  # fmt: skip
    add("other", "Value of another text", "other_targets", "with_others",
        "other:head:B.H, other:mixer:B.token, …: the value is that of a reference text at the same position; behind "
        "its end it stays (activation patching, Meng et al. 2022).")  # fmt: skip
