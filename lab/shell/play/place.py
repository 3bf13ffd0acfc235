"""The place Play: a prompt, text that is generated token by token, and the predicted next tokens."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from lab.base.problems import LabError, Problem
from lab.recipes import Decoding
from lab.shell.play.choices import RunChoice
from lab.shell.play.model import NO_TOKEN, Generation, NextRequest, PlayModel, Source, TextState
from lab.shell.play.next_card import NextCard
from lab.shell.play.panel import PlayPanel
from lab.shell.play.picker import RunPicker, Runs, run_name_button
from lab.shell.play.stages.follower import StagesFollower
from lab.shell.play.text.controller import TextController
from lab.shell.play.text.difference import ShownRuns
from lab.shell.play.text.pages import TextPages
from lab.shell.play.text.shown import listed, names_of
from lab.shell.play.uses import costs_of, hint_of_field, label_of_field, sentence_of
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.messages import capitalized, message_text, problem_line
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import px, token_font
from lab.workbench.access.answers.classes import PredictedClasses
from lab.workbench.access.next_token import NextToken
from lab.workbench.access.saved import SavedRun
from lab.workbench.access.text_use import TextUse
from lab.workbench.texts.tree import is_typed

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.decoding.stops import End
    from lab.workbench.access.generation import LikeliestTokens
    from lab.workbench.access.model_access import ModelAccess
    from lab.workbench.access.next_token import TokenStages

POLL = 33
"""Milliseconds between two updates of the text."""
AFTER_EDIT = 400
"""Milliseconds without typing after which the next tokens of the prompt are predicted."""
REFRESH = 2000
"""Milliseconds after which they are predicted again while the model trains."""
LONGEST_STORED = 20_000
"""Most characters of a prompt that is stored."""
BUTTON = 132
"""Width of the button in pixels, the same for Generate and Stop generating, so that the prompt does not move."""
STAGES = 0.66
"""Share of the width that the card of the next token has at least while it shows the stages."""


class PlayPlace(QWidget):
    """The cards of Play. Its state is in `model`; this class starts the work and shows the results.

    Args:
        registry: The runs.
        model_provider: Provides the model.
        background: Runs work in threads.
        panel: The settings of strategy and filters.
        pages: The text on show, and what can be seen of it.
    """

    changed = Signal()
    """Generation started or ended."""
    use_changed = Signal()
    """The use of the selected model for a text may be another one."""

    def __init__(
        self,
        registry: RunRegistry,
        model_provider: ModelProvider,
        background: Background,
        panel: PlayPanel,
        pages: TextPages,
    ) -> None:
        super().__init__()
        self.pages = pages
        self._registry, self._model_provider = registry, model_provider
        self._background, self._panel = background, panel
        self.model = PlayModel()
        self._guest: RunChoice | None = None  # another run that goes on with the text
        self._guest_access: ModelAccess | None = None
        self._continues = False  # whether the text that is wanted continues the one on show
        self._widths: list[int] = []  # of the cards before the stages were shown
        self._was_shown = False
        self._decoding: Decoding | None = None  # that of the last recipe
        self._make_text_card()
        self.texts = TextController(
            self.pages, self.model, background, lambda: registry.selected, self._shown_runs, panel.options
        )
        self.texts.go_on.connect(self._go_on)
        runs = Runs(registry, background, lambda: model_provider.current("play")[0])
        hint = tr("Let another run, or a checkpoint, go on with this text")
        self.go_on_with = RunPicker(tr("with…"), hint, runs, takes_others=True)
        self.go_on_with.picked.connect(self._go_on_with)
        pages.add_after_continue(self.go_on_with)
        panel.offer_runs(partial(run_name_button, runs))
        self.texts.changed.connect(self._show_other_text)
        self.next_card = NextCard(panel.title_of)
        self.next_card.picked.connect(self._take_token)
        self.next_card.shows_stages.toggled.connect(self._toggle_stages)
        self._stages = StagesFollower(background, panel.stage_options)
        self._stages.found.connect(self._show_stages)
        self._stages.failed.connect(self._show_stages_problem)
        self._staged: NextRequest | None = None  # the request whose logits they follow
        self.next_card.stages.redraw.connect(panel.draw_seed)
        self._split = Splitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.text_card)
        self._split.addWidget(self.next_card)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([720, 260])
        self.splitters = {"play": self._split, "texts": self.pages.split}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._split)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(self._take)
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(AFTER_EDIT)
        self._edited.timeout.connect(self.predict_next)
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH)
        self._timer.timeout.connect(self._refresh)
        panel.changed.connect(self._decoding_changed)
        registry.selection_changed.connect(self._select_run)
        registry.ended.connect(self._run_ended)
        registry.list_changed.connect(self.texts.follow_runs)

    def _shown_runs(self) -> ShownRuns:
        """Return the selected run, and the others that are shown."""
        selected = self._registry.selected
        return selected, [run for run in self._registry.shown if run is not selected]

    def _make_text_card(self) -> None:
        self.text_card = Card(tr("Text"))
        models = [("now", tr("as it is now")), ("untrained", tr("untrained"))]
        self._models = MenuButton(tr("Model"), models, self._select_model, prefix=tr("model") + " ")
        self._models.hide()  # without a run there is only one model
        self.text_card.add_control(self._models)
        self._use = label("", "note")  # what the model does with the text, if it does not continue it
        self._use.setWordWrap(True)
        self._use.hide()
        self.prompt = QPlainTextEdit("The ")
        self.prompt.setFont(token_font())
        follow_type(self.prompt, lambda prompt: prompt.setFixedHeight(px(64)))
        self.prompt.setAccessibleName(tr("Prompt"))
        self.prompt.setPlaceholderText(tr("The start of the text"))
        self.prompt.setTabChangesFocus(True)
        self.prompt.setAcceptDrops(False)  # the window opens what is dropped
        self.prompt.textChanged.connect(self._prompt_edited)
        self._progress = label("", "dim")
        self._progress.setWordWrap(True)
        self._progress.hide()
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.generate_button = Button(
            tr("Generate"), hint=tr("Generate (Ctrl+Enter)"), icon_name="start", role="primary"
        )
        follow_type(self.generate_button, lambda button: button.setMinimumWidth(px(BUTTON)))
        self.generate_button.clicked.connect(self.toggle)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.prompt, 1)
        row.addWidget(self.generate_button, 0, Qt.AlignmentFlag.AlignTop)
        self.pages.selected.connect(self._select_token)
        self.text, self._nothing, self._speed = self.pages.text, self.pages.nothing, self.pages.speed
        self._end_note = label("", "note")
        self._end_note.setWordWrap(True)
        self._end_note.hide()
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self._use)
        rows.addLayout(row)
        rows.addWidget(self._progress)
        rows.addWidget(self._problem)
        rows.addWidget(self.pages, 1)
        rows.addWidget(self._end_note)
        self.text_card.set_content(content)

    # ---------------------------------------------------------------------------------------------------------- writing

    @property
    def panel(self) -> PlayPanel:
        """The settings by which texts are written."""
        return self._panel

    @property
    def writing(self) -> bool:
        """True while a model generates text."""
        return self.model.is_writing

    @property
    def busy(self) -> bool:
        """True while a model generates text, or the prompt for it is being found; `stop` ends both."""
        return self.model.is_busy

    def toggle(self) -> None:
        """Start or stop generating."""
        if self.busy:
            self.stop()
        else:
            self.generate()

    def generate(self) -> None:
        """Let the model continue the prompt."""
        self._continues = False
        self._begin()

    def _go_on(self) -> None:
        """Let the model continue the text on show."""
        if self.busy:
            self.stop()
        self._continues = True
        self._begin()

    def _go_on_with(self, choice: RunChoice) -> None:
        """Let another run continue the text on show, which stays with the selected one."""
        if self.busy:
            self.stop()
        self.pages.edit.setChecked(False)
        self._guest, self._continues = choice, True
        self._begin()
        self._guest = None

    def _begin(self) -> None:
        self._show_use()
        if not self.model.is_ready or self.busy or not self.model.use.writes:
            return
        problem = next(iter(self._panel.problems.values()), None)
        self._show_problem(Source.WRITING, problem)
        if problem is not None:
            return
        access, _ = self._model_provider.current("play")
        self.model.prepare()
        if self.model.lacks_prompt(access) and not self._continues:
            self._show_progress(tr("Reading the corpus for a prompt…"))
            self._offer_stop(tr("Stop generating (Esc)"))
            self.changed.emit()
            self._find_prompt(access, self._generate)
        else:
            self._generate()

    def _offer_stop(self, hint: str) -> None:
        self.generate_button.set_face(tr("Stop generating"), "stop", hint)
        self.generate_button.change_role("")

    def _show_progress(self, progress: str) -> None:
        """Show what is done before a text can be generated; "" for nothing."""
        self._progress.setText(progress)
        self._progress.setVisible(bool(progress))

    def _generate(self) -> None:
        if not self.model.is_preparing:  # it was stopped
            return
        self._show_progress("")
        access, run = self._model_provider.current("play")
        prompt = None if self._continues else self.prompt.toPlainText()
        author = ""
        if self._guest is not None and self._guest.run is not None:
            author = self._guest.run.name
            try:
                access = self._guest_access = self._guest.access()
            except LabError as error:
                self._show_problem(Source.WRITING, error.problem)
                self._end()
                return
        self.model.select_model(run, untrained=self._model_provider.is_untrained("play"))
        self._panel.renew_seed()
        now = time.perf_counter()
        generation = self.model.generate(access, run, prompt, self._panel.options(), now, author=author)
        self.pages.show_text(self.model.document, self.model.shown_prompt)
        self.texts.refresh()
        self._speed.setText("")
        self._show_end()
        self._show_name()
        self._poll.start()
        self._offer_stop(tr("Stop generating; the text stays (Esc)"))
        ended, failed = partial(self._ended, generation), partial(self._failed, generation)
        self._background.run(tr("Generating"), generation.work, ended, failed, replaces="writing")
        self.changed.emit()

    def stop(self) -> None:
        """Stop generating, or finding a prompt for it; the text stays, marked as stopped."""
        if self.busy:
            self._take()
            self.model.stop()
            self._show_end_of_work()
            self._show_stopped()
            self.predict_next()

    def _show_stopped(self) -> None:
        """Say below a text that it was stopped."""
        if self.model.text_state is TextState.STOPPED:
            count, wanted = number_text(self.model.written), number_text(self.model.wanted)
            self._speed.setText(tr("stopped after {n} of {all} tokens", n=count, all=wanted))

    def close_down(self) -> None:
        """Stop all work of this place."""
        if self.busy:
            self._end()
        self.model.close()
        self.texts.close()
        for timer in (self._poll, self._edited, self._timer):
            timer.stop()

    def _take(self) -> None:
        """Show the tokens generated since the last call."""
        is_start = not self.model.written
        new = self.model.take()
        if not new:
            return
        if is_start:
            self.model.author = listed(names_of(self.model.document))
            self._show_name()
        self.pages.add(new)
        self.texts.grow(time.monotonic())
        count = self.model.written
        if self.model.selected == NO_TOKEN:
            self._show_alternatives(len(self.model.tokens) - 1)
        self._show_end()
        rate = self.model.rate(time.perf_counter())
        self._speed.setText(
            tr_n("1 token · {rate} tokens/s", "{n} tokens · {rate} tokens/s", count, rate=number_text(rate, ".0f"))
        )

    def take_text(self, other: PlayPlace) -> None:
        """Show the text of the same place in a window that this one replaces."""
        if not other.model.tokens:
            return
        run = self.model.take_text(other.model)
        names = names_of(self.model.document)  # in the language of this window
        self.model.author = listed(names) or model_name(run, self.model.tokens[0].step)
        self.pages.show_text(self.model.document, self.model.shown_prompt)
        self.texts.refresh()
        self._show_name()
        self._show_end()
        self._show_stopped()
        if not self.model.shows_next:
            self._show_alternatives(len(self.model.tokens) - 1)

    def _show_end(self) -> None:
        """Show why the text ended, if it has, what it cost, and the figures of its strategy."""
        end, cost = self.model.tokens[-1].end if self.model.tokens else None, self.model.cost
        parts = [*([] if end is None else [_end_text(end)]), *([] if cost is None else costs_of(cost))]
        self._end_note.setText(" · ".join(parts))
        self._end_note.setVisible(bool(parts))

    def _ended(self, generation: Generation, _result: None) -> None:
        if self.model.is_current(generation):
            self._end()
            self.predict_next()

    def _failed(self, generation: Generation, problem: Problem) -> None:
        if self.model.is_current(generation):
            self._end()
            self._show_problem(Source.WRITING, problem)
            if not self.model.tokens:
                self._show_no_text(problem)

    def _show_no_text(self, problem: Problem) -> None:
        """Remove the text and the alternatives of an earlier prompt, as there is none for the present one."""
        self.pages.show_nothing()
        self.texts.refresh()
        self._show_end()
        self._show_name()
        self.next_card.show_problem(self.model.use, problem)
        self.predict_next()  # only a filter or the strategy may have refused

    def _end(self) -> None:
        self._take()
        self.model.end()
        self._show_end_of_work()

    def _show_end_of_work(self) -> None:
        """Offer to generate again."""
        self._poll.stop()
        guest = self._guest_access
        if isinstance(guest, SavedRun) and guest is not self._model_provider.current("play")[0]:
            guest.forget_model()
        self._guest_access = None
        self._show_progress("")
        self.generate_button.set_face(tr("Generate"), "start", tr("Generate (Ctrl+Enter)"))
        self.generate_button.change_role("primary")
        self._show_use()
        self.texts.refresh()
        self.texts.save()
        self.changed.emit()

    # ------------------------------------------------------------------------------------------------------ next tokens

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self.model.start()
        self._show_use()
        self.texts.load()
        self.texts.refresh()
        self.predict_next()

    def state_dict(self) -> dict[str, Any]:
        """Return what is shown and, if the user wrote it and it is not too long to be stored, the prompt."""
        prompt = self.prompt.toPlainText()
        is_stored = not self.model.has_default_prompt and len(prompt) <= LONGEST_STORED
        return {
            "next": self.next_card.state_dict(),
            "text": self.pages.state_dict(),
            **({"prompt": prompt} if is_stored else {}),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        if isinstance(state.get("next"), Mapping):
            self.next_card.load_state_dict(state["next"])
        if isinstance(state.get("text"), Mapping):
            self.pages.load_state_dict(state["text"])
        prompt = state.get("prompt")
        if isinstance(prompt, str):
            self.model.has_default_prompt = False
            with QSignalBlocker(self.prompt):
                self.prompt.setPlainText(prompt)

    def showEvent(self, event: Any) -> None:
        """Start predicting the next tokens."""
        super().showEvent(event)
        if self.next_card.shows_stages.isChecked() and not self._was_shown:
            self._widen_stages()
        self._was_shown = True
        self._show_name()
        self._show_use()
        self._timer.start()
        self.predict_next()

    def hideEvent(self, event: Any) -> None:
        """Stop predicting while the place is hidden."""
        super().hideEvent(event)
        self._timer.stop()

    def predict_next(self) -> None:
        """Request the most probable tokens after the prompt; only one request is made at a time."""
        access, _ = self._model_provider.current("play")
        if not self._can_predict():
            return
        self._show_use()
        if not self.model.use.reads:
            return
        if self.model.lacks_prompt(access):
            self._find_prompt(access, self._request_next)
        else:
            self._request_next()

    def _can_predict(self) -> bool:
        return self.model.is_ready and self.isVisible() and self.model.shows_next

    def _request_next(self) -> None:
        if not self._can_predict():
            return
        access, run = self._model_provider.current("play")
        prompt = self.prompt.toPlainText()
        with_logits = self.next_card.shows_stages.isChecked()
        now = time.monotonic()
        request = self.model.request_next(access, run, prompt, now, with_logits=with_logits) if prompt else None
        if request is not None:
            taken, failed = partial(self._take_next, request), partial(self._fail_next, request)
            self._background.run(tr("Predicting the next token"), request.work, taken, failed)

    def _find_prompt(self, access: ModelAccess, then: Callable[[], None]) -> None:
        """Find the default prompt of a model in the background, and go on then; without one the last one stays."""

        def work(_job: Job) -> str:
            return access.default_prompt()

        taken, failed = partial(self._take_prompt, access, then), partial(self._skip_prompt, then)
        self._background.run(tr("Choosing a prompt"), work, taken, failed, replaces=f"prompt for {then}")

    def _take_prompt(self, access: ModelAccess, then: Callable[[], None], prompt: str) -> None:
        if self.model.take_prompt(access) and prompt and prompt != self.prompt.toPlainText():
            with QSignalBlocker(self.prompt):
                self.prompt.setPlainText(prompt)
        then()

    def _skip_prompt(self, then: Callable[[], None], _problem: Problem) -> None:
        """Go on with the last prompt; what the model lacks is reported when it is used."""
        then()

    def _refresh(self) -> None:
        """Predict again while the model trains, rarely enough not to slow it down."""
        self._show_name()
        run = self._registry.selected
        if run is not None and run.trains and self.model.next_requests.is_due(time.monotonic()):
            self.predict_next()

    def _toggle_stages(self, shown: bool) -> None:
        """Show the tokens after the prompt in another form, and nothing of a text; the table needs more width."""
        if shown:
            self._widen_stages()
        elif self._widths:
            self._split.setSizes(self._widths)
            self._widths = []
        if not shown:
            self._stages.forget()
        self.text.choose_none()
        self._outdate()
        self.predict_next()

    def _widen_stages(self) -> None:
        """Give the stages their share of the width, if they have less and the place is laid out."""
        before = self._split.sizes()
        wanted = int(STAGES * sum(before))
        if self.isVisible() and before[1] < wanted:
            self._widths = before
            self._split.setSizes([sum(before) - wanted, wanted])

    def _decoding_changed(self) -> None:
        """Let the stages follow the settings, at once."""
        if self._follows_stages():
            self._stages.follow()

    def _follows_stages(self) -> bool:
        """Return True if stages are on show, and the logits are those of the present prompt and model."""
        staged = self._staged
        return (
            staged is not None
            and self.next_card.shows_stages.isChecked()
            and self.model.shows_next
            and self.model.is_current_request(staged)
        )

    def _show_stages(self, found: TokenStages) -> None:
        if self._staged is not None and self._follows_stages():
            self._show_problem(Source.NEXT, None)
            self.next_card.show_stages(self._staged, found, can_continue=self.model.can_continue)

    def _show_stages_problem(self, problem: Problem) -> None:
        if self._follows_stages():
            self._show_problem(Source.NEXT, problem)
            self.next_card.show_problem(self.model.use, problem)

    def _take_next(self, request: NextRequest, found: LikeliestTokens | PredictedClasses | NextToken) -> None:
        if self._end_next(request) and self.model.shows_next:
            self._show_problem(Source.NEXT, None)
            self.model.shown = NO_TOKEN
            if isinstance(found, NextToken):
                self._staged = request
                self._stages.take(found)
            else:
                self.next_card.show_found(request, found, can_continue=self.model.can_continue)

    def _fail_next(self, request: NextRequest, problem: Problem) -> None:
        if self._end_next(request):
            self._show_problem(Source.NEXT, problem)
            if self.model.shows_next:  # the rows on show are of another prompt or another run
                self.next_card.show_problem(self.model.use, problem)

    def _empty_rows(self) -> None:
        """Remove the next tokens of another model, until those of the selected one are there."""
        self.model.shown = NO_TOKEN
        self.next_card.show_waiting(self.model.use, self._model_provider.name("play"))

    def _end_next(self, request: NextRequest) -> bool:
        """End a request, and start the next one if it is due. Return True if the answer should still be shown."""
        is_awaited, is_due = self.model.end_next(request, time.monotonic())
        if is_due:
            self.predict_next()
        return is_awaited

    def _select_token(self, index: int) -> None:
        """Show the alternatives of the selected token."""
        self.model.selected = index
        if self.model.shows_next:
            self.predict_next()
        else:
            self._show_alternatives(index if index != NO_TOKEN else len(self.model.tokens) - 1)

    def _show_alternatives(self, index: int) -> None:
        token = self.model.show_alternatives(index)
        if token is not None and is_typed(token):
            self.next_card.show_typed(index)
        elif token is not None:
            can_continue = self.model.can_continue
            self.next_card.show_alternatives(token, index, self.model.colour, can_continue=can_continue)

    def _take_token(self, text: str) -> None:
        """Append a token to the prompt, or branch the text at the token whose alternative it is."""
        if self.model.shown == NO_TOKEN:
            self._append(text)
            return
        if self.busy:
            self.stop()
        if self.model.is_shown_in_text:
            self.texts.branch(self.model.shown, text)

    def _append(self, text: str) -> None:
        """Append a token to the prompt."""
        cursor = self.prompt.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(self.prompt.toPlainText() + text)  # this can be undone
        self.prompt.setTextCursor(cursor)
        self._edited.stop()
        self.predict_next()

    def _show_other_text(self) -> None:
        """Show what belongs to the text: who wrote it, why it ended, and the alternatives of its last token."""
        self._speed.setText("")
        self._show_end()
        self._show_name()
        if self.model.tokens and not self.model.shows_next:
            self._show_alternatives(len(self.model.tokens) - 1)
        else:
            self.model.shown = NO_TOKEN
            self.predict_next()

    # -------------------------------------------------------------------------------------------- what the user changes

    def _prompt_edited(self) -> None:
        self.model.has_default_prompt = False
        self._outdate()
        if not self.writing:
            self.text.choose_none()
        self._edited.start()

    def _run_ended(self, run: RunModel) -> None:
        if run is self._registry.selected:
            self._show_name()
            self.predict_next()

    def _select_run(self) -> None:
        self._outdate()
        untrained = self._model_provider.is_untrained("play")
        self._show_use()
        if self.model.select_model(self._registry.selected, untrained=untrained) and not self.writing:
            self.text.choose_none()
            self._empty_rows()
        self._show_name()
        self.texts.load()
        self.texts.refresh()
        if self.model.is_preparing:  # the prompt that is being found is for the model before
            self._end()
            self.generate()
        else:
            self.predict_next()

    def _select_model(self, which: str) -> None:
        self._model_provider.choose("play", untrained=which == "untrained")
        self._select_run()

    def _outdate(self) -> None:
        self.model.outdate()
        self._update_problem()

    def _show_name(self) -> None:
        """Show the name of the model that generated the text, or of the current model if there is no text.

        The text of a model that is not selected any more is faded, and says who wrote it.
        """
        author, is_of_other = self.model.author, self.model.is_of_other_model
        name = tr("written by {model}", model=author) if is_of_other else author
        self.text_card.set_title(tr("Text"), name or self._model_provider.name("play"))
        self.text.fade(is_of_other and not self.writing)
        self._models.setVisible(self._registry.selected is not None)

    def _take_decoding(self) -> None:
        """Show how the recipe of the selected model wants texts decoded, once, so that the user can change it."""
        decoding = self._model_provider.current("play")[0].recipe.decoding
        if decoding is not None and decoding != self._decoding:
            self._panel.take(decoding)
        self._decoding = decoding

    def _show_use(self) -> None:
        """Show what the selected model does with a text; one that writes nothing is not asked to."""
        if not self.model.is_ready:
            return
        self._take_decoding()
        if self.model.update_use(self._model_provider.current("play")[0]):
            self._empty_rows()
        use = self.model.use
        field = label_of_field(use)
        self.prompt.setAccessibleName(field)
        self.prompt.setPlaceholderText(hint_of_field(use))
        self.prompt.setEnabled(use.reads)
        self.generate_button.setEnabled(use.writes or self.busy)
        self._use.setText(sentence_of(use))
        self._use.setVisible(use is not TextUse.PROMPT)
        self.next_card.offer_stages(offered=use.writes)
        self.use_changed.emit()
        self._nothing.setText(tr("Generated text appears here, coloured by surprisal.") if use.writes else "")

    def _show_problem(self, source: Source, problem: Problem | None) -> None:
        self.model.set_problem(source, problem)
        self._update_problem()

    def _update_problem(self) -> None:
        problem = self.model.problem
        shown = problem
        if problem is not None and problem.field == "run":  # the run's name is clearer than its folder
            what = f"{self._model_provider.name('play')} {message_text(problem.what)}"
            shown = replace(problem, what=what, field=None, value=None)
        elif problem is not None and problem.field == "prompt":  # which stands above
            named = "prompt" if problem.what.startswith("is ") else None  # "is empty" needs a subject
            shown = replace(problem, field=named, value=None)
        line = "" if shown is None else problem_line(shown)
        is_named = shown is None or shown.field or (problem is not None and problem.field == "run")
        self._problem.setText(line if is_named else capitalized(line))
        self._problem.setVisible(shown is not None)
        is_about_prompt = problem is not None and problem.field == "prompt"
        refresh_style(self.prompt, "state", "bad" if is_about_prompt else "")

    @property
    def cards(self) -> list[Card]:
        """The cards of this place."""
        return [self.text_card, self.next_card]


def _end_text(end: End) -> str:
    """Return why a text ended."""
    what = glyphs(end.what)
    return {
        "length": tr("The requested number of tokens was reached."),
        "end of text": tr("The model ended the text with {what}.", what=what),
        "stop symbol": tr("The text ended at the stop symbol {what}.", what=what),
        "stop string": tr("The text ended before the stop string {what}.", what=what),
        "strategy": tr("The strategy ended the text."),
        "filter": tr("The text is complete for the filter {what}.", what=what),
    }[end.reason]
