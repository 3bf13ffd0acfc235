"""A run on disk, opened: recipe, figures, series, and its model to evaluate and write with. Runs no code of it."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.api import BadInput, LabError, Reading, Text, Tokenizer, load
from lab.base.notices import notify
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import MetricReader, RunFolder, Status, reading_steps, resolve_run
from lab.workbench.access.generation import Likeliest, Piece, Writer
from lab.workbench.access.inspection import Inspection, experts_by_class, look_into, recorded, stored_tokens
from lab.workbench.access.validation_split import validation_split
from lab.workbench.access.without_experts import Without, loss_without
from lab.workbench.analysis.verify import Verification, stored_verification

if TYPE_CHECKING:
    import torch

    from lab.layers import LanguageModel
    from lab.training.evaluation import Evaluation


class SavedRun:
    """An opened run. It keeps the model that was asked last, for the next question, until it is told to forget it.

    Args:
        folder: The run.
        plugins: Where its architecture and tokenizer are found.

    Raises:
        BadInput: The recipe in it holds what is not allowed.
    """

    def __init__(self, folder: RunFolder, plugins: Plugins) -> None:
        self.folder, self._plugins = folder, plugins
        self.recipe = Recipe.from_toml(folder.recipe, name=f"{folder.name}/recipe.toml")
        self._kept: dict[tuple[int, str], LanguageModel] = {}  # by step and device: one at most, while nobody uses it

    @classmethod
    def find(cls, text: str | Path, plugins: Plugins) -> SavedRun:
        """The run a person means: a folder, the name of a run, its beginning, or "last".

        Raises:
            BadInput: There is none, or more than one.
            LabError: The run is damaged.
        """
        return cls(RunFolder.open(text) if isinstance(text, Path) else resolve_run(text), plugins)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.folder.path

    @property
    def status(self) -> Status:
        """How far it is, and its figures."""
        return self.folder.status()

    @property
    def summary(self) -> dict[str, Any]:
        """Its figures: train_loss, validation_loss, protocol, bits_per_byte and more."""
        return dict(self.status.summary)

    @property
    def reads_later(self) -> bool:
        """Whether its model is known to read the tokens that it is to guess, so that its loss is no forecast."""
        with contextlib.suppress(LabError):  # a damaged file tells nothing, and a model can be evaluated without it
            return bool(self.summary.get("reads_later_tokens"))
        return False

    @property
    def verification(self) -> Verification | None:
        """What came of training its last steps anew; None where nobody did."""
        return stored_verification(self.folder)

    @property
    def of_examples(self) -> bool:
        """Whether it learns from generated examples and not from a text."""
        corpus = self.folder.facts.get("corpus")
        return isinstance(corpus, dict) and "symbols" in corpus

    def metrics(self) -> MetricReader:
        """Its series: `metrics().read("train loss")` -> (steps, values)."""
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
        return tokenizer

    def model(self, step: int | None = None) -> LanguageModel:
        """The model of a checkpoint, in eval mode, on the processor, with what was changed while it trained.

        Args:
            step: Of which checkpoint; None means the last.

        Raises:
            BadInput: There is no such checkpoint.
            LabError: It is damaged or does not fit the recipe.
        """
        from lab.training.experiment import build_model
        from lab.training.recording.checkpoints import load_model_tables
        from lab.training.resolution import resolve

        steps = self.folder.checkpoint_steps()
        if not steps or (step is not None and step not in steps):
            raise BadInput(
                "has no checkpoint" if not steps else f"has no checkpoint of step {step}",
                field="run",
                value=self.name,
                allowed=", ".join(map(str, steps)) or None,
                remedy=None if steps else "Wait until the run has ended, or train it again",
            )
        architecture = resolve(self._plugins, "architectures", self.recipe.architecture, "architecture")
        model = build_model(architecture, self.objective().task(self._shape()))
        place = self.folder.checkpoint_folder(steps[-1] if step is None else step)
        tables = load_model_tables(place)
        with attributed(architecture.plugin, "Loading the checkpoint"):
            try:
                model.load_tables(tables)
            except (ValueError, KeyError) as error:
                what = f"the checkpoint does not fit its recipe: {error}"
                raise LabError(what, field="run", value=self.name, remedy="Use another copy of the run") from None
            self._change_live(model, place)
        return model.eval()

    def _change_live(self, model: LanguageModel, place: Path) -> None:
        """Sets what is live as it was then; where the checkpoint does not tell, the recipe's settings stay."""
        from lab.training.recording.checkpoints import load_facts
        from lab.training.steps.live import set_again

        try:
            live = load_facts(place).get("live")
            settings = live.get("architecture") if isinstance(live, dict) else None
            set_again(model.config, settings if isinstance(settings, dict) else {})
        except LabError as error:
            stays = "Settings that were changed while it trained are as the recipe has them"
            notify("warning", replace(error.problem, remedy=stays))

    def evaluate(self, *, text: Path | None = None, protocol: str | None = None, device: str = "auto") -> Evaluation:
        """The loss of the last checkpoint on the run's validation text, or on a file of yours.

        Args:
            text: A UTF-8 file; None finds the run's own corpus on this machine.
            protocol: "windows", "stream" or "strided:N"; None takes the model's own.
            device: Where to compute.

        Raises:
            BadInput: Corpus, protocol or device cannot be used.
            LabError: The run is damaged, or a plugin's code raised.
        """
        from lab.text.streams import TokenSource
        from lab.training.devices import find_device
        from lab.training.evaluation import default_protocol, evaluate

        where, source = find_device(device), self._judged_on(text)
        model, objective = self.model().to(where), self.objective()
        of_text = isinstance(source, TokenSource)
        with attributed(self.model_plugin, "Evaluating"):
            return evaluate(
                model,
                objective,
                source,
                protocol=protocol or default_protocol(model, objective, of_text=of_text),
                device=where,
                sizes=self.tokenizer.sizes() if of_text else None,
            )

    def without_experts(
        self,
        off: Mapping[int, Collection[int]],
        *,
        tokens: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        text: Path | None = None,
        protocol: str | None = None,
        device: str = "cpu",
    ) -> Without:
        """The loss of the last checkpoint without some experts, and with all; see Subject, and `evaluate`.

        Raises:
            BadInput: There is no such expert, no other one in its block, or corpus, protocol or device cannot be used.
            LabError: The run is damaged, or a plugin's code raised; Cancelled where it was cancelled.
        """
        source = self._judged_on(text)
        limit = self.recipe.training.evaluate_tokens if tokens is None else tokens
        with self._borrowed(device) as (model, _, where), attributed(self.model_plugin, "Evaluating"):
            return loss_without(
                model,
                off,
                self.objective(),
                source,
                protocol=protocol,
                device=where,
                limit=limit,
                cancelled=cancelled,
            )

    def generate(
        self,
        prompt: str,
        *,
        count: int = 200,
        seed: int = 0,
        device: str = "cpu",
        sampler: str = "sampling",
        settings: Mapping[str, Any] | None = None,
        alternatives: int = 5,
    ) -> Iterator[Piece]:
        """Text of the last checkpoint after a prompt.

        Args:
            prompt: At least one character.
            count: Tokens.
            seed: Of the text.
            device: Where to compute.
            sampler: Name of a registered sampler.
            settings: Its settings: temperature, top_k, top_p of "sampling".
            alternatives: How many of the likeliest tokens are told at each place.

        Raises:
            BadInput: The prompt or a setting cannot be used.
        """
        with self._borrowed(device) as borrowed:
            yield from self._writer(*borrowed).write(
                prompt, sampler=sampler, settings=settings or {}, seed=seed, count=count, alternatives=alternatives
            )

    def next_tokens(self, prompt: str, count: int = 20) -> Likeliest:
        """The likeliest tokens after a prompt, by the last checkpoint.

        Raises:
            BadInput: The prompt cannot be used.
        """
        with self._borrowed("cpu") as borrowed:
            return self._writer(*borrowed).next_tokens(prompt, count)

    def look(
        self,
        text: str | None = None,
        *,
        probe: str = "reports",
        settings: Mapping[str, Any] | None = None,
        device: str = "cpu",
    ) -> Inspection:
        """What a probe finds in the last checkpoint.

        Args:
            text: What the model reads; None takes the probe text of the run. No more of it is read than the recipe's
                `readings.tokens`, or than the model can read.
            probe: Name of a registered probe.
            settings: The probe's settings, over those that the recipe gives it.
            device: Where to compute.

        Raises:
            BadInput: There is no such probe, it is not made for this model, or text or a setting cannot be used.
            LabError: The run is damaged, or a plugin's code raised.
        """
        from lab.training.devices import find_device

        where = find_device(device)
        with contextlib.ExitStack() as used:
            return look_into(
                lambda: used.enter_context(self._borrowed(device))[:2],
                text,
                probe=probe,
                settings=settings,
                recipe=self.recipe,
                plugins=self._plugins,
                tokenizer=self.tokenizer,
                device=where,
                otherwise=lambda: stored_tokens(self.folder, self.tokenizer) or self.validation().tokens,
            )

    def probe(
        self,
        probe: str = "reports",
        text: str | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        device: str = "cpu",
    ) -> list[Reading]:
        """The readings of a look, and what its labels add; that not all of a text was read is told. See `look`."""
        look = self.look(text, probe=probe, settings=settings, device=device)
        given = len(self.tokenizer.encode(text)) if text else 0
        if given > len(look.labels):
            notify("info", f"of {given} tokens the first {len(look.labels)} are read")
        return [*look.readings, *experts_by_class(look)]

    def recorded_steps(self) -> list[int]:
        """The steps at which it recorded readings, in order."""
        return reading_steps(self.path)

    def recorded(self, step: int) -> Inspection:
        """The readings that it recorded at a step.

        Raises:
            BadInput: There are none at this step.
            LabError: The run is damaged.
        """
        return recorded(self.folder, step, self.recipe, self._plugins, self.tokenizer)

    def forget_model(self) -> None:
        """Gives back the memory of the model that was asked last; whoever uses it now still ends."""
        self._kept = {}

    @contextlib.contextmanager
    def _borrowed(self, device: str) -> Iterator[tuple[LanguageModel, int, torch.device]]:
        """The model of the last checkpoint, its step and where it is; no other call uses this very one meanwhile."""
        from lab.training.devices import find_device

        where, kept = find_device(device), self._kept
        step = next(reversed(self.folder.checkpoint_steps()), 0)
        model = kept.pop((step, str(where)), None)
        if model is None:
            kept.clear()  # of another step or device: room for this one
            model = self.model(step or None).to(where)
        try:
            yield model, step, where
        finally:  # into what was there at first: what was forgotten meanwhile does not come back
            kept.clear()
            kept[step, str(where)] = model

    def _writer(self, model: LanguageModel, step: int, device: torch.device) -> Writer:
        return Writer(model, self.tokenizer, device, self.recipe, self._plugins, step)

    def objective(self) -> Any:
        """What it was trained for."""
        from lab.training.resolution import resolve

        return resolve(self._plugins, "objectives", self.recipe.objective, "objective").make()

    def _shape(self) -> Any:
        from lab.training.experiment import Shape

        return Shape(self.tokenizer.vocabulary_size, self.recipe.training.context_length)

    def _source(self, text: str | np.ndarray) -> Any:
        """A text, or its tokens, cut into windows by the run's own tokenizer."""
        from lab.text.streams import TokenSource

        with attributed(self._plugins.owner("tokenizers", self.recipe.tokenizer.name), "Encoding the text"):
            tokens = self.tokenizer.encode(text) if isinstance(text, str) else text
        shape = self._shape()
        return TokenSource(tokens, shape.vocabulary_size, shape.context_length, "windows")

    def _judged_on(self, text: Path | None) -> Any:
        """A file of yours, or the run's own validation split."""
        if text is not None and self.of_examples:
            raise BadInput(
                "this run learns from examples, and a text has none",
                field="corpus.path",
                value=str(text),
                remedy="Leave the text out",
            )
        return self.validation() if text is None else self._text_source(text)

    def _text_source(self, file: Path) -> Any:
        from lab.text.corpora.files import FileConfig, read_file
        from lab.text.token_files import tokens_of

        given = read_file(FileConfig.read({"path": str(file)}, field="corpus"))
        return self._source(given.text if isinstance(given, Text) else tokens_of(given, self.tokenizer))

    @property
    def model_plugin(self) -> str:
        """The plugin that registered its architecture."""
        return self._plugins.owner("architectures", self.recipe.architecture.name)

    def validation(self) -> Any:
        """The run's own validation split, once its corpus is found and is the same text."""
        remedy = "" if self.of_examples else "Give the text with --text FILE"
        return validation_split(self.folder, self.recipe, self._plugins, self.tokenizer, remedy)
