"""The training loop of an exported script, from the text to the last loss, which is copied into the script."""

from __future__ import annotations

import argparse
import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from lab.api import Objective, State
from lab.base.torch_lock import own_draws
from lab.layers import AuxiliaryLosses, LanguageModel
from lab.training.amounts.warmups import batch_size_at, context_at, shortened
from lab.training.devices import use_float32
from lab.training.experiment import INITIAL_WEIGHTS
from lab.training.optimizers.groups import (
    decaying_parameters,
    freeze,
    note_live_values,
    note_rates,
    parameter_groups,
    set_in_groups,
    set_rates,
)
from lab.training.optimizers.points import look_ahead, look_back, make_update, needs_closure
from lab.training.schedules.factors import momentum_of, note_loss
from lab.training.steps.averaging import WeightAverage
from lab.training.steps.clipping import GradientNorms
from lab.training.steps.compiling import CompiledBlocks
from lab.training.steps.gradient import DRAWN_LABELS, STEPS
from lab.training.steps.hooks import StepHooks
from lab.training.steps.loss_scale import LossScale
from lab.training.steps.pace import set_momentum
from lab.training.steps.regularising import add_l1, add_noise


@dataclass
class Plan:
    """Everything that determines a training.

    Args:
        data: The text or the rows: `read(plan, file)` returns the training and validation splits.
        objective: The objective of the training.
        training: Settings of the training.
        architecture: Settings of the model; live ones are read at use.
        build: Makes the model from its settings and a task.
        optimizer: Settings of the optimizer.
        make_optimizer: Makes it from its settings, the groups of parameters and a device.
        roles: Whether there is a group for each role, layer, width and decay.
        schedule: Settings of the learning-rate schedule.
        make_schedule: Makes the factor of the learning rate by step from its settings and the number of steps.
        pieces: (model, objective, validation text, device, number of targets or 0 for all) -> nats, targets and
            metrics, piece by piece.
        protocol: Name of the protocol of these pieces.
        precision: Number format of matrix products: "float32", "tf32", "bfloat16" or "float16".
        threads: Number of processor threads.
        device: The device of the run.
        edits: By step, the changes before it: (path of the setting, value).
        recorded: The values that the run recorded: by series and step.
        weights: The weights in force of the parts of a mixture; {} for other data.
        recut: Cuts carried states into other pieces; None if none are carried.
    """

    data: Any
    objective: Objective
    training: Any
    architecture: Any
    build: Callable[..., LanguageModel]
    optimizer: Any
    make_optimizer: Callable[..., torch.optim.Optimizer]
    roles: bool
    schedule: Any
    make_schedule: Callable[..., Callable[[int], float]]
    pieces: Callable[..., Iterator[tuple[torch.Tensor, torch.Tensor, Any]]]
    protocol: str
    precision: str
    threads: int
    device: str
    edits: Mapping[int, list[tuple[str, Any]]] = field(default_factory=dict)
    recorded: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    recut: Callable[..., dict[int, State]] | None = None


