"""The cost of writing against the position: time and memory of a model as a text grows, beside the theory."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, state_bytes
from lab.base.jobs import Cancelled
from lab.base.problems import attributed
from lab.workbench.access.model_access import BorrowedModel, ModelAccess
from lab.workbench.access.threads import one_thread, rest
from lab.workbench.launch.summary import reads_later

if TYPE_CHECKING:
    from torch import Tensor

FIRST, LAST = 64, 2048
"""The positions between which costs are measured by default, at each doubling."""
MOST = 1 << 17
"""The last position that can be asked for."""
LEAST_SECONDS, MOST_ROUNDS = 0.1, 30
"""A measurement is repeated for so long, or so often, and its least time counts: disturbances only add to it."""
PATIENCE = 20.0
"""Seconds of one pass after which no longer text is read."""
FITTED = 4
"""Number of last positions from which exponents are fitted."""
SHARE_WHILE_TRAINING = 0.25
"""Share of the time that measuring may take while the same process trains the model's run."""
FIELD = "positions"
"""The field of problems with the positions."""

TIMES = ("step", "read", "explicit")
"""The measured times: of one more token, of reading all tokens at once, and of that with explicit attention."""
SIZES = ("state", "read memory", "explicit memory")
"""The measured sizes: the decoding state, and what reading all tokens holds at once."""
QUANTITIES = (*TIMES, *SIZES)
"""What is measured at each position."""
THEORY = {"step": "step operations", "read": "read operations", "explicit": "read operations", "state": "state theory"}
"""What a quantity is compared with: numbers that are counted on the blueprint of the model."""
SLIGHT = 1e-9
"""Share of a number that counts as no growth."""


@dataclass(frozen=True)
class PositionCost:
    """The cost of a text that has come to a position.

    Args:
        position: T, the tokens before.
        values: By names of QUANTITIES: processor seconds of this thread, or bytes. What cannot be measured is missing.
        theory: By names in THEORY: operations of matrix products in reading T tokens and in one more, and the bytes of
            the state by shape.
    """

    position: int
    values: dict[str, float]
    theory: dict[str, float] = field(default_factory=dict)


@dataclass
class PositionCosts:
    """Costs over positions, ascending.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        reach: Positions that the model reads at most; None for no limit.
        is_remade: Whether the model was built anew for more positions, with other weights, which cost the same.
        points: The costs.
    """

    step: int
    reach: int | None
    is_remade: bool
    points: list[PositionCost] = field(default_factory=list)

    def line(self, name: str) -> list[tuple[int, float]]:
        """Return (position, value) of a quantity, or of a name of THEORY's values."""
        found = [(one.position, {**one.theory, **one.values}.get(name)) for one in self.points]
        return [(position, value) for position, value in found if value is not None]

    @property
    def quantities(self) -> list[str]:
        """The quantities that were measured, in the order of QUANTITIES."""
        return [name for name in QUANTITIES if self.line(name)]

    def exponent(self, name: str) -> float | None:
        """Return n of value ∝ positionⁿ, fitted to the last positions; None of fewer than two."""
        line = [point for point in self.line(name) if point[1] > 0][-FITTED:]
        if len(line) < 2:
            return None
        x, y = ([math.log(each) for each in values] for values in zip(*line, strict=True))
        means = sum(x) / len(x), sum(y) / len(y)
        products = sum((a - means[0]) * (b - means[1]) for a, b in zip(x, y, strict=True))
        return products / sum((a - means[0]) ** 2 for a in x)

    def theory_exponent(self, name: str) -> float | None:
        """Return the exponent of what a quantity is compared with, at the same positions; None if there is nothing."""
        return self.exponent(THEORY[name]) if name in THEORY else None

    def order(self, name: str) -> int | None:
        """Return the power of the position with which a quantity grows in the end by theory; None if that is unknown.

        It is 0, 1 or 2: that of the polynomial through the last three counted numbers.
        """
        line = self.line(THEORY.get(name, ""))[-3:]
        if len(line) < 3:
            return None
        (x0, y0), (x1, y1), (x2, y2) = line
        slopes = (y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1)
        curve = (slopes[1] - slopes[0]) / (x2 - x0)
        if abs(curve) * x2 * x2 > SLIGHT * y2:
            return 2
        return int(abs(slopes[1]) * x2 > SLIGHT * y2)


def positions_to(last: int, first: int = FIRST) -> list[int]:
    """Return positions that double up to the last one, which is among them."""
    count = max(1, int(math.log2(max(1.0, last / first))) + 1)
    return sorted({*(max(1, round(last / 2**power)) for power in range(count)), last})


