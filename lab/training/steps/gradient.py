"""One step by gradient."""

from __future__ import annotations

import contextlib
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from lab.api import Batch, Loss, ModelConfig, State, join_states, select_state, tensors_of
from lab.base import BadInput, LabError
from lab.base.notices import notify
from lab.base.torch_lock import own_draws
from lab.diagnostics.activations import SavedForBackward
from lab.layers import AuxiliaryLosses, LanguageModel
from lab.layers.reports import Term
from lab.recipes import Training
from lab.training.amounts.budget import epoch_of
from lab.training.amounts.warmups import batch_size_at, context_at, shortened
from lab.training.controls import check_draws
from lab.training.experiment import Experiment
from lab.training.failures import Diverged, diverged, failure_of
from lab.training.optimizers.groups import (
    OptimizerState,
    decaying_parameters,
    note_live_values,
    note_rates,
    optimizer_of,
    parameter_groups,
    set_in_groups,
)
from lab.training.optimizers.points import look_ahead, look_back, make_update, needs_closure
from lab.training.processes import Passes, part_like, whole
from lab.training.recording.checkpoints import packed, unpacked
from lab.training.recording.telemetry import Ring
from lab.training.steps.averaging import CONTINUES_FROM_MEAN, WeightAverage
from lab.training.steps.clipping import GradientNorms
from lab.training.steps.compiling import CompiledBlocks
from lab.training.steps.hooks import NoObserver, StepHooks, StepObserver
from lab.training.steps.live import changed, live_settings, not_live, set_again
from lab.training.steps.loss_scale import LEAST, LossScale
from lab.training.steps.pace import Pace
from lab.training.steps.readback import Readback
from lab.training.steps.regularising import add_l1, add_noise

STEPS = 0
"""Second number of the seed of a step."""
DRAWN_LABELS = 7
"""Second number of the seed of the labels drawn at a step."""


