"""Checks of what trains a model: objectives, optimizers, learning-rate schedules."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.api import Batch, Loss, ModelConfig, Objective, Source, State, Task, settings_of, tensors_of
from lab.testing.check import remedied, require, require_same
from lab.testing.checks.learning import change_to_another
from lab.testing.registration_case import RegistrationCase, registration_check, use_of
from lab.testing.tiny import CONTEXT, ROWS, VOCABULARY, Small, small_model, source_for
from lab.training.optimizers.groups import (
    OF_SETTINGS,
    OptimizerState,
    note_live_values,
    note_rates,
    parameter_groups,
    set_in_groups,
    set_rates,
)
from lab.training.optimizers.points import make_update
from lab.training.recording.checkpoints import load_training, save_checkpoint
from lab.training.steps.live import live_settings

SEED = 3
EXAMPLES = np.arange(ROWS, 2 * ROWS)
"""The indices of the examples of the second step."""

ROOM = (
    "add one symbol to Task.vocabulary_size for each name in `symbols`, and get its index from self.symbol(source, "
    "name)"
)

# ---- objectives


def opened(case: RegistrationCase, config: ModelConfig | None = None) -> tuple[Objective, Source]:
    """Return an objective and its source."""
    objective = case.make(config=config)
    remedy = "make it a subclass of lab.api.Objective, and return an instance"
    require(isinstance(objective, Objective), f"the factory returns a {type(objective).__name__}", remedy)
    return objective, case.source or source_for(objective)


def loss_of(case: RegistrationCase, objective: Objective, source: Source, batch: Batch, carry: State = None) -> Loss:
    """Return the loss of a batch with the given model, or with a small one for the objective's task."""
    with torch.enable_grad(), torch.random.fork_rng():
        torch.default_generator.manual_seed(0)
        model = small_model(objective.task(source)) if case.model is None else case.model
        return objective.loss(model, batch, carry)


@use_of("objectives")
def scored(case: RegistrationCase, config: ModelConfig | None = None) -> tuple[Batch, Loss]:
    """Return one batch and its loss."""
    objective, source = opened(case, config)
    batch = objective.batch(source, EXAMPLES, SEED)
    return batch, loss_of(case, objective, source, batch)


@registration_check("objectives", name="contract", after="card")
def gives_batches(case: RegistrationCase) -> None:
    """A batch has a row per example, its weight is the number of scored targets, and its symbols fit the task."""
    objective, source = opened(case)
    task = objective.task(source)
    require(isinstance(task, Task), f"task(source) returns a {type(task).__name__}", "return a lab.api.Task")
    room, own = source.vocabulary_size + len(objective.symbols), len(objective.symbols)
    few = (
        f"the task has {task.vocabulary_size} symbols: the tokenizer has {source.vocabulary_size}, the objective {own}"
    )
    require(task.vocabulary_size >= room, few, ROOM)
    ordered = source.ordered()
    ends = np.arange(ordered.examples)[-ROWS:]  # the last row of a text is shorter than the others
    for what, split, examples in (("training", source, EXAMPLES), ("evaluation", ordered, ends)):
        check_batch(objective.batch(split, examples, SEED), task, len(examples), f"the batch of {what}")


