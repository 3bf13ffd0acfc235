"""The models of other runs that a strategy or a filter reads beside its own, by the names in its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from lab.api import BadInput, Histories, RunReader, Tokenizer
from lab.base.problems import attributed
from lab.recipes import Recipe

if TYPE_CHECKING:
    from torch import Tensor

    from lab.decoding.request import Request


class HasVocabulary(Protocol):
    """A model, as far as its vocabulary is concerned; any ModelAccess."""

    @property
    def recipe(self) -> Recipe:
        """What it was trained by."""

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer it was trained with."""


def shares_vocabulary(one: HasVocabulary, other: HasVocabulary) -> bool:
    """Return True if two models number the same symbols alike, so that their distributions compare symbol by symbol.

    Raises:
        LabError: The vocabulary of a run is missing or damaged.
    """
    if one.recipe.tokenizer.name != other.recipe.tokenizer.name:
        return False
    return one.tokenizer is other.tokenizer or one.tokenizer.vocabulary() == other.tokenizer.vocabulary()


class ReadableRun(HasVocabulary, Protocol):
    """A run on disk, of which this is asked; a SavedRun."""

    @property
    def model_plugin(self) -> str:
        """The plugin that registered its architecture."""

    def request(self, prompt: str, *, device: str | None = None) -> Request:
        """Return what its model is asked for a prompt, with the model."""


@dataclass(frozen=True)
class ReadText:
    """The text that another run's model shall read: a model's own request for a prompt.

    Args:
        prompt: The prompt.
        request: What the model itself is asked.
        tokenizer: Its tokenizer.
        recipe: What it was trained by.
        device: Where it is.
        open_run: The name of a run on disk -> the run.
    """

    prompt: str
    request: Request
    tokenizer: Tokenizer
    recipe: Recipe
    device: Any
    open_run: Callable[[str], ReadableRun]


class OtherRun(RunReader):
    """The model of a run on disk, loaded when it reads for the first time.

    Args:
        name: The name of the run.
        field: The setting that names it.
        text: What it reads.

    Raises:
        BadInput: There is no such run, or it has another vocabulary.
        LabError: The run is damaged.
    """

    def __init__(self, name: str, field: str, text: ReadText) -> None:
        self._name, self._field, self._text = name, field, text
        if not name:
            remedy = "Name a run that was trained with the tokenizer of this one"
            raise BadInput("names no run", field=field, allowed="name of a run", remedy=remedy)
        try:
            self._saved = text.open_run(name)
        except BadInput as error:
            raise BadInput(replace(error.problem, field=field, value=name)) from None
        self._check_vocabulary()
        self._reader: RunReader | None = None

    def logits(self, texts: Histories) -> Tensor:
        """Return logits (H, V) after H texts of one length."""
        if self._reader is None:
            self._reader = self._loaded()
        with attributed(self._saved.model_plugin, f"Reading with {self._name}"):
            return self._reader.logits(texts)

    def _check_vocabulary(self) -> None:
        mine, other = self._text.tokenizer, self._saved.tokenizer
        names = self._text.recipe.tokenizer.name, self._saved.recipe.tokenizer.name
        if shares_vocabulary(self._text, self._saved):
            return
        what = f"has another vocabulary: {names[1]}, {other.vocabulary_size:,} symbols"
        allowed = f"a run with the vocabulary of this model: {names[0]}, {mine.vocabulary_size:,} symbols"
        remedy = "Choose another run, or train one on the same corpus with the same tokenizer"
        raise BadInput(what, field=self._field, value=self._name, allowed=allowed, remedy=remedy)

    def _loaded(self) -> RunReader:
        from lab.decoding.reader import ModelReader

        text, own = self._text, self._text.request
        try:
            request = self._saved.request(text.prompt, device=str(text.device))
        except BadInput as error:
            raise BadInput(replace(error.problem, field=self._field, value=self._name)) from None
        if request.symbols != own.symbols or list(request.prompt) != list(own.prompt):
            what = f"reads a text otherwise than this model: its objective is {self._saved.recipe.objective.name}"
            remedy = "Choose a run with the same objective and a corpus of the same kind"
            raise BadInput(what, field=self._field, value=self._name, remedy=remedy)
        return ModelReader(request.model, text.device, request.symbols)
