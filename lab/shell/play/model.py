"""The state of Play and its requests, without Qt: the generated text and the predicted next tokens."""

from __future__ import annotations

import time
import weakref
from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from lab.base.problems import LabError
from lab.shell.play.text.document import Document
from lab.shell.session.requests import Requests
from lab.workbench.access.text_use import TextUse

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.base.problems import Problem
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.answers.classes import PredictedClasses
    from lab.workbench.access.generation import LikeliestTokens, Piece
    from lab.workbench.access.model_access import ModelAccess
    from lab.workbench.access.next_token import NextToken

Selected: TypeAlias = "tuple[weakref.ref[RunModel] | None, bool]"
"""A model by its run, None for that of the draft, and True if it is the untrained one."""
ROWS = 20
"""Number of alternatives that are requested at each position."""
NO_TOKEN = -1
"""The index that means no token of the text."""
EARLIER = -1
"""The revision before all others."""


class State(Enum):
    """The states of Play."""

    NOT_READY = auto()
    """Models cannot be used before the lab is loaded."""
    IDLE = auto()
    """Nothing happens; a model can generate."""
    PREPARING = auto()
    """The user wants a text, and the prompt for it is being found."""
    WRITING = auto()
    """A model generates text."""
    CLOSED = auto()
    """The window closes; nothing is started any more."""


class TextState(Enum):
    """The states of the text on show."""

    NONE = auto()
    """There is no text, or none of its tokens was generated before it ended."""
    GROWING = auto()
    """A model generates it."""
    ENDED = auto()
    """It ended by itself, with a problem or without."""
    STOPPED = auto()
    """The user stopped it."""


class Source(Enum):
    """The work to which a problem belongs, by descending importance."""

    WRITING = auto()
    NEXT = auto()


class Generation:
    """A text that is being generated: a thread appends pieces, the window takes them.

    Args:
        number: Its number; only the newest one is shown.
        model: The model that generates it.
        run: The run of the model; None for the untrained model of the draft.
        author: The name of the run that writes; "" of the untrained model of the draft.
        prompt: The text to continue.
        options: Further arguments of the model's `generate`.

    Attributes:
        pieces: The pieces that were generated and not taken yet.
        stopped: True if the thread should end.
        beams: The hypotheses of a strategy that keeps several, once the text has ended.
        to_first: Seconds from the start of the work to the first token; None before it.
    """

    def __init__(
        self, number: int, model: ModelAccess, run: RunModel | None, author: str, prompt: str, options: dict[str, Any]
    ) -> None:
        self.number, self.run, self.author = number, run, author
        self.pieces: deque[Piece] = deque()
        self.beams: list[list[Piece]] = []
        self.stopped = False
        self.to_first: float | None = None
        self._model, self._prompt, self._options = model, prompt, options

    def work(self, job: Job) -> None:
        """Generate until the end or until it is stopped; in a thread."""
        started = time.perf_counter()
        stream = self._model.generate(
            self._prompt, alternatives=ROWS, report_beams=self.beams.extend,
            cancelled=lambda: self.stopped or job.cancelled, **self._options,
        )  # fmt: skip
        for piece in stream:
            if self.stopped or job.cancelled:
                return
            if self.to_first is None:
                self.to_first = time.perf_counter() - started
            self.pieces.append(piece)


@dataclass(frozen=True)
class NextRequest:
    """A request for the most probable tokens after the prompt, or for the classes of the text.

    Args:
        number: Its number.
        revision: The revision of Play for which it was made; its answer is stale in a later one.
        model: The model that predicts them.
        run: The run of the model; None for the untrained model of the draft.
        prompt: The prompt.
        use: What the model does with the prompt.
        with_logits: Whether the logits of the next token are wanted, and not only the likeliest tokens.
    """

    number: int
    revision: int
    model: ModelAccess
    run: RunModel | None
    prompt: str
    use: TextUse
    with_logits: bool = False

    def work(self, job: Job) -> LikeliestTokens | PredictedClasses | NextToken:
        """Predict the tokens or the classes; in a thread."""
        del job  # a prediction cannot be interrupted
        if self.with_logits and self.use.writes:
            return self.model.next_token(self.prompt)
        if self.use is TextUse.CLASSES:
            return self.model.classify(self.prompt)
        return self.model.next_tokens(self.prompt, ROWS)


@dataclass(frozen=True)
class TextCost:
    """What a text costs, and what its strategy says of it.

    Args:
        to_first: Seconds to its first token.
        state_bytes: Size of the model's decoding state at its last token; 0 unknown.
        figures: Of the strategy, once the text has ended.
    """

    to_first: float
    state_bytes: int
    figures: dict[str, float]


