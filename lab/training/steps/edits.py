"""Changes of live settings while a training runs: by a schedule in the recipe, by a person, and by a person before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab.api import within
from lab.recipes import Edit
from lab.training.between_steps import Log
from lab.training.steps.gradient import Learner


class Edits:
    """The live edits of one training, in the order in which they are made.

    Args:
        learner: Whose settings change.
        schedule: Those of the recipe.
        log: Where those that are made are told.

    Raises:
        BadInput: An edit of the schedule names no live setting, or gives a value that is not allowed.
    """

    def __init__(self, learner: Learner, schedule: Sequence[Edit], log: Log) -> None:
        self._learner, self._log = learner, log
        self._schedule = sorted(schedule, key=lambda edit: edit.step)
        self._again: list[Edit] = []  # made by a person behind the checkpoint that is gone on from
        self._made = {"scheduled": 0, "live": 0}
        for number, edit in enumerate(schedule):
            with within(f"training.edits.{number}"):
                learner.check_live(edit.path, edit.value)

    def make_due(self, step: int) -> None:
        """Makes the edits whose step has come."""
        while self._schedule and self._schedule[0].step <= step:
            edit = self._schedule.pop(0)
            before, after = self._learner.set_live(edit.path, edit.value)
            self._made["scheduled"] += 1
            self._log.event("set", step, path=edit.path, value=after, before=before, scheduled=True)
        while self._again and self._again[0].step <= step:  # of which the run has told already
            edit = self._again.pop(0)
            self._learner.set_live(edit.path, edit.value)
            self._made["live"] += 1

    def make(self, step: int, path: str, value: Any) -> None:
        """Makes the edit that a person asked for.

        Raises:
            BadInput: There is no such setting, it is not live, or the value is not allowed.
        """
        before, after = self._learner.set_live(path, value)
        self._made["live"] += 1
        self._log.event("set", step, path=path, value=after, before=before)

    def made(self) -> dict[str, int]:
        """How many were made, of the schedule and by people: what a checkpoint needs to know of them."""
        return dict(self._made)

    def go_on_from(self, made: Mapping[str, int], by_people: Sequence[Edit]) -> None:
        """Takes up where `made` was asked.

        Args:
            made: How many were made.
            by_people: All that people ever made in this run, in their order; those behind the checkpoint come again.
        """
        self._made = {"scheduled": 0, "live": 0, **made}
        self._schedule = self._schedule[self._made["scheduled"] :]
        self._again = list(by_people[self._made["live"] :])
