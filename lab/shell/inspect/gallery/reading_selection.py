"""The cards of readings that are offered, and those of them that the user sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from lab.shell.inspect.gallery.entries import ALL, OWN

Key = tuple[str, tuple[str, ...]]
"""The identity of a card of readings: an id, which is never translated, and axes."""


class ReadingSelection:
    """The cards of readings that are offered, and which of them are shown.

    The user sees their selection, all cards, or those that answer a question. Each of these views has its own
    switches, so that a card that is hidden in one of them stays in the others.

    Attributes:
        offered: The axes of the readings of each card, in the order of the cards.
        questions: The questions that each card answers.
        view: OWN, ALL, or the selected question.
        switched: What the user switched, by view and card.
    """

    def __init__(self) -> None:
        self.offered: dict[Key, set[tuple[str, ...]]] = {}
        self.questions: Mapping[Key, Collection[str]] = {}
        self.view = OWN
        self.switched: dict[str, dict[Key, bool]] = {}
        self._first: dict[tuple[str, Key], bool] = {}  # what is in the user's selection until they switch it
        self._model = ""
        self._count = 0

    def offer(
        self,
        offered: Mapping[Key, set[tuple[str, ...]]],
        first: int,
        questions: Mapping[Key, Collection[str]] | None = None,
        model: str = "",
    ) -> bool:
        """Offer other cards; the first few are shown unless the user switched them off.

        Args:
            offered: The axes of the readings of each card.
            first: How many cards are in the user's selection at first.
            questions: The questions that each card answers.
            model: The name of the architecture; the first cards of one are not those of another.

        Returns:
            True if they differ from those offered before, or answer other questions.
        """
        known = self.questions if questions is None else questions
        is_same = list(offered.items()) == list(self.offered.items()) and known == self.questions
        is_same = is_same and model == self._model
        self.questions, self._model = known, model
        if is_same:
            return False
        self.offered, self._count = dict(offered), first
        self._select_first()
        return True

    def _select_first(self) -> None:
        """Put the first cards into the user's selection, once for each card of an architecture."""
        if self.view in (OWN, ALL):
            for index, key in enumerate(self.offered):
                self._first.setdefault((self._model, key), index < self._count)

    def extended(self, offered: Mapping[Key, set[tuple[str, ...]]]) -> dict[Key, set[tuple[str, ...]]]:
        """Return cards together with those offered so far, so that a step that lacks some removes none."""
        return {**self.offered, **offered}

    def clear(self) -> None:
        """Offer nothing; what was switched stays so."""
        self.offered = {}

    def select_view(self, view: str) -> None:
        """Show the user's selection, all cards, or those that answer a question."""
        self.view = view
        self._select_first()

    def reset(self) -> None:
        """Forget what was switched among the answers to a question, or among all cards."""
        if self.view != OWN:
            self.switched.pop(self.view, None)

    def switch(self, key: Key, on: bool) -> None:
        """Show a card in the view that is selected, or hide it there."""
        self.switched.setdefault(self.view, {})[key] = on

    def want(self, keys: Iterable[Key]) -> None:
        """Put these cards into the user's selection as soon as they are offered, and hide none of them."""
        wanted = dict.fromkeys(keys, True)
        self.switched[OWN] = self.switched.get(OWN, {}) | wanted
        here = self.switched.get(self.view, {})
        for key in wanted:
            if not here.get(key, True):
                del here[key]

    def is_on(self, key: Key) -> bool:
        """Return True if a card is shown while it is offered."""
        switched = self.switched.get(self.view, {})
        if key in switched:
            return switched[key]
        if self.view == OWN:
            return self._first.get((self._model, key), False)
        return self.view == ALL or self.view in self.questions.get(key, ())

    @property
    def selected(self) -> list[Key]:
        """The cards that are shown, in their order."""
        return [key for key in self.offered if self.is_on(key)]