def over_positions(
    access: ModelAccess,
    positions: Sequence[int] = (),
    *,
    device: str | None = None,
    report: Callable[[PositionCosts], object] = lambda _costs: None,
    progress: Callable[[float], object] = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> PositionCosts:
    """Measure what a text costs by its length: the time of the next token, that of reading all of it, and the memory.

    Everything is computed by one thread, and on a processor the time is what that thread computed, so that other work
    on the machine does not count. A model that reads no more than some positions is built anew for more of them.
    Reading all tokens is what every token costs without a state. Beside it stand the operations counted on the
    blueprint, as for a card's Cost.

    Args:
        access: The model.
        positions: Numbers of tokens; () takes doublings from FIRST to LAST.
        device: Where to compute; see ModelAccess.borrow.
        report: Called with the costs after each position, from this thread.
        progress: Called with the share that is done.
        cancelled: Called between measurements; True ends it.

    Raises:
        BadInput: A position is not allowed, or the model does not continue texts.
        Cancelled: It was cancelled.
        LabError: A plugin's code raised.
    """
    wanted = sorted(set(positions)) or positions_to(LAST)
    if wanted[0] < 1 or wanted[-1] > MOST:
        value = wanted[0] if wanted[0] < 1 else wanted[-1]
        raise BadInput("is out of range", field=FIELD, value=value, allowed=f"1 ≤ x ≤ {MOST:,}")
    if access.objective().needs != "causal":
        remedy = "Choose a run that was trained to continue text"
        name = access.recipe.objective.name
        raise BadInput("this run continues no text", field="objective.name", value=name, remedy=remedy)
    with access.borrow_for_evaluation(device) as borrowed:
        if reads_later(borrowed.model) or not borrowed.model.causal:
            remedy = "Choose a run that reads what stands before a token alone"
            raise BadInput("this model reads both directions, and writes nothing token by token", remedy=remedy)
        reach = borrowed.model.reach
        is_remade = reach is not None and reach < wanted[-1] + 1
        meter = _Meter(access, borrowed, wanted[-1] + 1 if is_remade else None, cancelled)
        costs = PositionCosts(borrowed.step, reach, is_remade)
        total = sum(wanted)
        for at, position in enumerate(wanted):
            with one_thread(), attributed(access.model_plugin, "Measuring"):
                point, seconds = meter.at(position)
            costs.points.append(point)
            report(costs)
            progress(sum(wanted[: at + 1]) / total)
            if seconds * 4 > PATIENCE:
                break
    return costs


class _Meter:
    """Measures a model, or one like it.

    Args:
        access: The model's run.
        borrowed: The model.
        remade: Positions for which a model like it is built; None measures the model itself.
        cancelled: Called between measurements.
    """

    def __init__(
        self, access: ModelAccess, borrowed: BorrowedModel, remade: int | None, cancelled: Callable[[], bool]
    ) -> None:
        import torch

        from lab.diagnostics.cost import blueprint

        model = borrowed.model
        card = access.plugins.card("architectures", access.recipe.architecture.name)
        task = model.task if remade is None else replace(model.task, context_length=remade)
        self._model: Any = model if remade is None else card.make(model.config, task).eval().to(borrowed.device)
        self._sketch = blueprint(card, model.config, task) if model.learns == "gradient" else None
        self._device, self._cancelled = borrowed.device, cancelled
        self._trains = borrowed.trains or (lambda: False)
        self._tokens = torch.arange(MOST + 1)[None] % model.task.vocabulary_size
        self._counts = True

    def at(self, position: int) -> tuple[PositionCost, float]:
        """Return the cost at a position, and the seconds of the longest pass there."""
        import torch

        read, token = self._tokens[:, :position].to(self._device), self._tokens[:, position].to(self._device)
        values: dict[str, float] = {}
        with torch.no_grad():
            _, state = self._model.extend(read, self._model.start(1), last=1)
            values["state"] = float(state_bytes(state))
            values["step"] = self._seconds(partial(self._model.step, token, state))
            del state
            self._read("read", read, values)
            with _explicit(self._model) as found:
                if found:
                    self._read("explicit", read, values)
        return PositionCost(position, values, self._theory(position)), max(values["read"], values.get("explicit", 0))

    def _read(self, name: str, tokens: Tensor, values: dict[str, float]) -> None:
        """Measure time and memory of reading tokens."""
        from lab.diagnostics.memory import PeakMemory

        def read() -> object:
            return self._model.extend(tokens, self._model.start(1), last=1)

        values[name] = self._seconds(read)
        with PeakMemory() as memory:
            read()
        values[f"{name} memory"] = float(memory.peak)

    def _seconds(self, work: Callable[[], object]) -> float:
        """Return the least time of some work."""
        clock = time.thread_time if self._device.type == "cpu" else self._synchronised
        least, spent, rounds = math.inf, 0.0, 0
        while rounds < 2 or (spent < LEAST_SECONDS and rounds < MOST_ROUNDS):  # the first time is slower
            if self._cancelled():
                raise Cancelled
            started, before = time.perf_counter(), clock()
            work()
            took = clock() - before
            least, spent, rounds = min(least, took), spent + took, rounds + 1
            rest(time.perf_counter() - started, SHARE_WHILE_TRAINING, self._trains, self._cancelled)
        return least

    def _synchronised(self) -> float:
        """Return the time at which all work on the device is done."""
        import torch

        getattr(torch, self._device.type).synchronize()
        return time.perf_counter()

    def _theory(self, position: int) -> dict[str, float]:
        """Return what is counted on the blueprint: shapes without numbers."""
        import torch

        from lab.diagnostics.cost import FlopCounter

        if self._sketch is None or not self._counts:
            return {}
        tokens, started = torch.zeros(1, position, dtype=torch.long, device="meta"), time.perf_counter()
        with torch.no_grad():
            with FlopCounter() as reading:
                _, state = self._sketch.extend(tokens, self._sketch.start(1), last=1)
            with FlopCounter() as stepping:
                self._sketch.step(tokens[:, 0], state)
        self._counts = time.perf_counter() - started < PATIENCE / 4  # a loop over tokens takes long here, too
        return {
            "read operations": float(reading.total), "step operations": float(stepping.total),
            "state theory": float(state_bytes(state)),
        }  # fmt: skip


@contextmanager
def _explicit(model: Any) -> Iterator[bool]:
    """Compute the attention of a model explicitly; True if it has any that is fused otherwise."""
    from lab.layers.attention.attention import Attention

    found = [module for module in model.modules() if isinstance(module, Attention) and module.fused and not module.cap]
    for module in found:
        module.fused = False
    try:
        yield bool(found)
    finally:
        for module in found:
            module.fused = True
