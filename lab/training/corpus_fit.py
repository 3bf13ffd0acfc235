"""The objective, the architecture and the tokenizer that fit the data of a corpus."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, TypeAlias

from lab.api import Architecture, DataKind, Images, LabelledTexts, Objective, Vectors
from lab.recipes import Choice, Recipe
from lab.training.material import Given
from lab.training.resolution import Cards, data_kind, resolve

NO_TOKENIZER = "none"
"""Name of the tokenizer of data in which nothing is text."""
ARCHITECTURES = ("transformer", "encoder-decoder")
"""The architectures that are picked first if they fit."""
OBJECTIVES = ("causal", "sequence-to-sequence", "captions", "classification", "regression")
"""The objectives that are picked first if they fit."""

Target: TypeAlias = Literal["tokens", "class", "numbers"]
"""What is predicted of a row."""
TASKS: Mapping[Target, frozenset[str]] = {
    "tokens": frozenset(
        {"causal", "masked", "next-sentence", "replaced-tokens", "sequence-to-sequence", "contrastive"}
    ),
    "class": frozenset({"classification"}),
    "numbers": frozenset({"regression"}),
}
"""The tasks of objectives that predict a target."""
NAMES_OF_TARGETS: Mapping[Target, str] = {"tokens": "text", "class": "classes", "numbers": "numbers"}
"""The names for display of what is predicted."""


def target_of(given: Given) -> Target:
    """Return what is predicted of the rows, or of the text, that a corpus gave."""
    if isinstance(given, LabelledTexts) or (isinstance(given, Vectors | Images) and given.classes):
        return "class"
    return "numbers" if isinstance(given, Vectors) else "tokens"


def expected_target(kind: DataKind) -> Target:
    """Return what is most often predicted of a kind of data; only vectors and images can have another target."""
    return "class" if kind in ("labels", "vectors", "images") else "tokens"


def inputs_of(kind: DataKind) -> str:
    """Return what a model reads of a kind of data: one of Architecture.inputs."""
    return kind if kind in ("vectors", "images") else "tokens"


def objectives(cards: Cards) -> dict[str, Objective]:
    """Return every registered objective with its default settings."""
    return {
        name: resolve(cards, "objectives", Choice(name=name), "objective").make() for name in cards.cards("objectives")
    }


def fits(objective: Objective, kind: DataKind, target: Target) -> bool:
    """Return True if an objective reads a kind of data and predicts a target of its rows."""
    return kind in objective.reads and (inputs_of(kind) == "tokens" or objective.needs in TASKS[target])


def fitting(cards: Cards, kind: DataKind, target: Target) -> dict[str, Objective]:
    """Return every registered objective that fits a kind of data and a target of its rows, first those to pick first.

    Raises:
        LabError: A plugin's code raised.
    """
    known = objectives(cards)
    return {name: known[name] for name in _first(OBJECTIVES, known) if fits(known[name], kind, target)}


def offers(card: Architecture, objective: Objective, kind: DataKind) -> bool:
    """Return True if an architecture reads a kind of data and can be trained on an objective."""
    return inputs_of(kind) in card.inputs and objective.needs in card.tasks


def fitted_to_corpus(recipe: Recipe, cards: Cards, target: Target, named: Collection[str] = ()) -> Recipe:
    """Return the recipe with another objective, architecture and tokenizer where they do not fit its corpus.

    The first objective that fits is picked, one for which the architecture stays if there is one.

    Args:
        recipe: The recipe.
        cards: The registered cards.
        target: What is predicted of the corpus.
        named: Those of "objective", "architecture" and "tokenizer" that are never replaced.

    Raises:
        BadInput: There is no such card, or a setting is not allowed.
        LabError: A plugin's code raised.
    """
    corpus, kind = cards.card("corpora", recipe.corpus.name, field="corpus.name"), data_kind(cards, recipe.corpus)
    pieces: list[Mapping[str, Any]] = []
    objective = resolve(cards, "objectives", recipe.objective, "objective").make()
    card = cards.card("architectures", recipe.architecture.name, field="architecture.name")
    if "objective" not in named and not fits(objective, kind, target):
        fit = fitting(cards, kind, target)
        able = [name for name, one in fit.items() if offers(card, one, kind)]
        picked = next(iter([*able, *fit]), None)
        if picked is not None:
            objective = fit[picked]
            pieces.append({"objective": {"name": picked}})
    if "architecture" not in named and not offers(card, objective, kind):
        registered = cards.cards("architectures")
        ordered = _first(ARCHITECTURES, registered)
        other = next((name for name in ordered if offers(registered[name], objective, kind)), None)
        pieces += [] if other is None else [{"architecture": {"name": other}}]
    if "tokenizer" not in named and corpus.tokenizer is None:
        tokenizer = recipe.tokenizer.name
        has_text = inputs_of(kind) == "tokens" or (kind == "images" and target == "tokens")
        wanted = Recipe().tokenizer.name if tokenizer == NO_TOKENIZER else tokenizer
        wanted = wanted if has_text else NO_TOKENIZER
        pieces += [] if wanted == tokenizer else [{"tokenizer": {"name": wanted}}]
    return recipe.with_values(*pieces) if pieces else recipe


def _first(preferred: Collection[str], registered: Collection[str]) -> list[str]:
    """Return all registered names, the preferred ones first."""
    return [*(name for name in preferred if name in registered), *(one for one in registered if one not in preferred)]


def changed_names(before: Recipe, after: Recipe) -> dict[str, str]:
    """Return the names that differ, of objective, architecture and tokenizer in this order, as in the second recipe."""
    return {
        field: getattr(after, field).name
        for field in ("objective", "architecture", "tokenizer")
        if getattr(after, field).name != getattr(before, field).name
    }
