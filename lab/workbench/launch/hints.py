"""Hints before a start: what is likely to go wrong with a recipe on its corpus, why, and the setting that helps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from lab.recipes import Recipe

Kind = Literal["undertrained", "overtrained", "repeats", "documents", "vocabulary", "dropout", "overfits"]

OPTIMAL = 20
"""Tokens per parameter that make the best use of compute (Hoffmann et al. 2022, table 3)."""
FEW, MANY = 0.5, 400.0
"""Tokens per parameter far from it: fewer than a quick try has, and twenty times as many."""
REPEATS = 4
"""Passes over a text up to which repeated tokens are worth about as much as new ones (Muennighoff et al. 2023)."""
TABLES = 0.5
"""Share of the parameters in embedding and head from which the vocabulary is larger than the model."""
LARGE = 256
"""Symbols from which a vocabulary can be too large: smaller ones are letters."""
PARAMETERS_PER_TOKEN = 1.0
"""Parameters per token of the text from which a model can learn it by heart."""


class Figures(Protocol):
    """The figures of a recipe that hints read: `lab.workbench.launch.preflight.Preflight`."""

    @property
    def parameters(self) -> int:
        """Number of trained parameters."""

    @property
    def tokens_per_parameter(self) -> float | None:
        """Tokens that are read over parameters; None for a model that counts."""

    @property
    def tokens(self) -> int:
        """Tokens that the training reads."""

    @property
    def train_tokens(self) -> int:
        """Tokens of the training text."""

    @property
    def steps(self) -> int:
        """Steps of the training."""

    @property
    def vocabulary_size(self) -> int:
        """Symbols of the tokenizer."""

    @property
    def all_tokens(self) -> int:
        """Tokens of the whole corpus."""

    @property
    def documents(self) -> int:
        """Documents of the corpus; 0 if it has none."""

    @property
    def table_parameters(self) -> int:
        """Parameters that grow with the vocabulary."""


@dataclass(frozen=True)
class Hint:
    """A hint.

    Args:
        kind: What it is about.
        values: The numbers in its sentences.
        field: The setting that helps; "" if it is the corpus.
        change: Its value then; None where there is no single one.
    """

    kind: Kind
    values: Mapping[str, float] = field(default_factory=dict)
    field: str = ""
    change: Any = None

    @property
    def what(self) -> str:
        """What is likely to go wrong."""
        return _filled(WHAT[self.kind], self.values)

    @property
    def why(self) -> str:
        """Why that is so."""
        return WHY[self.kind]

    @property
    def remedy(self) -> str:
        """What helps, with the setting."""
        if self.change is None:
            return REMEDY[self.kind]
        return f"{REMEDY[self.kind]}: --set {self.field}={self.change}"


WHAT: dict[Kind, str] = {
    "undertrained": "{ratio} tokens per parameter are far fewer than 20",
    "overtrained": "{ratio} tokens per parameter are far more than 20",
    "repeats": "the text is read {passes} times",
    "documents": "the context of {context} tokens is longer than most documents, of {length} on average",
    "vocabulary": "{percent} % of the parameters are in the tables of the vocabulary",
    "dropout": "dropout of {dropout} in a training that reads no text twice",
    "overfits": "{parameters} parameters for {tokens} tokens, each read {passes} times, will overfit",
}
WHY: dict[Kind, str] = {
    "undertrained": "a smaller model reaches a lower loss with the same compute (Hoffmann et al. 2022)",
    "overtrained": "a larger model reaches a lower loss with the same compute (Hoffmann et al. 2022)",
    "repeats": "from about four passes on, each further one teaches less (Muennighoff et al. 2023)",
    "documents": "what stands before the border of a document says nothing of what follows, and costs time to read",
    "vocabulary": "the layers that compute are then the smaller part, and rare symbols are seen too seldom",
    "dropout": "dropout keeps a model from learning a text by heart, which takes more than one pass",
    "overfits": "a model with more parameters than the text has tokens can learn it by heart",
}
REMEDY: dict[Kind, str] = {
    "undertrained": "Train for more steps, or make the model smaller",
    "overtrained": "Make the model larger, if the time allows",
    "repeats": "Take a longer text, or fewer steps",
    "documents": "A shorter context, or each document separately",
    "vocabulary": "A smaller vocabulary, or a wider model",
    "dropout": "No dropout",
    "overfits": "Dropout, early stopping with patience, or a longer text",
}


def hints_of(recipe: Recipe, found: Figures) -> list[Hint]:
    """Return the hints about a recipe.

    Args:
        recipe: The recipe, with all settings of its cards written out.
        found: Its figures.
    """
    if found.tokens_per_parameter is None:  # a model that counts
        return []
    rules: tuple[Callable[[Recipe, Figures], Hint | None], ...] = (
        _overfits,
        _repeats,
        _tokens_per_parameter,
        _documents,
        _vocabulary,
        _dropout,
    )
    hints = [hint for rule in rules if (hint := rule(recipe, found)) is not None]
    # what overfits repeats its text anyway
    return [hint for hint in hints if not (hint.kind == "repeats" and hints[0].kind == "overfits")]


def passes_of(found: Figures) -> float:
    """Return how often a training reads its text."""
    return found.tokens / found.train_tokens if found.train_tokens else math.inf


def _tokens_per_parameter(recipe: Recipe, found: Figures) -> Hint | None:
    ratio = found.tokens_per_parameter
    assert ratio is not None
    if ratio < FEW:
        steps = math.ceil(recipe.training.steps * OPTIMAL / ratio) if ratio > 0 and not recipe.training.budget else None
        longer = steps is not None and steps <= 1000 * recipe.training.steps
        return Hint("undertrained", {"ratio": ratio}, "training.steps", _round(steps) if longer and steps else None)
    return Hint("overtrained", {"ratio": ratio}) if ratio > MANY else None


def _repeats(recipe: Recipe, found: Figures) -> Hint | None:
    passes = passes_of(found)
    if not REPEATS < passes < math.inf:
        return None
    steps = max(1, int(found.steps * REPEATS / passes))
    return Hint("repeats", {"passes": passes}, "training.steps", None if recipe.training.budget else steps)


def _documents(recipe: Recipe, found: Figures) -> Hint | None:
    if not found.documents or found.documents < 2 or recipe.training.separate_documents:
        return None
    length, context = found.all_tokens / found.documents, recipe.training.context_length
    if context <= length:
        return None
    shorter = 1 << max(3, int(math.log2(max(8.0, length))))
    return Hint(
        "documents", {"context": context, "length": length}, "training.context_length",
        shorter if shorter < context else None,
    )  # fmt: skip


def _vocabulary(recipe: Recipe, found: Figures) -> Hint | None:
    if not found.parameters or found.vocabulary_size <= LARGE:
        return None
    share = found.table_parameters / found.parameters
    if share <= TABLES:
        return None
    sized = "vocabulary_size" in recipe.tokenizer.settings
    change = max(LARGE, _round(found.vocabulary_size // 4)) if sized else None
    return Hint("vocabulary", {"percent": 100 * share}, "tokenizer.vocabulary_size" if sized else "", change)


def _dropout(recipe: Recipe, found: Figures) -> Hint | None:
    dropout = recipe.architecture.settings.get("dropout", 0.0)
    if not isinstance(dropout, int | float) or not dropout > 0 or passes_of(found) > 1:
        return None
    return Hint("dropout", {"dropout": dropout}, "architecture.dropout", 0.0)


def _overfits(recipe: Recipe, found: Figures) -> Hint | None:
    passes, tokens = passes_of(found), found.train_tokens
    if not (REPEATS < passes < math.inf) or found.parameters < PARAMETERS_PER_TOKEN * tokens:
        return None
    dropout = recipe.architecture.settings.get("dropout")
    if recipe.training.patience or (isinstance(dropout, int | float) and dropout >= 0.1):
        return None
    settable = dropout is not None
    values = {"parameters": found.parameters, "tokens": tokens, "passes": passes}
    path, change = ("architecture.dropout", 0.2) if settable else ("training.patience", 3)
    return Hint("overfits", values, path, change)


def _round(number: int) -> int:
    """Return a number with two digits that are not zero."""
    return int(float(f"{number:.2g}"))


def _filled(template: str, values: Mapping[str, float]) -> str:
    return template.format(**{name: format_value(value) for name, value in values.items()})


def format_value(value: float) -> str:
    """Return a number of a hint as text: three digits, or all of a larger one."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
