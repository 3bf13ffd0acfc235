"""The check at the start of a training that a model reads no later token: its time, and whom it accuses."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe

SEEDS = (0, 1, 2)
TEXT = "the cat sat on the mat. a dog ran to the hat. no cat sits on a dog.\n" * 100
SHAPE = {"layers": 2, "width": 96}
"""Size of each model that has these settings, instead of that of its preset."""
CONTEXT = 128
ROUNDS = 3
"""Measurements of each with the first seed; the smallest counts, as disturbances only add time."""
CORPORA = {
    "causal": {"name": "text", "text": TEXT},
    "carried": {"name": "text", "text": TEXT},
    "sequence-to-sequence": {"name": "reversal"},
}
"""The objectives whose models may say that they are causal, each with a corpus."""


def causality(
    models: Sequence[str], report: Callable[[str], None] = lambda _: None, plugins: Plugins | None = None
) -> dict[str, Any]:
    """Measure the check for the default settings and each preset of architectures, and whom it accuses.

    Args:
        models: Names of architectures; () for all.
        report: Called with a line for each model.
        plugins: The plugins; None for those of the lab.

    Returns:
        "unit", "threads", "context_length" and the values of SHAPE; "models": for each architecture and preset and
        each objective "milliseconds" with the first seed, and "parameters"; "median" and "slowest" of the times;
        "accused" and "failed": what was said of a model, with its seed; "not_checked": the models that do not say that
        they are causal, and those that do not go with this size, with the reason.

    Raises:
        BadInput: There is no such architecture.
    """
    import torch

    cards = (plugins or Plugins(safe_mode=True)).load()
    known = cards.cards("architectures")
    unknown = next((name for name in models if name not in known), None)
    if unknown is not None:
        raise BadInput("there is no such architecture", field="--models", value=unknown, allowed=", ".join(known))
    found: dict[str, Any] = {"accused": {}, "failed": {}, "not_checked": {}}
    measured: dict[str, dict[str, float]] = {}
    for name, recipe in _recipes(models or list(known), cards):
        try:
            one = _checked(name, recipe, cards, found)
        except BadInput as error:
            found["not_checked"][name] = error.problem.line()
            continue
        if one is None:
            found["not_checked"][name] = "its model counts, or says that it reads later tokens"
            continue
        measured[name] = one
        report(f"{name}: {one['milliseconds']:.1f} ms, {one['parameters']:,.0f} parameters")
    times = [one["milliseconds"] for one in measured.values()]
    return {
        "unit": "milliseconds", "threads": torch.get_num_threads(), "context_length": CONTEXT, **SHAPE,
        "seeds": list(SEEDS), "median": statistics.median(times) if times else None,
        "slowest": max(times, default=None), "models": measured, **found,
    }  # fmt: skip


def _recipes(names: Sequence[str], plugins: Plugins) -> Iterator[tuple[str, Recipe]]:
    """Yield a title and a recipe for each architecture, preset and objective."""
    for name in names:
        card = plugins.cards("architectures")[name]
        presets = {"": {}, **card.presets}
        for preset, piece in presets.items():
            settings = {**piece.get("architecture", {}), "name": name}
            settings |= {field: value for field, value in SHAPE.items() if field in card.config.model_fields}
            for objective, corpus in CORPORA.items():
                if objective.replace("carried", "causal") in card.tasks:
                    training = {"batch_size": 2, "context_length": CONTEXT, "device": "cpu", "steps": 1}
                    title = " ".join(filter(None, (name, preset, "" if objective == "causal" else objective)))
                    yield (
                        title,
                        Recipe().with_values(
                            {"corpus": corpus, "objective": {"name": objective}, "training": training},
                            {"architecture": settings},
                        ),
                    )


def _checked(name: str, recipe: Recipe, plugins: Plugins, found: dict[str, Any]) -> dict[str, float] | None:
    """Check a model with each seed. Return its time and size; None if a training does not check it.

    Raises:
        BadInput: It cannot be made with these settings.
    """
    from lab.training.experiment import prepare
    from lab.training.steps.causality import check_causality

    times: list[float] = []
    size = 0
    for seed in SEEDS:
        experiment = prepare(recipe.with_values({"training": {"seed": seed}}), plugins)
        for _ in range(ROUNDS if seed == SEEDS[0] else 1):
            model = experiment.build()
            if model.learns == "counting" or not (model.causal and model.task.causal):
                return None
            size = sum(parameter.numel() for parameter in model.parameters())
            started = time.perf_counter()
            leak, failure = check_causality(experiment, model)
            times.append(1000 * (time.perf_counter() - started))
            for kind, problem in (("accused", leak), ("failed", failure)):
                if problem is not None:
                    found[kind][f"{name}, seed {seed}"] = problem.line()
    return {"milliseconds": min(times[:ROUNDS]), "parameters": size}
