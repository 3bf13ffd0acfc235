"""The circuits of attention heads (Elhage et al. 2021): which outputs they read, and whether they copy."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lab.api import BadInput, ProbeFunction, Reading
from lab_transformer.probes import attentions

MOST = 144
"""Most heads in all layers that are compared with each other: those of GPT-2 with 124M parameters."""


class Circuit(NamedTuple):
    """The matrices of a layer's heads in float64: (H, D, C) for reading, (H, C, D) for writing.

    They include the gains of norms before them and of queries and keys, and the subtraction of the mean where a norm
    does it; biases are left out.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    output: Tensor


def composition(config: Any) -> ProbeFunction:
    """Return the probe of how much heads read from the output of earlier heads, and how much each head copies.

    Q-, K- and V-composition: ‖W_QKᵀ W_OV‖, ‖W_QK W_OV‖ and ‖W_OV W_OV‖ over the product of both norms (Frobenius),
    with the earlier head's W_OV, W_QK = W_Qᵀ W_K and W_OV = W_O W_V; rotary positions are left out, as at distance 0.
    Copying: Σ λ / Σ |λ| of the eigenvalues λ of W_U W_OV W_E, from the symbol read to the logits: 1 if every symbol
    makes itself likelier, −1 if it makes itself less likely.
    """
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        del tokens
        mixers = attentions(model)
        heads = sum(mixer.heads for mixer in mixers)
        if heads > MOST:
            what = "the model has too many heads to compare all of them"
            raise BadInput(what, field="heads of all layers", value=heads, allowed=f"at most {MOST}")
        circuits = [circuit_of(block) for block in model.blocks]
        layers = tuple(str(layer) for layer in range(1, len(circuits) + 1))
        around = _around(model)
        copying = torch.stack([_copying(circuit, around) for circuit in circuits])
        found = [Reading("copying", ("layer", "head"), copying, coordinates={"layer": layers})]
        if len(circuits) > 1:
            names = [tuple(f"{layer}.{head + 1}" for head in range(mixers[0].heads)) for layer in layers]
            readers, writers = (tuple(itertools.chain(*some)) for some in (names[1:], names[:-1]))
            coordinates = {"quantity": ("Q", "K", "V"), "head": readers, "writer": writers}
            found.append(
                Reading("composition", ("quantity", "head", "writer"), _composed(circuits), coordinates=coordinates)
            )
        return found

    return probe


def circuit_of(block: Any) -> Circuit:
    """Return the matrices of the heads of a block."""
    module = block.token
    H, K, D = module.heads, module.kv_heads, module.head_width
    reads = _numbers(module.project.weight) if block.post else _after(block.token_norm, module.project.weight)
    query, key, value = torch.split(reads.view(H + 2 * K, D, -1), [H, K, K])
    if module.query_norm is not None:
        query = query * _numbers(module.query_norm.weight)[:, None]
        key = key * _numbers(module.key_norm.weight)[:, None]
    output = _numbers(module.output.weight).view(-1, H, D).movedim(1, 0)
    return Circuit(query, key.repeat_interleave(H // K, dim=0), value.repeat_interleave(H // K, dim=0), output)


def _after(norm: nn.Module, weight: Tensor) -> Tensor:
    """Return a matrix (…, C) that reads through a norm, including the norm's linear part."""
    gain, weight = getattr(norm, "weight", None), _numbers(weight)
    weight = weight if gain is None else weight * _numbers(gain)
    return weight - weight.mean(-1, keepdim=True) if isinstance(norm, nn.LayerNorm) else weight


def _numbers(weight: Tensor) -> Tensor:
    return weight.detach().cpu().double()  # accelerators may have no float64


def _around(model: Any) -> Tensor:
    """Return W_E W_U (C, C), summed over the vocabulary, including the linear part of the last norm."""
    through: Tensor = model.embedding.weight.detach().float().T @ model.output.weight.detach().float()
    return _after(model.norm, through)


def _copying(circuit: Circuit, around: Tensor) -> Tensor:
    """Return Σ λ / Σ |λ| (H,); the nonzero eigenvalues of W_U W_O W_V W_E are those of the D × D W_V W_E W_U W_O."""
    values: Tensor = torch.linalg.eigvals(circuit.value @ around @ circuit.output)
    return values.real.sum(-1) / values.abs().sum(-1).clamp(min=torch.finfo(torch.float64).tiny)


def _composed(circuits: list[Circuit]) -> Tensor:
    """Return (3, heads of all layers but the first, heads of all but the last); NaN where the writer is not earlier."""
    H = len(circuits[0].query)
    table = torch.full((3, len(circuits) - 1, H, len(circuits) - 1, H), torch.nan, dtype=torch.float64)
    for later, reader in enumerate(circuits[1:]):
        for earlier, writer in enumerate(circuits[: later + 1]):
            table[:, later, :, earlier] = _between(reader, writer)
    return table.flatten(1, 2).flatten(2, 3)


def _between(reader: Circuit, writer: Circuit) -> Tensor:
    """Return Q-, K- and V-composition of each reader with each writer, (3, H, H).

    ‖A M B‖² of A (C, D), M (D, D), B (D, C) is Σ (AᵀA M) ∘ (M BBᵀ): no matrix is larger than D × D.
    """
    query, key, value = (each @ each.mT for each in reader[:3])  # W_Q W_Qᵀ, …
    output = reader.output.mT @ reader.output
    written = writer.value @ writer.value.mT
    of_reader = [(query * key).sum((-1, -2)), (query * key).sum((-1, -2)), (output * value).sum((-1, -2))]
    of_writer = ((writer.output.mT @ writer.output) * written).sum((-1, -2))
    ratios = []
    for outer, inner, norm in zip((key, query, output), reader[:3], of_reader, strict=True):
        middle = torch.einsum("idc,jce->ijde", inner, writer.output)  # (readers, writers, D, D)
        square = ((outer[:, None] @ middle) * (middle @ written)).sum((-1, -2))
        ratios.append((square.clamp(min=0) / (norm[:, None] * of_writer).clamp(min=1e-300)).sqrt())
    return torch.stack(ratios)
