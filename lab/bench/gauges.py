"""The gauges: what all of them cost a training, over the same training without them, and what each group takes."""

from __future__ import annotations

from typing import Any

from lab.bench.pairs import compare
from lab.bench.training import endless, make_steps, paused_training
from lab.host import Plugins

STEPS = 60
"""Steps per measurement: three measurements of each layer at the default of every 20 steps."""
STEPS_OF_RUN = 2000
"""Steps of the run, which determine how often histograms are recorded."""
PRESETS = (("transformer", "nanogpt-cpu"), ("lstm", "small"))
"""Architectures and presets that are measured; the first one is the headline."""


def gauges(pairs: int) -> dict[str, Any]:
    """Measure tokens per second of a training with all gauges that are on by default, over the same without any.

    Args:
        pairs: Measurements of each side.

    Returns:
        "ratio" and "spread" as of `compare`, "cost" (1 − ratio), and for each preset in "rows" also the share of the
        training time that each group of gauges takes.
    """
    rows = [_measured(*named, pairs) for named in PRESETS]
    return {**{name: rows[0][name] for name in ("cost", "ratio", "spread", "pairs")}, "rows": rows}


def _measured(architecture: str, preset: str, pairs: int) -> dict[str, Any]:
    from lab.training.steps.hooks import NoObserver

    recipe = endless(Plugins(safe_mode=True), architecture, preset)
    recipe = recipe.with_values({"training": {"steps": STEPS_OF_RUN}})
    with paused_training(recipe) as trainer:
        learner: Any = trainer.learner  # that of a model that learns by gradient
        observer = learner.observer
        tokens = STEPS * learner.training.batch_size * learner.training.context_length
        nothing = NoObserver()

        def measured(watching: Any) -> float:
            learner.observer = watching
            before = trainer.seconds
            make_steps(trainer, STEPS)
            return float(tokens / (trainer.seconds - before))

        measured(observer), measured(nothing)  # the first steps of both are slower
        groups, timed = dict(observer.seconds), 0.0

        def with_gauges() -> float:
            nonlocal timed
            before = trainer.seconds
            speed = measured(observer)
            timed += trainer.seconds - before
            return speed

        pairs = min(pairs, (STEPS_OF_RUN // STEPS - 2) // 2)
        found = compare(with_gauges, lambda: measured(nothing), pairs)
        shares = {group: (seconds - groups[group]) / timed for group, seconds in observer.seconds.items()}
    return {"model": architecture, "preset": preset, "cost": 1 - found["ratio"], **found, "shares": shares}
