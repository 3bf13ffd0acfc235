"""Examples of attention, positions and experts, computed by the layers of the lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lab.api import Slot
from lab.api.architecture import load
from lab.worked.examples import Computed
from lab.worked.parts.common import Figures, backward, built_ins, fill, inputs_of, make_slot

if TYPE_CHECKING:
    from torch import Tensor


def _attention(Q: Tensor, K: Tensor, V: Tensor, *, causal: bool) -> Tensor:
    """Return the output of the lab's attention whose projections give these queries, keys and values."""
    import torch

    from lab.layers import Attention

    tokens, width = Q.shape
    size = max(tokens, width)  # each token is one channel
    layer = Attention(make_slot(size, causal=causal), heads=1, head_width=width).double()
    rows = torch.zeros(3 * width, size).double()
    rows[:, :tokens] = torch.cat([Q, K, V], dim=1).T
    layer.project.weight = torch.nn.Parameter(rows)
    layer.output.weight = torch.nn.Parameter(torch.eye(size, width).double())
    output: Tensor = layer(torch.eye(size).double()[None, :tokens])[0, :, :width]
    output.project = layer.project  # type: ignore[attr-defined]
    return output


def attention_outputs(computed: Computed) -> Figures:
    """Run attention without and with a causal mask."""
    given = inputs_of(computed, "Q", "K", "V")
    return {"output": _attention(*given, causal=False), "output_causal": _attention(*given, causal=True)}


def attention_permuted(computed: Computed) -> Figures:
    """Run attention on permuted tokens."""
    Q, K, V, P = inputs_of(computed, "Q", "K", "V", "P")
    moved = (P @ Q, P @ K, P @ V)
    return {
        "output": _attention(Q, K, V, causal=False)[:, 0],
        "output_of_the_permuted": _attention(*moved, causal=False)[:, 0],
        "causal_output": _attention(Q, K, V, causal=True)[:, 0],
        "causal_output_of_the_permuted": _attention(*moved, causal=True)[:, 0],
    }  # fmt: skip


def attention_gradient(computed: Computed) -> Figures:
    """Run attention backward."""
    Q, K, V, upstream = inputs_of(computed, "Q", "K", "V", "upstream")
    output = _attention(Q, K, V, causal=False)
    backward((output * upstream).sum())
    rows = output.project.weight.grad[:, : len(Q)].T  # type: ignore[attr-defined]
    width = Q.shape[1]
    return {"dQ": rows[:, :width], "dK": rows[:, width : 2 * width], "dV": rows[:, 2 * width :]}


def rotary(computed: Computed) -> Figures:
    """Rotate queries and keys."""
    from lab.layers import Rotary, rotate

    q, k, pairs, base = inputs_of(computed, "q", "k", "pairs", "base")
    rotary = Rotary(base=float(base), pairs="neighbours")

    def turned(x: Tensor, position: float) -> Tensor:
        return rotate(x[None, None, None], int(position), rotary)[0, 0, 0]

    return {"scores": [turned(q, query) @ turned(k, key) for key, query in pairs.tolist()]}


def sinusoids(computed: Computed) -> Figures:
    """Make sinusoidal positions."""
    import torch

    from lab.layers import sinusoids

    positions = inputs_of(computed, "positions")[0]
    width = int(inputs_of(computed, "d")[0])
    rows = [sinusoids(int(each), 1, width, torch.device("cpu"))[0] for each in positions]
    return {"pos_0": rows[0], "pos_2": rows[1]}


def sinusoids_rotated(computed: Computed) -> Figures:
    """Make the position after the rotation."""
    import torch

    from lab.layers import sinusoids

    start, offset = (int(each) for each in inputs_of(computed, "from", "offset"))
    return {"pos_3": sinusoids(start + offset, 1, 4, torch.device("cpu"))[0]}


def _router(computed: Computed) -> tuple[Any, Tensor]:
    """Return the lab's layer of experts with a router that gives the logits of the example, and its input."""
    import torch

    logits = inputs_of(computed, "logits")[0]
    card = built_ins().card("mixers", "moe")
    tokens, experts = logits.shape
    settings = card.config(experts=experts, chosen=2)
    layer = load(card.build)(Slot(tokens, 0, 1, 64, True, settings)).double()
    fill(layer.router.weight, logits.T)
    return layer, torch.eye(tokens).double()[None]


def routing(computed: Computed) -> Figures:
    """Route tokens to experts."""
    layer, x = _router(computed)
    assigned = layer._route(x)  # what the layer reports as gates, with the order of the experts
    experts = assigned.groups.reshape(-1, 2)
    weights = assigned.weights.reshape(-1, 2)
    return {"chosen": experts + 1, "weights": weights}


def balance(computed: Computed) -> Figures:
    """Compute the loss of the balance."""
    from lab.layers import AuxiliaryLosses

    layer, x = _router(computed)
    layer.train()
    losses = AuxiliaryLosses().attach(layer)
    layer(x)
    balance = next(value for name, value, *_ in losses.take() if name == "balance")
    return {"balance_over_k": balance}
