"""The loss in words: among how many equally probable tokens a model as good as this one would prediction."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lab.shell.session.runs.loss_unit import BITS, BYTES, NATS, PERPLEXITY
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.tokens.next_tokens import percent

CERTAIN = 1.05
"""The perplexity below which a model hardly has a choice left."""
OF_CLASSES = ("classification",)
"""The objectives whose targets are classes: what counts is how many are right."""
ACCURACY = "validation accuracy"
"""The series of the share of right targets at the evaluations."""
DIGITS = 3
"""The significant digits of a large number."""


@dataclass(frozen=True)
class Prediction:
    """The prediction that a loss was computed for.

    Args:
        tokenizer: The name of the tokenizer, which decides what a token is called.
        objective: The name of the objective, which decides what is predicted.
        targets: The number of tokens or classes that a blind guess has to choose from; None if it is not known.
        reads_later: True if the model can read what it predicts.
        accuracy: The share of classes that the model finds, of an objective that predicts classes; None if not known.
    """

    tokenizer: str
    objective: str = "causal"
    targets: int | None = None
    reads_later: bool = False
    accuracy: float | None = None


def prediction_of(run: RunModel) -> Prediction:
    """Return what the loss of a run was computed for."""
    recipe, folder = run.recipe, run.source.folder
    stored: Any = None if folder is None else folder.facts.get("targets")
    uniform = run.floors.get("uniform")
    targets = stored if isinstance(stored, int) else None if uniform is None else round(math.exp(uniform))
    accuracy = run.series.last(ACCURACY) if recipe.objective.name in OF_CLASSES else None
    return Prediction(recipe.tokenizer.name, recipe.objective.name, targets, run.reads_later, accuracy)


def loss_sentence(nats: float | None, prediction: Prediction) -> str:
    """Return a sentence about a loss; "" if there is no loss, or it is not a number.

    Args:
        nats: The loss in nats per predicted token.
        prediction: What it was computed for.
    """
    if nats is None or math.isnan(nats):
        return ""
    if prediction.accuracy is not None:
        return _accuracy_sentence(prediction.accuracy, prediction)
    target = _target(prediction)
    if prediction.reads_later:
        return tr("It can read {target}, so its loss does not measure how well it guesses", target=target)
    if math.isinf(nats):
        return tr("At least once it gave {target} no chance at all, which makes the loss infinite", target=target)
    choices = math.exp(min(max(nats, 0.0), 700.0))  # the loss of a density may be negative
    blind = prediction.targets if prediction.targets is not None and prediction.targets > 1 else None
    if choices < CERTAIN:
        if blind is None:
            return tr("It is nearly certain of {target}", target=target)
        return tr(
            "It is nearly certain of {target}; guessing blindly would be {blind}",
            target=target,
            blind=number_text(blind),
        )
    text = choices_text(choices)
    among = tr("between 2") if text == "2" else tr("among {n}", n=text)
    if blind is None:
        return tr("It guesses {target} as if choosing {among}", target=target, among=among)
    if choices > blind * CERTAIN:
        return tr(
            "It guesses {target} as if choosing {among}, worse than blindly, which would be {blind}",
            target=target,
            among=among,
            blind=number_text(blind),
        )
    return tr(
        "It guesses {target} as if choosing {among}; guessing blindly would be {blind}",
        target=target,
        among=among,
        blind=number_text(blind),
    )


def _accuracy_sentence(share: float, prediction: Prediction) -> str:
    """Return a sentence about the share of classes that are right."""
    if prediction.targets is None or prediction.targets < 2:
        return tr("It is right about {share} of the classes", share=percent(share))
    blind = percent(1 / prediction.targets)
    return tr("It is right about {share} of the classes; guessing blindly would be {blind}",
              share=percent(share), blind=blind)  # fmt: skip


def unit_description(unit: str, targets: int | None = None) -> str:
    """Return a sentence in plain words about a unit of the loss, with its best and its blind value.

    Args:
        unit: A unit of lab.shell.session.runs.loss_unit.
        targets: The number of tokens or classes, V; None if it is not known.
    """

    def blind(formula: str, value: Callable[[float], float]) -> str:
        return formula if not targets else f"{formula} = {choices_text(value(targets))}"

    if unit == NATS:
        return tr(
            "The mean surprise about a token, −ln p: 0 is perfect, {blind} is guessing blindly.",
            blind=blind("ln V", math.log),
        )
    if unit == BITS:
        return tr(
            "The mean surprise about a token, −log₂ p, in yes-or-no questions: 0 is perfect, {blind} is "
            "guessing blindly.",
            blind=blind("log₂ V", math.log2),
        )
    if unit == PERPLEXITY:
        return tr(
            "As unsure as between this many equally probable tokens: 1 is perfect, {blind} is guessing blindly.",
            blind=blind("V", float),
        )
    if unit == BYTES:
        return tr(
            "The bits that the model would need for a byte of the text: 0 is perfect, 8 is the text as it is "
            "stored. Also compares models with different tokens."
        )
    return tr("The loss above the entropy of the source, below which no model comes on average: 0 is perfect.")


def choices_text(choices: float) -> str:
    """Format a number of choices: a decimal below 10, whole numbers below 1,000, then three significant digits."""
    if choices < 10:
        return number_text(round(choices, 1), "g")
    if choices < 1000:
        return number_text(choices, ",.0f")
    if choices >= 1e12:
        return tr("more than a trillion")
    if choices >= 1e9:
        return tr("{n} billion", n=number_text(choices / 1e9, f".{DIGITS}g"))
    if choices >= 1e6:
        return tr("{n} million", n=number_text(choices / 1e6, f".{DIGITS}g"))
    return number_text(round(choices, DIGITS - 1 - math.floor(math.log10(choices))), ",.0f")


def _target(prediction: Prediction) -> str:
    """Return a phrase for what is predicted."""
    match prediction.objective:
        case "masked" | "next-sentence":
            return {
                "character": tr("a hidden character"),
                "byte": tr("a hidden byte"),
                "word": tr("a hidden word"),
                "symbol": tr("a hidden symbol"),
            }.get(prediction.tokenizer, tr("a hidden token"))
        case "classification":
            return tr("the class")
    return {
        "character": tr("the next character"),
        "byte": tr("the next byte"),
        "word": tr("the next word"),
        "symbol": tr("the next symbol"),
    }.get(prediction.tokenizer, tr("the next token"))
