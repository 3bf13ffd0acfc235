"""The probes that run with an inspection: those that the user switched on, and those that answer a question."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lab.shell.inspect.gallery.entries import ALL, OTHER, OWN

if TYPE_CHECKING:
    from lab.api import Explanation
    from lab.base.problems import Problem


@dataclass(frozen=True)
class Offer:
    """A probe that the user can switch on.

    Args:
        name: Its name.
        title: Its title.
        summary: What it finds.
        own: True if it came in one plugin with the architecture.
        recorded: True if every run records what it finds.
        explanations: What its readings show, by their names.
    """

    name: str
    title: str
    summary: str
    own: bool
    recorded: bool
    explanations: Mapping[str, Explanation] = field(default_factory=dict)

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that its readings answer, each once."""
        return tuple(dict.fromkeys(one.question for one in self.explanations.values()))


class ProbeSelection:
    """The probes that are offered for a model, and which of them run.

    Attributes:
        offers: The probes, in their order.
        problems: By name, why a probe found nothing; the others found something, or did not run.
        view: The selected question; OWN or ALL for none.
    """

    def __init__(self) -> None:
        self.offers: list[Offer] = []
        self.problems: dict[str, Problem] = {}
        self.view = OWN
        self._default: dict[tuple[str, str], bool] = {}  # by architecture and name
        self._decided: set[tuple[str, str]] = set()  # probes that `decide` has switched
        self._model = ""
        self.switched: dict[str, dict[str, bool]] = {}
        """The choices of the user, by question and name of the probe."""

    def offer(self, offers: Sequence[Offer], model: str = "") -> None:
        """Offer probes; those whose readings every run records are on until the user switches them off.

        Args:
            offers: The probes.
            model: The name of the architecture; what is on for one at first is not so for another.
        """
        self._model = model
        for offer in offers:
            self._default.setdefault((model, offer.name), offer.recorded)
        if list(offers) != self.offers:
            self.offers, self.problems = list(offers), {}

    @property
    def on(self) -> list[str]:
        """The probes that are on, in their order."""
        return [offer.name for offer in self.offers if self.is_on(offer.name)]

    def is_on(self, name: str) -> bool:
        """Return True if a probe runs: it was switched on, or it answers the selected question."""
        own = self.switched.get(OWN, {}).get(name, self._default.get((self._model, name), False))
        if self._view == OWN:
            return own
        answers = any(offer.name == name and self.view in (offer.questions or (OTHER,)) for offer in self.offers)
        return self.switched.get(self.view, {}).get(name, own or answers)

    def switch(self, name: str, on: bool) -> None:
        """Switch a probe on or off, in the view that is selected."""
        self.switched.setdefault(self._view, {})[name] = on
        self.problems.pop(name, None)

    def reset(self) -> None:
        """Forget what was switched in the selected question."""
        if self._view != OWN:
            self.switched.pop(self._view, None)

    @property
    def spare(self) -> list[str]:
        """The model's own probes that no run records and nobody has switched yet; none where a question is selected."""
        if self._view != OWN:
            return []
        known = {name for model, name in self._decided if model == self._model}
        known |= set(self.switched.get(OWN, {})) | set(self.on)
        return [offer.name for offer in self.offers if offer.own and offer.name not in known]

    def decide(self, used: Collection[str]) -> None:
        """Switch on the spare probes that were run; the others stay off until the user switches them on."""
        for name in self.spare:
            self._decided.add((self._model, name))
            self._default[self._model, name] = name in used

    @property
    def recorded(self) -> list[str]:
        """The probes whose readings every run records."""
        return [offer.name for offer in self.offers if offer.recorded]

    @property
    def _view(self) -> str:
        return OWN if self.view == ALL else self.view
