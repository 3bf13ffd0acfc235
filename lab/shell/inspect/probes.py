"""The probes of Inspect: which are offered for a model, and a look into it with those that are switched on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.inspect.reading_card import Groups, Key
from lab.shell.session.runs.model import RunModel
from lab.workbench.access.inspection import Inspection

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.model_access import ModelAccess

REPORTS = "reports"
"""The probe that is always asked: what a model reports itself."""


@dataclass(frozen=True)
class Offer:
    """A probe that a person can switch on.

    Args:
        name: Of the probe.
        title: What it is called.
        summary: What it finds.
        own: Whether it came in one plugin with the architecture.
        recorded: Whether every run records what it finds.
    """

    name: str
    title: str
    summary: str
    own: bool
    recorded: bool


def offered(plugins: Plugins, recipe: Recipe) -> list[Offer]:
    """The probes for the model of a recipe: those for all architectures, and those of its architecture's plugin."""
    try:
        plugin = plugins.owner("architectures", recipe.architecture.name)
        recorded = set(plugins.card("architectures", recipe.architecture.name).records)
    except LabError:
        plugin, recorded = "", set()
    recorded |= {choice.name for choice in recipe.readings.probes}
    found = []
    for name, card in plugins.cards("probes").items():
        own = plugins.owner("probes", name) == plugin
        if name != REPORTS and (own or card.everywhere):
            found.append(Offer(name, card.title, card.summary, own, name in recorded))
    return sorted(found, key=lambda one: (not one.recorded, not one.own, one.title))


@dataclass(frozen=True)
class Found:
    """What a look brought.

    Args:
        look: All readings.
        kinds: By probe, name and axes of its readings.
        told: By probe, why it found nothing.
    """

    look: Inspection
    kinds: dict[str, Collection[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)
    told: dict[str, Problem] = field(default_factory=dict)

    def cards_of(self, probe: str, groups: Groups) -> tuple[list[Key], list[Key]]:
        """The cards that show something of what a probe found, and those of them that show nothing else."""
        kinds = self.kinds[probe]
        of_it = {key: [(one.name, tuple(one.axes)) in kinds for one in group] for key, group in groups.items()}
        return [key for key, found in of_it.items() if any(found)], [key for key, found in of_it.items() if all(found)]


class Looking:
    """One look into a model.

    Args:
        subject: The model.
        words: What it reads; "" for the run's own probe text.
        view: Its run; None for the untrained model of the draft.
        probes: Names of those that are asked beside what the model reports.
        spare: Names of others, that are asked one after the other while there are fewer kinds of readings than
            `enough`.
        enough: Kinds of readings that fill the places there are at first.
    """

    def __init__(
        self,
        subject: ModelAccess,
        words: str,
        view: RunModel | None,
        probes: Sequence[str],
        spare: Sequence[str] = (),
        enough: int = 0,
    ) -> None:
        self._subject, self._words, self._view = subject, words, view
        self._probes, self._spare, self._enough = probes, spare, enough

    def work(self, job: Job) -> Found:
        """Looks; in a thread of its own."""
        try:
            look = self._subject.inspect(self._words or None)
        except LabError:
            steps = self._view.run.recorded_steps() if self._view is not None and not self._words else []
            if not steps or self._view is None:
                raise
            return Found(self._view.run.recorded(steps[-1]))  # no checkpoint, or no corpus here: what is there
        found, readings = Found(look), list(look.readings)
        for probe in (*self._probes, *self._spare):
            kinds = {(reading.name, tuple(reading.axes)) for reading in readings}
            if job.cancelled or (probe in self._spare and len(kinds) >= self._enough):
                break
            try:
                more = self._subject.inspect(self._words or None, probe=probe).readings
            except LabError as error:  # it is not made for this model, or its code raised: the others are asked
                found.told[probe] = error.problem
                continue
            found.kinds[probe] = {(reading.name, tuple(reading.axes)) for reading in more}
            readings += more
        return replace(found, look=replace(look, readings=readings))
