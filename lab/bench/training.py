"""Training: its throughput over a bare loop of the same model, and the cost of generating at the same time."""

from __future__ import annotations

import string
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.base.run_state import TrainerState
from lab.bench.pairs import compare
from lab.host import Plugins
from lab.recipes import Recipe

if TYPE_CHECKING:
    from lab.training.trainer import Trainer

STEPS = 40
"""Steps per measurement."""
RECURRENT = ("rnn", "gru", "lstm")
"""Architectures whose preset "small" is compared with torch's own modules in the benchmark throughput."""


def throughput(pairs: int) -> dict[str, Any]:
    """Measure tokens per second of the lab's training, recorded into a run folder, over a bare loop of the model.

    The bare loop is what one would write without the lab: random crops stacked to a batch, cross entropy, backward,
    clip_grad_norm_, fused AdamW. Weights, batch size, threads and optimizer are the same. Both use the lab's
    transformer (preset nanogpt-cpu); for recurrent networks (preset small) the bare loop uses torch's modules.
    """
    plugins = Plugins(safe_mode=True)
    transformer = _compared(nanogpt(plugins), pairs, lambda model: model)
    rows = [{"model": "transformer", **transformer}]
    rows += [
        {"model": name, **_compared(endless(plugins, name, "small"), pairs, _by_torch_alone)} for name in RECURRENT
    ]
    return {"throughput_ratio": transformer.pop("ratio"), "unit": "tokens/s", **transformer, "rows": rows}


def _compared(recipe: Recipe, pairs: int, bare_model: Callable[[Any], Any]) -> dict[str, Any]:
    with paused_training(recipe) as trainer, ThreadPoolExecutor(1, thread_name_prefix="lab: bench bare loop") as pool:
        tokens = STEPS * trainer.learner.training.batch_size * trainer.learner.training.context_length
        model = bare_model(trainer.experiment.build())
        bare = pool.submit(BareLoop, trainer.experiment, model).result()  # torch keeps its settings per thread

        def ours() -> float:
            before = trainer.seconds
            make_steps(trainer, STEPS)
            return tokens / (trainer.seconds - before)

        def theirs() -> float:
            return tokens / pool.submit(bare.run, STEPS).result()

        ours(), theirs()  # the first steps of both are slower
        return compare(ours, theirs, pairs)


def generation(pairs: int) -> dict[str, Any]:
    """Measure tokens per second of a training during text generation, over the same training alone."""
    from lab.training.recording.model_copy import ModelCopy
    from lab.workbench import SavedRun
    from lab.workbench.access.generation import Writer

    with paused_training() as trainer:
        plugins = Plugins(safe_mode=True)
        experiment = trainer.experiment
        assert experiment.tokenizer is not None
        tokenizer = experiment.tokenizer
        tokens = STEPS * trainer.learner.training.batch_size * trainer.learner.training.context_length
        written = 0

        def measured() -> float:
            before = time.perf_counter()
            make_steps(trainer, STEPS)
            return tokens / (time.perf_counter() - before)

        def while_writing() -> float:
            nonlocal written
            ended = threading.Event()

            def write() -> None:
                nonlocal written
                copied = ModelCopy()
                model, device = trainer.request_copy(copied).wait(), experiment.placement.device
                open_run = partial(SavedRun.find, plugins=plugins)
                writer = Writer(model, tokenizer, device, experiment.recipe, plugins, copied.step, open_run)
                pieces = writer.write("abc", settings={}, seed=0, count=10**9, trains=lambda: not ended.is_set())
                for _ in pieces:
                    written += 1
                    if ended.is_set():
                        break

            thread = threading.Thread(target=write, name="lab: bench generation")
            thread.start()
            speed = measured()
            ended.set()
            thread.join()
            return speed

        measured()
        started = time.perf_counter()
        result = compare(while_writing, measured, pairs)
        elapsed = time.perf_counter() - started
    return {
        "training_ratio": result.pop("ratio"),
        "generated_tokens_per_second": 2 * written / elapsed,
        "unit": "tokens/s",
        **result,
    }


