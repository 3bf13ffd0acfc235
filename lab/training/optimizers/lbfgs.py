"""L-BFGS on the whole training text at once, for small models."""

from __future__ import annotations

from typing import Any

import torch

from lab.api import ParameterGroup
from lab.base import BadInput
from lab.training.optimizers.builtins import LBFGSConfig

MOST_PARAMETERS = 1_000_000
"""Parameters up to which the directions of a history are kept."""


class LBFGS(torch.optim.LBFGS):
    """torch's L-BFGS (Nocedal & Wright 2006, algorithm 7.5), which computes the loss several times in each step."""

    needs_closure = True

    def step(self, closure: Any) -> Any:  # type: ignore[override]
        """Make a step; a learning rate of 0 leaves the weights alone, where the line search would divide by it."""
        if not any(group["lr"] for group in self.param_groups):
            with torch.enable_grad():
                return closure()
        return super().step(closure)  # type: ignore[no-untyped-call]


def lbfgs(config: LBFGSConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return L-BFGS of all parameters as one vector.

    Raises:
        BadInput: The model is too large for it.
    """
    del device
    parameters = [p for group in groups for p in group["params"]]
    count = sum(p.numel() for p in parameters)
    if count > MOST_PARAMETERS:
        raise BadInput(
            f"keeps {2 * config.history} vectors as long as all {count:,} parameters, and needs the gradient of all of "
            "the text in each evaluation",
            field="training.optimizer.name",
            value="lbfgs",
            allowed=f"models of at most {MOST_PARAMETERS:,} parameters",
            remedy="Choose another optimizer, such as adamw, or make the model smaller",
        )
    return LBFGS(
        parameters,
        lr=config.learning_rate,
        max_iter=config.iterations,
        history_size=config.history,
        line_search_fn="strong_wolfe" if config.line_search else None,
    )