def check_batch(batch: Any, task: Task, rows: int, where: str) -> None:
    """Raise Broken unless a batch is as the trainer and a model of this task require."""
    require(isinstance(batch, Batch), f"{where} is a {type(batch).__name__}", "return a lab.api.Batch")
    remedy = 'pass inputs by name, Batch({"tokens": …}, targets, weight), as tensors on the CPU'
    first = next(iter(batch.inputs), None) if isinstance(batch.inputs, dict) else None
    require(first == "tokens", f"the inputs of {where} start with {first!r}, not 'tokens'", remedy)
    every = {**batch.inputs, "targets": batch.targets}
    for name, tensor in every.items():
        right = isinstance(tensor, Tensor) and tensor.device.type == "cpu"
        require(right, f"{name} of {where} is not a tensor on the CPU", "use torch.from_numpy(…), and do not move it")
        remedy = "return one row per example, in the order of the examples"
        shape = tuple(tensor.shape)
        require(shape[:1] == (rows,), f"{name} of {where} has the shape {shape} for {rows} examples", remedy)
    kind = torch.float32 if task.outputs is not None else torch.int64
    remedy = f"return targets as {str(kind).removeprefix('torch.')}: torch.from_numpy(targets.astype(…))"
    require(batch.targets.dtype == kind, f"the targets of {where} are {batch.targets.dtype}", remedy)
    count = int(batch.scored.sum())
    remedy = "return the number of scored targets: int((targets >= 0).sum()), for numbers of those that are not NaN"
    right = type(batch.weight) is int and batch.weight == count
    require(right, f"{where} has the weight {batch.weight!r} and {count} scored targets", remedy)
    require(count > 0, f"nothing is scored in {where}", "score at least one target of every batch")
    tokens, size = batch.inputs["tokens"], task.vocabulary_size
    if not tokens.is_floating_point():
        low, high, length = int(tokens.min()), int(tokens.max()), tokens.shape[1]
        remedy = "read rows with np.maximum(rows, 0): −1 pads short rows, and only targets may be < 0"
        require(low >= 0, f"a token of {where} is {low}", remedy)
        require(high < size, f"a token of {where} is {high}, and the task has {size} symbols", ROOM)
        remedy = "return a task with the context length of the batches"
        most = task.context_length
        require(length <= most, f"{where} has {length} tokens, and the context of the task is {most}", remedy)
    if task.outputs is not None:
        wanted = (rows, task.outputs)
        found = tuple(batch.targets.shape)
        require(found == wanted, f"the targets of {where} are {found}", f"return (B, outputs) = {wanted}")
        return
    answers, high = task.classes or size, int(batch.targets.max())
    remedy = "return a task with a symbol, or a class, for every target"
    require(high < answers, f"{where} has the target {high}, and the task {answers} answers", remedy)


@registration_check("objectives", name="rows")
def makes_rows_alone(case: RegistrationCase) -> None:
    """Batches are a function of the example indices: in pieces or in another order the rows are the same."""
    objective, source = opened(case)
    whole = objective.batch(source, EXAMPLES, SEED)
    backwards = objective.batch(source, EXAMPLES[::-1].copy(), SEED)
    pieces = [objective.batch(source, part, SEED) for part in np.split(EXAMPLES, (1, 3))]
    remedy = (
        "draw with lab.api.uniforms(seed, examples, count), and use neither a generator nor the position in the batch"
    )
    for name in (*whole.inputs, "targets"):
        rows = column(whole, name)
        again = column(objective.batch(source, EXAMPLES, SEED), name)
        ways = {
            "a second time": again,
            "in three pieces": torch.cat([column(piece, name) for piece in pieces]),
            "backwards": column(backwards, name).flip(0),
        }
        for how, found in ways.items():
            require(torch.equal(found, rows), f"{name} of the same examples differ when they are drawn {how}", remedy)


def column(batch: Batch, name: str) -> Tensor:
    """Return one tensor of a batch."""
    return batch.targets if name == "targets" else batch.inputs[name]


@registration_check("objectives", name="loss")
def gives_a_loss(case: RegistrationCase) -> None:
    """The loss has finite nats for every target, 0 for unscored ones, and metrics (sum, count)."""
    objective, source = opened(case)
    batch = objective.batch(source, EXAMPLES, SEED)
    loss = loss_of(case, objective, source, batch)
    require(
        isinstance(loss, Loss), f"loss returns a {type(loss).__name__}", "return a lab.api.Loss(nats, metrics, carry)"
    )
    shape = tuple(loss.nats.shape)
    remedy = "return the nats of each target, not their sum or mean: -model.score(tokens, targets)"
    require(shape == tuple(batch.targets.shape), f"nats are {shape} for targets {tuple(batch.targets.shape)}", remedy)
    remedy = "look for a logarithm of zero or a division by zero"
    require(bool(loss.nats.isfinite().all()), "nats are not finite", remedy)
    remedy = "set nats to 0 where targets are negative: nats * (targets >= 0)"
    require(not bool(loss.nats[~batch.scored].any()), "nats are not 0 for unscored targets", remedy)
    remedy = "compute nats with torch from the model's output, without detach, item or no_grad"
    require(loss.nats.requires_grad, "nats have no gradient", remedy)
    for name, metric in loss.metrics.items():
        remedy = "return metrics as pairs (sum, count), the sum detached: {'accuracy': (hits, batch.weight)}"
        right = isinstance(metric, tuple) and len(metric) == 2 and isinstance(metric[1], int) and metric[1] > 0
        require(right, f"the metric {name!r} is {metric!r}", remedy)
        amount = torch.as_tensor(metric[0])
        sound = not amount.requires_grad and bool(amount.isfinite().all())
        require(sound, f"the sum of the metric {name!r} is not a detached, finite tensor", remedy)
        remedy = "return a scalar, or counts (N,) from which the objective's figure(name, mean) computes a scalar"
        figure = objective.figure(name, amount.float() / metric[1])
        single = isinstance(figure, Tensor) and figure.numel() == 1 and bool(figure.isfinite().all())
        require(single, f"the figure of the metric {name!r} is not a finite scalar", remedy)
    remedy = "use another name for this metric"
    require("loss" not in loss.metrics, "a metric is called 'loss', like the loss itself", remedy)


