"""Changes of live settings during training: scheduled in the recipe, made by the user, or repeated after a resume."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab.api import field_prefix
from lab.recipes import Edit
from lab.training.recording.log import Log
from lab.training.steps.learner import Learner


class Edits:
    """The live edits of one training, in the order in which they are made.

    Args:
        learner: The learner whose settings change.
        schedule: The edits of the recipe.
        log: The log of the edits.

    Raises:
        BadInput: An edit of the schedule names no live setting, or has a value that is not allowed.
    """

    def __init__(self, learner: Learner, schedule: Sequence[Edit], log: Log) -> None:
        self._learner, self._log = learner, log
        self._schedule = sorted(schedule, key=lambda edit: edit.step)
        self._again: list[Edit] = []  # made by the user after the resumed checkpoint
        self._made = {"scheduled": 0, "live": 0}
        for number, edit in enumerate(schedule):
            with field_prefix(f"training.edits.{number}"):
                learner.check_live(edit.path, edit.value)

    def make_due(self, step: int) -> None:
        """Make the edits that are due at this step."""
        while self._schedule and self._schedule[0].step <= step:
            edit = self._schedule.pop(0)
            before, after = self._learner.set_live(edit.path, edit.value)
            self._made["scheduled"] += 1
            self._log.event("set", step, path=edit.path, value=after, before=before, scheduled=True)
        while self._again and self._again[0].step <= step:  # these are already recorded
            edit = self._again.pop(0)
            self._learner.set_live(edit.path, edit.value)
            self._made["live"] += 1

    def make(self, step: int, path: str, value: Any) -> None:
        """Make an edit requested by the user; the value that is in force already changes nothing and is not recorded.

        Raises:
            BadInput: There is no such setting, it is not live, or the value is not allowed.
        """
        before, after = self._learner.set_live(path, value)
        if before != after:
            self._made["live"] += 1
            self._log.event("set", step, path=path, value=after, before=before)

    def state_dict(self) -> dict[str, int]:
        """Return the number of edits made, scheduled and live, for a checkpoint."""
        return dict(self._made)

    def load_state_dict(self, made: Mapping[str, int], by_user: Sequence[Edit]) -> None:
        """Continue from what `state_dict` returned.

        Args:
            made: The number of edits made.
            by_user: All edits by the user in this run, in order; those after the checkpoint are repeated.
        """
        self._made = {"scheduled": 0, "live": 0, **made}
        self._schedule = self._schedule[self._made["scheduled"] :]
        self._again = list(by_user[self._made["live"] :])
