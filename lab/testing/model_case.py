"""Cases of the checks of models: one architecture with one config, small and in float64, for one task."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from lab.api import Architecture, BadInput, ModelConfig, PatternStackConfig, Task, settings_of
from lab.recipes import Recipe

VOCABULARY = 17
CONTEXT = 160
LENGTH = 131  # odd, and beyond two chunks of 64
TASKS = {
    "causal": Task(VOCABULARY, CONTEXT),
    "masked": Task(VOCABULARY, CONTEXT, causal=False),
    "classification": Task(VOCABULARY, CONTEXT, causal=False, classes=5),
    "regression": Task(VOCABULARY, CONTEXT, causal=False, outputs=3),
    "sequence-to-sequence": Task(VOCABULARY, CONTEXT, source_vocabulary_size=VOCABULARY),
    "contrastive": Task(VOCABULARY, CONTEXT, causal=False, matching=True),
}
SHAPES = {"vectors": (6,), "images": (8, 8, 3)}
"""The shapes of inputs that are not tokens."""
READ_BY = {
    "classification": frozenset({"vectors", "images"}),
    "regression": frozenset({"vectors"}),
    "sequence-to-sequence": frozenset({"images"}),
    "contrastive": frozenset({"images"}),
}
"""The inputs that are not tokens that an objective of each task reads."""


@dataclass(frozen=True)
class ModelCase:
    """One architecture with one config for one task.

    Args:
        name: The name under which the plugin registers it.
        architecture: The card of the architecture.
        label: The name of this task and config ("causal-defaults").
        given: The config.
        task: The task that the model is built for.
        device: The device to compute on; None if no supported one is available.
        whole: The config and context length at full size by name, also those of equal cases, to be built on the meta
            device.
    """

    name: str
    architecture: Architecture
    label: str
    given: ModelConfig
    task: Task
    device: str | None
    whole: dict[str, tuple[ModelConfig, int]]

    def config(self, *, calm: bool = False) -> ModelConfig:
        """Return a separate config for one model; if `calm`, every live dropout is 0, so training draws nothing."""
        config = self.given.model_copy(deep=True)
        for setting in settings_of(type(config)):
            if calm and setting.live and setting.kind == "float" and "drop" in setting.name:
                config.change(setting.name, 0.0)
        return config

    def model(
        self,
        config: ModelConfig | None = None,
        *,
        seed: int = 0,
        counted: bool = True,
        training: bool = False,
        loud: bool = False,
    ) -> Any:
        """Return a new model in float64. Initial zeros (gates, biases) are perturbed slightly, to have an effect.

        Args:
            config: The config; None means a new copy of the case's.
            seed: The seed of the weights.
            counted: Whether a counting model has counted `text`.
            training: Whether the model is in training mode, without dropout.
            loud: Whether matrices are perturbed so much that a signal through many layers still has an effect.
        """
        config = config or self.config(calm=training)
        with torch.random.fork_rng(), torch.no_grad():
            torch.default_generator.manual_seed(seed)
            model: Any = self.architecture.make(config, self.task)
            model._apply(lambda tensor: tensor.to(self.device, _wide(tensor.dtype)))
            for parameter in model.parameters():
                if parameter.requires_grad:
                    inputs = math.prod(parameter.shape[1:])
                    size = inputs**-0.5 if loud and inputs > 1 else 0.02
                    parameter.add_(size * torch.randn_like(parameter))
        if model.learns == "counting" and counted:
            model.count(self.text())
        return model.train(training)

    @property
    def special(self) -> Literal["labels", "source", "matching"] | None:
        """What the model does other than predict tokens of the text it reads; None for nothing else."""
        if self.task.classes is not None or self.task.outputs is not None:
            return "labels"
        if self.task.matching:
            return "matching"
        return "source" if self.task.source_vocabulary_size is not None or self.task.input_shape is not None else None

    def inputs(self, batch: int, length: int, seed: int = 0) -> dict[str, Tensor]:
        """Return the inputs of a model that is special, by name; each row is 5 tokens shorter, if it can.

        Args:
            batch: B.
            length: Tokens of what is labelled, or of the source; of the target too.
            seed: Of the random numbers.
        """
        generator = torch.Generator().manual_seed(seed)
        lengths = (length - 5 * torch.arange(batch)).clamp(min=1)
        mask = (torch.arange(length) < lengths[:, None]).to(self.device)
        tokens = self.tokens(batch, length, seed + 1)
        shape = self.task.input_shape
        if shape is None:
            read = self.tokens(batch, length, seed)
            return {"tokens": tokens, "source": read, "source_mask": mask} if self.special == "source" else {
                "tokens": read, "mask": mask,
            }  # fmt: skip
        made = torch.rand(batch, *shape, generator=generator, dtype=torch.float64).to(self.device)
        if self.special == "matching":
            return {"tokens": tokens, "mask": mask, "source": made}
        return {"tokens": tokens, "source": made} if self.special == "source" else {"tokens": made}

    def longest(self, model: Any) -> int:
        """Return the full context length, or the reach of the model if it has one."""
        return min(model.reach or self.task.context_length, 4 * CONTEXT)

    def length(self, model: Any) -> int:
        """Return the length in tokens of a long, odd sequence that the model can read."""
        return min(LENGTH, self.longest(model))

    def tokens(self, batch: int, length: int, seed: int = 0) -> Tensor:
        """Return random tokens (B, T), the same for the same arguments."""
        generator = torch.Generator().manual_seed(seed)
        return torch.randint(self.task.vocabulary_size, (batch, length), generator=generator).to(self.device)

    def text(self) -> np.ndarray:
        """Return a text to count, (N,): skewed, with each symbol depending on the one before."""
        generator = np.random.default_rng(0)
        symbols = (generator.random(4000) ** 2 * self.task.vocabulary_size).astype(np.int64)
        follows = generator.random(4000) < 0.5
        symbols[1:][follows[1:]] = (symbols[:-1][follows[1:]] * 3 + 1) % self.task.vocabulary_size
        return symbols


def model_cases(
    name: str,
    architecture: Architecture,
    config: ModelConfig | None = None,
    task: Task | None = None,
    device: str | None = None,
) -> Iterator[ModelCase]:
    """Yield the cases of an architecture: defaults and presets, made small, for each of its tasks, without duplicates.

    Every preset is built at full size, with the context length of its own `training`, on the meta device (the check
    `meta`). Elsewhere it has the suite's context length, or its own if `build` refuses the suite's with BadInput.

    Raises:
        ValueError: The suite knows none of its tasks, and none is given.
    """
    tasks = {"task": task} if task else tasks_of(architecture)
    if not tasks:
        known, own = ", ".join(TASKS), ", ".join(sorted(architecture.tasks))
        raise ValueError(f"{architecture.name} is for {own}; known tasks are {known}: pass task=Task(…)")
    whole = {"config": (config, CONTEXT)} if config else dict(_whole(architecture))
    if task:
        whole = {label: (full, task.context_length) for label, (full, _) in whole.items()}
    here = _device(architecture, device)
    for task_name, this in tasks.items():
        found: dict[str, ModelCase] = {}
        for label, (full, length) in whole.items():
            small = config or smaller(full)
            case = ModelCase(name, architecture, f"{task_name}-{label}", small, this, here, {label: (full, length)})
            if task is None and _refuses(case):
                case = replace(case, task=task_of_length(this, length))
            equal = next((one for one in found.values() if (one.given, one.task) == (small, case.task)), None)
            if equal is not None:
                case = replace(equal, whole={**equal.whole, **case.whole})
            found[case.label] = case
        yield from found.values()


def tasks_of(architecture: Architecture) -> dict[str, Task]:
    """Return the tasks of an architecture that the suite knows, with inputs that it reads."""
    tasks = {}
    for name in sorted(architecture.tasks & TASKS.keys()):
        if "tokens" in architecture.inputs and (name != "regression" or "vectors" not in architecture.inputs):
            tasks[name] = TASKS[name]
        for kind in sorted(architecture.inputs & READ_BY.get(name, frozenset())):
            tasks[f"{name}-{kind}"] = replace(TASKS[name], input_shape=SHAPES[kind], source_vocabulary_size=None)
    return tasks


def _refuses(case: ModelCase) -> bool:
    """Return True if the architecture refuses the context length of the case."""
    try:
        case.model(counted=False)
    except BadInput:
        return True
    except Exception:  # noqa: BLE001 - the check `build` reports it
        return False
    return False


def smaller(config: ModelConfig) -> ModelConfig:
    """Return the config with two layers and 32 channels, if it has such fields and allows that, or fewer heads.

    Of blocks named by a pattern, one of each kind is kept, and two if they share weights.
    """
    layers = 2
    if isinstance(config, PatternStackConfig):
        kinds = list(dict.fromkeys(config.blocks()))
        kinds *= 2 if any(block.shared for block in kinds) else 1
        layers = max(layers, len(kinds))
        config = type(config).read({**config.model_dump(), "pattern": ", ".join(map(str, kinds))})
    small = {"layers": layers, "width": 32}
    for wanted in (small, {**small, "heads": 4}, {**small, "width": 64}, {"layers": layers}, {"width": 32}):
        less = {name: value for name, value in wanted.items() if _is_more(getattr(config, name, None), value)}
        if less:
            with contextlib.suppress(BadInput):
                return type(config).read({**config.model_dump(), **less})
    return config


def _is_more(value: Any, than: int) -> bool:
    return isinstance(value, int) and value > than


def task_of_length(task: Task, context_length: int) -> Task:
    """Return the same task with another context length."""
    return replace(task, context_length=context_length)


def _whole(architecture: Architecture) -> Iterator[tuple[str, tuple[ModelConfig, int]]]:
    presets: dict[str, Mapping[str, Any]] = {"defaults": {}, **architecture.presets}
    for name, preset in presets.items():
        with contextlib.suppress(BadInput):  # the check of configs reports its error
            yield name, read_preset(architecture, preset)


def read_preset(architecture: Architecture, preset: Mapping[str, Any]) -> tuple[ModelConfig, int]:
    """Return the config and the context length of a preset.

    Raises:
        BadInput: It has a setting that no recipe has, or a value that is not allowed.
    """
    recipe = Recipe().with_values({"architecture": {"name": architecture.name}}, preset)
    config = architecture.config.read(recipe.architecture.settings, field="architecture")
    return config, recipe.training.context_length


def _device(architecture: Architecture, device: str | None) -> str | None:
    if device or architecture.devices is None or "cpu" in architecture.devices:
        return device or "cpu"
    return "cuda" if "cuda" in architecture.devices and torch.cuda.is_available() else None


def _wide(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype
