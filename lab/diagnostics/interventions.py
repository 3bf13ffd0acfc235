"""The interventions of the lab: values at the hook points of a model are set to zero or replaced by others.

The targets of a model follow from its hook points: blocks from "block input" and "block output", mixers from the
and residual connections from the points with their names, and the rest from the axes of a point, "head" before "unit"
before "channel".
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor

from lab.api import HookPoint, LanguageModel, hook_points, hooked
from lab.api.interventions import (
    BLOCK_INPUT,
    BLOCK_OUTPUT,
    CHANNEL_BYPASS,
    CHANNEL_MIXER,
    CROSS_BYPASS,
    CROSS_MIXER,
    PARALLEL_BYPASS,
    TOKEN_BYPASS,
    TOKEN_MIXER,
)

MIXERS = {TOKEN_MIXER: "token", CROSS_MIXER: "cross", CHANNEL_MIXER: "channel"}
"""The names of a block's mixers in addresses, by the names of their hook points."""
BYPASSES = {TOKEN_BYPASS: "token", CROSS_BYPASS: "cross", CHANNEL_BYPASS: "channel", PARALLEL_BYPASS: "parallel"}
"""The names of a block's residual connections in addresses: those of the mixers that they bypass."""
PARTS = ("head", "unit", "channel")
"""Axes along which single entries of the values at a point can be changed; the first one that a point has is used."""

Replace: TypeAlias = Callable[[HookPoint, Tensor], Tensor]
"""(point, values) -> the values that replace them, broadcastable to their shape."""
Site: TypeAlias = tuple[HookPoint, int | None]
"""The target of an address: a point, and the index along its axis of PARTS; None for all values there."""


def zeros(point: HookPoint, values: Tensor) -> Tensor:
    """Return a zero."""
    del point
    return values.new_zeros(())


# ------------------------------------------------------------------------------------------------------- block numbers


def block_addresses(points: Collection[HookPoint]) -> dict[HookPoint, str]:
    """Return the address of the block of each point: "2", or "encoder.2" in another stack than the model's own.

    The model's own stack is the one with the shortest path. Points outside the blocks are left out.
    """
    stacks = {point: _stack_of(point.path) for point in points if point.layer is not None}
    own = min(stacks.values(), key=len, default=())
    found = {}
    for point, stack in stacks.items():
        others = [name for name in stack[:-1] if name not in own]
        found[point] = ".".join([*others, str((point.layer or 0) + 1)])
    return found


def _stack_of(path: str) -> tuple[str, ...]:
    """Return the names before the number of the block: ("encoder", "blocks") of "encoder.blocks.0.token"."""
    return tuple(itertools.takewhile(lambda name: not name.isdigit(), path.split(".")))


def _in_order(found: Mapping[str, Site]) -> dict[str, Site]:
    """Return sites by address in the order of their blocks, those of the model's own stack first."""

    def position(item: tuple[str, Site]) -> tuple[int, int]:
        point = item[1][0]
        return len(_stack_of(point.path)), -1 if point.layer is None else point.layer

    return dict(sorted(found.items(), key=position))


# ------------------------------------------------------------------------------------------ heads, units and channels


def sites(points: Mapping[HookPoint, Sequence[int]], part: str) -> dict[str, Site]:
    """Return the sites of the heads, units or channels of a model by address ("2.3"), in order.

    Several modules of one block with the same axis are numbered consecutively.

    Args:
        points: The hook points of the model, and the shapes of the values there.
        part: One of PARTS.
    """
    found: dict[str, Site] = {}
    blocks, passed = block_addresses(points), Counter[str | None]()
    for point, shape in points.items():
        if point.name in (BLOCK_INPUT, BLOCK_OUTPUT, *MIXERS, *BYPASSES) or axis_of(point) != part:
            continue
        block = blocks.get(point)
        for index in range(shape[point.axes.index(part)]):
            passed[block] += 1
            found[str(passed[block]) if block is None else f"{block}.{passed[block]}"] = point, index
    return _in_order(found)