class BareLoop:
    """The training loop one would write without the lab, for a model on the data of an experiment."""

    def __init__(self, experiment: Any, model: Any) -> None:
        import torch

        self.experiment = experiment
        self.training = experiment.recipe.training
        self.model = model.train()
        self.data = torch.from_numpy(experiment.train.tokens.astype("int64"))
        groups = [
            {"params": [p for p in self.model.parameters() if p.ndim >= 2], "weight_decay": 0.1},
            {"params": [p for p in self.model.parameters() if p.ndim < 2], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99), fused=True)

    def run(self, steps: int) -> float:
        """Make `steps` steps and return the seconds they took."""
        import torch
        import torch.nn.functional as F

        self.experiment.placement.apply()
        B, T = self.training.batch_size, self.training.context_length
        started = time.perf_counter()
        for step in range(steps):
            starts = torch.randint(len(self.data) - T, (B,)).tolist()
            x = torch.stack([self.data[i : i + T] for i in starts])
            y = torch.stack([self.data[i + 1 : i + 1 + T] for i in starts])
            for group in self.optimizer.param_groups:
                group["lr"] = 1e-3
            logits = self.model(x)
            loss = F.cross_entropy(logits.view(-1, logits.shape[-1]), y.view(-1))
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            if step % 10 == 0:
                loss.item()
        return time.perf_counter() - started


def _by_torch_alone(model: Any) -> Any:
    """Return a recurrent model of one layer made of torch's modules, with the same weights."""
    from torch import nn

    class Bare(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.output = model.embedding, model.output
            (cell,) = model.cells
            self.rnn = cell.rnn

        def forward(self, tokens: Any) -> Any:
            return self.output(self.rnn(self.embedding(tokens))[0])

    return Bare()


def nanogpt(plugins: Plugins) -> Recipe:
    """Return the preset nanogpt-cpu on random characters, without evaluations and without end."""
    return endless(plugins, "transformer", "nanogpt-cpu")


def endless(plugins: Plugins, architecture: str, preset: str) -> Recipe:
    """Return a preset on random characters, without evaluations and without end."""
    card = plugins.card("architectures", architecture)
    letters = np.random.default_rng(0).choice(list(string.printable[:65]), 200_000)
    quiet = {"training": {"steps": 10**6, "evaluate_every": 0, "sample_tokens": 0, "device": "cpu"}}
    corpus = {"corpus": {"name": "text", "text": "".join(letters)}, "readings": {"moments": 0}}
    named = {"architecture": {"name": architecture}}
    crops = {"objective": {"name": "causal"}}
    return Recipe().with_values(named, card.presets[preset], crops, quiet, corpus)


@contextmanager
def paused_training(recipe: Recipe | None = None, *, recorded: bool = True) -> Iterator[Trainer]:
    """Yield a training on random characters, paused at its start.

    Args:
        recipe: The recipe; None means the preset nanogpt-cpu.
        recorded: True if it is recorded into a run folder.
    """
    from lab.base.torch_lock import mixed
    from lab.runs import RunFolder, provenance
    from lab.training.experiment import prepare
    from lab.training.recording.recorder import Recorder
    from lab.training.recording.telemetry import Ring
    from lab.training.trainer import Trainer

    plugins = Plugins(safe_mode=True)
    recipe = nanogpt(plugins) if recipe is None else recipe
    with tempfile.TemporaryDirectory() as folder:
        experiment = prepare(recipe, plugins)
        ring = Ring()
        run = RunFolder.create(Path(folder) / f"run-{mixed(0) % 1000}", recipe.to_toml(), provenance())
        recorder = Recorder(run, ring, experiment.recipe.training) if recorded else None
        if recorder is not None:
            recorder.start()
        trainer = Trainer(experiment, ring=ring, log=recorder)
        trainer.control.pause()
        thread = threading.Thread(target=trainer.run, name="lab: bench training")
        thread.start()
        try:
            yield trainer
        finally:
            trainer.control.stop()
            thread.join()
            if recorder is not None:
                recorder.close()


def make_steps(trainer: Trainer, steps: int) -> None:
    """Let a paused training make `steps` steps, and wait until it is paused again."""
    goal = trainer.step + steps
    trainer.control.single_step(steps)
    while trainer.step < goal or trainer.state != TrainerState.PAUSED:
        if trainer.state == TrainerState.FAILED:
            raise RuntimeError(trainer.problem)
        time.sleep(0.002)
