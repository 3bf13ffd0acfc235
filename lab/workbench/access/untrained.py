"""The model that a recipe starts with: the weights of step 0, to ask before any training."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import Tokenizer
from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.access.evaluation_data import EvaluationData, data_of
from lab.workbench.access.inspection import validation_tokens
from lab.workbench.access.model_access import BorrowedModel, ModelAccess, check_device
from lab.workbench.access.saved import SavedRun
from lab.workbench.launch import known_corpora
from lab.workbench.launch.preflight import cost_of

if TYPE_CHECKING:
    from lab.layers import LanguageModel
    from lab.training.experiment import Experiment


class Untrained(ModelAccess):
    """A model that is built when it is first used, once: corpus read, tokens cut, weights drawn from the seed.

    Args:
        recipe: What would be trained.
        plugins: Where its cards are found.
        run: The run on disk that the recipe is of, whose corpus is then searched for here; None for any other recipe.
    """

    def __init__(self, recipe: Recipe, plugins: Plugins, run: RunFolder | None = None) -> None:
        self.recipe, self._plugins, self._run = recipe, plugins, run
        self._lock = threading.RLock()  # of the building, and of the one model while it is borrowed
        self._built: tuple[Experiment, LanguageModel] | None = None

    def open_run(self, name: str) -> SavedRun:
        """Open a run on disk. See ModelAccess."""
        return SavedRun.find(name, self._plugins)

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer, made for the recipe's corpus."""
        tokenizer = self._model()[0].tokenizer
        assert tokenizer is not None  # every corpus is text
        return tokenizer

    @property
    def corpus_facts(self) -> Mapping[str, Any]:
        """The facts of the corpus as a run would store them."""
        return self._model()[0].corpus

    @contextlib.contextmanager
    def borrow(self, device: str | None = None, *, own: bool = False) -> Iterator[BorrowedModel]:
        """Lend the one model to one call at a time, or a copy of it; where the recipe would train. See ModelAccess."""
        from lab.training.recording.model_copy import copy_of

        experiment, model = self._model()
        check_device(device, experiment.placement.device)
        with contextlib.ExitStack() as held:
            held.enter_context(self._lock)
            if own:
                model = copy_of(model)
                held.close()
            yield BorrowedModel(model, 0, experiment.placement.device)

    def default_tokens(self) -> Sequence[int]:
        """Return the validation text."""
        return validation_tokens(self._model()[0])

    def evaluation_data(self, text: Path | None = None) -> EvaluationData:
        """Return the validation split that a run would have, or a file of yours. See ModelAccess."""
        return data_of(self._model()[0], text, self._plugins, self.recipe.training.evaluate_tokens)

    def _model(self) -> tuple[Experiment, LanguageModel]:
        from lab.training.experiment import prepare

        with self._lock:
            if self._built is None:
                experiment = prepare(self._recipe_here(), self._plugins)
                self._check_corpus(experiment)
                # refuses what would not fit into memory
                cost_of(experiment.architecture, experiment.task, experiment.recipe.training, experiment.placement)
                self._built = experiment, experiment.build().eval()
            return self._built

    def _recipe_here(self) -> Recipe:
        if self._run is None:
            return self.recipe
        try:
            return known_corpora.localised(self.recipe, self._run)
        except BadInput as error:
            raise BadInput(replace(error.problem, remedy="Put the text beside the run's folder")) from None

    def _check_corpus(self, experiment: Experiment) -> None:
        """Refuse another text than the run's: it may have another vocabulary, and then other weights."""
        known = None if self._run is None else known_corpora.sha256_of(self._run)
        if known is not None and known != experiment.corpus["sha256"]:
            raise BadInput(
                "the corpus is not the text this run was trained on any more",
                field="corpus",
                value=str(experiment.corpus["name"]),
            )