@registration_check("objectives", name="sums", after="loss")
def adds_up(case: RegistrationCase) -> None:
    """Nats and metrics of a batch are the sums over its pieces, unless `compared_rows` says that rows are compared."""
    objective, source = opened(case)
    if objective.compared_rows:
        return
    _, whole = scored(case)
    parts = [objective.batch(source, part, SEED) for part in np.split(EXAMPLES, (1, 3))]
    losses = [loss_of(case, objective, source, part) for part in parts]
    remedy = "compute the nats of each row from that row alone, or say in compared_rows how many are compared"
    require_same(torch.cat([loss.nats for loss in losses]), whole.nats, "nats in three pieces, and at once", remedy)
    for name, (amount, count) in whole.metrics.items():
        counts = sum(loss.metrics[name][1] for loss in losses)
        total = torch.stack([torch.as_tensor(loss.metrics[name][0]) for loss in losses]).sum(dim=0)
        remedy = "return the sum over the targets and their number, not a mean"
        require(counts == count, f"the counts of {name!r} are {counts} in pieces and {count} at once", remedy)
        require_same(total, torch.as_tensor(amount), f"the sum of {name!r} in three pieces, and at once", remedy)


@registration_check("objectives", name="carry", after="loss")
def carries_a_state(case: RegistrationCase) -> None:
    """If `carries` is True, a loss returns a detached state, and accepts it with the next batch."""
    objective, source = opened(case)
    _, loss = scored(case)
    remedy = "set carries = True if and only if loss returns a carry"
    found = f"`carries` is {objective.carries}, and loss returns {'no' if loss.carry is None else 'a'} carry"
    require((loss.carry is not None) == objective.carries, found, remedy)
    if not objective.carries:
        return
    remedy = "return tensors, numbers, None, or tuples, lists and dicts of these: detach_state(state)"
    with remedied("the carry", remedy):
        bound = any(tensor.requires_grad for tensor in tensors_of(loss.carry))
    require(not bound, "the carry holds the graph of its batch", "detach it: lab.api.detach_state(state)")
    following = objective.batch(source, EXAMPLES + ROWS, SEED)
    after = loss_of(case, objective, source, following, loss.carry)
    remedy = "start again if carry is None or batch.fresh, else continue from carry"
    require(bool(after.nats.isfinite().all()), "nats are not finite with the carry of the last batch", remedy)


# ---- optimizers


def made(case: RegistrationCase, config: ModelConfig | None = None, groups: Any = None) -> tuple[Small, Any]:
    """Return a small model, and an optimizer of its parameters or of these groups of them."""
    with torch.random.fork_rng():
        torch.default_generator.manual_seed(0)
        model = Small(Task(VOCABULARY, CONTEXT))
    groups = groups_of(case, model) if groups is None else groups(model)
    optimizer = case.make(groups, torch.device("cpu"), config=config)
    if isinstance(optimizer, torch.optim.Optimizer):
        note_rates(optimizer, rate_of(case))
        note_live_values(optimizer, live_settings(case.given if config is None else config))
    return model, optimizer


def groups_of(case: RegistrationCase, model: Small) -> list[Any]:
    """Return the groups of a model's parameters as the card wants them."""
    return parameter_groups(model, roles=case.card.roles)


def drawn(closure: Callable[[], Tensor]) -> int:
    """Give the parameters gradients as of labels that are drawn, and return how many there are."""
    closure()
    return 8


def descend(model: Small, optimizer: Any, steps: Iterable[int], rate: float, spared: str = "") -> None:
    """Make steps with gradients that only depend on the number of the step; the parameter `spared` has none."""
    for step in steps:

        def closure(step: int = step) -> Tensor:
            """Give the parameters their gradients, those of a linear loss, and return it."""
            generator, loss = torch.Generator().manual_seed(step), torch.zeros(())
            for name, parameter in model.named_parameters():
                gradient = torch.randn(parameter.shape, generator=generator)
                parameter.grad = None if name == spared else gradient
                if name != spared:
                    loss = loss + (parameter.detach() * gradient).sum()
            return loss

        closure()
        set_rates(optimizer, rate, 1.0)
        make_update(optimizer, closure, partial(drawn, closure))
        optimizer.zero_grad(set_to_none=True)


