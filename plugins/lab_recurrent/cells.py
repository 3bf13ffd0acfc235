"""Recurrent cells: their equations as in the papers, each with the fused module of torch that trains it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import BadInput
from lab.layers import ACTIVATIONS, Reports, full_precision

if TYPE_CHECKING:
    from lab_recurrent import GRUConfig, LSTMConfig, RecurrentConfig, RNNConfig

HIDDEN, CELL = "hidden state", "cell state"
LARGEST = 2048
"""Most rows of a matrix whose eigenvalues are computed."""

StepValues: TypeAlias = dict[str, Tensor]
"""The values of a cell by name, (B, H) each: its gates and states at one token, or only its states."""


class Cell(Reports, nn.Module):
    """One recurrent layer: C channels in, H hidden units out. B batch, T tokens.

    Training runs `rnn`, which torch computes at once. `step_values` computes the same from the same weights by the
    equations, token by token: for readings, single tokens, and variants that torch lacks.

    Attributes:
        rnn: torch's module, whose parameters the equations use too.
        rows: The name of what each block of H rows of the weights computes, in torch's order.
        states: The states carried from token to token.
        gates: The names of values between 0 and 1 that `step_values` returns.
    """

    rows: ClassVar[tuple[str, ...]]
    states: ClassVar[tuple[str, ...]] = (HIDDEN,)
    gates: ClassVar[tuple[str, ...]] = ()

    def __init__(self, config: RecurrentConfig, rnn: nn.RNNBase) -> None:
        super().__init__()
        self.rnn = rnn
        self.part_names = {"": f"{rnn.mode.partition('_')[0]} layer", "rnn": dict.fromkeys(self.rows, rnn.hidden_size)}
        for name, parameter in rnn.named_parameters():
            for block in parameter.chunk(len(self.rows)):
                if name.startswith("bias"):
                    nn.init.zeros_(block)
                elif name.startswith("weight_ih"):
                    nn.init.xavier_uniform_(block)
                else:
                    RECURRENT[config.initialisation](block)

    @property
    def plain(self) -> bool:
        """True if torch's module computes these equations."""
        return True

    @property
    def weights(self) -> list[nn.Parameter]:
        """W_ih (rows · H, C), W_hh (rows · H, H), b_ih and b_hh of `rnn`."""
        return self.rnn.all_weights[0]

    def start(self, batch: int) -> StepValues:
        """Return states of zeros before the first token."""
        return {name: self.weights[1].new_zeros(batch, self.rnn.hidden_size) for name in self.states}

    def extend(self, x: Tensor, state: StepValues) -> tuple[Tensor, StepValues]:
        """Read (B, T, C) more tokens -> hidden states (B, T, H) and the states after the last token."""
        reported = (*self.gates, *self.rows, *self.states)
        if x.is_meta:
            return self._in_one_go(x), self.start(x.shape[0])
        refused = x.is_cuda and not self.training and torch.is_grad_enabled()  # cuDNN differentiates in training alone
        fused = self.plain and x.shape[1] > 1 and not refused and not self._edits
        if fused:
            y, after = self._fused(x, state)
            y = self.hook_point("units", y, ("batch", "token", "unit"))
            if any(self.reporting(name) for name in reported):
                for name, values in self.all_values(x, state, y).items():
                    self.report(name, values, axes=("batch", "token", "unit"))
            return y, after
        all_steps = self.all_steps(x, state)
        for name in all_steps[0]:
            self.report(name, partial(stacked, all_steps, name), axes=("batch", "token", "unit"))
        return stacked(all_steps, HIDDEN), {name: all_steps[-1][name].to(state[name].dtype) for name in self.states}

    def all_steps(self, x: Tensor, state: StepValues) -> list[StepValues]:
        """Return all values at each of the T tokens of (B, T, C), with their graph; one product covers all inputs."""
        all_steps: list[StepValues] = []
        for read in self.read(x).unbind(dim=1):
            state = self.step_values(read, state)
            if self._edits or self._watchers:
                state = state | {HIDDEN: self.hook_point("units", state[HIDDEN], ("batch", "unit"))}
            all_steps.append(state)
        return all_steps

    def all_values(self, x: Tensor, state: StepValues, y: Tensor) -> StepValues:
        """Return all values at all tokens, (B, T, H) each, from the hidden states that `rnn` has computed.

        Args:
            x: (B, T, C).
            state: The states before the first token.
            y: (B, T, H), the hidden states after each token.
        """
        with full_precision(x):
            before = dict.fromkeys(self.states, y.new_zeros(()))
            before[HIDDEN] = torch.cat([state[HIDDEN].unsqueeze(1), y[:, :-1]], dim=1)
            return self.step_values(self.read(x.to(y.dtype)), before) | {HIDDEN: y}

    def read(self, x: Tensor) -> Tensor:
        """Return the input's term in each block of rows: (B, T, C) -> (B, T, rows · H)."""
        w_ih, _, b_ih, _ = self.weights
        return F.linear(x, w_ih, b_ih)

    def step_values(self, read: Tensor, before: StepValues) -> StepValues:
        """Return the values after one token.

        Args:
            read: (B, rows · H), from `read`.
            before: The states after the token before it.
        """
        raise NotImplementedError

    def matrices(self) -> dict[str, Tensor]:
        """Return the recurrent matrices (H, H) by the names of their rows, as views of the parameter: h' = … W_hh h."""
        return dict(zip(self.rows, self.weights[1].chunk(len(self.rows)), strict=True))

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return the eigenvalues of one token's factor on the state, (H,), with mean gates over x (B, T, C).

        tanh counts with its slope at 0, and gates as constants: their dependence on the state is left out.
        """
        raise NotImplementedError

    def _means(self, x: Tensor) -> StepValues:
        """Return each gate's mean over rows and tokens, (H,)."""
        all_steps = self.all_steps(x, self.start(x.shape[0]))
        return {gate: stacked(all_steps, gate).float().mean((0, 1)) for gate in self.gates}

    def _recurrent(self, hidden: Tensor) -> Tensor:
        """Return the hidden state's term in each block of rows: (B, H) -> (B, rows · H)."""
        _, w_hh, _, b_hh = self.weights
        return F.linear(hidden, w_hh, b_hh)

    def _fused(self, x: Tensor, state: StepValues) -> tuple[Tensor, StepValues]:
        before = tuple(state[name].unsqueeze(0).contiguous() for name in self.states)  # torch has the layer first
        with full_precision(x):  # autocast would use float16, even where the run's format is bfloat16
            y, after = self.rnn(x.to(before[0].dtype), before if len(before) > 1 else before[0])
        after = after if isinstance(after, tuple) else (after,)
        return y, {name: value.squeeze(0).to(state[name].dtype) for name, value in zip(self.states, after, strict=True)}

    def _in_one_go(self, x: Tensor) -> Tensor:
        """Return hidden states on the meta device, with each token as a row of its own, so that no loop is counted."""
        read = self.read(x).flatten(0, 1)
        before = dict.fromkeys(self.states, read[:, : self.rnn.hidden_size])
        return self.step_values(read, before)[HIDDEN].view(x.shape[0], x.shape[1], -1)


