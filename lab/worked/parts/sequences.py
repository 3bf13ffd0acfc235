"""Examples of recurrence, state spaces and linear attention, computed by the cells and scans of the lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lab.api import Task
from lab.worked.examples import Computed
from lab.worked.parts.common import Figures, backward, fill, inputs_of, make_model, to_tensor

if TYPE_CHECKING:
    from torch import Tensor


def _recurrent_cell(name: str, width: int, inputs: int, **settings: Any) -> Any:
    """Build a recurrent network of the lab and return its cell, whose width serves inputs and units."""
    model = make_model(name, Task(2, 8), width=max(width, inputs), layers=1, **settings)
    return next(module for module in model.modules() if hasattr(module, "step_values"))


def _rnn_cell(computed: Computed) -> tuple[Any, Tensor]:
    """Return Elman's cell with the weights of the example, and its inputs (1, T, C) with zeros where it is wider."""
    import torch

    x, W_hh, W_xh, b_h = inputs_of(computed, "x", "W_hh", "W_xh", "b_h")
    cell = _recurrent_cell("rnn", len(W_hh), x.shape[1])
    width = cell.rnn.hidden_size
    w_ih, w_hh, b_ih, b_hh = cell.weights
    wide = torch.zeros(width, width).double()
    wide[: len(W_xh), : x.shape[1]] = W_xh
    fill(w_ih, wide)
    fill(w_hh, W_hh)
    fill(b_ih, b_h)
    fill(b_hh, torch.zeros(width))
    given = torch.zeros(1, len(x), width).double()
    given[0, :, : x.shape[1]] = x
    return cell, given


def rnn(computed: Computed) -> Figures:
    """Run the cell of Elman's network."""
    cell, given = _rnn_cell(computed)
    W_hy, b_y = inputs_of(computed, "W_hy", "b_y")
    states, _ = cell.extend(given, cell.start(1))
    y = (states[0] @ W_hy + b_y).sigmoid()
    return {"h1": states[0, 0], "h2": states[0, 1], "h3": states[0, 2], "y1": y[0], "y2": y[1], "y3": y[2]}


def rnn_gradient(computed: Computed) -> Figures:
    """Run it backward."""
    import torch.nn.functional as F

    cell, given = _rnn_cell(computed)
    W_hy, b_y, y = inputs_of(computed, "W_hy", "b_y", "y")
    states, _ = cell.extend(given, cell.start(1))
    loss = F.binary_cross_entropy_with_logits(states[0, -1] @ W_hy + b_y, y)
    backward(loss)
    w_ih, w_hh, b_ih, _ = cell.weights
    found = {
        "loss": loss,
        "dW_hh": w_hh.grad,
        "dW_xh": w_ih.grad[:, : inputs_of(computed, "x")[0].shape[1]],
        "db_h": b_ih.grad,
    }
    return {name: value for name, value in found.items() if name in computed.values}


def lstm(computed: Computed) -> Figures:
    """Run two steps of the LSTM cell, and backward."""
    import torch

    x, W_x, W_h, bias = inputs_of(computed, "x", "W_x", "W_h", "bias")
    cell = _recurrent_cell("lstm", x.shape[1], x.shape[1])
    width = x.shape[1]
    w_ih, w_hh, b_ih, b_hh = cell.weights
    eye = torch.eye(width).double().repeat(4, 1)
    for parameter, value in (
        (w_ih, W_x * eye),
        (w_hh, W_h * eye),
        (b_ih, bias.expand(4 * width)),
        (b_hh, 0 * w_hh[:, 0]),
    ):
        fill(parameter, value)
    first, second = cell.all_steps(x[None], cell.start(1))
    hidden, cell_state = cell.states
    dc1, dc2 = torch.autograd.grad(second[hidden].sum(), [first[cell_state], second[cell_state]])
    return {"c1": first[cell_state][0], "h2": second[hidden][0], "dL_dc2": dc2[0], "dL_dc1": dc1[0]}


def scan(computed: Computed) -> Figures:
    """Run the linear scan."""
    from lab.layers import linear_scan

    u = inputs_of(computed, "u")[0]
    A_bar, B_bar, C = (
        to_tensor(value) for value in (computed.values["A_bar"], computed.values["B_bar"], computed.inputs["C"])
    )
    a, b = A_bar.expand(1, len(u), 1), (B_bar * u).reshape(1, len(u), 1)
    return {"y": C * linear_scan(a, b, 0 * a[:, 0])[0, :, 0]}


def linear_attention(computed: Computed) -> Figures:
    """Run linear attention, with its normaliser as another value."""
    from lab.layers import decayed_attention

    phi_q, phi_k = (to_tensor(computed.values[name]) for name in ("phi_q", "phi_k"))
    V = inputs_of(computed, "V")[0]
    sums, state = decayed_attention(*(each[None, :, None] for each in (phi_q, phi_k, V)))
    total, _ = decayed_attention(*(each[None, :, None] for each in (phi_q, phi_k, 0 * V[:, :1] + 1)))
    return {"output": (sums / total)[0, :, 0, 0], "S_3": state[0, 0]}
