"""The factor of the loss in float16, under which small gradients do not vanish."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

FIRST, LEAST = 2.0**16, 2.0**-8
"""The factor of the first step, and the smallest one: below it the gradients themselves are not finite."""
STEPS = 2000
"""Steps without overflow after which the factor doubles, as in torch.amp.GradScaler."""


class LossScale:
    """A factor that is halved when gradients overflow, and doubled after many steps (Micikevicius et al. 2018, 3.2).

    Args:
        enabled: False for number formats with the range of float32, where it changes nothing.
    """

    def __init__(self, enabled: bool) -> None:
        self.enabled, self.scale = enabled, FIRST
        self._steps = 0  # since the last change

    def scaled(self, loss: Tensor) -> Tensor:
        """Return the loss of which to compute gradients."""
        return loss * self.scale if self.enabled else loss

    def unscale(self, parameters: Iterable[nn.Parameter]) -> None:
        """Divide the gradients by the factor."""
        gradients = [p.grad for p in parameters if p.grad is not None]
        if self.enabled and gradients:
            torch._foreach_div_(gradients, self.scale)

    def fits(self, norm: float) -> bool:
        """Adapt the factor to a step's gradient norm; return False if they overflowed, so that the step is skipped."""
        if math.isfinite(norm):
            self._steps += 1
            if self._steps == STEPS:
                self.scale, self._steps = 2 * self.scale, 0
            return True
        self.scale, self._steps = self.scale / 2, 0
        return False

    def series(self) -> dict[str, float]:
        """Return the factor by the name of its series; {} if disabled."""
        return {"loss scale": self.scale} if self.enabled else {}

    def state_dict(self) -> dict[str, Any]:
        """Return the factor and the steps since its last change; {} if disabled."""
        return {"scale": self.scale, "steps": self._steps} if self.enabled else {}

    def load_state_dict(self, saved: Mapping[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        if self.enabled and saved:
            self.scale, self._steps = float(saved["scale"]), int(saved["steps"])