class ElmanCell(Cell):
    """h_t = f(W_ih x_t + b_ih + W_hh h_{t−1} + b_hh), f tanh (Elman 1990) or ReLU (Le et al. 2015)."""

    rows = (HIDDEN,)

    def __init__(self, config: RNNConfig) -> None:
        super().__init__(config, nn.RNN(config.width, config.width, nonlinearity=config.nonlinearity, batch_first=True))
        self.nonlinearity = ACTIVATIONS[config.nonlinearity]

    def step_values(self, read: Tensor, before: StepValues) -> StepValues:
        """Return the values after one token."""
        return {HIDDEN: self.nonlinearity(read + self._recurrent(before[HIDDEN]))}

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return the eigenvalues of W_hh, complex (H,), for any x; with ReLU as if all units were on."""
        del x
        return _eigenvalues(self.matrices()[HIDDEN])


class GRUCell(Cell):
    """The gated recurrent unit (Cho et al. 2014, section 2.3).

    Like torch and cuDNN it resets the recurrent product, r ⊙ (W h + b); equation 8 of the paper resets the state in
    it, W (r ⊙ h). The update gate z retains the old state, as in equation 7.
    """

    rows = ("reset gate", "update gate", "candidate")
    gates = ("reset gate", "update gate")

    def __init__(self, config: GRUConfig) -> None:
        super().__init__(config, nn.GRU(config.width, config.width, batch_first=True))

    def step_values(self, read: Tensor, before: StepValues) -> StepValues:
        """Return the values after one token."""
        h = before[HIDDEN]
        of_input, of_state = read.chunk(3, dim=-1), self._recurrent(h).chunk(3, dim=-1)
        r = torch.sigmoid(of_input[0] + of_state[0])
        z = torch.sigmoid(of_input[1] + of_state[1])
        n = torch.tanh(of_input[2] + r * of_state[2])
        return {"reset gate": r, "update gate": z, "candidate": n, HIDDEN: (1 - z) * n + z * h}

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return the eigenvalues of diag(z) + diag((1 − z) ⊙ r) W_hn, complex (H,), with mean gates over x."""
        r, z = self._means(x).values()
        return _eigenvalues(z.diag() + ((1 - z) * r)[:, None] * self.matrices()["candidate"].float())