class Repetition:
    """The training of a plan in progress."""

    def __init__(self, plan: Plan, file: Path, device: torch.device, every: int) -> None:
        self.plan, self.training, self.device, self.every = plan, plan.training, device, every
        self.source, self.validation = plan.data.read(plan, file)
        with own_draws(self.training.seed, INITIAL_WEIGHTS):
            self.model = plan.build(plan.architecture, plan.objective.task(self.source)).to(device)
        if self.training.recompute or self.training.loss_chunk:
            self.model.recompute, self.model.loss_chunk = self.training.recompute, self.training.loss_chunk
        freeze(self.model, self.training.frozen)
        self.model.train()
        self.auxiliary = AuxiliaryLosses().attach(self.model)
        self.compiled = CompiledBlocks(self.model, self.training.compile)
        self.norms, self.hooks = GradientNorms(self.model), StepHooks(self.model)
        groups = parameter_groups(self.model, roles=plan.roles)
        self.optimizer = plan.make_optimizer(plan.optimizer, groups, device)
        note_rates(self.optimizer, plan.optimizer.learning_rate)
        note_live_values(self.optimizer, vars(plan.optimizer))
        self.factor = plan.make_schedule(plan.schedule, self.training.steps)
        self.scale = LossScale(plan.precision == "float16")
        self.average = WeightAverage(self.model, self.training, self.training.steps)
        self.decaying = [*decaying_parameters(self.model).values()]
        self.carries: dict[int, State] = {}
        self.examples = 0
        self.largest: dict[str, tuple[float, int]] = {}  # difference from the recorded values, and number of steps

    def run(self) -> None:
        """Make every step, and evaluate at the steps of the run's evaluations."""
        step = 0
        self.make_edits(step)
        while step < self.training.steps:
            loss, norm = self.make_step(step)
            step += 1
            self.compare(step, "train loss", loss)
            self.compare(step, "gradient norm", norm)
            if step % self.every == 0 or step == self.training.steps:
                print(f"step {step}  train loss {loss!r}  gradient norm {norm!r}", flush=True)  # noqa: T201
            every = self.training.evaluate_every
            if every and step % every == 0 and step < self.training.steps:
                self.evaluate(step, self.training.evaluate_tokens)
            self.make_edits(step)
        self.evaluate(step, 0)
        for series, (difference, points) in self.largest.items():
            print(f"largest difference from the recorded {series}: {difference!r} at {points} steps")  # noqa: T201

    def make_step(self, step: int) -> tuple[float, float]:
        """Make one optimizer update; return its loss (nats per target) and the norm of its gradient."""
        plan, training = self.plan, self.training
        look_ahead(self.optimizer)
        size = batch_size_at(training, step)
        numbers, carries = np.arange(self.examples, self.examples + size), dict(self.carries)
        total = self.accumulate(step, numbers)
        self.scale.unscale(self.model.parameters())
        add_l1(self.decaying, training.l1)
        limit = 0.0 if needs_closure(self.optimizer) else training.clip
        norms = self.norms.measure_and_clip(limit, training.clip_by)
        add_noise(self.model.parameters(), training.gradient_noise, training.noise_decay, training.seed, step)
        self.examples += size
        loss_value, norm = float(total), float(norms[0])
        if self.scale.enabled and math.isfinite(loss_value) and not self.scale.fits(norm):
            self.optimizer.zero_grad(set_to_none=True)
            look_back(self.optimizer)
            self.hooks.call()
            self.average.add(step + 1)
            return loss_value, norm
        if not math.isfinite(loss_value + norm):
            raise SystemExit(f"step {step + 1}: the loss is {loss_value}, the gradient norm {norm}")
        set_rates(self.optimizer, plan.optimizer.learning_rate, self.factor(step))
        momentum = momentum_of(self.factor, step)
        if momentum is not None:
            set_momentum(self.optimizer, momentum)
        known = [total]

        def closure() -> torch.Tensor:
            if known:
                return known.pop()
            self.optimizer.zero_grad(set_to_none=True)
            again = self.accumulate(step, numbers)
            add_l1(self.decaying, training.l1)
            return again

        make_update(self.optimizer, closure, lambda: self.draw(step, numbers, carries))
        self.optimizer.zero_grad(set_to_none=True)
        self.hooks.call()
        self.average.add(step + 1)
        return loss_value, norm

    def accumulate(self, step: int, numbers: np.ndarray) -> torch.Tensor:
        """Add up the gradients of the pieces of a step's examples; return the loss, nats per target."""
        plan, training, batches = self.plan, self.training, self.batches(step, numbers)
        weight = max(1, sum(batch.weight for batch in batches))
        total = torch.zeros((), device=self.device)
        with own_draws(training.seed, STEPS, step, device=self.device.type), self.compiled.used():
            for index, batch in enumerate(batches):
                with autocasting(self.device, plan.precision):
                    loss = plan.objective.loss(self.model, batch, self.carries.get(index))
                nats = loss.nats.sum() / weight
                total_loss = nats
                for _, value, share, _ in self.auxiliary.take():
                    total_loss = total_loss + (share * batch.weight / weight) * value
                self.scale.scaled(total_loss).backward()  # type: ignore[no-untyped-call]
                total = total + nats.detach()
                if plan.objective.carries:
                    self.carries[index] = loss.carry
        return total

    def draw(self, step: int, numbers: np.ndarray, carries: Mapping[int, State]) -> int:
        """Add the gradients of the mean loss of labels drawn from the model; return how many there are."""
        plan, batches = self.plan, self.batches(step, numbers)
        weight: int = max(1, sum(batch.weight for batch in batches))
        with own_draws(self.training.seed, DRAWN_LABELS, step, device=self.device.type), self.auxiliary.muted():
            for index, batch in enumerate(batches):
                with autocasting(self.device, plan.precision):
                    nats = plan.objective.drawn_loss(self.model, batch, carries.get(index))
                assert nats is not None  # as for the run
                self.scale.scaled(nats.sum() / weight).backward()  # type: ignore[no-untyped-call]
        self.scale.unscale(self.model.parameters())
        return weight

    def batches(self, step: int, numbers: np.ndarray) -> list[Any]:
        """Return the pieces of a step's examples."""
        plan, training = self.plan, self.training
        parts = np.array_split(numbers, min(training.accumulation, len(numbers)))
        batches = [plan.objective.batch(self.source, part, training.seed) for part in parts]
        context = context_at(training, step)
        if context < training.context_length:
            batches = [shortened(batch, context) for batch in batches]
        return [batch.to(self.device) for batch in batches]

    def make_edits(self, step: int) -> None:
        """Apply the changes that the run made after `step` steps."""
        for path, value in self.plan.edits.get(step, ()):
            self.edit(path, value)

    def edit(self, path: str, value: Any) -> None:
        """Change a live setting, "training.clip", between two steps."""
        section, _, name = path.partition(".")
        if section == "corpus":
            self.plan.weights[name.removesuffix(".weight")] = value
            return
        owner = {"training": self.training, "architecture": self.plan.architecture}[section]
        if name.startswith("optimizer."):
            owner, name = self.plan.optimizer, name.removeprefix("optimizer.")
            set_in_groups(self.optimizer, name, value)
        *outer, last = name.split(".")
        for part in outer:
            owner = getattr(owner, part)
        setattr(owner, last, value)
        if path == "training.accumulation" and self.plan.recut:
            self.carries = self.plan.recut(self.carries, self.training)
        elif path == "training.steps":
            self.factor = self.plan.make_schedule(self.plan.schedule, value)
            self.average.end_at(value)

    @torch.no_grad()
    def evaluate(self, step: int, limit: int) -> None:
        """Compute the validation loss of at most `limit` targets, 0 for all; of a mixture the weighted mean by part."""
        self.model.eval()
        source, scored = self.validation, 0
        parts, shares = [source], [1.0]
        if self.plan.weights:
            parts, shares = list(source.parts.values()), source.shares().tolist()
        losses = []
        with autocasting(self.device, self.plan.precision):
            for part in parts:
                nats, targets = 0.0, 0
                pieces = self.plan.pieces(self.model, self.plan.objective, part, self.device, -(-limit // len(parts)))
                for piece, wanted, _ in pieces:
                    nats += float(piece.double().sum())
                    targets += int((wanted >= 0).sum())
                losses.append(nats / targets)
                scored += targets
        self.model.train()
        loss = sum(share * one for share, one in zip(shares, losses, strict=True)) / sum(shares)
        self.compare(step, "validation loss", loss)
        if step < self.training.steps:
            note_loss(self.factor, loss)
        print(f"step {step}  validation loss {loss!r}  ({self.plan.protocol}, {scored} targets)", flush=True)  # noqa: T201

    def compare(self, step: int, series: str, value: float) -> None:
        """Record the largest difference from the run's values."""
        if step in (recorded := self.plan.recorded.get(series, {})):
            largest, points = self.largest.get(series, (0.0, 0))
            self.largest[series] = max(largest, abs(value - recorded[step])), points + 1


def autocasting(device: torch.device, precision: str) -> contextlib.AbstractContextManager[object]:
    """Return a context in which matrix products run in the run's number format."""
    if precision in ("float32", "tf32"):
        return contextlib.nullcontext()
    return torch.autocast(device.type, dtype=getattr(torch, precision))


def main(plan: Plan) -> nn.Module:
    """Read the command line, train, and return the model."""
    parser = argparse.ArgumentParser(description="Repeats a training of the lab without the lab.")
    parser.add_argument("data", type=Path, help="the text of the run, a UTF-8 file, or its rows, an .npz file")
    parser.add_argument("--every", type=int, default=max(1, plan.training.steps // 50), help="steps between two lines")
    parser.add_argument("--device", default=plan.device, help="the device, cpu or cuda (default: %(default)s)")
    parser.add_argument("--save", type=Path, help="a file for the trained weights, in the format of torch.save")
    given = parser.parse_args()
    torch.set_num_threads(plan.threads)
    use_float32(tf32=plan.precision == "tf32")
    if plan.training.deterministic:
        torch.use_deterministic_algorithms(True)
    training = Repetition(plan, given.data, torch.device(given.device), max(1, given.every))
    training.run()
    if given.save:
        torch.save(training.model.state_dict(), given.save)
    return training.model