class GradientLearner:
    """A learner of batch, model, objective, backward, clip, optimizer. Random draws only depend on (seed, step).

    Attributes:
        observer: The observer of its steps.
    """

    evaluate_every = 1 << 62

    def __init__(self, experiment: Experiment, model: LanguageModel, ring: Ring) -> None:
        self.experiment, self.model, self.training = experiment, model, experiment.recipe.training
        self.tokens, self.examples = 0, 0
        self.recent_losses: deque[float] = deque(maxlen=100)
        self.latest: dict[str, float] = {}
        self._device = experiment.placement.device
        self._carries: dict[int, State] = {}
        self.observer: StepObserver = NoObserver()
        self._processes = experiment.processes
        self._check_processes(self.training)
        self._passes = Passes(model, self._processes)  # first, as it may replace the parameters
        model.train()
        self._auxiliary = AuxiliaryLosses().attach(model)
        self._compiled = CompiledBlocks(model, self.training.compile)
        self._norms, self._hooks = GradientNorms(model), StepHooks(model)
        self.optimizer_config = experiment.optimizer.config
        groups = parameter_groups(model, roles=experiment.optimizer.card.roles)
        self.optimizer = optimizer_of(experiment.optimizer, groups, self._device)
        check_draws(self.optimizer, experiment.objective)
        note_rates(self.optimizer, self.optimizer_config.learning_rate)
        note_live_values(self.optimizer, live_settings(self.optimizer_config))
        self._optimizer_state = OptimizerState(self.optimizer, dict(self.model.named_parameters()))
        self.pace = Pace(experiment, self.optimizer)
        self._decaying = [*decaying_parameters(model).values()]
        self._scale = LossScale(experiment.placement.autocast is torch.float16)
        self._made = 0  # steps
        self.activation_bytes: float | None = None  # per token, measured in the first piece of a batch
        self.average = WeightAverage(model, self.training, self.last_step)
        self._ring, self._readback = ring, Readback(self._device)
        names = ["train loss", "gradient norm", *(f"gradient norm {layer}" for layer in self._norms.layers)]
        self._numbers = [ring.number(name, experiment.loss_unit if name == "train loss" else "") for name in names]
        self._clipping: list[int] = []  # numbers of the clipping series, after there is a limit

    @property
    def last_step(self) -> int:
        """The number of the last step."""
        return self.pace.last_step

    @property
    def has_averaged(self) -> bool:
        """True if the averaged weights have become those of the model."""
        return self.average.is_model

    @property
    def epochs(self) -> float | None:
        """The epochs read so far; None if the examples have no end."""
        epoch = epoch_of(self.experiment.train)
        return None if epoch is None else self.examples / epoch

    def make_step(self, step: int) -> None:
        """Make one optimizer update; on failure drop the gradients and leave everything else unchanged."""
        tokens, carries, untouched = self.tokens, dict(self._carries), not self.optimizer.state
        buffers = self._hooks.copy_buffers()
        self.observer.start(step + 1)
        started = time.perf_counter()
        try:
            look_ahead(self.optimizer)
            loss, metrics = self._accumulate(step)
            self._update(step, loss, metrics, carries)
            self.examples, self._made = self.examples + batch_size_at(self.training, step), step + 1
        except BaseException as error:
            if isinstance(error, Diverged):
                self.observer.not_finite(self._examples_of(step))
            self.tokens, self._carries = tokens, carries
            look_back(self.optimizer)
            self.optimizer.zero_grad(set_to_none=True)
            self._auxiliary.take()
            self._hooks.restore_buffers(buffers)
            self._readback.forget(step + 1)
            if untouched:
                self.optimizer.state.clear()  # created by a first step that ran out of memory
            raise

        compiling = self._compiled.note_seconds(time.perf_counter() - started)
        if compiling is not None:
            notify("info", f"Compiling the blocks took {compiling:.0f} s")

    def read_back(self) -> None:
        """Wait for the numbers that are still on their way."""
        self._record_arrived(wait=True)
        self.observer.read_back()

    def note_seconds(self, step: int, seconds: float) -> None:
        """Note the time of the training after a step, which may be its budget."""
        self.pace.note_seconds(step, seconds)

    def note_loss(self, loss: float) -> None:
        """Note a validation loss, which the schedule may ask for."""
        self.pace.note_loss(loss)

    def gathered(self) -> contextlib.AbstractContextManager[object]:
        """Return a context in which the model has all its weights in this process; all processes enter it together."""
        return self._passes.gathered()

    def in_average(self) -> contextlib.AbstractContextManager[object] | None:
        """Return a context in which the model has its averaged weights; None if there are none apart from its own."""
        return self.average.in_model() if self.average.is_apart else None

    def _examples_of(self, step: int) -> np.ndarray:
        """Return the numbers of the examples of a step."""
        return np.arange(self.examples, self.examples + batch_size_at(self.training, step))

    def _accumulate(self, step: int) -> tuple[torch.Tensor, dict[str, list[Any]]]:
        """Add up the gradients of all pieces, each divided by the number of targets in the complete step."""
        experiment, batches = self.experiment, self._batches(step)
        self.observer.passed("data")
        targets = sum(batch.weight for batch in batches)
        weight = max(1, targets if self._processes.alone else int(self._processes.sums([targets], self._device)[0]))
        total = torch.zeros((), device=self._device)
        metrics: dict[str, list[Any]] = {}
        tokens = 0
        own = (self._processes.rank,) if self._processes.rank else ()
        with own_draws(self.training.seed, STEPS, step, *own, device=self._device.type), self._compiled.used():
            for piece, batch in enumerate(batches):
                with self._passes.synced(last=piece == len(batches) - 1):
                    compute = partial(self._forward, batch, self._carries.get(piece), weight)
                    objective, nats, loss, terms = self._passes.compute(compute)
                    for name, value in series_of(terms):
                        add_metric(metrics, name, value.detach() * batch.weight, batch.weight)
                    self.observer.passed("forward")
                    self._scale.scaled(self._passes.scaled(objective)).backward()  # type: ignore[no-untyped-call]
                self.observer.passed("backward")
                total = total + nats.detach()
                experiment.check_metrics(loss.metrics)
                for name, (amount, count) in loss.metrics.items():
                    add_metric(metrics, f"train {name}", amount, count)
                if experiment.objective.carries:
                    self._carries[piece] = loss.carry
                tokens += batch.inputs["tokens"].numel()
        if not self._processes.alone:
            total, metrics, tokens = self._summed(total, metrics, tokens)
        self.tokens += tokens
        return total, metrics

    def _forward(self, batch: Batch, carry: State, weight: int) -> tuple[torch.Tensor, torch.Tensor, Loss, list[Term]]:
        """Return what goes backward of a piece of a step, its nats, its loss and the auxiliary losses.

        Args:
            batch: The piece.
            carry: The state carried into it.
            weight: The targets of the complete step.
        """
        with self.experiment.placement.autocasting(), self._measured(batch):
            loss = self._loss(batch, carry)
        nats = loss.nats.sum() / weight
        terms = self._auxiliary.take()
        objective = nats
        for _, value, factor, _ in terms:
            objective = objective + (factor * batch.weight / weight) * value
        return objective, nats, loss, terms

    def _summed(
        self, total: torch.Tensor, metrics: Mapping[str, list[Any]], tokens: int
    ) -> tuple[torch.Tensor, dict[str, list[Any]], int]:
        """Return loss, metrics and tokens of a step summed over the processes."""
        pairs = [number for pair in metrics.values() for number in pair]
        loss, read, *numbers = self._processes.sums([total, tokens, *pairs], self._device)
        found = {name: [numbers[2 * at], int(numbers[2 * at + 1])] for at, name in enumerate(metrics)}
        return loss.to(total.dtype), found, int(read)

    def _loss(self, batch: Batch, carry: State) -> Loss:
        """Return the loss of the objective, which must give one for each target."""
        loss: Any = self.experiment.objective.loss(self.model, batch, carry)
        if isinstance(loss, Loss):
            return loss
        what = f"the loss of the objective is a {type(loss).__name__}"
        raise LabError(what, allowed="a lab.api.Loss", plugin=self.experiment.objective_plugin)

    @contextlib.contextmanager
    def _laid_on(self, plugin: str | None, step: int) -> Iterator[None]:
        """Lay errors of the body, which is not the model's code, on a plugin."""
        try:
            yield
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            raise failure_of(error, step=step + 1, training=self.training, plugin=plugin) from None

    @contextlib.contextmanager
    def _measured(self, batch: Batch) -> Iterator[None]:
        """Measure once how many bytes a token stores until the backward pass."""
        if self.activation_bytes is not None:
            yield
            return
        with SavedForBackward(self.model) as saved:
            yield
        self.activation_bytes = saved.bytes / max(1, batch.inputs["tokens"].numel())
        if self.training.recompute:  # the inputs of the blocks, which torch holds elsewhere
            self.activation_bytes += len(self.model.blocks) * self.model.config.width * 4  # type: ignore[arg-type]

    def _batches(self, step: int) -> list[Batch]:
        """Return the pieces of a step."""
        examples, context = self._examples_of(step), context_at(self.training, step)
        with self._laid_on(self.experiment.objective_plugin, step):
            parts = np.array_split(examples, min(self.training.accumulation, len(examples)))
            return [self._batch(self._processes.rows(part), context) for part in parts]

    def _batch(self, examples: np.ndarray, context: int) -> Batch:
        batch: Any = self.experiment.objective.batch(self.experiment.train, examples, self.training.seed)
        if isinstance(batch, Batch):
            short = shortened(batch, context) if context < self.training.context_length else batch
            return short.to(self._device)
        what = f"the batch of the objective is a {type(batch).__name__}"
        raise LabError(what, allowed="a lab.api.Batch", plugin=self.experiment.objective_plugin)

    def _update(
        self, step: int, loss: torch.Tensor, metrics: Mapping[str, list[Any]], carries: Mapping[int, State]
    ) -> None:
        """Clip, check that the numbers are finite, update; in float16 skip an update whose gradients overflow."""
        self._scale.unscale(self.model.parameters())
        training = self.training
        add_l1(self._decaying, training.l1)
        limit = 0.0 if needs_closure(self.optimizer) else training.clip  # its further gradients are not clipped either
        norms = self._norms.measure_and_clip(limit, training.clip_by)
        add_noise(self.model.parameters(), training.gradient_noise, training.noise_decay, training.seed, step)
        if limit and not self._clipping:
            self._clipping = [self._ring.number("clipped gradient norm"), self._ring.number("clipped steps", "share")]
        extra = [self._figure(name, amount, n) for name, (amount, n) in metrics.items()]
        clipping = self._clipping if limit else []
        numbers = [*self._numbers, *clipping, *(self._ring.number(name) for name in metrics)]
        values = torch.cat([loss.float()[None], norms, *(e.reshape(1) for e in extra)])
        checked = all(group.get("fused") for group in self.optimizer.param_groups) and self._device.type != "cpu"
        if self._scale.enabled:
            overflows = not self._scale.fits(float(values[1])) and self._scale.scale > LEAST
            self._check(step + 1, *values[: 1 if overflows else 2].tolist())
            if overflows:
                self._skip(step, values)
                return
        elif not checked:
            self._check(step + 1, *values[:2].tolist())  # before the weights are changed
        paces = self.pace.set(step, self.optimizer_config.learning_rate)
        self._readback.put(step + 1, numbers, values)
        if checked:  # the fused kernel itself skips an update that is not finite, as the numbers arrive later
            self.optimizer.found_inf = (~values[:2].isfinite().all()).float()  # type: ignore[attr-defined]
        self.observer.before_update()
        with self._laid_on(self.experiment.optimizer.plugin, step):
            # nothing below needs much memory: an error would repeat the step
            make_update(self.optimizer, self._closure(step, loss), lambda: self._draw(step, carries))
        self.optimizer.zero_grad(set_to_none=True)
        self._hooks.call()
        self.observer.after_update(self._examples_of(step))
        self.average.add(step + 1)
        self._record_arrived(wait=False)
        self._write(step + 1, paces | self._scale.series())

    def _write(self, step: int, values: Mapping[str, float]) -> None:
        """Write series that are known on the processor."""
        self._ring.write(step, [self._ring.number(name) for name in values], [*values.values()])

    def _closure(self, step: int, loss: torch.Tensor) -> Callable[[], torch.Tensor]:
        """Return the function by which an optimizer computes the loss and the gradients of the same batch again.

        Its first call returns what the step has computed.
        """
        known = [loss]

        def closure() -> torch.Tensor:
            if known:
                return known.pop()
            self.optimizer.zero_grad(set_to_none=True)
            tokens = self.tokens
            again, _ = self._accumulate(step)
            self.tokens = tokens  # the same ones, read once more
            add_l1(self._decaying, self.training.l1)
            return again

        return closure

    def _draw(self, step: int, carries: Mapping[int, State]) -> int:
        """Add the gradients of the mean loss of labels drawn from the model; return how many there are.

        Args:
            step: The steps made before.
            carries: The states before the step, by piece.
        """
        experiment, batches = self.experiment, self._batches(step)
        weight = max(1, sum(batch.weight for batch in batches))
        with own_draws(self.training.seed, DRAWN_LABELS, step, device=self._device.type), self._auxiliary.muted():
            for piece, batch in enumerate(batches):
                with experiment.placement.autocasting():
                    nats = experiment.objective.drawn_loss(self.model, batch, carries.get(piece))
                assert nats is not None  # as `check_draws` has seen
                self._scale.scaled(nats.sum() / weight).backward()  # type: ignore[no-untyped-call]
        self._scale.unscale(self.model.parameters())
        return weight

    def _skip(self, step: int, values: torch.Tensor) -> None:
        """Leave out an update whose gradients overflowed in float16; only its loss is recorded."""
        self._readback.put(step + 1, self._numbers[:1], values[:1])
        self.optimizer.zero_grad(set_to_none=True)
        look_back(self.optimizer)
        self._hooks.call()
        self.average.add(step + 1)
        self._record_arrived(wait=False)
        self._write(step + 1, self._scale.series())

    def _figure(self, name: str, amount: Any, count: int) -> torch.Tensor:
        """Return the number to record for the sum of a series; those of the objective are named "train …"."""
        mean = torch.as_tensor(amount, device=self._device).float() / count
        own = name.removeprefix("train ")
        return mean if own == name else self.experiment.objective.figure(own, mean).float()

    def _record_arrived(self, *, wait: bool) -> None:
        for step, numbers, values in self._readback.take(wait=wait):
            self._check(step, *values[:2])
            self._ring.write(step, numbers, values)
            self.recent_losses.append(values[0])
            names = self._ring.names
            self.latest = {names[number]: value for number, value in zip(numbers, values, strict=True)}

    def _check(self, step: int, loss: float, gradient_norm: float = 0.0) -> None:
        if not (math.isfinite(loss) and math.isfinite(gradient_norm)):
            raise diverged(step, loss, gradient_norm, self.optimizer_config.learning_rate)

    def check_live(self, path: str, value: Any) -> None:
        """Raise BadInput unless this is a live setting of training, its optimizer or the architecture."""
        section, name = self._live(path)
        if section == "training":
            self._training_with(name, value)
        else:
            self._configs[section].model_copy(deep=True).change(name, value, field=section)

    def set_live(self, path: str, value: Any) -> tuple[Any, Any]:
        """Change a live setting of training, its optimizer or the architecture; return its old and new value."""
        section, name = self._live(path)
        if section == "training":
            before, self.training = getattr(self.training, name), self._training_with(name, value)
            self._apply(name)
            return before, getattr(self.training, name)
        before, after = changed(self._configs[section], name, value, section)
        if section == "training.optimizer":
            set_in_groups(self.optimizer, name, after)
        return before, after

    @property
    def _configs(self) -> dict[str, ModelConfig]:
        configs = {"architecture": self.model.config, "training.optimizer": self.optimizer_config}
        corpus = self.experiment.corpus_config
        return {**configs, "corpus": corpus} if corpus is not None and live_settings(corpus) else configs

    def _live(self, path: str) -> tuple[str, str]:
        """Return the section and the setting that a path names; raise BadInput if it cannot be a live setting."""
        for section in self._configs:
            if path.startswith(f"{section}."):
                return section, path.removeprefix(f"{section}.")
        section, _, name = path.partition(".")
        live = list(live_settings(self.training))
        if section != "training" or name not in live:
            raise not_live(path, [f"training.{setting}" for setting in live])
        return section, name

    def _check_processes(self, training: Training) -> None:
        """Refuse a training that cannot be divided among the processes."""
        objective = self.experiment.objective
        self._processes.check(
            training,
            self.experiment.optimizer.card.name,
            carries=objective.carries,
            compares=bool(objective.compared_rows),
        )

    def _training_with(self, name: str, value: Any) -> Training:
        training = Training.read({**self.training.model_dump(exclude_none=True), name: value}, field="training")
        if (
            name == "batch_size"
            and training.batch_size != self.training.batch_size
            and self.experiment.objective.carries
        ):
            raise BadInput(
                "cannot change while the rows of a running batch carry a state: each reads its own part of the text",
                field="training.batch_size",
                remedy="Start a new run with the changed value",
            )
        if name == "steps" and training.steps <= self._made and training.steps != self.training.steps:
            raise BadInput(
                f"{self._made:,} steps were made already",
                field="training.steps",
                value=str(value),
                allowed=f"more than {self._made:,}",
                remedy="Stop the run to end it here",
            )
        self._check_processes(training)
        return training

    def _apply(self, name: str) -> None:
        """Apply a changed setting of the training."""
        if name == "accumulation":
            self._carries = recut(self._carries, self.training)
        elif name == "steps":
            self.pace.end_at(self.training.steps)
            if not self.average.end_at(self.last_step):
                notify("warning", CONTINUES_FROM_MEAN)

    def state_dict(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return the optimizer's state, the carried state and the live settings; random generators need none."""
        tensors: dict[str, torch.Tensor] = {}
        of_optimizer = self._optimizer_state.state_dict(tensors)
        tensors |= self.average.state_dict()
        carries = {str(piece): packed(carry, f"carry/{piece}", tensors) for piece, carry in self._carries.items()}
        tensors = {name: whole(tensor) for name, tensor in tensors.items()}
        live = {
            "architecture": live_settings(self.model.config),
            "training": live_settings(self.training),
            "optimizer": live_settings(self.optimizer_config),
        }
        if "corpus" in self._configs:
            live["corpus"] = live_settings(self._configs["corpus"])
        done = {"tokens": self.tokens, "examples": self.examples}
        return tensors, {
            **done,
            **of_optimizer,
            "carries": carries,
            "live": live,
            "loss_scale": self._scale.state_dict(),
            "schedule": self.pace.state_dict(),
        }

    def load_state_dict(self, tensors: Mapping[str, torch.Tensor], facts: Mapping[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        self.tokens, self._made = facts["tokens"], facts["step"]
        self.examples = facts.get("examples", facts["step"] * self.training.batch_size)  # missing in older files
        live = facts["live"]
        set_again(self.model.config, live["architecture"])
        if "corpus" in live:
            set_again(self._configs["corpus"], live["corpus"])
        self.training = Training.read(
            {**self.training.model_dump(exclude_none=True), **live["training"]}, field="training"
        )
        self.pace.load_state_dict(facts.get("schedule", {}))
        if self.training.steps != self.experiment.recipe.training.steps:
            self._apply("steps")
        for name, value in live["optimizer"].items():
            self.set_live(f"training.optimizer.{name}", value)
        self.average.load_state_dict(tensors, facts["step"])
        self._scale.load_state_dict(facts.get("loss_scale", {}))
        parameters = dict(self.model.named_parameters())
        fused = {id(p) for group in self.optimizer.param_groups if group.get("fused") for p in group["params"]}
        on_device = {name for name, parameter in parameters.items() if id(parameter) in fused}
        stay = {f"optimizer/{name}.step" for name in parameters if name not in on_device}
        # copied, since a tensor mapped from a file is aligned differently, so that its products round differently
        own = {p: t.clone() if p in stay else t.to(self._device, copy=True) for p, t in tensors.items()}
        if self._processes.sharded:
            by_name = {name: parameters.get(name.removeprefix("optimizer/").rpartition(".")[0]) for name in own}
            own |= {p: part_like(own[p], like) for p, like in by_name.items() if like is not None}
        self._optimizer_state.load_state_dict(facts, own)
        self._carries = {int(piece): unpacked(shape, own) for piece, shape in facts["carries"].items()}


def recut(carries: dict[int, State], training: Training) -> dict[int, State]:
    """Split the carried states of a step's pieces into another number of pieces."""
    if not carries:
        return {}
    joined = join_states([carries[piece] for piece in sorted(carries)])
    device = next(iter(tensors_of(joined)), torch.empty(0)).device
    rows = np.array_split(np.arange(training.batch_size), min(training.accumulation, training.batch_size))
    return {piece: select_state(joined, torch.as_tensor(some, device=device)) for piece, some in enumerate(rows)}


def series_of(terms: Sequence[Term]) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the recorded values of auxiliary losses: each by name, and also by layer if several layers add it."""
    layers = Counter(name for name, layer in {(name, layer) for name, _, _, layer in terms if layer})
    for name, value, _, layer in terms:
        yield f"auxiliary {name}", value
        if layer and layers[name] > 1:
            yield f"auxiliary {name} {layer}", value


def add_metric(metrics: dict[str, list[Any]], name: str, amount: Any, count: int) -> None:
    """Add (sum, count) to a metric."""
    so_far = metrics.setdefault(name, [0.0, 0])
    so_far[0] = so_far[0] + amount
    so_far[1] += count