def rate_of(case: RegistrationCase) -> float:
    """Return the learning rate of the config."""
    return float(case.given.learning_rate)  # type: ignore[attr-defined]


@use_of("optimizers")
def trained(case: RegistrationCase, config: ModelConfig | None = None) -> Small:
    """Return a model after three steps."""
    model, optimizer = made(case, config)
    descend(model, optimizer, range(3), rate_of(case))
    return model


@registration_check("optimizers", name="contract", after="card")
def changes_every_parameter(case: RegistrationCase) -> None:
    """It holds the parameters of both groups, and three steps change each of them to finite values."""
    model, optimizer = made(case)
    remedy = "return a torch.optim.Optimizer, created with the given groups"
    kind = type(optimizer).__name__
    require(isinstance(optimizer, torch.optim.Optimizer), f"the factory returns a {kind}", remedy)
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    held = sorted(id(parameter) for group in optimizer.param_groups for parameter in group["params"])
    remedy = "pass all groups on unchanged, super().__init__(groups, …): each has its own parameters"
    require(held == sorted(names), f"it holds {len(held)} parameters of the {len(names)} it was given", remedy)
    complete = all("decays" in group for group in optimizer.param_groups if "weight_decay" in group)
    remedy = "keep all entries of the groups: {**group, …}"
    require(
        complete,
        'its groups have a "weight_decay" and have lost "decays", which marks whether weight decay applies',
        remedy,
    )
    descend(model, optimizer, range(3), rate_of(case))
    for group in optimizer.param_groups:
        which = "decays" if group.get("decays") else "does not decay"
        for parameter in group["params"]:
            name = names[id(parameter)]
            remedy = "in step, loop over all of self.param_groups and all parameters that have a gradient"
            moved = f"three steps do not change {name}, in the group that {which}"
            require(not torch.equal(parameter, before[name]), moved, remedy)
            remedy = "look for a division by zero in the first step"
            require(bool(parameter.isfinite().all()), f"{name} is not finite after three steps", remedy)


@registration_check("optimizers", name="rate")
def obeys_the_rate(case: RegistrationCase) -> None:
    """With group["lr"] = 0 nothing changes: the schedule writes the rate there before every step."""
    model, optimizer = made(case)
    before = [parameter.detach().clone() for parameter in model.parameters()]
    descend(model, optimizer, range(3), 0.0)
    remedy = 'multiply every update by group["lr"], read in step, not by the rate of the config'
    same = all(torch.equal(one, other) for one, other in zip(model.parameters(), before, strict=True))
    require(same, 'parameters change with group["lr"] = 0', remedy)


@registration_check("optimizers", name="gaps")
def passes_over_what_is_not_there(case: RegistrationCase) -> None:
    """A group without parameters, and a parameter without a gradient, are skipped."""

    def in_one(wanted: bool) -> Callable[[Small], list[dict[str, Any]]]:
        if case.card.roles:
            return lambda model: [
                group if group["decays"] is wanted else {**group, "params": [], "names": []}
                for group in groups_of(case, model)
            ]
        return lambda model: [
            {"params": list(model.parameters()) if decays is wanted else [], "decays": decays}
            for decays in (True, False)
        ]

    remedy = "accept groups without parameters, and skip parameters whose grad is None"
    for wanted in (True, False):
        with remedied(f"a group without parameters (decays: {not wanted})", remedy):
            descend(*made(case, groups=in_one(wanted)), range(2), rate_of(case))
    model, optimizer = made(case)
    spared = "output.weight"
    before = model.get_parameter(spared).detach().clone()
    with remedied("a parameter without a gradient", remedy):
        descend(model, optimizer, range(2), rate_of(case), spared)
    require(torch.equal(model.get_parameter(spared), before), "a parameter without a gradient is changed", remedy)


