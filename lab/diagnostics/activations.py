"""The activation memory of a training step: the tensors that autograd saves for the backward pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

_LOGSUMEXP = 4
"""Bytes that the fused kernel saves for each query of each head besides its inputs and its output."""


class SavedForBackward:
    """A context that sums the bytes of all tensors saved for the backward pass, shared memory counted once.

    Parameters are left out. Models on the meta device run attention in small pieces that save every weight; the kernels
    of real devices save its inputs, its output and one number for each query, and these are counted.

    Args:
        model: The model whose parameters do not count.

    Attributes:
        bytes: The sum.
    """

    def __init__(self, model: nn.Module) -> None:
        self._left_out = {parameter.untyped_storage()._cdata for parameter in model.parameters()}
        self._seen: dict[int, Tensor] = {}  # holds references, so that no address is used again
        self._counts = True
        self.bytes = 0
        is_meta = any(parameter.device.type == "meta" for parameter in model.parameters())
        self._fused = _FusedAttention(self) if is_meta else None
        self._hooks = torch.autograd.graph.saved_tensors_hooks(self._pack, lambda tensor: tensor)

    def __enter__(self) -> Self:
        self._hooks.__enter__()
        if self._fused is not None:
            self._fused.__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._fused is not None:
            self._fused.__exit__(kind, error, trace)  # type: ignore[no-untyped-call]
        self._hooks.__exit__(kind, error, trace)
        self._seen.clear()

    def _pack(self, tensor: Tensor) -> Tensor:
        if self._counts:
            self._add(tensor)
        return tensor.detach()  # the tensor itself would be in a cycle with its graph until a backward pass

    def _add(self, tensor: Tensor) -> None:
        memory = tensor.untyped_storage()
        if memory._cdata not in self._left_out and memory._cdata not in self._seen:
            self._seen[memory._cdata] = tensor.detach()
            self.bytes += memory.nbytes()

    def attend(self, call: Callable[[], Tensor], inputs: tuple[Any, ...]) -> Tensor:
        """Count a call of attention like its fused kernel."""
        self._counts = False
        try:
            output = call()
            output = output.transpose(1, 2).contiguous().transpose(1, 2)  # the heads of a token are contiguous
        finally:
            self._counts = True
        for tensor in (*inputs, output):
            if isinstance(tensor, Tensor) and (tensor.requires_grad or tensor.grad_fn is not None):
                self._add(tensor)
        self.bytes += _LOGSUMEXP * output.shape[:-1].numel()
        return output


class _FusedAttention(TorchFunctionMode):
    def __init__(self, saved: SavedForBackward) -> None:
        super().__init__()
        self._saved = saved

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        del types
        given = dict(kwargs or {})
        if function is F.scaled_dot_product_attention and not given.get("dropout_p"):  # else all weights are saved
            return self._saved.attend(lambda: function(*args, **given), args[:3])
        return function(*args, **given)
