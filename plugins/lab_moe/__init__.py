"""Mixtures of experts: a router sends each token to a few of many feed-forward networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lab.api import Architecture, CheckpointFormat, Intervention, Mixer, Probe, Task, View, counted, hookimpl
from lab_moe import explanations
from lab_moe.baselines import BASELINES
from lab_moe.presets import PRESETS
from lab_moe.settings import ExpertSettings, MoeConfig
from lab_moe.sizes import SIZES

LAB_API_VERSION = 2
ROUTING, GATES = "routing", "gates"
"""The readings of a layer of experts: the router's probabilities, and the factors on the experts' outputs."""
FLOAT = 4
"""Bytes of a number."""
SUMMARY = (
    "A router sends each token to a few of many feed-forward networks, the experts: all of them add parameters, but "
    "only the few cost computation."
)
EQUATIONS = (
    r"y = \sum_{i \in \mathcal{T}} g_i(x)\, E_i(x) + \sum_j S_j(x), \qquad"
    r" \mathcal{T} = \mathrm{top}_k\, p(x), \qquad p(x) = \mathrm{softmax}(W_r x)",
    r"g_i(x) = p_i(x) \,/\, \sum_{j \in \mathcal{T}} p_j(x)",
    r"L_{\mathrm{balance}} = N \sum_i f_i P_i, \qquad"
    r" f_i = \text{share of the choices}, \quad P_i = \text{mean of } p_i",
)
SYMBOLS = {
    "x": "the input at a token",
    "y": "the output at this token",
    "E_i": "expert i, a feed-forward layer",
    "S_j": "shared expert j, which reads every token",
    r"\mathcal{T}": "the experts that the token chooses",
    "k": "how many experts a token chooses",
    "p_i": "the probability that the router gives expert i",
    "W_r": "the matrix of the router",
    "g_i": "the weight of expert i in the output",
    r"L_{\mathrm{balance}}": "the loss that keeps the experts balanced",
    "N": "the number of experts that a token can choose",
    "f_i": "the share of all choices that fell on expert i",
    "P_i": "the mean probability of expert i over the tokens",
}
SYMBOL_PARTS = {
    "y": "experts",
    "E_i": "experts",
    **dict.fromkeys(("p_i", "W_r", "g_i", "f_i", "P_i"), "router"),
}
SYMBOL_SETTINGS = {
    "k": "chosen",
    r"\mathcal{T}": "routing",
    "N": "experts",
    "S_j": "shared",
    r"L_{\mathrm{balance}}": "balance",
}
REFERENCES = (
    "Shazeer et al. 2017, Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer",
    "Fedus et al. 2021, Switch Transformers: Scaling to Trillion Parameter Models with Simple and Efficient Sparsity",
    "Zhou et al. 2022, Mixture-of-Experts with Expert Choice Routing",
    "Zoph et al. 2022, ST-MoE: Designing Stable and Transferable Sparse Expert Models",
    "Jiang et al. 2024, Mixtral of Experts",
    "Dai et al. 2024, DeepSeekMoE: Towards Ultimate Expert Specialization in Mixture-of-Experts Language Models",
    "DeepSeek-AI 2024, DeepSeek-V3 Technical Report",
)


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the architecture of this plugin."""
    register(
        Architecture(
            name="moe",
            title="Mixture of experts",
            family="mixture of experts",
            summary=SUMMARY,
            config=MoeConfig,
            build="lab_moe.model:build",
            presets={name: _complete(preset) for name, preset in PRESETS.items()},
            sizes=SIZES,
            equations=EQUATIONS,
            symbols=SYMBOLS,
            symbol_parts=SYMBOL_PARTS,
            symbol_settings=SYMBOL_SETTINGS,
            references=REFERENCES,
            state_formula=state_formula,
            baselines=BASELINES,
            explanations=explanations.EXPERTS,
        )
    )


@hookimpl
def lab_register_mixers(register: Callable[[Mixer], None]) -> None:
    """Register the layer of experts, for stacks whose blocks a pattern names."""
    register(
        Mixer(
            name="moe",
            title="Experts",
            kind="channel",
            config=ExpertSettings,
            build="lab_moe.model:experts",
            summary=SUMMARY,
            equations=EQUATIONS,
            symbols=SYMBOLS,
            symbol_parts=SYMBOL_PARTS,
            symbol_settings=SYMBOL_SETTINGS,
            references=REFERENCES,
            alone=False,
        )
    )


@hookimpl
def lab_register_checkpoint_formats(register: Callable[[CheckpointFormat], None]) -> None:
    """Register the Hugging Face checkpoints of Mixtral."""
    register(
        CheckpointFormat("mixtral", "Mixtral", "lab_moe.formats:Mixtral", architecture="moe", model_type="mixtral")
    )


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probe of routing."""
    register(
        Probe(
            name="routing",
            title="Routing",
            build="lab_moe.probes:routing",
            labelled="lab_moe.probes:by_token_class",
            explanations=explanations.CLASSES,
            summary="The experts that take each token: load of each, balance (1 is even), entropy and confidence of "
            "the router, experts that take nothing, and experts picked together; NaN where there is nothing to count.",
        )
    )


@hookimpl
def lab_register_interventions(register: Callable[[Intervention], None]) -> None:
    """Register the intervention that switches experts off."""
    register(
        Intervention(
            name="expert",
            title="Expert",
            build="lab_moe.interventions:without_experts",
            targets="lab_moe.interventions:expert_targets",
            singular="expert {n}",
            plural="experts",
            summary="expert:B.N: send the tokens of expert N in block B to the other experts.",
        )
    )


@hookimpl
def lab_register_views(register: Callable[[View], None]) -> None:
    """Register the view of routing, and that of other readings of experts."""
    register(
        View(
            name="routing",
            title="Routing",
            axes=("token", "expert"),
            readings=(ROUTING, GATES),
            build="lab_moe.views.routing:RoutingView",
            foot="lab_moe.views.foot:RoutingFoot",
            summary="The load of each expert, the tokens it takes, and the loss of the model without it.",
            explanation=explanations.ROUTING,
        )
    )
    register(
        View(
            name="experts",
            title="Experts by token",
            axes=("token", "expert"),
            replaces=True,
            build="lab_moe.views.experts:ExpertsView",
            summary="The weights of the experts for each token, and the load of each expert.",
        )
    )


def state_formula(config: MoeConfig, task: Task) -> tuple[str, int]:
    """Return the formula and size of the keys and values of all layers; experts have no state."""
    heads, tokens = config.key_value_heads, task.context_length
    if config.window:
        tokens = min(tokens, config.window - 1)
    formula = (
        f"keys and values: 2 × {counted(config.layers, 'layers')} × {counted(heads, 'heads')} × "
        f"{config.each_head} channels × {tokens:,} tokens × {FLOAT} bytes"
    )
    return formula, 2 * config.layers * heads * config.each_head * tokens * FLOAT


def _complete(preset: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset with all settings of the architecture, so that it replaces those of an earlier preset."""
    return {**preset, "architecture": MoeConfig(**preset["architecture"]).model_dump(mode="json")}