@registration_check("optimizers", name="state")
def goes_on_from_its_state(case: RegistrationCase) -> None:
    """After restoring its state from a checkpoint it continues bit for bit."""
    rate = rate_of(case)
    model, optimizer = made(case)
    parameters = dict(model.named_parameters())
    state = OptimizerState(optimizer, parameters)
    descend(model, optimizer, range(3), rate)
    twin, other = made(case)
    twin.load_state_dict(model.state_dict())
    restored = OptimizerState(other, dict(twin.named_parameters()))
    for name, value in live_settings(case.given).items():
        set_in_groups(other, name, value)
    tensors: dict[str, Tensor] = {}
    remedy = (
        "store tensors, numbers, and lists and dicts of these, with str keys, in self.state[parameter] and the groups"
    )
    with remedied("its state cannot be stored", remedy), tempfile.TemporaryDirectory() as folder:
        facts = state.state_dict(tensors)
        save_checkpoint(Path(folder, "step"), model={}, training=tensors, facts=facts)
        stored, facts = load_training(Path(folder, "step"))
        restored.load_state_dict(facts, {name: tensor.clone() for name, tensor in stored.items()})
    later = range(3, 6)
    remedy = "store all that changes from step to step in self.state[parameter] or the groups; nothing else is saved"
    descend(model, optimizer, later, rate)
    with remedied("continuing from a stored state", remedy):
        descend(twin, other, later, rate)
    for name, parameter in twin.named_parameters():
        require(
            torch.equal(parameter, parameters[name]), f"{name} differs after continuing from a stored state", remedy
        )


@registration_check("optimizers", name="live")
def follows_live_settings(case: RegistrationCase) -> None:
    """A live setting acts at once, through the config or through its value in the groups."""
    for setting in settings_of(type(case.given)):
        config = case.config()
        model, optimizer = made(case, config)
        if setting.name == "learning_rate" or not setting.live or not change_to_another(config, setting):
            continue
        set_in_groups(optimizer, setting.name, getattr(config, setting.name))
        new, other = made(case, config.model_copy(deep=True))
        take_own_values(setting.name, optimizer, other)
        descend(model, optimizer, range(3), rate_of(case))
        descend(new, other, range(3), rate_of(case))
        same = all(torch.equal(one, other) for one, other in zip(model.parameters(), new.parameters(), strict=True))
        remedy = f"put {setting.name} into the groups under that name, or read it from the config in step"
        require(same, f"a change of {setting.name} has no effect on an existing optimizer", remedy)


def take_own_values(setting: str, edited: torch.optim.Optimizer, new: torch.optim.Optimizer) -> None:
    """Write the edited value of a setting into those groups of a new optimizer that have one of their own.

    A group's own value that follows the setting must be what a live edit makes of it.
    """
    for group, other in zip(edited.param_groups, new.param_groups, strict=True):
        noted = group[OF_SETTINGS].get(setting)
        if noted is None or noted.own == noted.setting or setting not in other:
            continue
        if other[setting] != noted.own and not math.isclose(other[setting], group[setting]):
            found = (
                f"a group's own {setting} is {group[setting]!r} after a live edit, and {other[setting]!r} in an "
                f"optimizer made with the new value"
            )
            remedy = (
                "give the group a multiple of config.weight_decay, which a live edit scales"
                if setting == "weight_decay"
                else f"leave {setting} out of the groups, and read it from the config in step"
            )
            require(False, found, remedy)
        other[setting] = group[setting]


# ---- schedules

STEPS = (0, 1, 2, 10, 1000)


@use_of("schedules")
def factors(case: RegistrationCase, config: ModelConfig | None = None) -> dict[int, list[Any]]:
    """Return the factors of all steps and of the one after the last, by length of training."""
    return {steps: list(map(case.make(steps, config=config), range(steps + 1))) for steps in STEPS}


@registration_check("schedules", name="contract", after="card")
def gives_factors(case: RegistrationCase) -> None:
    """Every step of a training of any length has a factor: a finite number ≥ 0."""
    function = case.make(10)
    require(callable(function), f"the factory returns a {type(function).__name__}", "return a function step -> factor")
    remedy = "support trainings of 0 steps or more, and steps from 0 to the last: max(1, …) before a division"
    with remedied(f"the factors of trainings of {', '.join(map(str, STEPS))} steps", remedy):
        every = factors(case)
    for steps, found in every.items():
        for step, value in enumerate(found):
            right = isinstance(value, int | float | np.number) and math.isfinite(value) and value >= 0
            remedy = "return a float ≥ 0, a factor on the learning rate"
            require(bool(right), f"the factor of step {step} of {steps} is {value!r}", remedy)


@registration_check("schedules", name="pure")
def remembers_nothing(case: RegistrationCase) -> None:
    """A factor only depends on the step, as a resumed training starts in the middle."""
    forwards = factors(case)
    for steps in STEPS:
        function = case.make(steps)
        backwards = [function(step) for step in reversed(range(steps + 1))]
        remedy = "compute the factor only from step and config, and store nothing between calls"
        require(
            backwards[::-1] == forwards[steps],
            f"the factors of {steps} steps differ when called in reverse order",
            remedy,
        )
