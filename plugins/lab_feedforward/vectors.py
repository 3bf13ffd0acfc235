"""The vectors that a language model has for its tokens: their map in the plane, and which are alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import BadInput, Reading


def vectors(config: Any) -> Callable[[Any, Tensor], list[Reading]]:
    """Return the probe of the vectors of the tokens of a text, (T,): their map, and the cosines between them."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        table = next((part.weight for part in model.modules() if isinstance(part, nn.Embedding)), None)
        if table is None:
            raise BadInput("this model has no vectors of tokens", field="readings.probes", value="vectors")
        every = table.detach().double()
        row = tokens[0]
        centred = every - every.mean(dim=0)
        _, spread, directions = torch.linalg.svd(centred, full_matrices=False)
        count = min(2, len(spread))
        signs = directions[:count].gather(1, directions[:count].abs().argmax(dim=1, keepdim=True)).sign()
        plane = centred[row] @ (signs * directions[:count]).T
        shares = spread.square() / spread.square().sum().clamp(min=1e-30)
        labels = tuple(f"{100 * share:.0f} %" for share in shares[:count].tolist())
        units = nn.functional.normalize(centred, dim=1)
        alike = units[row] @ units[row].T
        return [
            Reading("token map", ("token", "component"), plane.float(), coordinates={"component": labels}),
            Reading("token similarity", ("query", "key"), alike.float()),
        ]

    return probe
