"""Byte-pair encoding step by step: the merges learned from the corpus, and their effect on a passage."""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, Slider, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px
from lab.widgets.lists.merge_list import MergeList, ShownMerge
from lab.widgets.tokens.boundaries import CutToken, TokenBoundaries

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.text.tokenizers.merges import Merges

COUNTS = (100, 300, 1_000, 3_000, 10_000)
"""Numbers of merges that can be selected."""
DEFAULT = 1_000
BYTES = 256
"""Number of tokens before the first merge."""
PASSAGE = 3_000
"""Number of characters of the passage."""
POLL = 150
"""Milliseconds between two updates of the progress."""
SPEEDS = (2, 10, 50)
"""Speeds in merges per second."""
LIST = 372
"""Width of the list of merges in pixels."""


class MergesTab(QWidget):
    """The tab of merges.

    Args:
        corpus: The corpus from which merges are learned.
        background: Runs the learning in a thread.
    """

    def __init__(self, corpus: DraftCorpus, background: Background) -> None:
        super().__init__()
        self._corpus, self._background = corpus, background
        self._merges: Merges | None = None
        self._learned: tuple[str, int] | None = None  # the text and the number of merges of the last request
        self._learning: _MergeJob | None = None
        self._passage = ""
        self._tokens: dict[int, CutToken] = {}
        self._sizes = [BYTES]  # size of the vocabulary after each number of merges
        self._speed = SPEEDS[1]
        rows = QHBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        rows.addWidget(self._make_list())
        rows.addWidget(self._make_passage(), 1)
        self._polling = QTimer(self)
        self._polling.setInterval(POLL)
        self._polling.timeout.connect(self._poll)
        self._playing = QTimer(self)
        self._playing.setTimerType(Qt.TimerType.PreciseTimer)
        self._playing.timeout.connect(self._play_next)
        corpus.changed.connect(self._corpus_changed)
        self._show_nothing(tr("Shown once the corpus has been read."))

    def _make_list(self) -> Card:
        self.list_card = Card(tr("Merges"))
        follow_type(self.list_card, lambda card: card.setFixedWidth(px(LIST)))
        choices = [(str(count), tr("learn {n}", n=number_text(count))) for count in COUNTS]
        self.count = MenuButton(tr("number of merges"), choices, self._learn_number)
        self.count.show_value(str(DEFAULT))
        self.list_card.add_control(self.count)
        self.list = MergeList()
        self.list.picked.connect(self._go_to)
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("Progress of learning merges"))
        self._cancel = Button(tr("Cancel"), hint=tr("Stop learning"))
        self._cancel.clicked.connect(self._stop_learning)
        self._learning_row = QWidget()
        line = QHBoxLayout(self._learning_row)
        line.setContentsMargins(4, 0, 0, 0)
        line.addWidget(self._progress, 1)
        line.addWidget(self._cancel)
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.list, 1)
        self.list_card.set_content(inside, margin=8)
        outer = self.list_card.layout()
        assert outer is not None
        outer.addWidget(self._learning_row)
        self._learning_row.setContentsMargins(8, 0, 8, 0)
        self._learning_row.hide()
        return self.list_card

    def _make_passage(self) -> Card:
        self.card = Card(tr("Before any merge"))
        self.slider = Slider()
        self.slider.setAccessibleName(tr("Merges made"))
        self.slider.setToolTip(tr("From single bytes to the full vocabulary; arrows step, the space bar plays"))
        self.slider.setPageStep(50)
        self.slider.valueChanged.connect(self._show)
        self.slider.space_pressed.connect(self.toggle)
        self.back = Button(tr("Back"), hint=tr("Undo the last merge"), icon_name="back")
        self.back.clicked.connect(self._step_back)
        self.step = Button(tr("Step"), hint=tr("Make the next merge"), icon_name="step")
        self.step.clicked.connect(self._step)
        self.play = Button(tr("Play merges"), hint=tr("Make one merge after another"), icon_name="start")
        self.play.clicked.connect(self.toggle)
        choices = [(str(speed), tr("{n} per second", n=speed)) for speed in SPEEDS]
        self._speeds = MenuButton(tr("merges per second"), choices, self._take_speed)
        self._speeds.show_value(str(self._speed))
        for control in (self.back, self.step, self.play, self._speeds):
            self.card.add_control(control)
        self.view = TokenBoundaries(tr("A passage, tokenized with the merges made so far"))
        self._sentence, self._figures = label("", ""), label("", "note")
        for line_label in (self._sentence, self._figures):
            line_label.setContentsMargins(4, 0, 4, 0)
            line_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        line = QHBoxLayout()
        line.setContentsMargins(4, 0, 4, 0)
        line.addWidget(self.slider)
        rows.addLayout(line)
        rows.addWidget(self._sentence)
        rows.addWidget(self.view, 1)
        rows.addWidget(self._figures)
        self.card.set_content(inside, margin=8)
        return self.card

    # -------------------------------------------------------------------------------------------------------- learning

    def showEvent(self, event: QShowEvent) -> None:
        """Learn the merges when the tab is shown."""
        super().showEvent(event)
        self._corpus_changed()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop playing."""
        super().hideEvent(event)
        self._stop()

    def _corpus_changed(self) -> None:
        if not self.isVisible():
            return
        if self._corpus.beginning:
            if self._learned is None or self._learned[0] is not self._corpus.beginning:
                self.learn()
        elif self._corpus.is_reading:
            self._show_nothing(tr("Shown once the corpus has been read."))
        elif self._corpus.lacks_text:
            self._show_nothing(tr("This corpus has numbers or images and no text, so there are no merges."))
        else:
            self._show_nothing(tr("There is no corpus to learn merges from."))

    def learn(self) -> None:
        """Learn the selected number of merges from the corpus."""
        if not self._corpus.beginning:
            return
        self._learned = self._corpus.beginning, int(self.count.value)
        self._show_nothing(tr("Learning {n} merges from the corpus.", n=number_text(int(self.count.value))))
        self._learning = _MergeJob(*self._learned)
        title = tr("Learning merges")
        done = partial(self._take, self._learning)
        self._background.run(title, self._learning.work, done, self._show_problem, replaces="merges")
        self._progress.setValue(0)
        self._cancel.setEnabled(True)
        self._learning_row.show()
        self._polling.start()

    def _learn_number(self, _: str) -> None:
        self.learn()

    def _poll(self) -> None:
        if self._learning is not None:
            self._progress.setValue(int(1000 * self._learning.share))

    def _stop_learning(self) -> None:
        """Stop learning; the merges learned so far are shown."""
        if self._learning is not None:
            self._learning.stopped = True
            self._cancel.setEnabled(False)

    def _end_learning(self) -> None:
        self._learning = None
        self._polling.stop()
        self._learning_row.hide()

    def _take(self, learning: _MergeJob, merges: Merges) -> None:
        if learning is self._learning:
            self._end_learning()
            if merges.steps:
                self._show_merges(merges)
            else:
                self._show_nothing(tr("No merges were learned."), again=True)

    def _show_problem(self, problem: Problem) -> None:
        if self._learning is not None:
            self._end_learning()
            self._show_nothing(problem_line(problem), again=True)

    # --------------------------------------------------------------------------------------------------------- showing

    def _show_nothing(self, message: str, *, again: bool = False) -> None:
        self._merges = None
        self._stop()
        self.list.set_merges([])
        if again:
            self.card.show_empty(message, tr("Learn merges"), self.learn)
        else:
            self.card.show_empty(message)
        self.list_card.set_title(tr("Merges"))
        self.card.set_title(tr("A passage of the corpus"))
        for control in (self.back, self.step, self.play, self._speeds):
            control.setEnabled(False)

    def _show_merges(self, merges: Merges) -> None:
        self._merges = merges
        self._tokens.clear()
        self._passage = self._corpus.beginning[:PASSAGE]
        labelled = [
            ShownMerge(merges.label(step.left), merges.label(step.right), merges.label(step.token), step.count)
            for step in merges.steps
        ]
        self.list.set_merges(labelled)
        tokens = (step.token + 1 for step in merges.steps)  # two pairs may make the same token
        self._sizes = list(itertools.accumulate(tokens, max, initial=BYTES))
        self.list_card.set_title(tr("Merges"), tr("{n} learned", n=number_text(len(labelled))))
        self.card.show_content()
        self._speeds.setEnabled(True)
        self.slider.setRange(0, len(labelled))
        if self.slider.value() == 0:
            self._show()
        self.slider.setValue(0)

    def _show(self) -> None:
        """Show the passage, tokenized with the merges made so far."""
        merges, made = self._merges, self.slider.value()
        if merges is None:
            return
        pieces = merges.pieces(self._passage, made)
        known = self._tokens
        for token in set(pieces).difference(known):
            known[token] = CutToken(token, merges.label(token), len(merges.bytes(token)))
        last = merges.steps[made - 1] if made else None
        marked = frozenset(index for index, token in enumerate(pieces) if last is not None and token == last.token)
        self.view.set_tokens([known[token] for token in pieces], marked)
        if marked and not self.slider.isSliderDown() and not self._playing.isActive():
            self.view.reveal(min(marked))
        self.list.mark(made)
        self._describe(made, len(pieces), len(marked))
        self.back.setEnabled(made > 0)
        self.step.setEnabled(made < len(merges.steps))
        self.play.setEnabled(bool(merges.steps))

    def _describe(self, made: int, count: int, here: int) -> None:
        assert self._merges is not None
        if not made:
            self.card.set_title(tr("Before any merge"))
            self._sentence.setText(tr("Every byte is a token. The most frequent pair becomes the first new token."))
        else:
            last = self._merges.steps[made - 1]
            left, right, new = (self._merges.label(token) for token in (last.left, last.right, last.token))
            self.card.set_title(tr_n("After 1 merge", "After {n} merges", made))
            merge = tr("{left} + {right} → {new}", left=left, right=right, new=new)
            corpus = tr_n("once in the corpus", "{n} times in the corpus", last.count)
            passage = (
                tr_n("once in this passage", "{n} times in this passage", here) if here else tr("not in this passage")
            )
            self._sentence.setText(f"{merge}   {corpus}, {passage}")
        size = len(self._passage.encode())
        figures = tr(
            "vocabulary {v} · this passage: {n} tokens, {a} per byte, {b} bytes per token",
            v=number_text(self._sizes[made]), n=number_text(count), a=number_text(count / size, ".3f"),
            b=number_text(size / count, ".2f"),
        )  # fmt: skip
        self._figures.setText(figures)
        self.slider.setAccessibleDescription(f"{self.card.title}: {self._sentence.text()}")

    # -------------------------------------------------------------------------------------------------------- stepping

    def _go_to(self, made: int) -> None:
        self._stop()
        self.slider.setValue(made)

    def _step(self) -> None:
        self._go_to(self.slider.value() + 1)

    def _step_back(self) -> None:
        self._go_to(self.slider.value() - 1)

    def toggle(self) -> None:
        """Start playing the merges, from the first one if all are made, or stop playing."""
        if self._playing.isActive():
            self._stop()
        elif self._merges is not None:
            if self.slider.value() == self.slider.maximum():
                self.slider.setValue(0)
            self._playing.start(1000 // self._speed)
            self._show_state()

    def _play_next(self) -> None:
        if self.slider.value() < self.slider.maximum():
            self.slider.setValue(self.slider.value() + 1)
        else:
            self._stop()

    def _stop(self) -> None:
        if self._playing.isActive():
            self._playing.stop()
            self._show_state()

    def _show_state(self) -> None:
        if self._playing.isActive():
            self.play.set_face(tr("Pause"), "pause", tr("Stop at this merge"))
        else:
            self.play.set_face(tr("Play merges"), "start", tr("Make one merge after another"))

    def _take_speed(self, speed: str) -> None:
        self._speed = int(speed)
        if self._playing.isActive():
            self._playing.start(1000 // self._speed)


class _MergeJob:
    """A job that learns merges: its thread stores the progress, the main thread reads it and can stop the job.

    Args:
        text: The text.
        count: The number of merges.
    """

    def __init__(self, text: str, count: int) -> None:
        self._text, self._count = text, count
        self.share = 0.0
        self.stopped = False

    def work(self, job: Job) -> Merges:
        """Learn the merges; called in a thread."""
        from lab.text.tokenizers.merges import learn_merges

        self._job = job
        merges = learn_merges(self._text, self._count, progress=self._set_progress, cancelled=self._is_stopped)
        merges.pieces(self._text[:PASSAGE], 0)  # compute the merges of the passage here, not in the main thread
        return merges

    def _set_progress(self, made: int, count: int) -> None:
        self.share = made / max(1, count)

    def _is_stopped(self) -> bool:
        return self.stopped or self._job.cancelled