class LSTMCell(Cell):
    """Long short-term memory (Hochreiter & Schmidhuber 1997), with the forget gate of Gers et al. 2000.

    With peepholes the gates see the cell state too: input and forget gate the previous one, the output gate the new one
    (Gers & Schmidhuber 2000; Graves 2013, equations 7 to 11). With layer norm (Ba et al. 2016, equations 20 to 22) the
    input's term, the state's term and the cell state are each normalised; the two shifts of the first equation are b_ih
    and b_hh.
    """

    rows = ("input gate", "forget gate", "cell candidate", "output gate")
    states = (HIDDEN, CELL)
    gates = ("input gate", "forget gate", "output gate")

    def __init__(self, config: LSTMConfig) -> None:
        H = config.width
        super().__init__(config, nn.LSTM(H, H, batch_first=True))
        nn.init.constant_(self.weights[2].chunk(4)[1], config.forget_bias)
        self.peepholes = nn.Parameter(torch.zeros(3 * H)) if config.peephole else None
        normed = config.layer_norm
        self.input_norm = nn.LayerNorm(4 * H, bias=False) if normed else None
        self.hidden_norm = nn.LayerNorm(4 * H, bias=False) if normed else None
        self.cell_norm = nn.LayerNorm(H) if normed else None

    @property
    def plain(self) -> bool:
        """True without peepholes and layer norm."""
        return self.peepholes is None and self.cell_norm is None

    def read(self, x: Tensor) -> Tensor:
        """Return the input's term in each block of rows: (B, T, C) -> (B, T, 4 · H)."""
        if self.input_norm is None:
            return super().read(x)
        w_ih, _, b_ih, _ = self.weights
        read: Tensor = self.input_norm(F.linear(x, w_ih)) + b_ih
        return read

    def step_values(self, read: Tensor, before: StepValues) -> StepValues:
        """Return the values after one token."""
        c = before[CELL]
        of_i, of_f, of_g, of_o = (read + self._recurrent(before[HIDDEN])).chunk(4, dim=-1)
        p_i, p_f, p_o = (0.0, 0.0, 0.0) if self.peepholes is None else self.peepholes.chunk(3)
        i = torch.sigmoid(of_i + p_i * c)
        f = torch.sigmoid(of_f + p_f * c)
        g = torch.tanh(of_g)
        c = f * c + i * g
        o = torch.sigmoid(of_o + p_o * c)
        h = o * torch.tanh(c if self.cell_norm is None else self.cell_norm(c))
        return {"input gate": i, "forget gate": f, "cell candidate": g, "output gate": o, CELL: c, HIDDEN: h}

    def all_values(self, x: Tensor, state: StepValues, y: Tensor) -> StepValues:
        """Return all values at all tokens: no gate depends on the cell state, which is summed up at last."""
        values, c, cells = super().all_values(x, state, y), state[CELL], []
        for retained, added in zip(values["forget gate"].unbind(1), values[CELL].unbind(1), strict=True):
            c = torch.addcmul(added, retained, c)
            cells.append(c)
        return values | {CELL: torch.stack(cells, dim=1)}

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return the means (H,) of the forget gate over (B, T, C): no other factor multiplies the cell state."""
        return self._means(x)["forget gate"].to(torch.complex64)

    def _recurrent(self, hidden: Tensor) -> Tensor:
        if self.hidden_norm is None:
            return super()._recurrent(hidden)
        _, w_hh, _, b_hh = self.weights
        term: Tensor = self.hidden_norm(F.linear(hidden, w_hh)) + b_hh
        return term


def _eigenvalues(matrix: Tensor) -> Tensor:
    """Return the eigenvalues (H,), complex; NaN if the matrix is not finite.

    Raises:
        BadInput: The matrix is so large that this would take minutes.
    """
    if len(matrix) > LARGEST:
        raise BadInput(
            "the eigenvalues of such large matrices take minutes",
            field="architecture.width", value=len(matrix), allowed=f"at most {LARGEST}",
            remedy="Choose another probe: recurrent-matrices has the spectral radius",
        )  # fmt: skip
    if not matrix.isfinite().all():
        return matrix.new_full((len(matrix),), torch.nan, dtype=torch.complex64)
    found: Tensor = torch.linalg.eigvals(matrix.detach().float().cpu())
    return found


def _uniform(matrix: Tensor) -> None:
    bound = matrix.shape[1] ** -0.5
    nn.init.uniform_(matrix, -bound, bound)


RECURRENT: dict[str, Callable[[Tensor], object]] = {
    "orthogonal": nn.init.orthogonal_,
    "xavier": nn.init.xavier_uniform_,
    "identity": nn.init.eye_,
    "uniform": _uniform,
}
"""Initialisations of each block (H, H) of the recurrent weights, by the name of the setting."""


def stacked(all_steps: list[StepValues], name: str) -> Tensor:
    """Return one value at all tokens: (B, T, H)."""
    return torch.stack([step_values[name] for step_values in all_steps], dim=1)
