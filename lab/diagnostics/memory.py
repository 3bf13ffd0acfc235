"""The memory that a computation holds at once, besides what was there before."""

from __future__ import annotations

from typing import Any

from torch import Tensor, UntypedStorage
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class PeakMemory(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A context that follows the tensors that operations of torch return, until they are freed.

    What an operation needs inside itself is not seen: a fused kernel of attention holds no more than its result.

    Attributes:
        peak: The most bytes that were held at the end of an operation.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._before: set[int] = set()
        self._held: dict[int, tuple[Any, int]] = {}
        self._total = 0  # bytes of all that is in _held, freed or not
        self.peak = 0

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Carry out an operation, and count what it returns."""
        del types
        given = {_storage(one)._cdata for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)}
        result = function(*args, **(kwargs or {}))
        self._before |= given - self._held.keys()  # weights, and what else was made outside
        for one in tree_leaves(result):
            if isinstance(one, Tensor) and _storage(one)._cdata not in self._before:
                storage = _storage(one)
                before = self._held.get(storage._cdata)
                if before is None or before[0].expired():
                    self._total -= 0 if before is None else before[1]
                    self._held[storage._cdata] = _reference(storage), storage.nbytes()
                    self._total += storage.nbytes()
        if self._total > self.peak:  # some of it may be freed by now
            self._held = {key: held for key, held in self._held.items() if not held[0].expired()}
            self._total = sum(size for _, size in self._held.values())
            self.peak = max(self.peak, self._total)
        return result


def _reference(storage: UntypedStorage) -> Any:
    """Return a reference to memory, which is `expired` once the memory is freed."""
    return StorageWeakRef(storage)  # type: ignore[no-untyped-call]


def _storage(tensor: Tensor) -> UntypedStorage:
    return tensor.untyped_storage()
