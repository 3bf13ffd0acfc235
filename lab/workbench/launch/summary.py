"""The figures in a run's summary, and the speed from which later estimates are made."""

from __future__ import annotations

from typing import Any

from lab.api import state_bytes
from lab.base.problems import attributed
from lab.base.settings import change_section, read_section
from lab.base.units import finite, infinite
from lab.text.measures import symbol_counts

SPEED = "speed"
"""The section of the settings with the operations per second of the last finished run, by kind of device."""


def reads_later(model: Any) -> bool:
    """Return True if a model can read the tokens it predicts, so that its loss does not measure prediction."""
    return bool(model.task.causal and not model.causal)


def below_entropy(loss: float | None, standard_error: float | None, entropy: float | None) -> float | None:
    """Return by how many standard errors a loss is below the entropy rate of its source; None for at most one.

    Args:
        loss: The validation loss, nats per target.
        standard_error: Its standard error.
        entropy: The entropy rate, nats per target, below which no model comes on average.
    """
    if loss is None or entropy is None or not standard_error or entropy - loss <= standard_error:
        return None
    return (entropy - loss) / standard_error


def summary_of(trainer: Any) -> dict[str, Any]:
    """Return the figures of a training, JSON-safe: losses in the unit "loss_unit", their protocol, rates, size.

    Infinite figures are None, and their names are in "infinite". "perplexity" and "bits_per_byte" are None if the
    targets are not tokens predicted from all before them.
    """
    evaluation = trainer.evaluation
    figures: dict[str, Any] = {
        "architecture": trainer.experiment.architecture.card.name,
        "steps": trainer.step,
        "last_step": trainer.last_step,
        "learns": trainer.model.learns,
        "reads_later_tokens": reads_later(trainer.model),
        "train_loss": finite(trainer.train_loss()),
        "loss_unit": trainer.experiment.objective.unit,
        "validation_loss": None,
        "standard_error": None,
        "protocol": None,
        "part": None,
        "targets": None,
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
            "standard_error": finite(evaluation.standard_error),
            "protocol": evaluation.protocol,
            "part": evaluation.part,
            "targets": evaluation.targets,
            "perplexity": finite(evaluation.perplexity),
            "bits_per_byte": finite(evaluation.bits_per_byte),
            "metrics": {name: finite(value) for name, value in evaluation.metrics.items()},
        }
    losses = {"train_loss": trainer.train_loss(), "validation_loss": evaluation.loss if evaluation else None}
    infinities = infinite(losses)
    return {**figures, "infinite": infinities} if infinities else figures


def state_size(trainer: Any) -> int | None:
    """Return the bytes of the trained model's decoding state after a full context; None if it has none.

    Raises:
        LabError: The model's code raised.
    """
    import torch

    model = trainer.model
    if trainer.experiment.processes.sharded:  # this process has a part of the weights
        return None
    if not model.causal or model.learns != "gradient" or trainer.experiment.objective.needs != "causal":
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
    """Return the mean UTF-8 bytes per validation target; None if the targets are not text."""
    from lab.training.material import target_counts

    validation, sizes = experiment.validation, experiment.sizes
    if validation is None or sizes is None or not experiment.objective.has_perplexity:
        return None
    if experiment.is_of_text:
        counts = symbol_counts(validation.tokens[1:], len(sizes))
    else:
        counts = target_counts(validation, experiment.objective, len(sizes))
    return float(counts @ sizes) / max(1, int(counts.sum())) or None


def store_speed(device: str, flops_per_second: float) -> None:
    """Store the speed that a finished run reached on a kind of device ("cpu").

    Raises:
        LabError: The settings cannot be written.
    """
    change_section(SPEED, lambda section: {**section, device: flops_per_second})


def stored_speed(device: str) -> float | None:
    """Return the operations per second of the last finished run on a kind of device; None before the first."""
    stored = read_section(SPEED).get(device)
    return float(stored) if isinstance(stored, int | float) and stored > 0 else None
