"""The one interface to a model: of a run that trains, of a run on disk, or of a recipe before any training."""

from __future__ import annotations

import contextlib
import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.api import BadInput, Chooser, DataKind, Objective, Probe, Tokenizer, checked_readings
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Choice, Decoding, Recipe, merged
from lab.text.row_files.images import read_picture
from lab.text.rows.source import RowShape
from lab.workbench.access.ablation import (
    Ablation,
    Ablator,
    Baseline,
    Paced,
    PartLoss,
    ablate,
    addresses_in,
    measure_parts,
)
from lab.workbench.access.answers.classes import PredictedClasses, class_shares
from lab.workbench.access.answers.decision import Decision, gradients, without_each
from lab.workbench.access.answers.fill import (
    FilledPlace,
    FilledText,
    Order,
    candidates_of,
    fill_tokens,
    split_at_marks,
)
from lab.workbench.access.answers.pictures import (
    PictureDecision,
    PictureForm,
    by_texts,
    bytes_of,
    check_picture,
    check_prompts,
    gradient_of,
    occlusion_of,
    shares_of,
)
from lab.workbench.access.evaluation_data import EvaluationData
from lab.workbench.access.generation import LikeliestTokens, Piece, Writer, read_prompt
from lab.workbench.access.inspection import Inspection, labels_of, text_of, tokens_to_read
from lab.workbench.access.next_token import NextToken, TokenStages
from lab.workbench.access.text_use import TextUse, text_use
from lab.workbench.access.threads import one_thread
from lab.workbench.access.written_target import written_target

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

    from lab.decoding.request import Request
    from lab.diagnostics.examples.rows import RowsInput
    from lab.diagnostics.source import ProbeInput
    from lab.layers import LanguageModel
    from lab.training.evaluation import Evaluation


MOST_CANDIDATES = 1000
"""Most tokens that are shown for a hidden place."""
EXAMPLES, CAPTIONS = 40, 6
"""Pictures of the validation split among whose captions different ones are sought, and how many of these are given."""
PROMPTS = ("The ", "the ")
"""The prompts that are tried first."""
PROMPT_TOKENS = 64
"""Tokens of a text in which a prompt is searched for."""


@dataclass(frozen=True)
class BorrowedModel:
    """A model that no other call uses until it is given back.

    Args:
        model: In eval mode.
        step: Optimizer updates that it had; 0 is untrained.
        device: Where it is.
        trains: Returns True while its run trains in this process, which then keeps its speed: everything is computed
            in one thread, and texts are written slowly. None where nothing trains here.
    """

    model: LanguageModel
    step: int
    device: torch.device
    trains: Callable[[], bool] | None = None


EVALUATED_IN = "float32"
"""The number format in which a model that is asked computes, whatever it was trained in."""