class PlayModel:
    """The state of Play. The widgets show it, and update it when the user acts or an answer arrives.

    What is on show belongs to a prompt, a model and a form of the next tokens. Each change of one of them makes a new
    revision, in which the text and the requests of earlier revisions are outdated.

    Attributes:
        state: The state.
        text_state: The state of the text.
        document: The text on show, in the tree of what was written from its prompt.
        wanted: The number of tokens that were asked for.
        author: The name and step of the model that generated the text; "" before there is a text.
        colour: The number of the colour of its run.
        selected: The index of the selected token of the text; NO_TOKEN for none.
        shown: The index of the token whose alternatives are shown; NO_TOKEN for the tokens after the prompt.
        next_requests: The requests for next tokens, one at a time.
        use: What the selected model does with the prompt.
        has_default_prompt: True until the user edits the prompt.
    """

    def __init__(self) -> None:
        self.state = State.NOT_READY
        self.text_state = TextState.NONE
        self.document = Document()
        self._documents: weakref.WeakKeyDictionary[RunModel, Document] = weakref.WeakKeyDictionary()
        self._of_draft = self.document  # what the untrained model of the draft wrote
        self._written = 0  # tokens of the present generation
        self.wanted = 0
        self.author = ""
        self.colour = 0
        self.selected = NO_TOKEN
        self.shown = NO_TOKEN
        self._shown_token: Piece | None = None  # its token, when they were shown
        self.next_requests = Requests()
        self.use = TextUse.PROMPT
        self.has_default_prompt = True
        self._prompted: weakref.ref[ModelAccess] | None = None  # the model for which the default prompt was found
        self._model: Selected = (None, False)  # the selected one: its run, and True if untrained
        self._writer: Selected | None = None  # the one that generated the text
        self._is_of_source = False  # True if the text is the target of a source
        self._generation: Generation | None = None
        self._count = 0
        self._started = 0.0
        self._to_first: float | None = None
        self._is_next_wanted = False  # another request follows the pending one
        self._revision = 0
        self._text_revision = 0  # the revision for which the text was generated
        self._problems: dict[Source, Problem] = {}

    # --------------------------------------------------------------------------------------------------------- its life

    def start(self) -> None:
        """Allow the use of models, once the lab is ready."""
        if self.state is State.NOT_READY:
            self.state = State.IDLE

    def close(self) -> None:
        """Prevent any further work."""
        self.state = State.CLOSED

    @property
    def is_ready(self) -> bool:
        """True if models can be used."""
        return self.state in (State.IDLE, State.PREPARING, State.WRITING)

    @property
    def is_busy(self) -> bool:
        """True while a model generates text, or the prompt for it is being found."""
        return self.state in (State.PREPARING, State.WRITING)

    # -------------------------------------------------------------------------------------------------------- the model

    def select_model(self, run: RunModel | None, *, untrained: bool) -> bool:
        """Note whose model is used from now on; the tokens on show may be those of another one.

        Args:
            run: The selected run; None for the model of the draft.
            untrained: True for its untrained model.

        Returns:
            True if it is another model than before.
        """
        before, self._model = self._model, (None if run is None else weakref.ref(run), untrained)
        return before != self._model

    def update_use(self, model: ModelAccess) -> bool:
        """Note what the selected model does with a text; one whose plugin is missing reports that when it is used.

        Returns:
            True if it is something else than before.
        """
        before = self.use
        try:
            self.use = model.text_use
        except LabError:
            self.use = TextUse.PROMPT
        return self.use is not before

    @property
    def is_of_other_model(self) -> bool:
        """True if the text is that of a model which is not the selected one."""
        return bool(self.author) and self._writer != self._model

    # --------------------------------------------------------------------------------------------------------- the text

    @property
    def prompt(self) -> str:
        """The prompt of the text."""
        return self.document.prompt

    @property
    def tokens(self) -> list[Piece]:
        """The tokens of the text."""
        return self.document.tokens

    @property
    def written(self) -> int:
        """The number of tokens that were generated since the text was last continued."""
        return self._written

    def document_of(self, run: RunModel | None) -> Document:
        """Return the texts that were written with a run; None for those of the model of the draft."""
        if run is None:
            return self._of_draft
        return self._documents.setdefault(run, Document())

    def documents(self) -> list[tuple[RunModel, Document]]:
        """Return the runs with what was written with them."""
        return list(self._documents.items())

    def show_document(self, run: RunModel | None, author: str, *, is_earlier: bool = False) -> None:
        """Show the text of the document of the selected run.

        Args:
            run: The run; None for the model of the draft.
            author: The name of the model that wrote it.
            is_earlier: Whether it was written before this start, so that it is not that of the present prompt.
        """
        self.document = self.document_of(run)
        self._writer, self._is_of_source = self._model, self.use is TextUse.SOURCE
        self.colour, self.author = 0 if run is None else run.colour, author
        self.note_text()
        if is_earlier:
            self._text_revision = EARLIER

    def note_text(self) -> None:
        """Note that another text of the document is on show."""
        self.text_state = TextState.ENDED if self.tokens else TextState.NONE
        self.selected, self._text_revision = NO_TOKEN, self._revision
        self._to_first = None
        if not self.tokens:
            self.author = ""

    @property
    def has_no_text(self) -> bool:
        """True if no text is on show, and none is about to be written."""
        return self.text_state is TextState.NONE and not self.is_busy

    @property
    def can_branch(self) -> bool:
        """True if the selected model continues the text on show; it does not continue the target of a source."""
        return self.use is TextUse.PROMPT and not self._is_of_source

    def prepare(self) -> None:
        """Note that a text is wanted, for which the prompt may have to be found; `generate` or `stop` follows."""
        self.state = State.PREPARING

    @property
    def is_preparing(self) -> bool:
        """True while the prompt for a text is being found."""
        return self.state is State.PREPARING

    @property
    def is_writing(self) -> bool:
        """True while a model generates text."""
        return self.text_state is TextState.GROWING

    def generate(
        self,
        model: ModelAccess,
        run: RunModel | None,
        prompt: str | None,
        options: dict[str, Any],
        now: float,
        *,
        author: str = "",
    ) -> Generation:
        """Start a new text, or continue the one on show.

        Args:
            model: The model that generates it.
            run: The run of the model; None for the untrained model of the draft.
            prompt: The text to continue; None for the one on show.
            options: Further arguments of the model's `generate`.
            now: The time, in seconds.
            author: The name of another run whose model goes on with the text, which stays with this one.
        """
        self._writer, self._is_of_source = self._model, self.use is TextUse.SOURCE
        self._count += 1
        if prompt is None:
            shown = self.document
            self.document = self.document_of(run)
            self.document.adopt(shown)
            whole = self.document.go_on()
        else:
            self.document = self.document_of(run)
            self.document.begin(prompt)
            whole = prompt
        named = author or ("" if run is None else run.name)
        generation = self._generation = Generation(self._count, model, run, named, whole, options)
        self._written, self._started, self._to_first = 0, now, None
        self.author, self.colour = ("", 0) if run is None else (run.name, run.colour)
        self.state, self.text_state, self._text_revision = State.WRITING, TextState.GROWING, self._revision
        self.selected, self.wanted = NO_TOKEN, options.get("count", 0)
        return generation

    def take_text(self, other: PlayModel) -> RunModel | None:
        """Show the text of another Play, which is closed; return the run that wrote it, None for the draft's model."""
        self.document, self._documents, self._of_draft = other.document, other._documents, other._of_draft
        self.author = other.author
        self.colour, self.wanted, self.text_state = other.colour, other.wanted, other.text_state
        self._text_revision = EARLIER if other.is_outdated else self._revision
        self._model, self._writer = other._model, other._writer
        self.use, self._is_of_source = other.use, other._is_of_source
        run = None if self._writer is None else self._writer[0]
        return None if run is None else run()

    def take(self) -> list[Piece]:
        """Add the tokens generated since the last call to the text, and return them."""
        if self._generation is None:
            return []
        pieces = self._generation.pieces
        new = [pieces.popleft() for _ in range(len(pieces))]
        self.document.grow(new, self._generation.author)
        self._written += len(new)
        self._to_first = self._generation.to_first
        return new

    @property
    def writer(self) -> RunModel | None:
        """The run whose model generates; None for the model of the draft, or while none generates."""
        return None if self._generation is None else self._generation.run

    def is_current(self, generation: Generation) -> bool:
        """Return True if a generation is the current one."""
        return generation is self._generation

    def stop(self) -> None:
        """Stop the text, or finding a prompt for it, for the user; the text so far stays. Call `take` first."""
        self._end(TextState.STOPPED)

    def end(self) -> None:
        """End the text, or finding a prompt for it; the text so far stays. Call `take` first."""
        self._end(TextState.ENDED)

    def _end(self, state: TextState) -> None:
        if self._generation is not None:
            self._generation.stopped = True
            self.document.add_beams(self._generation.beams, self._written, self._generation.author)
            self._generation = None
            self.document.end()
            self.text_state = state if self.tokens else TextState.NONE
            if not self.tokens:
                self.author = ""
        if self.is_busy:
            self.state = State.IDLE

    def rate(self, now: float) -> float:
        """Return the tokens per second so far."""
        return self._written / (now - self._started)

    @property
    def cost(self) -> TextCost | None:
        """The cost of the text that was generated last; None if there is none, or another text is on show."""
        last = self.tokens[-1] if self.tokens else None
        if last is None or self._to_first is None:
            return None
        return TextCost(self._to_first, last.state_bytes, dict(last.figures))

    @property
    def shown_prompt(self) -> str:
        """The prompt as it stands before the text: a source is set apart from its target."""
        return f"{self.prompt} → " if self._is_of_source else self.prompt

    def lacks_prompt(self, model: ModelAccess) -> bool:
        """Return True if the default prompt is shown, and was found for another model."""
        return self.has_default_prompt and (self._prompted is None or self._prompted() is not model)

    def take_prompt(self, model: ModelAccess) -> bool:
        """Note that the default prompt of a model was found. Return False if the user edited the prompt meanwhile."""
        self._prompted = weakref.ref(model)
        return self.has_default_prompt

    # ------------------------------------------------------------------------------------------------------ next tokens

    @property
    def can_continue(self) -> bool:
        """True if the prompt can be continued by a token on show; what follows a source is no part of it."""
        is_of_source = self.use is TextUse.SOURCE if self.shown == NO_TOKEN else self._is_of_source
        return not is_of_source

    @property
    def is_outdated(self) -> bool:
        """True if there is no text, or if it was generated for an earlier revision."""
        return self.text_state is TextState.NONE or self._text_revision != self._revision

    @property
    def shows_next(self) -> bool:
        """True if the tokens after the prompt should be shown, and not alternatives of the text."""
        return self.is_outdated and self.selected == NO_TOKEN and not self.is_writing

    def outdate(self) -> None:
        """Begin a new revision, since prompt, model or form changed; a pending answer will be dropped."""
        self._revision += 1
        self._problems.clear()

    def request_next(
        self,
        model: ModelAccess,
        run: RunModel | None,
        prompt: str,
        now: float,
        *,
        with_logits: bool = False,
    ) -> NextRequest | None:
        """Return a request for the tokens after a prompt.

        Args:
            model: The model that predicts them.
            run: The run of the model; None for the untrained model of the draft.
            prompt: The prompt.
            now: The time, in seconds.
            with_logits: Whether the logits of the next token are wanted.

        Returns:
            The request; None while another one is pending, and `end_next` then reports that another request is due.
        """
        if self.next_requests.pending:
            self._is_next_wanted = True
            return None
        return NextRequest(self.next_requests.start(now), self._revision, model, run, prompt, self.use, with_logits)

    def end_next(self, request: NextRequest, now: float) -> tuple[bool, bool]:
        """End a request that was answered or has failed.

        Returns:
            True if its answer should still be shown, and True if another request is due.
        """
        if not self.next_requests.end(request.number, now):
            return False, False
        is_due, self._is_next_wanted = self._is_next_wanted, False
        return request.revision == self._revision, is_due

    def is_current_request(self, request: NextRequest) -> bool:
        """Return True if a request was made for the present revision."""
        return request.revision == self._revision

    def show_alternatives(self, index: int) -> Piece | None:
        """Show the alternatives of a token and return it; if there is no token of that index, return None."""
        if not 0 <= index < len(self.tokens):
            return None
        self.shown, self._shown_token = index, self.tokens[index]
        return self.tokens[index]

    @property
    def is_shown_in_text(self) -> bool:
        """True if the token whose alternatives are shown is in the text on show, which may have changed since."""
        return 0 <= self.shown < len(self.tokens) and self.tokens[self.shown] is self._shown_token

    # --------------------------------------------------------------------------------------------------------- problems

    @property
    def problem(self) -> Problem | None:
        """The problem to show: that of the generation, or else that of the next tokens."""
        return next((self._problems[source] for source in Source if source in self._problems), None)

    def set_problem(self, source: Source, problem: Problem | None) -> None:
        """Set the problem of a source; None removes it."""
        self._problems.pop(source, None)
        if problem is not None:
            self._problems[source] = problem
