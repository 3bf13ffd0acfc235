"""The place Inspect: what a model's inside looks like on a text, now or at a recorded moment, in cards."""

from __future__ import annotations

import time
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from lab.base.notices import Notice
from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.inspect.cards import InspectCards
from lab.shell.inspect.comparison import AT_LEAST, INFLUENCE, REST, Beside, others
from lab.shell.inspect.lengths_card import LENGTHS, Lengths
from lab.shell.inspect.panel import InspectPanel
from lab.shell.inspect.probes import Found, Looking, offered
from lab.shell.inspect.reading_card import MAPS, Key, Scene, importance, scene_of
from lab.shell.inspect.sample_card import SAMPLE
from lab.shell.runtime.background import Background
from lab.shell.session.moments import Moments
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.subjects import Subjects, model_name
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.moments import widened

if TYPE_CHECKING:
    from lab.workbench.access.inspection import Subject

LOOK = 500
"""Milliseconds between two thoughts about looking again."""
AT_FIRST = 3
"""Readings that are shown before a person chooses."""
MOMENTS = 2.0
"""Seconds between two looks for moments that a run has recorded meanwhile."""
EDITED = 500
"""Milliseconds without an edit of the draft after which its untrained model is looked into."""


class InspectPlace(QWidget):
    """The cards of Inspect.

    Args:
        book: The runs.
        subjects: Whose inside is looked at.
        background: Brings work off the main thread.
        plugins: Where plugins' own views are found.
    """

    arranged = Signal()
    """Cards came, or moved to another place."""

    def __init__(self, book: RunRegistry, subjects: Subjects, background: Background, plugins: Plugins) -> None:
        super().__init__()
        self._book, self._subjects, self._background, self._plugins = book, subjects, background, plugins
        self.panel = InspectPanel()
        self.moments = Moments(background, self)
        self.ready = False
        self._scene: Scene | None = None  # what is shown
        self.beside = Beside(book, background, self)
        self._seen: int | None = None  # the moment of it
        self._asked_moment: int | None = None
        self._who: weakref.ref[RunModel | Subject] | None = None  # whom it was asked of
        self._run: RunModel | None = None  # whose moments are offered
        self._asked = self._answered = self._found = 0.0
        self._cost = 0.0
        self._under_way = False
        self._keys: dict[Key, set[tuple[str, ...]]] = {}  # what can be shown, and the axes of its readings
        self._of_probes: dict[Key, str] = {}  # the probe that found what a card shows
        self._new_probe = ""  # that a person has just switched on
        self._new_map = ""  # what it found, where that is a map among others
        self._lengths = Lengths(book, background, plugins, self)
        self.all = InspectCards(plugins, self._lengths, subjects, background)
        self.splitters: dict[str, QSplitter] = {"inspect": self.all}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.all)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self._think)
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(EDITED)
        self._edited.timeout.connect(self._follow_draft)
        subjects.draft.changed.connect(self._draft_changed)
        self.panel.moment_chosen.connect(self._move)
        self.panel.pin_requested.connect(self._pin)
        self.panel.beside_chosen.connect(self._lay_beside)
        self.beside.came.connect(self._show_beside)
        self.moments.found.connect(self._offer_moments)
        self.moments.came.connect(self._more_came)
        self.panel.text_given.connect(self.ask)
        self.panel.layer_chosen.connect(self._show_cards)
        self.panel.readings_chosen.connect(self._choose_readings)
        self.panel.probes.switched.connect(self._switch_probe)
        book.chosen.connect(self._other_run)
        book.listed.connect(self._offer_runs)
        book.ended.connect(self._run_ended)
        self._lengths.came.connect(self._offer_readings)
        self._show_nothing()

    def begin(self) -> None:
        """Models can be asked from here on."""
        self.ready = True
        self._show_nothing()
        if self.isVisible():
            self.ask()

    def close_down(self) -> None:
        """Looks no more."""
        self._timer.stop()
        self._edited.stop()

    def hear(self, notice: Notice) -> None:
        """Shows what nobody caught in the card of the view that raised it."""
        if notice.level == "error":
            self.all.hear(notice.problem)

    # ----------------------------------------------------------------------------------------------------------- asking

    def showEvent(self, event: Any) -> None:
        """Looks when somebody looks."""
        super().showEvent(event)
        self._timer.start()
        self._find_moments()
        self.ask()

    def hideEvent(self, event: Any) -> None:
        """Looks no more while nobody does."""
        super().hideEvent(event)
        self._timer.stop()
        self._edited.stop()
        self.panel.film.stop()

    def ask(self) -> None:
        """Looks at the moment that the panel says: at what was recorded, else into a model, on the text it holds."""
        untrained = self.panel.moment is not None and not self.panel.recorded
        self._subjects.choose("inspect", untrained=untrained)
        if not self.ready and self._scene is None:
            self.all.say(tr("The model is looked into as soon as the lab is loaded."))
        if not self.ready or not self.isVisible():
            return
        if self.panel.recorded:
            self._show_recorded()
            return
        subject, view = self._subjects.now("inspect")
        title = tr("Looking into {name}", name=self._subjects.name("inspect"))
        who = subject if view is None else view
        if self._who is None or self._who() is not who:
            self._who = weakref.ref(who)
            self._wait(f"{title} …")
        recipe = self._subjects.draft.recipe if view is None else view.recipe
        self.panel.probes.offer(offered(self._plugins, recipe))
        enough = AT_FIRST - (view is not None)  # a run has its sample
        on, spare = self.panel.probes.on, self.panel.probes.spare
        if self.beside.view is not None and INFLUENCE not in on:
            on = [*on, INFLUENCE]
        looking = Looking(subject, self.panel.text, view, on, spare, enough)
        self._asked, self._under_way, self._asked_moment = time.perf_counter(), True, self.panel.moment
        taken, failed = partial(self._take, self.panel.moment), partial(self._fail, self.panel.moment)
        self._background.run(title, looking.work, taken, failed, replaces="look")

    def _ask_again(self) -> None:
        """Asks once more whom nothing was learned of."""
        self._who = None
        self.ask()

    def _think(self) -> None:
        """Looks again while the model trains, seldom enough to leave it its speed."""
        self.beside.think()
        view = self._book.selected
        if view is None or not view.works:
            return
        now = time.perf_counter()
        if now - self._found > MOMENTS:
            self._find_moments()
        if not self._under_way and self.panel.moment is None and now - self._answered > self._rest:
            self.ask()

    @property
    def _rest(self) -> float:
        """Seconds between two looks."""
        return max(AT_LEAST, REST * self._cost)

    def _draft_changed(self) -> None:
        if self._book.selected is None and self.isVisible():
            self._edited.start()

    def _follow_draft(self) -> None:
        if self._book.selected is None and (self._who is None or self._who() is not self._subjects.now("inspect")[0]):
            self.ask()

    def _run_ended(self, view: RunModel) -> None:
        """Looks once more, into what was saved."""
        if view is self._book.selected:
            self._find_moments()
            if self.panel.moment is None:
                self.ask()

    def _other_run(self) -> None:
        if self._book.selected is self._run:  # only other curves are shown
            return
        self._run = self._book.selected
        if self.beside.view is None or self.beside.view is self._run:
            self.beside.pin(None)
        self.panel.film.stop()
        self.panel.film.show_pin("")
        self._offer_runs()
        self.moments.follow(self._run)
        self._offer_moments()
        self._find_moments()
        self.ask()

    def _switch_probe(self, name: str, on: bool) -> None:
        """A probe was switched: what it finds is wanted now, or no more."""
        self._new_probe = name if on else ""
        self.ask()

    def _is_awaited(self, moment: int | None) -> bool:
        """Whether a look into the model at a moment is still wanted: of what was recorded no model is asked."""
        return moment == self.panel.moment and not self.panel.recorded

    def _take(self, moment: int | None, found: Found) -> None:
        """A model was looked into; what was asked for another moment meanwhile is shown in its stead."""
        self._under_way = False
        if self._is_awaited(moment):
            self.panel.probes.decide(found.kinds)
            self.panel.probes.tell(found.told)
            self._show(found.look, found)
        self._answered = time.perf_counter()  # what it costs to show is a part of the cost
        self._cost = self._answered - self._asked

    def _fail(self, moment: int | None, problem: Problem) -> None:
        self._answered, self._under_way = time.perf_counter(), False
        self._cost = max(self._cost, AT_LEAST / REST)
        if self._is_awaited(moment):
            self._show_problem(problem)

    # ---------------------------------------------------------------------------------------------------------- moments

    def _find_moments(self) -> None:
        if self._run is not None and self.isVisible():
            self._found = time.perf_counter()
            self.moments.find()

    def _offer_moments(self) -> None:
        """Offers the moments there are; where the one that is looked at is gone, the model is looked into as it is."""
        before = self.panel.moment
        self.panel.offer_moments(None if self._run is None else self.moments.steps)
        self.panel.film.show_notes(*self.moments.told())
        if self.panel.moment != before:
            self._move()

    def _move(self) -> None:
        """Another moment was chosen."""
        self.moments.look_at(self.panel.moment)
        self.ask()

    def _more_came(self) -> None:
        if self.panel.recorded and self._seen != self.panel.moment:
            self._show_recorded()
        elif self._scene is not None:
            self._show_cards()  # on the scale of more moments

    def _show_recorded(self) -> None:
        """Shows what was recorded at the moment; what is still being read is shown when it comes."""
        step = self.panel.moment
        found = None if step is None or not self.ready else self.moments.at(step)
        self.panel.film.wait(found is None)
        if found is None:
            return
        self._asked_moment = step
        if isinstance(found, Inspection):
            self._show(found)
        elif self._seen != step:
            self._scene, self._seen = None, step
            self.all.say(tr("The moment of step {step} cannot be shown. {why}", step=f"{step:,}", why=found.line()))
            self._find_moments()  # it may be gone

    def _pin(self) -> None:
        """Pins what is shown, or unpins what is pinned."""
        is_pinned = self.beside.view is None and self.beside.scene is not None
        self.beside.pin(None if is_pinned else self._scene)
        self.panel.film.show_pin("" if self.beside.scene is None else self.beside.scene.moment)
        self._offer_runs()

    def _offer_runs(self) -> None:
        """Offers the other runs; one that is gone lies beside no more."""
        views = {view.key: view for view in others(self._book)}
        if self.beside.view is not None and self.beside.view.key not in views:
            self.beside.pin(None)
        laid = self.beside.view
        self.panel.offer_runs([(key, view.name) for key, view in views.items()], "" if laid is None else laid.key)

    def _lay_beside(self) -> None:
        """Another run is wanted beside, or none."""
        found = (view for view in others(self._book) if view.key == self.panel.beside)
        self.panel.film.show_pin("")
        self.beside.lay(next(found, None))
        self.panel.want_readings([MAPS])
        self.ask()

    # ---------------------------------------------------------------------------------------------------------- showing

    def _show_nothing(self) -> None:
        words = tr("Here you look into a model: attention, states, and whatever else it reports on the probe text.")
        self.all.say(words, tr("Look into the model"), self.ask)

    def _show(self, look: Inspection, found: Found | None = None) -> None:
        """Shows a look in the cards."""
        self._scene = scene_of(look, model_name(self._book.selected, look.step))
        if found is not None:
            self._learn_of(found, self._scene)
        self._seen = self._asked_moment
        self.panel.show_problem(self.beside.problem)
        self.beside.follow(self._scene, self.panel.moment if self.panel.recorded else None, self.panel.probes.on)
        self.panel.show_step(look.step)
        self._offer_readings()
        self.panel.offer_layers(sorted({one.layer for one in look.readings if one.layer is not None}))
        self._show_cards()
        self.all.show_map(self._new_map)
        self._new_map = ""

    def _offer_readings(self) -> None:
        """Offers what the shown model reported, and what else is known of its run."""
        if self._scene is None:
            return
        recorded = self.panel.probes.names_of(recorded=True)
        recorded_keys = {key for key, probe in self._of_probes.items() if probe in recorded}
        keys = sorted(self._scene.groups, key=lambda key: importance(key, recorded_keys, self._of_probes))
        if self._run is not None and self._lengths.has(self._run):
            keys.insert(1 if self._run.on_examples else AT_FIRST - 1, LENGTHS)
        if self._run is not None and (self._run.samples or self._run.works):
            keys.insert(AT_FIRST - 1, SAMPLE)
        axes = {key: {tuple(one.axes) for one in self._scene.groups.get(key, ())} for key in keys}
        if list(axes.items()) != list(self._keys.items()):
            self._keys = axes
            self.panel.offer_readings(keys, AT_FIRST)
            self._arrange()

    def _learn_of(self, found: Found, scene: Scene) -> None:
        """Learns which probe is behind which card; what the one found that was just switched on is to be seen."""
        for probe in found.kinds:
            keys, alone = found.cards_of(probe, scene.groups)
            self._of_probes |= dict.fromkeys(alone, probe)
            if probe == self._new_probe:
                self._new_probe = ""
                self.panel.want_readings(sorted(keys, key=importance)[:AT_FIRST])
                self._new_map = probe  # which a map is called as

    def _show_problem(self, problem: Problem) -> None:
        if self._scene is None or self._seen != self._asked_moment:  # what is shown is not what was asked for
            self._scene, self._seen, self._keys = None, self._asked_moment, {}
            self._arrange()
            self.all.say(problem.line(), tr("Look again"), self._ask_again)
        self.panel.show_problem(problem if self._scene is not None or self.panel.text else None)

    def _wait(self, words: str) -> None:
        """Shows nothing of another model while this one is looked into."""
        self._scene = None
        self.all.say(words)

    def _show_beside(self) -> None:
        """Shows what lies beside, or why it does not."""
        self.panel.show_problem(self.beside.problem)
        self._show_cards()

    def _choose_readings(self) -> None:
        self._arrange()
        self._show_cards()

    def _arrange(self) -> None:
        if self.all.arrange(self._keys, self.panel.chosen_readings):
            self.arranged.emit()

    def _show_cards(self) -> None:
        scene, pinned = self._scene, self.beside.scene
        if scene is None:
            return
        limits = widened(self.moments.limits, self.beside.limits)
        if self.moments.at(scene.look.step) is not scene.look:  # the film knows nothing of it
            limits = widened(limits, scene.limits)
        samples = () if self._run is None else self._run.samples
        self.all.show_scene(scene, pinned, self.panel.layer, limits, samples, self.moments.looks)

    @property
    def cards(self) -> list[Card]:
        """The cards that are shown."""
        return self.all.shown
