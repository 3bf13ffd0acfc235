"""The end of a training whose validation loss does not fall any more."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


class EarlyStopping:
    """The evaluations since the lowest validation loss, which end a training after so many (Prechelt 1998).

    Attributes:
        has_ended: True once they did.
    """

    def __init__(self) -> None:
        self.has_ended = False
        self._best, self._since = math.inf, 0

    def note(self, loss: float, patience: int) -> bool:
        """Take the next validation loss; return True if the training ends here.

        Args:
            loss: The loss.
            patience: Evaluations without a lower loss after which it ends; 0 means never.
        """
        self._best, self._since = (loss, 0) if loss < self._best else (self._best, self._since + 1)
        self.has_ended = self.has_ended or 0 < patience <= self._since
        return self.has_ended

    def state_dict(self) -> dict[str, Any]:
        """Return the lowest loss, the evaluations since, and whether the training ended; plain data."""
        best = self._best if math.isfinite(self._best) else None
        return {"best": best, "since": self._since, "ended": self.has_ended}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state_dict` returned; from {} as at the start."""
        best = state.get("best")
        self._best, self._since = math.inf if best is None else best, state.get("since", 0)
        self.has_ended = bool(state.get("ended"))
