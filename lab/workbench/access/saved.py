"""A run on disk: its recipe, figures and series, and its model to ask. No code of the run is executed."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from lab.api import BadInput, DataKind, LabError, Reading, Tokenizer, load, settings_of
from lab.base.notices import notify
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import MetricReader, RunFolder, Status, reading_steps, resolve_run
from lab.text.documents import with_stored_documents
from lab.text.rows.turns import TurnTokenizer, with_stored_turns
from lab.workbench.access.evaluation_data import EvaluationData, check_reads_text, source_of_file, validation_split
from lab.workbench.access.inspection import Inspection, further_readings, recorded, stored_tokens, tokens_of
from lab.workbench.access.model_access import EVALUATED_IN, BorrowedModel, ModelAccess
from lab.workbench.access.text_use import TextUse
from lab.workbench.launch.live_edits import in_force

if TYPE_CHECKING:
    from torch import Tensor

    from lab.layers import LanguageModel


LONGEST_STEP = 12
"""Most digits of the step in "RUN@STEP"."""


class SavedRun(ModelAccess):
    """An opened run. The model that was asked last stays in memory for the next question, until `forget_model`.

    Args:
        folder: The run.
        plugins: Where its architecture and tokenizer are found.
        averaged: Whether its models have the averaged weights of their checkpoints (training.averaging).

    Attributes:
        checkpoint: The step of the checkpoint whose model is asked; None for the last one.

    Raises:
        BadInput: The recipe in it holds what is not allowed.
    """

    def __init__(self, folder: RunFolder, plugins: Plugins, *, averaged: bool = False) -> None:
        self.folder, self._plugins, self._averaged = folder, plugins, averaged
        self.checkpoint: int | None = None
        self.recipe = folder.read_recipe()
        self._cache: dict[tuple[int, str], LanguageModel] = {}  # by step and device: one at most, while nobody uses it

    @classmethod
    def find(cls, text: str | Path, plugins: Plugins, *, averaged: bool = False) -> SavedRun:
        """Find the run that the user names: by its folder, its name, the beginning of its name, or "last".

        Args:
            text: What the user wrote.
            plugins: Where its architecture and tokenizer are found.
            averaged: Whether its models have the averaged weights of their checkpoints.

        Raises:
            BadInput: There is none, or more than one.
            LabError: The run is damaged.
        """
        folder = RunFolder.open(text) if isinstance(text, Path) else resolve_run(text)
        return cls(folder, plugins, averaged=averaged)

    @classmethod
    def find_at(cls, text: str, plugins: Plugins, *, averaged: bool = False) -> SavedRun:
        """Find the run that the user names as `find` does, or as "RUN@STEP" with one of its checkpoints.

        Raises:
            BadInput: There is no such run or checkpoint, or more than one run.
            LabError: The run is damaged.
        """
        name, sign, step = text.rpartition("@")
        if not sign or not (step.isascii() and step.isdigit() and len(step) <= LONGEST_STEP):
            return cls.find(text, plugins, averaged=averaged)
        try:
            return cls.find(text, plugins, averaged=averaged)  # its own name may end so
        except BadInput:
            return cls.find(name, plugins, averaged=averaged).at(int(step))

    def at(self, step: int) -> SavedRun:
        """Return this run with the model of one of its checkpoints.

        Raises:
            BadInput: There is no such checkpoint.
        """
        self._check_step(step)
        other = SavedRun(self.folder, self._plugins, averaged=self._averaged)
        other.checkpoint = step
        return other

    def open_run(self, name: str) -> SavedRun:
        """Open another run on disk, or "RUN@STEP" of it. See ModelAccess."""
        return SavedRun.find_at(name, self._plugins)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def path(self) -> Path:
        """Its folder's path."""
        return self.folder.path

    @property
    def status(self) -> Status:
        """Its state, step and figures."""
        return self.folder.status()

    @property
    def summary(self) -> dict[str, Any]:
        """Its figures: train_loss, validation_loss, protocol, bits_per_byte and more."""
        return dict(self.status.summary)

    @property
    def reads_later(self) -> bool:
        """True if its model is known to see the tokens that it predicts, so that its loss cannot be compared."""
        with contextlib.suppress(LabError):  # without it nothing is known, and the model can still be evaluated
            return bool(self.summary.get("reads_later_tokens"))
        return False

    @property
    def precision(self) -> str:
        """The number format of the matrix products of its training and the evaluations within; else float32."""
        placement = self.folder.facts.get("placement")
        stored = placement.get("precision") if isinstance(placement, dict) else None
        return stored if isinstance(stored, str) else EVALUATED_IN

    @property
    def of_examples(self) -> bool:
        """True if it learns from generated examples, or from rows, and not from a text."""
        return "symbols" in self.corpus_facts or "kind" in self.corpus_facts

    @property
    def corpus_facts(self) -> dict[str, Any]:
        """The facts of its corpus."""
        corpus = self.folder.facts.get("corpus")
        return corpus if isinstance(corpus, dict) else {}

    def _data_kind(self) -> DataKind:
        """Return the kind of its rows, which the run stores; without one it is that of the corpus."""
        kind: Any = self.corpus_facts.get("kind")
        return super()._data_kind() if kind not in get_args(DataKind) else kind

    @property
    def answers(self) -> bool:
        """True if the model answers a prompt: with a target to a source, or in a turn; False if it continues it."""
        turns = isinstance(self.tokenizer, TurnTokenizer) and self.tokenizer.reads is not None
        return turns or self.text_use is TextUse.SOURCE

    def metrics(self) -> MetricReader:
        """Return its series: `metrics().read("train loss")` -> (steps, values)."""
        return self.folder.metrics()

    @functools.cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer it was trained with, from the vocabulary in the run.

        Raises:
            LabError: The vocabulary in the run is missing or damaged.
        """
        card = self._plugins.card("tokenizers", self.recipe.tokenizer.name, field="tokenizer.name")
        vocabulary = self.folder.facts.get("vocabulary")
        if not isinstance(vocabulary, dict):
            raise LabError("this run holds no vocabulary", field="run.json", remedy="Use another copy of the run")
        with attributed(self._plugins.owner("tokenizers", card.name), f"Loading the tokenizer {card.title}"):
            tokenizer: Tokenizer = load(card.load)(vocabulary)
        return with_stored_documents(with_stored_turns(tokenizer, self.corpus_facts), self.corpus_facts)

    def model(self, step: int | None = None) -> LanguageModel:
        """Load the model of a checkpoint, in eval mode, on the processor, with its live settings.

        An adapter that can be folded into the weights is folded in.

        Args:
            step: Step of the checkpoint; None means the last.

        Raises:
            BadInput: There is no such checkpoint.
            LabError: It is damaged or does not fit the recipe.
        """
        from lab.training.adapters.attaching import merge
        from lab.training.experiment import build_model
        from lab.training.recording.checkpoints import load_model_tables
        from lab.training.resolution import resolve

        steps = self._check_step(step)
        architecture = resolve(self._plugins, "architectures", self.recipe.architecture, "architecture")
        adapter = resolve(self._plugins, "adapters", self.recipe.adapter, "adapter")
        model = build_model(architecture, self.objective().task(self._shape()), adapter=adapter)
        folder = self.folder.checkpoint_folder(steps[-1] if step is None else step)
        tables = load_model_tables(folder)
        if self._averaged:
            tables |= self._averaged_weights(folder)
        with attributed(architecture.plugin, "Loading the checkpoint"):
            try:
                model.load_tables(tables)
            except (ValueError, KeyError) as error:
                what = f"the checkpoint does not fit its recipe: {error}"
                raise LabError(what, field="run", value=self.name, remedy="Use another copy of the run") from None
            self._set_live(model, folder)
        if adapter.card.merges:
            with attributed(adapter.plugin, "Merging the adapter"):
                merge(model)
        return model.eval()

    def _check_step(self, step: int | None) -> list[int]:
        """Return the steps of the checkpoints.

        Raises:
            BadInput: There is none, or none of this step.
        """
        steps = self.folder.checkpoint_steps()
        if not steps or (step is not None and step not in steps):
            raise BadInput(
                "has no checkpoint" if not steps else f"has no checkpoint of step {step}",
                field="run",
                value=self.name,
                allowed=", ".join(map(str, steps)) or None,
                remedy=None if steps else "Wait until the run has ended, or train it again",
            )
        return steps

    def _averaged_weights(self, folder: Path) -> dict[str, Tensor]:
        """Return the averaged weights of a checkpoint by parameter; {} where they have become those of its model.

        Raises:
            BadInput: It has none.
        """
        from lab.training.recording.checkpoints import load_training
        from lab.training.steps.averaging import mean_weights

        found = mean_weights(load_training(folder)[0])
        if found is None:
            training = self.recipe.training
            averages = training.averaging == "ema" or training.average > 0
            raise BadInput(
                "this checkpoint was made before the first averaged step"
                if averages
                else "the weights of this run were not averaged",
                field="run",
                value=self.name,
                remedy="Leave out --average, or train "
                + ("on" if averages else "with training.averaging=ema, or with training.average above 0"),
            )
        return found

    def _set_live(self, model: LanguageModel, folder: Path) -> None:
        """Set the live settings of a checkpoint; if it stores none, the recipe's stay."""
        from lab.training.recording.checkpoints import load_facts
        from lab.training.steps.live import set_again

        try:
            live = load_facts(folder).get("live")
            settings = live.get("architecture") if isinstance(live, dict) else None
            set_again(model.config, settings if isinstance(settings, dict) else {})
        except LabError as error:
            if not folder.exists():  # the run is deleted while its model is being loaded
                raise
            stays = "Settings that were changed while it trained are as the recipe has them"
            notify("warning", replace(error.problem, remedy=stays))

    def default_tokens(self) -> Sequence[int]:
        """Return the probe text that the run stores, else the validation text."""
        return stored_tokens(self.folder, self.tokenizer) or tokens_of(self.validation())

    def evaluation_data(self, text: Path | None = None) -> EvaluationData:
        """Return the run's own validation split, or a file of yours. See ModelAccess."""
        from lab.training.experiment import sizes_of_targets

        if text is None:
            source = self.validation()
        else:
            check_reads_text(text, of_examples=self.of_examples)
            source = source_of_file(text, self.recipe, self._plugins, self.tokenizer)
        objective = self.objective()
        sizes = sizes_of_targets(self.tokenizer, objective, source)
        return EvaluationData(objective, source, sizes, self.recipe.training.evaluate_tokens)

    def probe(
        self,
        probe: str = "reports",
        text: str | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        device: str = "cpu",
    ) -> list[Reading]:
        """Return the readings of `inspect` and what its labels add; give notice if not all of a text was read."""
        inspection = self.inspect(text, probe=probe, settings=settings, device=device)
        given = len(self.tokenizer.encode(text)) if text and not self.text_use.is_of_rows else 0
        if given > len(inspection.labels):
            notify("info", f"of {given} tokens the first {len(inspection.labels)} are read")
        return [*inspection.readings, *further_readings(inspection, probe, self._plugins)]

    def recorded_steps(self) -> list[int]:
        """Return the steps at which it recorded readings, in order."""
        return reading_steps(self.path)

    def recorded(self, step: int) -> Inspection:
        """Return the readings that it recorded at a step.

        Raises:
            BadInput: There are none at this step.
            LabError: The run is damaged.
        """
        return recorded(self.folder, step, self.recipe, self._plugins, self.tokenizer)

    def forget_model(self) -> None:
        """Free the model that was asked last; a call that uses it now still ends."""
        self._cache = {}

    def _last_step(self) -> int:
        if self.checkpoint is not None:
            return self.checkpoint
        return next(reversed(self.folder.checkpoint_steps()), 0)

    def _last_model(self) -> tuple[int, LanguageModel]:
        """Load the model of the last checkpoint, or of a newer one if a training elsewhere deletes it meanwhile."""
        while True:
            step = self._last_step()
            try:
                return step, self.model(step or None)
            except LabError:
                if self._last_step() == step:
                    raise

    @contextlib.contextmanager
    def borrow(self, device: str | None = None, *, own: bool = False) -> Iterator[BorrowedModel]:
        """Lend the model of the last checkpoint, on the processor unless a device is named. See ModelAccess."""
        from lab.training.devices import find_device, use_full_float32

        del own  # a second borrower has a model of its own in any case
        use_full_float32()
        where, cache = find_device(device or "cpu"), self._cache
        step = self._last_step()
        model = cache.pop((step, str(where)), None)
        if model is None:
            cache.clear()  # of another step or device: room for this one
            step, model = self._last_model()
            model = model.to(where)
        try:
            yield BorrowedModel(model, step, where)
        finally:  # into the cache that was there at first: what was forgotten meanwhile does not come back
            cache.clear()
            cache[step, str(where)] = model

    def _shape(self) -> Any:
        from lab.text.rows.source import RowShape
        from lab.training.experiment import Shape

        length, rows = self.recipe.training.context_length, RowShape.stored(self.corpus_facts)
        return Shape(self.tokenizer.vocabulary_size, length, rows)

    def validation(self) -> Any:
        """Return the run's own validation split, once its corpus is found and is the same text."""
        remedy = "" if self.of_examples else "Give the text with --text FILE"
        return validation_split(self.folder, self._recipe_in_force(), self._plugins, self.tokenizer, remedy)

    def _recipe_in_force(self) -> Recipe:
        """Return the recipe with the live settings of the last checkpoint, if its corpus has any."""
        from lab.training.recording.checkpoints import load_facts

        corpus = self._plugins.card("corpora", self.recipe.corpus.name).config
        has_live = any(setting.live for setting in settings_of(corpus))
        steps = self.folder.checkpoint_steps() if has_live else []
        return in_force(self.recipe, load_facts(self.folder.checkpoint_folder(steps[-1]))) if steps else self.recipe