def axis_of(point: HookPoint) -> str | None:
    """Return the axis of PARTS along which values at a point are changed; None if it has none."""
    return next((part for part in PARTS if part in point.axes), None)


def targets_of(part: str, model: LanguageModel, tokens: Tensor) -> list[str]:
    """Return the addresses of a model's heads, units or channels."""
    return list(sites(hook_points(model, tokens), part))


@contextlib.contextmanager
def replaced(model: LanguageModel, wanted: Collection[Site], replace: Replace) -> Iterator[None]:
    """Replace the values at these sites inside the `with`.

    Args:
        model: The model.
        wanted: The sites.
        replace: Returns the replacement of all values at a point, of which the wanted indices are used.
    """
    indices: dict[HookPoint, list[int] | None] = {}
    for point, index in wanted:
        known = indices.setdefault(point, None if index is None else [])
        if known is not None and index is not None:
            known.append(index)

    def edit(point: HookPoint, values: Tensor) -> Tensor:
        if point not in indices:
            return values
        new, some = replace(point, values).to(values).expand_as(values), indices[point]
        if some is None:
            return new
        axis = point.axes.index(axis_of(point) or "")
        wanted = torch.tensor(some, device=values.device)
        return values.index_copy(axis, wanted, new.index_select(axis, wanted))

    with hooked(model, edit):
        yield


def switched_off(
    part: str, model: LanguageModel, addresses: Sequence[str], tokens: Tensor
) -> AbstractContextManager[None]:
    """Set the outputs of these heads, units or channels to zero inside the `with`."""
    known = sites(hook_points(model, tokens), part)
    return replaced(model, [known[address] for address in addresses], zeros)


head_targets, without_heads = partial(targets_of, "head"), partial(switched_off, "head")
unit_targets, without_units = partial(targets_of, "unit"), partial(switched_off, "unit")
channel_targets, without_channels = partial(targets_of, "channel"), partial(switched_off, "channel")


# ---------------------------------------------------------------------------- blocks, mixers and residual connections


def layer_sites(points: Collection[HookPoint]) -> dict[str, Site]:
    """Return the outputs of the blocks by address, in order of the blocks."""
    blocks = block_addresses(points)
    return _in_order({blocks[point]: (point, None) for point in blocks if point.name == BLOCK_OUTPUT})


def layer_targets(model: LanguageModel, tokens: Tensor) -> list[str]:
    """Return the addresses of the blocks that can be skipped."""
    return list(layer_sites(hook_points(model, tokens)))


@contextlib.contextmanager
def without_layers(model: LanguageModel, addresses: Sequence[str], tokens: Tensor) -> Iterator[None]:
    """Make these blocks return their input inside the `with`; a block outside the residual stream returns zeros."""
    known = layer_sites(hook_points(model, tokens))
    skipped, given = {known[address][0].path for address in addresses}, dict[str, Tensor]()

    def edit(point: HookPoint, values: Tensor) -> Tensor:
        if point.path in skipped and point.name == BLOCK_INPUT:
            given[point.path] = values
        if point.path in skipped and point.name == BLOCK_OUTPUT:
            return given.pop(point.path) if point.path in given else torch.zeros_like(values)
        return values

    with hooked(model, edit):
        yield


def named_sites(names: Mapping[str, str], points: Collection[HookPoint]) -> dict[str, Site]:
    """Return what passes some points of the blocks by address ("2.token"), in order of the blocks.

    Args:
        names: The end of the address by the name of the point: MIXERS or BYPASSES.
        points: The hook points of the model.
    """
    blocks = block_addresses(points)
    return _in_order(
        {f"{block}.{names[point.name]}": (point, None) for point, block in blocks.items() if point.name in names}
    )


def named_targets(names: Mapping[str, str], model: LanguageModel, tokens: Tensor) -> list[str]:
    """Return the addresses of the mixers or residual connections of a model."""
    return list(named_sites(names, hook_points(model, tokens)))


