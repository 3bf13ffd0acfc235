"""A probe of how strongly each token affects each prediction, by gradients, and an observer that writes a journal."""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import (
    BadInput,
    LanguageModel,
    ModelConfig,
    Observer,
    Probe,
    ProbeFunction,
    Problem,
    Reading,
    Register,
    RunObserver,
    capture,
    hookimpl,
    setting,
)

LAB_API_VERSION = 1


class InfluenceConfig(ModelConfig):
    norm: float = setting(2.0, ge=1, le=10, help="p of the norm over the channels of the embedding.")
    relative: bool = setting(False, help="Divide the influences on each prediction by their sum.")


def influence(config: InfluenceConfig) -> ProbeFunction:
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        if model.learns == "counting" or not isinstance(model, nn.Module):
            raise BadInput("a model that counts has no gradients", remedy="Choose one that learns by gradient")
        embedded: list[Tensor] = []  # embeddings (1, T, C), or T times (1, C) if read token by token
        with torch.enable_grad(), ExitStack() as hooks, capture(model, {"embedding"}, graph=True) as readings:
            table = next((module for module in model.modules() if isinstance(module, nn.Embedding)), None)
            if table is not None:
                hooks.enter_context(table.register_forward_hook(lambda _, __, x: embedded.append(x)))
            likeliest = model(tokens)[0].log_softmax(dim=-1).amax(dim=-1).unbind()  # T scalars
        for x in ([reading.values for reading in readings], embedded):
            rows = [torch.cat(gradients(y, x)) for y in likeliest] if any(each.requires_grad for each in x) else []
            if rows and len(rows[0]) == len(rows) and any(row.any() for row in rows):
                values = torch.stack(rows).norm(p=config.norm, dim=-1)  # (query, key)
                if config.relative:
                    values = nn.functional.normalize(values, p=1, dim=-1)
                return [Reading("influence", ("query", "key"), values, units=None if config.relative else "nats")]
        raise BadInput("no embedding of this model leads to its predictions", remedy="Report one, or use nn.Embedding")

    return probe


def gradients(y: Tensor, x: Sequence[Tensor]) -> list[Tensor]:
    """Return the gradients of a scalar with respect to each tensor, (tokens, channels); 0 for unused tensors."""
    found = torch.autograd.grad(y, x, retain_graph=True, allow_unused=True, materialize_grads=True)
    return [gradient.float().flatten(end_dim=-2) for gradient in found]


class JournalConfig(ModelConfig):
    spike: float = setting(
        1.5, gt=1, le=100, help="Ratio to the mean of the last losses from which on a loss is a spike."
    )
    window: int = setting(20, ge=1, le=10_000, log=True, unit="steps", help="Number of last losses in the mean.")


class Journal(RunObserver):
    def __init__(self, config: JournalConfig) -> None:
        self.config = config
        self.last: deque[float] = deque(maxlen=config.window)
        self.found: dict[str, Any] = {"state": "running", "best": None, "spikes": []}

    def started(self, run: Path, recipe: Mapping[str, Any]) -> None:
        self.file = run / "journal.json"

    def stepped(self, step: int, values: Mapping[str, float]) -> None:
        if (loss := values.get("train loss")) is None:  # on a GPU it comes late
            return
        if self.last and loss > self.config.spike * sum(self.last) / len(self.last):
            self.found["spikes"].append({"step": step, "loss": loss})
        self.last.append(loss)

    def evaluated(self, step: int, values: Mapping[str, float]) -> None:
        loss, best = values.get("validation loss"), self.found["best"]
        if loss is not None and (best is None or loss < best["loss"]):
            self.found["best"] = {"step": step, "loss": loss}
        self._write()  # so that a killed run leaves a journal too

    def ended(self, state: str, problem: Problem | None) -> None:
        self.found |= {"state": state, "why": None if problem is None else problem.line()}
        self._write()

    def _write(self) -> None:
        self.file.write_text(json.dumps(self.found, indent=1), encoding="utf-8")


@hookimpl
def lab_register_probes(register: Register[Probe]) -> None:
    register(
        Probe(
            name="saliency",
            title="Saliency",
            build=influence,
            config=InfluenceConfig,
            summary="Norm of the gradient of each prediction's largest log-probability by each token's embedding.",
        )
    )


@hookimpl
def lab_register_observers(register: Register[Observer]) -> None:
    register(
        Observer(
            name="journal",
            title="Journal",
            build=Journal,
            config=JournalConfig,
            summary="Writes journal.json: the best validation loss, spikes of the training loss, and how the run "
            "ended.",
        )
    )