class ModelAccess(ABC):
    """A model that can be asked for text, next tokens, readings and losses.

    A subclass says where the model comes from (`borrow`), and what it is read on; the questions are written here, once.
    Every call may come from any thread. All raise BadInput where prompt, text, strategy, filter, probe, device or a
    setting cannot be used, and LabError where there is no model yet or a plugin's code raised.

    Attributes:
        recipe: What the model is trained by.
    """

    recipe: Recipe
    _plugins: Plugins

    # ------------------------------------------------------------------------------------ what a subclass provides

    @property
    @abstractmethod
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that the model is trained with."""

    @abstractmethod
    def borrow(self, device: str | None = None, *, own: bool = False) -> AbstractContextManager[BorrowedModel]:
        """Lend the model.

        Args:
            device: Where to compute; None where it costs least. A run that trains computes where it trains.
            own: Whether the borrower keeps it for long, as for a text or an evaluation; other calls then do not wait.

        Raises:
            BadInput: The device cannot be used, or there is no such model.
            LabError: There is no model yet, or it cannot be read.
        """

    @abstractmethod
    def default_tokens(self) -> Sequence[int]:
        """Return what is inspected where neither a text is given nor the recipe has one."""

    @property
    @abstractmethod
    def corpus_facts(self) -> Mapping[str, Any]:
        """The facts of the corpus as a run stores them: of rows "kind", and "shape" for RowShape.stored."""

    @abstractmethod
    def evaluation_data(self, text: Path | None = None) -> EvaluationData:
        """Return what the model is evaluated on.

        Args:
            text: A UTF-8 file; None takes the run's own validation split.

        Raises:
            BadInput: The text or the run's corpus cannot be used.
        """

    @abstractmethod
    def open_run(self, name: str) -> ModelAccess:
        """Open another run on disk, whose model a strategy or a filter reads beside this one.

        Args:
            name: Its folder, its name, the beginning of its name, or "last".

        Raises:
            BadInput: There is none, or more than one.
            LabError: The run is damaged.
        """

    # ---------------------------------------------------------------------------------------------- the questions

    def objective(self) -> Objective:
        """Return what it is trained for.

        Raises:
            BadInput: There is no such objective.
            LabError: The objective's plugin raised.
        """
        from lab.training.resolution import resolve

        found: Objective = resolve(self._plugins, "objectives", self.recipe.objective, "objective").make()
        return found

    @property
    def text_use(self) -> TextUse:
        """The use that the model has for a text of the user; the corpus is not read for it."""
        return text_use(self.objective(), self._data_kind())

    @property
    def decoding(self) -> Decoding:
        """How its texts are decoded where nothing else is asked for: as its recipe says, or by the defaults."""
        return self.recipe.decoding or Decoding()

    def _data_kind(self) -> DataKind:
        """Return the kind of data of the corpus."""
        from lab.training.resolution import data_kind

        return data_kind(self._plugins, self.recipe.corpus)

    def classify(self, text: str) -> PredictedClasses:
        """Return the distribution over the classes of a text, or of each of its words.

        Args:
            text: At least one token of the vocabulary; no more than the model reads.
        """
        use = self.text_use
        if use is not TextUse.CLASSES:
            what, remedy = "this run learned no classes of texts", "Choose a run with the objective classification"
            raise BadInput(what, field="objective.name", value=self.recipe.objective.name, remedy=remedy)
        tokenizer, plugin = self.tokenizer, self._plugins.owner("tokenizers", self.recipe.tokenizer.name)
        shape = RowShape.stored(self.corpus_facts)
        words = tuple(text.split()) if shape.by_token else (text,)
        pieces = [read_prompt(word, tokenizer, plugin) for word in words or ("",)]
        with self.borrow() as borrowed, attributed(self.model_plugin, "Classifying"), one_thread():
            shares = class_shares(borrowed.model, list(itertools.chain(*pieces)), borrowed.device)
        if not shape.by_token:
            return PredictedClasses(borrowed.step, shape.class_names, shares)
        starts = itertools.accumulate(map(len, pieces[:-1]), initial=0)  # the class of a word stands on its first piece
        return PredictedClasses(borrowed.step, shape.class_names, tuple(shares[start] for start in starts), words)

    def decision(self, text: str) -> Decision:
        """Return what the likeliest class of a text rests on, token by token.

        Args:
            text: As of `classify`; its model has one class for the whole text.
        """
        found = self.classify(text)
        if found.words:
            what, remedy = "this run has a class for each word", "Choose a run that has one for the whole text"
            raise BadInput(what, field="objective.name", value=self.recipe.objective.name, remedy=remedy)
        name, share = found.ranked()[0]
        tokens = read_prompt(text, self.tokenizer, self.tokenizer_plugin)
        picked = found.names.index(name)
        with self.borrow() as borrowed, attributed(self.model_plugin, "Classifying"), one_thread():
            model, device = borrowed.model, borrowed.device
            occlusion = without_each(model, tokens, picked, device)
            gradient = gradients(model, tokens, picked, device)
        labels = tuple(self.tokenizer.label(token) for token in tokens)
        return Decision(found.step, name, share, labels, occlusion, gradient)

    def read_picture(self, path: Path, *, invert: bool = False) -> NDArray[np.uint8]:
        """Return the picture of a file as the model reads pictures: (H, W, C), resized, grey or in colour.

        Args:
            path: A PNG, JPEG, BMP, GIF, WebP or TIFF file.
            invert: Whether dark and bright are exchanged, as for ink on paper where the run read chalk on a board.
        """
        pixels = read_picture(path, self._picture_shape(), "picture")
        return 255 - pixels if invert else pixels

    def classify_picture(self, pixels: Any, prompts: Sequence[str] = ()) -> PredictedClasses:
        """Return the distribution over the classes of a picture, or over texts that might belong to it.

        Args:
            pixels: (H, W, C) of the size that the run reads, bytes or numbers from 0 to 1.
            prompts: The texts, for a run that learned from images and captions; () for one with classes.
        """
        picture = check_picture(pixels, self._picture_shape())
        names, texts = self._candidates(prompts)
        with self.borrow() as borrowed, attributed(self.model_plugin, "Classifying"), one_thread():
            score = borrowed.model if texts is None else by_texts(borrowed.model, texts, borrowed.device)
            return PredictedClasses(borrowed.step, names, (shares_of(score, picture, borrowed.device),))

    def picture_decision(self, pixels: Any, prompts: Sequence[str] = ()) -> PictureDecision:
        """Return what the likeliest class of a picture rests on, pixel by pixel; the arguments are as above."""
        picture = check_picture(pixels, self._picture_shape())
        names, texts = self._candidates(prompts)
        with self.borrow() as borrowed, attributed(self.model_plugin, "Classifying"), one_thread():
            device = borrowed.device
            score = borrowed.model if texts is None else by_texts(borrowed.model, texts, device)
            shares = shares_of(score, picture, device)
            picked = max(range(len(names)), key=shares.__getitem__)
            occlusion, gradient = (of(score, picture, picked, device) for of in (occlusion_of, gradient_of))
        return PictureDecision(borrowed.step, names[picked], shares[picked], occlusion, gradient)

    def picture_form(self) -> PictureForm:
        """Return the form of the pictures that the model reads, with an example of the validation split."""
        shape, source = self._picture_shape(), self.evaluation_data().source.ordered()
        rows = source.rows(np.arange(min(EXAMPLES, source.examples)), 0)
        captions = [self.tokenizer.decode(row[row >= 0].tolist()) for row in rows.get("target", ())]
        names = RowShape.stored(self.corpus_facts).class_names
        return PictureForm(shape, names, bytes_of(rows["inputs"][0]), tuple(dict.fromkeys(captions))[:CAPTIONS])

    def example_picture(self, number: int) -> tuple[NDArray[np.uint8], str]:
        """Return a picture of the validation split, and its class or caption.

        Args:
            number: Counted from 0; after the last one follows the first.
        """
        self._picture_shape()
        source = self.evaluation_data().source.ordered()
        rows = source.rows(np.array([number % source.examples]), 0)
        pixels = bytes_of(rows["inputs"][0])
        if "target" in rows:
            return pixels, self.tokenizer.decode(rows["target"][0][rows["target"][0] >= 0].tolist())
        return pixels, RowShape.stored(self.corpus_facts).class_names[int(rows["label"][0])]

    def _picture_shape(self) -> tuple[int, ...]:
        """Return the (H, W, C) of the pictures that the model reads.

        Raises:
            BadInput: It reads none, or predicts neither their classes nor their texts.
        """
        shape = RowShape.stored(self.corpus_facts)
        if self.text_use not in (TextUse.IMAGES, TextUse.MATCHING) or not shape.input_shape or shape.outputs:
            what = "this run predicts no classes or texts of pictures"
            remedy = "Choose a run on images with the objective classification or contrastive"
            raise BadInput(what, field="objective.name", value=self.recipe.objective.name, remedy=remedy)
        return shape.input_shape

    def _candidates(self, prompts: Sequence[str]) -> tuple[tuple[str, ...], list[list[int]] | None]:
        """Return the names of the classes; or of the texts, with their tokens between the objective's symbols."""
        if self.text_use is not TextUse.MATCHING:
            if prompts:
                what = "this run learned classes, and cannot compare a picture with texts"
                remedy = "Leave the texts out, or choose a run with the objective contrastive"
                raise BadInput(what, field="prompts", value=len(prompts), remedy=remedy)
            return RowShape.stored(self.corpus_facts).class_names, None
        names, size, objective = check_prompts(prompts), self.tokenizer.vocabulary_size, self.objective()
        begin, end = (size + objective.symbols.index(name) for name in ("begin", "end"))
        return names, [[begin, *read_prompt(name, self.tokenizer, self.tokenizer_plugin), end] for name in names]

    def fill(
        self,
        text: str,
        *,
        order: Order = "at-once",
        count: int = 5,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> FilledText:
        """Return the likeliest tokens for each [MASK] of a text; the model predicts hidden tokens.

        Args:
            text: With at least one mark; the tokenizer may put the space before a mark into the token that is hidden.
            order: Whether all places are filled from one reading, or one after the other, the surest first.
            count: Number of likeliest tokens of each place.
            cancelled: Called before each reading; True ends it, and Cancelled is raised.
        """
        if not 1 <= count <= MOST_CANDIDATES:
            allowed = f"1 to {MOST_CANDIDATES}"
            raise BadInput("is no number of tokens to show", field="candidates", value=count, allowed=allowed)
        if self.text_use is not TextUse.HIDDEN:
            what, remedy = "this run does not predict hidden tokens", "Choose a run with the objective masked"
            raise BadInput(what, field="objective.name", value=self.recipe.objective.name, remedy=remedy)
        pieces, tokenizer, objective = split_at_marks(text), self.tokenizer, self.objective()
        if _brings_spaces(tokenizer):
            pieces = [piece.removesuffix(" ") if number + 1 < len(pieces) else piece for number, piece in
                      enumerate(pieces)]  # fmt: skip
        read = [read_prompt(piece, tokenizer, self.tokenizer_plugin) if piece else [] for piece in pieces]
        size = tokenizer.vocabulary_size
        special = {name: size + number for number, name in enumerate(objective.symbols)}
        with self.borrow() as borrowed, attributed(self.model_plugin, "Filling in"), one_thread():
            found = fill_tokens(
                borrowed.model, read, special, order=order, size=size, device=borrowed.device, cancelled=cancelled
            )
        places = [
            FilledPlace(index, turn, candidates_of(shares, tokenizer, count))
            for index, (turn, shares) in enumerate(found)
        ]
        return FilledText(borrowed.step, order, tuple(pieces), tuple(places))

    def generate(
        self,
        prompt: str,
        *,
        decoding: Decoding | None = None,
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
        count: int = 200,
        alternatives: int = 5,
        device: str | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        report_beams: Callable[[list[list[Piece]]], object] | None = None,
        around: Callable[[Chooser], Chooser] = lambda strategy: strategy,
    ) -> Iterator[Piece]:
        """Yield text after a prompt, token by token; the last token says why the text ends.

        Args:
            prompt: At least one character.
            decoding: Strategy, filters and what ends the text; None means those of the recipe, or the defaults.
            settings: The first setting of filters, by their names: temperature, top_k, top_p.
            seed: Of the text.
            count: Most tokens.
            alternatives: How many of the likeliest tokens come with each.
            device: Where to compute; see `borrow`.
            cancelled: Called before each token; True ends the text where it is.
            report_beams: Called at the end of a text whose strategy keeps several hypotheses, with the best ones.
            around: As of Writer.write.
        """
        with self.borrow(device, own=True) as borrowed:
            yield from self.writer(borrowed).write(
                prompt,
                decoding=decoding or self.decoding,
                settings=settings or {},
                seed=seed,
                count=count,
                alternatives=alternatives,
                trains=borrowed.trains,
                cancelled=cancelled,
                report_beams=report_beams,
                around=around,
            )

    def request(self, prompt: str, *, device: str | None = None) -> Request:
        """Return what the model is asked for a prompt, with the model, which must be asked nothing else meanwhile.

        Args:
            prompt: At least one character.
            device: Where to compute; see `borrow`.
        """
        with self.borrow(device) as borrowed:
            return self.writer(borrowed).request(prompt)

    def next_tokens(self, prompt: str, count: int = 20) -> LikeliestTokens:
        """Return the likeliest tokens after a prompt."""
        with self.borrow() as borrowed:
            return self.writer(borrowed).next_tokens(prompt, count)

    def next_token(self, prompt: str, device: str | None = None) -> NextToken:
        """Return what the model predicts after a prompt, on which any decoding can be tried without asking it again.

        Args:
            prompt: At least one character.
            device: Where to compute; see `borrow`.
        """
        with self.borrow(device) as borrowed:
            return self.writer(borrowed).next_token(prompt)

    def stages(
        self,
        prompt: str,
        *,
        decoding: Decoding | None = None,
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
        count: int = 10,
        device: str | None = None,
    ) -> TokenStages:
        """Return the next token after a prompt: the distribution after each filter in order, and the draw.

        Args:
            prompt: At least one character.
            decoding: As of `generate`.
            settings: As of `generate`.
            seed: As of `generate`; the token is the first one of that text.
            count: Number of likeliest tokens whose probabilities are given.
            device: Where to compute; see `borrow`.
        """
        found = self.next_token(prompt, device)
        return found.stages(decoding or self.decoding, settings or {}, seed=seed, count=count)

    def validation_text(self, characters: int) -> str:
        """Return the start of the validation text, without a character of which only some bytes are in it.

        Args:
            characters: Most characters.

        Raises:
            BadInput: There is none, or the run learns from examples, which are no text.
        """
        from lab.text.mixed import MixedSource
        from lab.text.streams import TokenSource

        source = self.evaluation_data().source
        if not isinstance(source, TokenSource | MixedSource):
            raise BadInput("this run learns from examples, and examples are no text", field="corpus")
        return self.tokenizer.decode(source.tokens[:characters])[:characters].rstrip("\ufffd")

    def default_prompt(self) -> str:
        """Return a prompt that the vocabulary has: "The ", "the ", or a word of the text that is inspected by default.

        It ends with a space only if no token brings its own: after one, no such token is likely to come.
        Of a run that reads sources or texts with classes, it is the first one of the validation rows.

        Raises:
            LabError: There is no such text, or a plugin's code raised.
        """
        tokenizer, use = self.tokenizer, self.text_use
        with attributed(self._plugins.owner("tokenizers", self.recipe.tokenizer.name), "Choosing a prompt"):
            if use in (TextUse.SOURCE, TextUse.CLASSES):
                return self._first_input()
            brings_spaces = _brings_spaces(tokenizer)
            for prompt in PROMPTS:
                shown = prompt.rstrip() if brings_spaces else prompt
                if _can_encode(tokenizer, shown):
                    return shown
            text = tokenizer.decode(list(self.default_tokens()[:PROMPT_TOKENS]))
            words = re.findall(r"\S+" if brings_spaces else r"\S+\s", text)[1:]  # the first may have lost its start
            symbols = (text[:1], text)
            return next((prompt for prompt in (*words, *symbols) if prompt and _can_encode(tokenizer, prompt)), "")

    def _first_input(self) -> str:
        """Return the text that the model reads of the first validation row; words with classes are joined by spaces."""
        import numpy as np

        tokenizer = self.tokenizer
        row = self.evaluation_data().source.ordered().rows(np.zeros(1, np.int64), 0)
        tokens = row[next(name for name in ("source", "inputs", "tokens") if name in row)][0]
        words = [tokens[tokens >= 0]]
        if np.ndim(row.get("label")) == 2:
            words = np.split(words[0], np.flatnonzero(row["label"][0] >= 0)[1:])
        return " ".join(str(tokenizer.decode(word)) for word in words)

    def inspect(
        self,
        text: str | None = None,
        *,
        probe: str = "reports",
        settings: Mapping[str, Any] | None = None,
        device: str | None = None,
    ) -> Inspection:
        """Return what a probe finds in the model on a text.

        Args:
            text: What the model reads, for a run on pairs the source, on vectors or images the number of a validation
                row; None takes the probe text of the run, or its first validation row. No more of it is read than the
                recipe's `readings.tokens`, or than the model can read.
            probe: Name of a registered probe.
            settings: The probe's settings, over those that the recipe gives it.
            device: Where to compute; see `borrow`.
        """
        import torch

        from lab.diagnostics.source import symbol_label
        from lab.training.resolution import resolve

        field = f"readings.probes.{probe}"
        named = (choice for choice in self.recipe.readings.probes if choice.name == probe)
        one = resolve(self._plugins, "probes", next(named, Choice(name=probe)), field)
        self._check_reads(one.card)
        config = one.card.config.read(merged(one.config.stored(), settings or {}), field=field)
        tokenizer, objective = self.tokenizer, self.objective()
        with self.borrow(device) as borrowed:
            read = self._probe_input(text, borrowed)
            call = replace(one, config=config).make()
            with attributed(one.plugin, one.card.title), torch.no_grad(), one_thread():
                found = call(read.bound(borrowed.model), read.batch(borrowed.device))
                readings = read.labelled(checked_readings(found), borrowed.model)
        if not hasattr(read, "tokens"):
            return Inspection(borrowed.step, (), readings, text=read.text)
        shown = text_of(read.source or read.tokens, self.recipe, self._plugins, tokenizer)
        given = len(tokenizer.encode(text)) if text and not read.source else 0
        symbol = partial(symbol_label, tokenizer=tokenizer, objective=objective)
        return Inspection(borrowed.step, read.labels, readings, symbol=symbol, text=shown, given=given)

    def _check_reads(self, probe: Probe) -> None:
        """Refuse a probe that is for models that read something else.

        Raises:
            BadInput: It is.
        """
        from lab.training.corpus_fit import inputs_of

        reads = inputs_of(self._data_kind())
        if reads not in probe.reads:
            raise BadInput(
                f"this probe is for models that read {' or '.join(sorted(probe.reads))}, and this one reads {reads}",
                field="readings.probes",
                value=probe.name,
                remedy="Choose another probe",
            )

    def _probe_input(self, text: str | None, borrowed: BorrowedModel) -> ProbeInput | RowsInput:
        """Return what a probe reads, no more than the model can read.

        Of a run on pairs the text is the source, by default that of the first validation row. Its target is that of
        the row, or for another source the one that the model writes.
        """
        from lab.diagnostics.examples.rows import rows_input
        from lab.diagnostics.source import ProbeInput, first_pair, input_of_pair

        tokenizer, model = self.tokenizer, borrowed.model
        if self.text_use.is_of_rows:
            wanted = text or self.recipe.readings.text
            source, objective = self.evaluation_data().source, self.objective()
            return rows_input(source, objective, self.corpus_facts, wanted, tokenizer.decode)
        if self.text_use is not TextUse.SOURCE:
            tokens = tokens_to_read(text, self.recipe, self._plugins, tokenizer, self.default_tokens)[: model.reach]
            return ProbeInput(tokens, labels_of(tokens, self.recipe, self._plugins, tokenizer))
        objective = self.objective()
        if text or self.recipe.readings.text:
            source = tokens_to_read(text, self.recipe, self._plugins, tokenizer, list)
            with attributed(self.model_plugin, "Writing"), one_thread():
                target = written_target(model, objective, source, tokenizer.vocabulary_size, borrowed.device)
        else:
            source, target = first_pair(self.evaluation_data().source, objective)
        with attributed(self._plugins.owner("tokenizers", self.recipe.tokenizer.name), "Naming the tokens"):
            return input_of_pair((source, target[: model.task.context_length - 1]), tokenizer, objective)

    def evaluate(
        self,
        *,
        text: Path | None = None,
        protocol: str | None = None,
        device: str | None = "auto",
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Evaluation:
        """Return the loss on the run's validation text, or on a file of yours.

        Args:
            text: A UTF-8 file; None takes the run's own validation split.
            protocol: "windows", "stream" or "strided:N"; None takes the model's own.
            device: Where to compute; see `borrow`.
            cancelled: Called between batches; returning True ends the evaluation with what was read so far.
        """
        from lab.text.streams import TokenSource
        from lab.training.evaluation import default_protocol, evaluate

        data = self.evaluation_data(text)
        of_text = isinstance(data.source, TokenSource)
        with self.borrow_for_evaluation(device) as borrowed:
            found = evaluate(
                borrowed.model,
                data.objective,
                data.source,
                protocol=protocol or default_protocol(borrowed.model, data.objective, of_text=of_text),
                device=borrowed.device,
                sizes=data.sizes,
                cancelled=cancelled,
            )
            return replace(found, step=borrowed.step)

    def evaluate_without(
        self,
        targets: str,
        *,
        each: bool = True,
        reference: str | None = None,
        tokens: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        text: Path | None = None,
        protocol: str | None = None,
        device: str | None = None,
    ) -> Ablation:
        """Return the loss of the model as it is, and with parts of it switched off or replaced by interventions.

        Args:
            targets: What is changed, as "head:2.3,layer:4"; see lab.workbench.access.ablation.parse_targets.
            each: Whether each change is evaluated alone as well.
            reference: The text for changes that are measured on one; None takes the probe text of the run.
            tokens: Of the validation text; 0 reads all, None as many as an evaluation while it trains.
            cancelled: Called between batches; True ends it, and Cancelled is raised.
            text: A UTF-8 file; None takes the run's own validation split.
            protocol: "windows", "stream" or "strided:N"; None takes the model's own.
            device: Where to compute; see `borrow`.
        """
        data = self.evaluation_data(text)
        limit = data.limit if tokens is None else tokens
        with self.borrow_for_evaluation(device) as borrowed:
            read = self._probe_input(reference, borrowed)
            ablator = self._ablator(borrowed, data, read, protocol=protocol, limit=limit, cancelled=cancelled)
            return ablate(ablator, targets, each=each, step=borrowed.step)

    def interventions(self) -> dict[str, list[str]]:
        """Return what can be changed in the model: the addresses of each intervention that finds something in it."""
        import torch

        with self.borrow() as borrowed, torch.no_grad(), one_thread(), attributed(self.model_plugin, "Inspecting"):
            read = self._probe_input(None, borrowed)
            tokens = read.batch(borrowed.device)
            return addresses_in(read.bound(borrowed.model), self._plugins, tokens)

    def measure_parts(
        self,
        targets: Iterable[str],
        report: Callable[[Baseline | PartLoss], object],
        *,
        known: Baseline | None = None,
        trains: Callable[[], bool] = lambda: False,
        cancelled: Callable[[], bool] = lambda: False,
        device: str | None = None,
    ) -> None:
        """Report the loss of the model as it is, and then without one part after the other, all of one step.

        The validation text is read as `evaluate_without` does by default. A part that cannot be measured is reported
        with its problem.

        Args:
            targets: What to change, as "head:2.3"; read one by one, so that more may be added meanwhile.
            report: Called in this thread with each loss as soon as it is known.
            known: The loss of the model as it is, which is not measured again at the same step.
            trains: Returns True while another run trains in this process. While one does, everything is computed in one
                thread and in a share of the time.
            cancelled: Called between batches; True ends it, and Cancelled is raised.
            device: Where to compute; see `borrow`.
        """
        data = self.evaluation_data()
        with self.borrow_for_evaluation(device, trains) as borrowed:
            read = self._probe_input(None, borrowed)
            own = borrowed.trains
            paced = Paced(trains if own is None else lambda: own() or trains(), cancelled)
            ablator = self._ablator(borrowed, data, read, protocol=None, limit=data.limit, cancelled=paced)
            measure_parts(ablator, targets, report, step=borrowed.step, known=known, plugin=self.model_plugin)

    def _ablator(
        self,
        borrowed: BorrowedModel,
        data: EvaluationData,
        read: ProbeInput | RowsInput,
        *,
        protocol: str | None,
        limit: int,
        cancelled: Callable[[], bool],
    ) -> Ablator:
        tokens = read.batch(borrowed.device)
        return Ablator(
            borrowed.model, data, self._plugins, tokens, reader=read.bound(borrowed.model), protocol=protocol,
            device=borrowed.device, limit=limit, cancelled=cancelled,
        )  # fmt: skip

    @property
    def model_plugin(self) -> str:
        """The plugin that registered the model's architecture."""
        return self._plugins.owner("architectures", self.recipe.architecture.name)

    @property
    def tokenizer_plugin(self) -> str:
        """The plugin that registered the tokenizer."""
        return self._plugins.owner("tokenizers", self.recipe.tokenizer.name)

    @property
    def plugins(self) -> Plugins:
        """Where strategies, filters and other cards are found."""
        return self._plugins

    def writer(self, borrowed: BorrowedModel) -> Writer:
        """Return what writes texts with a borrowed model."""
        return Writer(
            borrowed.model, self.tokenizer, borrowed.device, self.recipe, self._plugins, borrowed.step, self.open_run
        )

    @contextlib.contextmanager
    def borrow_for_evaluation(
        self, device: str | None, trains: Callable[[], bool] = lambda: False
    ) -> Iterator[BorrowedModel]:
        """Borrow the model for long, its errors attributed, in one thread beside a training."""
        with self.borrow(device, own=True) as borrowed, contextlib.ExitStack() as held:
            held.enter_context(attributed(self.model_plugin, "Evaluating"))
            if borrowed.trains is not None or trains():
                held.enter_context(one_thread())
            yield borrowed


def _can_encode(tokenizer: Tokenizer, text: str) -> bool:
    """Return True if a vocabulary has all of a text."""
    try:
        return len(tokenizer.encode(text)) > 0
    except BadInput:
        return False


def _brings_spaces(tokenizer: Tokenizer) -> bool:
    """Return True if tokens such as "␣the" are words with the space before them."""
    return any(re.match(r"␣\w", tokenizer.label(token)) for token in range(tokenizer.vocabulary_size))


def check_device(device: str | None, where: torch.device) -> None:
    """Refuse a device on which a model is not; "auto" is wherever it is.

    Raises:
        BadInput: The model is somewhere else.
    """
    if device not in (None, "auto", where.type, str(where)):
        raise BadInput("this model is on another device", field="training.device", value=device, allowed=str(where))
