"""Optimizers compared on one model: the rate of each from the same small search, over seeds, on the same tokens."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lab.api import Optimizer
from lab.base import BadInput, LabError
from lab.host import Plugins
from lab.recipes import Recipe

PRESET = ("transformer", "nanogpt-cpu")
"""Architecture and preset that are trained."""
STEPS = 300
"""Steps of each training, unless another number is asked for."""
FACTORS = (0.1, 0.3, 1.0, 3.0)
"""Rates of the search, relative to the default of each optimizer."""
STRIDE, BEYOND = 3.0, 6
"""Factor between rates beyond an end of the search, and how many are tried while the best is at an end."""
SEARCH = 3
"""A training of the search has a fraction of the steps: one over this."""
WARMUP = 10
"""The rate grows for a fraction of the steps: one over this."""
SEEDS = (0, 1, 2)
EVALUATED = 50_000
"""Targets of the validation text on which losses are measured."""


def optimizers(names: Sequence[str], steps: int, report: Callable[[str], object]) -> dict[str, Any]:
    """Compare the optimizers that need no full batch.

    Every optimizer gets the preset's model, batches and schedule, and the rate that has the lowest validation loss
    after a third of the steps, of four rates around its default, and of up to six more while the best is at an end.
    Then it trains with three seeds.

    Args:
        names: The optimizers; none means all.
        steps: Steps of a training.
        report: Called with a line after each training.

    Returns:
        "steps", "tokens", "floors" of the text; and by optimizer "rate", "search" (loss by rate), "losses" by seed,
        "mean", "deviation" and "milliseconds" of a step.

    Raises:
        BadInput: There is no such optimizer, or the number of steps is not allowed.
    """
    if not 10 <= steps <= 1_000_000:
        raise BadInput("is not allowed", field="--steps", value=str(steps), allowed="10 to 1,000,000")
    plugins = Plugins(safe_mode=True)
    cards: dict[str, Optimizer] = {
        name: card
        for name, card in plugins.cards("optimizers").items()
        if isinstance(card, Optimizer) and not card.full_batch
    }
    unknown = [name for name in names if name not in cards]
    if unknown:
        raise BadInput("there is no such optimizer", field="--models", value=unknown[0], allowed=", ".join(cards))
    found: dict[str, Any] = {"preset": PRESET[1], "steps": steps, "optimizers": {}}
    for name in names or cards:
        found["optimizers"][name] = _compared(name, cards[name], steps, plugins, report, found)
    ranked = sorted(found["optimizers"].items(), key=lambda item: item[1]["mean"] if item[1]["mean"] else math.inf)
    found["ranking"] = [name for name, _ in ranked]
    return found


def _compared(
    name: str, card: Optimizer, steps: int, plugins: Plugins, report: Callable[[str], object], found: dict[str, Any]
) -> dict[str, Any]:
    """Search for a rate, and train with every seed."""
    default = float(card.config().learning_rate)  # type: ignore[attr-defined]
    search: dict[float, float] = {}

    def tried(rate: float) -> float:
        if rate not in search:
            search[rate], _ = _trained(name, rate, 0, max(5, steps // SEARCH), steps, plugins, found)
            report(f"{name}: {search[rate]:.4f} at {rate:.3g} after {max(5, steps // SEARCH)} steps")
        return search[rate]

    rates = [float(f"{default * factor:.2g}") for factor in FACTORS]
    best = min(rates, key=tried)
    for _ in range(BEYOND):
        if best not in (min(rates), max(rates)):
            break
        rates.append(float(f"{best * (1 / STRIDE if best == min(rates) else STRIDE):.2g}"))
        best = min(rates, key=tried)
    losses, milliseconds = [], []
    for seed in SEEDS:
        loss, ms = _trained(name, best, seed, steps, steps, plugins, found)
        losses.append(loss)
        milliseconds.append(ms)
        report(f"{name}: {loss:.4f} with seed {seed} at {best:.3g}, {ms:.3g} ms a step")
    is_known = all(map(math.isfinite, losses))
    return {
        "rate": best,
        "search": {f"{rate:.3g}": loss if math.isfinite(loss) else None for rate, loss in sorted(search.items())},
        "losses": [loss if math.isfinite(loss) else None for loss in losses],
        "mean": float(np.mean(losses)) if is_known else None,
        "deviation": float(np.std(losses, ddof=1)) if is_known else None,
        "milliseconds": float(np.median(milliseconds)),
    }


def recipe_of(plugins: Plugins, name: str, rate: float, seed: int, steps: int) -> Recipe:
    """Return the recipe of a training: the preset with this optimizer and rate, whose schedule ends at `steps`."""
    architecture, preset = PRESET
    quiet = {"steps": steps, "seed": seed, "device": "cpu", "evaluate_every": 0, "sample_tokens": 0}
    recipe = Recipe().with_values(
        {"architecture": {"name": architecture}},
        plugins.card("architectures", architecture).presets[preset],
        {"corpus": {"name": "python-manual"}, "tokenizer": {"name": "character"}, "training": quiet},
        {"readings": {"moments": 0, "gauges_every": 0}},
    )
    optimizer = f"training.optimizer={{name='{name}',learning_rate={rate!r}}}"
    return recipe.with_assignments(optimizer, f"training.schedule.warmup={max(1, steps // WARMUP)}")


def _trained(
    name: str, rate: float, seed: int, until: int, steps: int, plugins: Plugins, found: dict[str, Any]
) -> tuple[float, float]:
    """Train for `until` of the steps; return the validation loss, infinite if it is no number, and ms per step."""
    from lab.training.evaluation import evaluate
    from lab.training.experiment import prepare
    from lab.training.trainer import Trainer

    experiment = prepare(recipe_of(plugins, name, rate, seed, until), plugins)
    trainer = Trainer(experiment)
    started = time.perf_counter()
    try:
        for _ in range(until):
            trainer.advance()
    except LabError:
        return math.inf, 0.0
    milliseconds = 1000 * (time.perf_counter() - started) / until
    assert experiment.validation is not None
    device = experiment.placement.device
    measured = evaluate(
        trainer.model, experiment.objective, experiment.validation, protocol="windows", device=device, limit=EVALUATED
    )
    found["tokens"] = steps * experiment.recipe.training.batch_size * experiment.recipe.training.context_length
    found["floors"] = dict(experiment.floors)
    return (measured.loss if math.isfinite(measured.loss) else math.inf), milliseconds
