"""The program that imports torch, tries each device, and trains for two seconds; it writes what it found as JSON."""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

SECONDS = 2.0
"""Seconds of the training."""
TEXT = "The quick brown fox jumps over the lazy dog. A dog that sleeps does not see the fox.\n" * 100
RECIPE: dict[str, Any] = {
    "corpus": {"name": "text", "text": TEXT},
    "tokenizer": {"name": "character"},
    "architecture": {"name": "transformer", "layers": 2, "width": 64, "heads": 4},
    "training": {
        "steps": 10**6, "batch_size": 8, "context_length": 32, "evaluate_every": 0, "sample_tokens": 0,
        "device": "cpu", "seed": 1, "optimizer": {"name": "adamw", "learning_rate": 0.003},
    },
    "readings": {"moments": 0},
}  # fmt: skip
"""A model that learns a sentence by heart: its loss falls within the first seconds on the slowest machine."""


def main() -> int:
    """Write what torch is, what it computes with, and how it trains."""
    import torch

    from lab.training.devices import available_devices, default_threads

    write(
        torch=torch.__version__,
        threads=default_threads(),
        instructions=_instructions(),
        cuda=torch.version.cuda,
    )
    names = available_devices()
    write(devices={name: tried(name) for name in names})
    write(training=trained(SECONDS))
    return 0


def write(**parts: Any) -> None:
    """Write parts of the answer as one line."""
    sys.stdout.write(json.dumps(parts) + "\n")
    sys.stdout.flush()


def _instructions() -> str:
    """Return the vector instructions that torch uses: "AVX2", "AVX512"; "DEFAULT" or "NO AVX" for none."""
    import torch

    return str(torch.backends.cpu.get_cpu_capability())


def tried(name: str) -> dict[str, Any]:
    """Return what a device is, and what fails on it: a product of matrices."""
    import torch

    found: dict[str, Any] = {}
    try:
        if name.startswith("cuda"):
            properties = torch.cuda.get_device_properties(name)
            found = {"title": properties.name, "bytes": int(properties.total_memory)}
        ones = torch.ones(64, 64, device=name)
        if float((ones @ ones).sum()) != 64.0**3:
            found["failure"] = "WrongResult"
    except Exception as error:  # noqa: BLE001 - a driver may fail in any way
        found |= {"failure": type(error).__name__, "message": str(error)}
    return found


def trained(seconds: float) -> dict[str, Any]:
    """Train a small model, in memory alone, and return its steps, its seconds, and its first and last loss."""
    from lab.host import Plugins
    from lab.recipes import Recipe
    from lab.training.experiment import prepare
    from lab.training.recording.telemetry import Ring
    from lab.training.trainer import Trainer

    experiment = prepare(Recipe().with_values(RECIPE), Plugins(safe_mode=True))
    trainer = Trainer(experiment, ring=Ring())
    timer = threading.Timer(seconds, trainer.control.stop)
    timer.daemon = True
    timer.start()
    trainer.run()
    timer.cancel()
    losses = list(trainer.learner.recent_losses)
    return {
        "steps": trainer.step,
        "seconds": trainer.seconds,
        "tokens": trainer.tokens,
        "last": losses[-1] if losses else None,
        "start": experiment.floors.get("uniform"),
        "failure": None if trainer.problem is None else trainer.problem.what,
    }


if __name__ == "__main__":
    raise SystemExit(main())