def dropped(
    names: Mapping[str, str], model: LanguageModel, addresses: Sequence[str], tokens: Tensor
) -> AbstractContextManager[None]:
    """Leave these terms out of the sums of stream and mixer inside the `with`."""
    known = named_sites(names, hook_points(model, tokens))
    return replaced(model, [known[address] for address in addresses], zeros)


mixer_targets, without_mixers = partial(named_targets, MIXERS), partial(dropped, MIXERS)
residual_targets, without_residuals = partial(named_targets, BYPASSES), partial(dropped, BYPASSES)


# -------------------------------------------------------------------------------------------- values of a text


def all_sites(points: Mapping[HookPoint, Sequence[int]]) -> dict[str, Site]:
    """Return the site of every mixer, head, unit and channel by its complete target ("head:2.3")."""
    found = {f"mixer:{address}": site for address, site in named_sites(MIXERS, points).items()}
    for part in PARTS:
        found |= {f"{part}:{address}": site for address, site in sites(points, part).items()}
    return found


def mean_targets(model: LanguageModel, tokens: Tensor) -> list[str]:
    """Return the targets whose values have a mean over a text."""
    return list(all_sites(hook_points(model, tokens)))


def other_targets(model: LanguageModel, tokens: Tensor) -> list[str]:
    """Return the targets that have a value at each token of a text."""
    found = all_sites(hook_points(model, tokens))
    return [address for address, (point, _) in found.items() if "token" in point.axes]


def recorded_at(model: LanguageModel, points: Collection[HookPoint], tokens: Tensor) -> dict[HookPoint, Tensor]:
    """Return the values at some points on a text; those of a point that is passed once per token are stacked first.

    Args:
        model: The model.
        points: The points.
        tokens: (1, T).
    """
    passed: dict[HookPoint, list[Tensor]] = {point: [] for point in points}

    def record(point: HookPoint, values: Tensor) -> Tensor:
        if point in passed:
            passed[point].append(values)
        return values

    with hooked(model, record), torch.no_grad():
        model(tokens)
    return {point: values[0] if "token" in point.axes else torch.stack(values) for point, values in passed.items()}


def with_means(model: LanguageModel, addresses: Sequence[str], tokens: Tensor) -> AbstractContextManager[None]:
    """Replace these values by their means over a text inside the `with` (Wang et al. 2023, section 2.1).

    Args:
        model: The model.
        addresses: Complete targets ("head:2.3").
        tokens: (1, T) of the text.
    """
    known = all_sites(hook_points(model, tokens))
    wanted = [known[address] for address in addresses]
    recorded = recorded_at(model, {point for point, _ in wanted}, tokens)

    def mean(point: HookPoint, values: Tensor) -> Tensor:
        del values
        if "token" not in point.axes:  # (T, 1, …): one pass per token
            return recorded[point].mean(dim=0)
        return recorded[point].mean(dim=point.axes.index("token"), keepdim=True)

    return replaced(model, wanted, mean)


def with_others(model: LanguageModel, addresses: Sequence[str], tokens: Tensor) -> AbstractContextManager[None]:
    """Replace these values by those of another text inside the `with` (activation patching, Meng et al. 2022).

    Values are replaced position by position; tokens after the end of the other text keep their own values.

    Args:
        model: The model.
        addresses: Complete targets ("head:2.3").
        tokens: (1, T) of the other text.
    """
    known = all_sites(hook_points(model, tokens))
    wanted = [known[address] for address in addresses]
    recorded = recorded_at(model, {point for point, _ in wanted}, tokens)

    def other(point: HookPoint, values: Tensor) -> Tensor:
        axis = point.axes.index("token")
        length = min(values.shape[axis], recorded[point].shape[axis])
        front = recorded[point].narrow(axis, 0, length).to(values)
        behind = values.narrow(axis, length, values.shape[axis] - length)
        shape = [*values.shape[:axis], length, *values.shape[axis + 1 :]]
        return torch.cat([front.expand(shape), behind], dim=axis)

    return replaced(model, wanted, other)
