"""The figures of a run: what its summary tells, and the speed that later estimates are made from."""

from __future__ import annotations

from typing import Any

from lab.api import state_bytes
from lab.base.problems import attributed
from lab.base.settings import change_section, read_section
from lab.base.units import finite, infinite
from lab.text.measures import symbol_counts

SPEED = "speed"
"""Section of the settings: operations per second by kind of device, as the last finished run reached them."""


def reads_later(model: Any) -> bool:
    """Whether a model reads the tokens that it is to guess: its loss is then no forecast."""
    return bool(model.task.causal and not model.causal)


def summary_of(trainer: Any) -> dict[str, Any]:
    """The figures of a training, JSON-safe: losses in nats per token, their protocol, rates, size.

    What is infinite is None, and named in "infinite".
    """
    evaluation = trainer.evaluation
    figures: dict[str, Any] = {
        "architecture": trainer.experiment.architecture.card.name,
        "steps": trainer.step,
        "last_step": trainer.last_step,
        "learns": trainer.model.learns,
        "reads_later_tokens": reads_later(trainer.model),
        "train_loss": finite(trainer.train_loss()),
        "validation_loss": None,
        "protocol": None,
        "part": None,
        "perplexity": None,
        "bits_per_byte": None,
        "metrics": {},
        "tokens": trainer.tokens,
        "seconds": round(trainer.seconds, 3),
        "tokens_per_second": finite(trainer.speed.tokens_per_second()),
        "parameters": sum(parameter.numel() for parameter in trainer.model.parameters()),
        "floors": {name: finite(value) for name, value in trainer.experiment.floors.items()},
        "activation_bytes": trainer.learner.activation_bytes,
        **trainer.experiment.placement.as_dict(),
    }
    if evaluation is not None:
        figures |= {
            "validation_loss": finite(evaluation.loss),
            "protocol": evaluation.protocol,
            "part": evaluation.part,
            "perplexity": finite(evaluation.perplexity),
            "bits_per_byte": finite(evaluation.bits_per_byte),
            "metrics": {name: finite(value) for name, value in evaluation.metrics.items()},
        }
    losses = {"train_loss": trainer.train_loss(), "validation_loss": evaluation.loss if evaluation else None}
    endless = infinite(losses)
    return {**figures, "infinite": endless} if endless else figures


def state_size(trainer: Any) -> int | None:
    """Bytes of the decoding state of the trained model after a whole context; None where it has none.

    Raises:
        LabError: The model's code raised.
    """
    import torch

    model = trainer.model
    if not model.causal or model.learns != "gradient" or trainer.experiment.task.source_vocabulary_size is not None:
        return None
    was = model.training
    tokens = torch.zeros(1, trainer.experiment.task.context_length, dtype=torch.long)
    with attributed(trainer.experiment.architecture.plugin, "Decoding"), torch.no_grad():
        model.eval()
        try:
            _, state = model.extend(tokens.to(trainer.experiment.placement.device), model.start(1), last=1)
        finally:
            model.train(was)
    return state_bytes(state)


def bytes_per_token(experiment: Any) -> float | None:
    """Bytes of UTF-8 that a token of the validation targets stands for, in the mean; None where they are no text."""
    tokens, sizes = getattr(experiment.validation, "tokens", None), experiment.sizes
    if tokens is None or sizes is None or len(tokens) < 2:
        return None
    return float(symbol_counts(tokens[1:], len(sizes)) @ sizes) / (len(tokens) - 1) or None


def note_speed(device: str, flops_per_second: float) -> None:
    """Notes what a finished run reached on a kind of device ("cpu").

    Raises:
        LabError: The settings cannot be written.
    """
    change_section(SPEED, lambda section: {**section, device: flops_per_second})


def noted_speed(device: str) -> float | None:
    """Operations per second that the last finished run reached on a kind of device; None before the first."""
    noted = read_section(SPEED).get(device)
    return float(noted) if isinstance(noted, int | float) and noted > 0 else None
