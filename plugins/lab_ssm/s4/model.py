"""S4 and S4D: a linear state space for each channel, computed as one long convolution or token by token."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from lab.api import Role, Slot, State, Task
from lab.layers import FeedForward, LayerNorm, ResidualStack, TokenMixer, full_precision
from lab_ssm.s4.hippo import diagonal, halved

if TYPE_CHECKING:
    from lab_ssm.s4.cards import S4Config

CHUNK = 64
"""Tokens, a power of two, that are read at once from a given state; more for long texts."""
SAMPLED = 16
"""Most channels whose eigenvalues are returned if they have to be computed numerically."""
FEW = 4
"""Most tokens for which a loop takes less time than preparing a chunk."""
AT_ONCE = 1 << 23
"""Most complex numbers held at once while a kernel is computed."""


class S4(TokenMixer):
    """x' = A x + B u, y = C x + D u for each channel, discretised with its own step size; then GELU, and a GLU.

    The N numbers of a channel's state are N/2 complex ones and their conjugates, which are not stored: sums over all in
    the paper become twice the real part of sums over half. A decoding state is real, with all real parts first.

    Args:
        slot: Its slot in the stack; slot.config has the fields of S4Settings.
    """

    mixing_heads = ("mean", "mean size")
    roles: Mapping[str, Role] = {
        **dict.fromkeys(("log_step", "log_decay", "frequency", "P", "B"), "recurrence"),
        "C": "vector",  # which decays all the same, as in the authors' code
    }

    def __init__(self, slot: Slot) -> None:
        super().__init__()
        config, H = slot.config, slot.width
        M = config.state // 2
        self.discretisation = config.discretisation
        self.log_step = nn.Parameter(torch.empty(H))
        nn.init.uniform_(self.log_step, math.log(config.step_min), math.log(config.step_max))
        self.log_decay, self.frequency = nn.Parameter(torch.empty(H, M)), nn.Parameter(torch.empty(H, M))
        self.B, self.C = nn.Parameter(torch.empty(H, M, 2)), nn.Parameter(torch.empty(H, M, 2))
        self.D = nn.Parameter(torch.empty(H))
        nn.init.normal_(self.C, std=math.sqrt(0.5))
        nn.init.normal_(self.D)
        self.P: nn.Parameter | None = None
        with torch.no_grad():
            if config.kernel == "s4":
                A, P, B = halved(config.state)
                self.P = nn.Parameter(torch.empty(H, M, 2))
                self.P.copy_(torch.view_as_real(torch.from_numpy(P)))
            else:
                A, B = diagonal(config.initialisation, config.state)
            self.log_decay.copy_(torch.from_numpy(-A.real).log())
            self.frequency.copy_(torch.from_numpy(A.imag.copy()))
            self.B.copy_(torch.view_as_real(torch.from_numpy(B)))
        self.output = nn.Linear(H, 2 * H)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, T, C) -> (B, T, C), by one convolution."""
        with full_precision(x):
            system, u = self._reported_system(), _wide(x).transpose(1, 2)
            y = causal_convolution(u, system.kernel(x.shape[1]))
        return self._behind(y.transpose(1, 2), x)

    def start(self, batch: int) -> State:
        """Return a state (B, C, N) of zeros."""
        return _wide(self.log_step).new_zeros(batch, len(self.log_step), 2 * self.log_decay.shape[1])

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, C), one more token -> (B, C) and the new state."""
        with full_precision(x):
            y, after = self._reported_system().steps(_wide(x)[:, :, None], state)
        return self._behind(y.transpose(1, 2), x[:, None])[:, 0], after

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more tokens -> (B, T, C) and the new state: in chunks, or token by token if there are few."""
        with full_precision(x):
            system, u = self._reported_system(), _wide(x).transpose(1, 2)
            y, after = (system.steps if x.shape[1] <= FEW else system.chunks)(u, state)
        return self._behind(y.transpose(1, 2), x), after

    def kernels(self, length: int) -> Tensor:
        """Return each channel's response by lag, with the skip: (C, length)."""
        kernel = self._system().kernel(length)
        return kernel + F.pad(_wide(self.D)[:, None], (0, length - 1))

    def mixing_map(self, x: Tensor) -> Tensor:
        """Return channel means of kernels and of their absolute values by lag: (B, T, C) -> (B, 2, query, key)."""
        with full_precision(x):
            kernels = self.kernels(x.shape[1])
        return toeplitz(torch.stack([kernels.mean(dim=0), kernels.abs().mean(dim=0)])).expand(len(x), -1, -1, -1)

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return the eigenvalues of the discretised A, complex (n,); they do not depend on x.

        With HiPPO's full matrix only those of SAMPLED channels, since they are computed numerically.
        """
        del x
        return self._system().eigenvalues().flatten()

    def extra_flops(self, tokens: int) -> int:
        """Return the operations of Fourier transforms and Cauchy sums for one row, forward and backward."""
        H, M = self.log_decay.shape
        n = _fourier_length(tokens)
        transforms = 3 * 2.5 * n * math.log2(n) + 3 * n  # of input, kernel and back, and their product
        cauchy = 0 if self.P is None else (tokens + 1) * (20 * M + 60)
        return round(3 * H * (transforms + cauchy))  # the backward pass takes twice the forward one

    def _reported_system(self) -> Diagonal:
        """Return the system, and report its step sizes and half-lives."""
        system = self._system()
        self.report("step size", lambda: _wide(self.log_step).exp(), axes=("channel",))
        self.report("half-life", system.half_life, axes=("channel",), units="tokens")
        return system

    def _system(self) -> Diagonal:
        step = _wide(self.log_step).exp()[:, None]
        A = torch.complex(-_wide(self.log_decay).exp(), _wide(self.frequency))
        B, C = (torch.view_as_complex(_wide(pairs)) for pairs in (self.B, self.C))
        if self.P is None:
            return Diagonal(step, A, B, C, self.discretisation)
        return DiagonalPlusLowRank(step, A, torch.view_as_complex(_wide(self.P)), B, C)

    def _behind(self, y: Tensor, x: Tensor) -> Tensor:
        """Return (B, T, C) -> (B, T, C) behind the state, whose output for the inputs x is y; D x bypasses it."""
        y = self.hook_point("channels", y, ("batch", "token", "channel")) + _wide(self.D) * _wide(x)
        return F.glu(self.output(F.gelu(y).to(x.dtype)), dim=-1)


class Diagonal:
    """The discretised state space of S4D: x ← factor x + enter u, y = 2 Re C x, for each of H channels.

    Args:
        step: Δ (H, 1).
        A: Diagonal (H, M), complex, real parts below 0.
        B: (H, M).
        C: (H, M).
        discretisation: "zoh" or "bilinear" (Gu et al. 2022b, eq. 4).
    """

    def __init__(self, step: Tensor, A: Tensor, B: Tensor, C: Tensor, discretisation: str) -> None:
        self.C = C
        if discretisation == "zoh":
            self.factor, self.enter = (step * A).exp(), B * torch.expm1(step * A) / A
        else:
            half = step * A / 2
            self.factor, self.enter = (1 + half) / (1 - half), step * B / (1 - half)

    def kernel(self, length: int) -> Tensor:
        """Return 2 Re Σ C enter factorᵗ (H, length), a Vandermonde product computed from powers on two scales."""
        few = 1 << math.ceil(math.log2(length) / 2)
        small, by_few = powers(self.factor, few)
        large, _ = powers(by_few[-1], math.ceil(length / few))
        weighed = 2 * (self.C * self.enter)[:, :, None] * large
        return (_apart(weighed.conj(), 1).transpose(1, 2) @ _apart(small, 1)).flatten(1)[:, :length]

    def steps(self, u: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Read inputs (B, H, T) token by token into a state (B, H, N) -> outputs (B, H, T) and the new state."""
        x, outputs = _together(state), []
        for t in range(u.shape[2]):
            x = self._advanced(x) + self.enter * u[:, :, t, None]
            outputs.append(2 * (self.C * x).real.sum(dim=2))
        return torch.stack(outputs, dim=2), _apart(x)

    def chunks(self, u: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Read inputs as `steps` does, but in ever shorter chunks: matrix products compute all but the states."""
        (B, H, T), at, outputs = u.shape, 0, []
        longest = max(CHUNK, 1 << T.bit_length() // 2)
        into, out, pasts = self._chunk(min(longest, 1 << T.bit_length() - 1))
        kernel = (into @ self._readout()[:, :, None])[:, :, 0]
        u, h = u.transpose(0, 1), state.transpose(0, 1)
        for level in reversed(range(len(pasts))):
            size = 1 << level
            count = (T - at) // size
            if count == 0:
                continue
            pieces = u[:, :, at : at + count * size].reshape(H, B * count, size)
            added = (pieces @ into[:, :size].flip(1)).view(H, B, count, -1)
            before = []
            for piece in range(count):
                before.append(h)
                h = self._past(h, pasts[level]) + added[:, :, piece]
            states = torch.stack(before, dim=2).flatten(1, 2)
            y = pieces @ toeplitz(kernel[:, :size]).transpose(1, 2) + states @ out[:, :size].transpose(1, 2)
            outputs.append(y.view(H, B, count * size))
            at += count * size
        return torch.cat(outputs, dim=2).transpose(0, 1), h.transpose(0, 1)

    def eigenvalues(self) -> Tensor:
        """Return the eigenvalues of the discretised A (H, N), conjugates too."""
        return torch.cat([self.factor, self.factor.conj()], dim=1)

    def half_life(self) -> Tensor:
        """Return the tokens after which the slowest decay has halved the state (H,)."""
        return math.log(2) / -self.radius().clamp(max=1 - 1e-7).log()

    def radius(self) -> Tensor:
        """Return the largest modulus of an eigenvalue of each channel (H,)."""
        return self.factor.abs().amax(dim=1)

    def _readout(self) -> Tensor:
        """Return C (H, N) for a state of real numbers."""
        return _apart(2 * self.C.conj())

    def _advanced(self, x: Tensor) -> Tensor:
        """Return the state one token later, without an input: (…, H, M)."""
        return self.factor * x

    def _chunk(self, size: int) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Return the state's response to inputs j tokens ago (H, size, N), its output at token j, and its pasts."""
        found, pasts = powers(self.factor, size)
        into = _apart(self.enter[:, :, None] * found, 1)
        out = _apart(2 * ((self.C * self.factor)[:, :, None] * found).conj(), 1)
        return into.transpose(1, 2), out.transpose(1, 2), pasts

    def _past(self, state: Tensor, past: Tensor) -> Tensor:
        """Return a state (H, B, N) 2ⁱ tokens later."""
        return _apart(past[:, None] * _together(state))


class DiagonalPlusLowRank(Diagonal):
    """The state space of S4: A = Λ − P P*, discretised by the bilinear rule (Gu et al. 2022a, appendices C.2 and C.3).

    With d = 1 / (1 − Δ/2 Λ) the discretised A is again diagonal plus low-rank: x ← factor x − left 2 Re(right x), so
    a token takes O(N).

    Args:
        step: Δ (H, 1).
        A: Λ (H, M).
        P: (H, M).
        B: (H, M).
        C: (H, M).
    """

    def __init__(self, step: Tensor, A: Tensor, P: Tensor, B: Tensor, C: Tensor) -> None:
        super().__init__(step, A, B, C, "bilinear")
        self.continuous = step, A, P, B, C
        d = 1 / (1 - step * A / 2)
        woodbury = step / (1 + step * (P.conj() * d * P).real.sum(dim=1, keepdim=True))
        self.right = P.conj() * d
        self.left = woodbury * d * P
        self.enter = self.enter - self.left * (self.right * step * B).real.sum(dim=1, keepdim=True)

    def kernel(self, length: int) -> Tensor:
        """Return C Āᵗ B̄ (H, length), as many channels at once as fit in memory, computed again going backward."""
        H, M = self.C.shape
        channels = max(1, AT_ONCE // (M * (length + 1)))
        if channels >= H:
            return generated_kernel(*self.continuous, length)
        at_once = self.C.is_meta  # only shapes are needed
        pieces = zip(*(torch.split(each, H if at_once else channels) for each in self.continuous), strict=True)
        return torch.cat(
            [
                checkpoint(generated_kernel, *piece, length, use_reentrant=False, preserve_rng_state=False)
                for piece in pieces
            ]
        )

    def eigenvalues(self) -> Tensor:
        """Return the eigenvalues of the discretised A of some channels (SAMPLED at most, N)."""
        dense = self._dense()
        sampled = dense[:: max(1, len(dense) // SAMPLED)][:SAMPLED]
        found: Tensor = torch.linalg.eigvals(sampled.cpu().double())
        return found.to(self.C)

    def radius(self) -> Tensor:
        """Return the largest modulus of an eigenvalue of each channel (H,)."""
        found: Tensor = torch.linalg.eigvals(self._dense().detach().cpu().double()).abs().amax(dim=1)
        return found.to(self.C.real)

    def _advanced(self, x: Tensor) -> Tensor:
        return self.factor * x - self.left * 2 * (self.right * x).real.sum(dim=-1, keepdim=True)

    def _dense(self) -> Tensor:
        """Return the discretised A (H, N, N) for states of real numbers, as row vectors on its left."""
        readout = self._readout()
        units = torch.eye(readout.shape[1], dtype=readout.dtype, device=readout.device)
        return _apart(self._advanced(_together(units)[:, None])).transpose(0, 1)

    def _chunk(self, size: int) -> tuple[Tensor, Tensor, list[Tensor]]:
        pasts = [self._dense()]
        into, out = _apart(self.enter)[:, None], self._readout()[:, None] @ pasts[0].mT
        while into.shape[1] < size:
            into, out = torch.cat([into, into @ pasts[-1]], dim=1), torch.cat([out, out @ pasts[-1].mT], dim=1)
            pasts.append(pasts[-1] @ pasts[-1])
        return into, out, pasts

    def _past(self, state: Tensor, past: Tensor) -> Tensor:
        return state @ past


def generated_kernel(step: Tensor, A: Tensor, P: Tensor, B: Tensor, C: Tensor, length: int) -> Tensor:
    """Return the kernel of Λ − P P* from its generating function (Gu et al. 2022a, section 3.3 and appendix C.3).

    Σ K_t zᵗ = 2 / (1 + z) (c(C, B) − c(C, P) c(P*, B) / (1 + c(P*, P))) with Cauchy sums c(v, w) = Σ v w / (g − λ) at
    g = 2/Δ (1 − z) / (1 + z), by the Woodbury identity; here all is multiplied by 1 + z, which may be 0. The paper
    takes z around the unit circle and C̃ = C (1 − Āᴸ), which holds for one length L. Here z goes around a circle of
    radius r < 1, so that terms beyond the end alias with a factor of r²ᴸ (Abate & Whitt 1992).

    Args:
        step: Δ (H, 1).
        A: Λ (H, M).
        P: (H, M).
        B: (H, M).
        C: (H, M).
        length: L.

    Returns:
        (H, L), with an error of about ε^⅔ of its largest number.
    """
    shrink = math.log(torch.finfo(step.dtype).eps) / (3 * length)  # log r: rᴸ = ε^⅓ balances aliasing and rounding
    r, angle = math.exp(shrink), torch.arange(length + 1, device=step.device, dtype=step.dtype) * (math.pi / length)
    sine, cosine = (angle / 2).sin(), (angle / 2).cos()
    turned = -r * angle.sin()  # z = r e^(−i angle); half angles keep the digits of 1 − z and of 1 + z
    p = torch.complex(-math.expm1(shrink) + 2 * r * sine.square(), -turned)
    q = torch.complex(-math.expm1(shrink) + 2 * r * cosine.square(), turned)
    A, P = step / 2 * A, (step / 2).sqrt() * P

    # λ and its conjugate over one denominator: (p − qλ)(p − qλ̄), a sum of products with real coefficients
    basis = torch.view_as_real(torch.stack([p * p, p * q, q * q])).flatten(1)
    denominators = torch.stack([torch.ones_like(A.real), -2 * A.real, A.abs().square()], dim=2) @ basis
    reciprocals = torch.view_as_complex(denominators.view(*A.shape, -1, 2)).reciprocal()
    weights = 2 * torch.stack([C * B, C * P, P.conj() * B, P.conj() * P], dim=1)
    numerators = torch.cat([weights.real, (weights * A.conj()[:, None]).real], dim=1)
    products = numerators @ torch.view_as_real(reciprocals).flatten(2)
    sums = torch.view_as_complex(products.view(*products.shape[:2], -1, 2))
    out_in, out_low, low_in, low_low = (p * sums[:, :4] - q * sums[:, 4:]).unbind(dim=1)
    generated = step * (out_in - q * out_low * low_in / (1 + q * low_low))
    grown = torch.exp(torch.arange(length, device=step.device, dtype=step.dtype) * -shrink)
    kernel: Tensor = torch.fft.irfft(generated, 2 * length)[:, :length] * grown
    return kernel


def causal_convolution(u: Tensor, kernel: Tensor) -> Tensor:
    """Return y_t = Σ kernel_s u_{t−s}: (B, H, T) and (H, T) -> (B, H, T), by Fourier transforms that do not wrap."""
    T = u.shape[2]
    n = _fourier_length(T)
    y: Tensor = torch.fft.irfft(torch.fft.rfft(u, n) * torch.fft.rfft(kernel, n), n)[:, :, :T]
    return y


def powers(factor: Tensor, count: int) -> tuple[Tensor, list[Tensor]]:
    """Return 1, factor, factor², … (H, M, count), and factor to the powers 1, 2, 4, … up to the first ≥ `count`."""
    found, doubled = torch.ones_like(factor)[:, :, None], [factor]
    while found.shape[2] < count:
        found = torch.cat([found, found * doubled[-1][:, :, None]], dim=2)
        doubled.append(doubled[-1].square())
    return found[:, :, :count], doubled


def toeplitz(kernel: Tensor) -> Tensor:
    """Return kernels (H, T) by lag as maps (H, T, T): rows are queries, columns keys."""
    positions = torch.arange(kernel.shape[1], device=kernel.device)
    lag = positions[:, None] - positions
    return torch.where(lag >= 0, kernel[:, lag.clamp(min=0)], 0.0)


def build_mixer(slot: Slot) -> S4:
    """Return the mixer for a slot of a stack."""
    return S4(slot)


def build(config: S4Config, task: Task) -> ResidualStack:
    """Return a stack of S4 blocks, with or without feed-forward layers."""

    def between(slot: Slot) -> FeedForward:
        gated = config.feed_forward == "swiglu"
        return FeedForward(slot, activation="swiglu" if gated else "gelu")

    channel_mixer = None if config.feed_forward == "none" else between
    return ResidualStack(config, task, token_mixer=S4, channel_mixer=channel_mixer, norm=LayerNorm, tie=config.tie)


def _wide(x: Tensor) -> Tensor:
    return x if x.dtype == torch.float64 else x.float()


def _apart(x: Tensor, dim: int = -1) -> Tensor:
    """Return complex numbers as real ones: all real parts, then all imaginary parts."""
    return torch.cat([x.real, x.imag], dim=dim)


def _together(state: Tensor) -> Tensor:
    """Return complex numbers from `_apart`'s result along the last dimension."""
    return torch.complex(*state.chunk(2, dim=-1))


def _fourier_length(tokens: int) -> int:
    return 1 << (2 * tokens - 1).bit_length()
