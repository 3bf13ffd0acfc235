"""The mixin of modules that report readings, add auxiliary losses, and offer points for interventions."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from lab.api import Listener

Term: TypeAlias = tuple[str, Tensor, float, str]
"""A term of the training loss: its name, the scalar, its weight, the layer that adds it."""


POSITIONS = ("token", "query", "key")
"""The axes along which the positions of a text are counted."""


class Reports:
    """The mixin of LanguageModel, TokenMixer, ChannelMixer and Block. Inactive, a report costs one attribute read.

    Attributes:
        part_names: Names for the drawing of the model: of the module itself ("") and of its children and parameters. A
            matrix made of several is named by a table of their numbers of rows, {"project": {"query": 64, "key": 16}}.
        of_source: Whether it reads the source of an encoder-decoder: its readings are then named "encoder …", and have
            the axis "source" for "token".
        report_prefix: What the names of its readings begin with, to tell them from those of another part of the model.
        reads_backwards: Whether it reads the text from its end: its readings are turned round.
    """

    part_names: Mapping[str, str | Mapping[str, int]] = {}
    of_source: bool = False
    report_prefix: str = ""
    reads_backwards: bool = False
    training: bool
    _capture: Listener | None = None
    _losses: AuxiliaryLosses | None = None
    _edits: tuple[Callable[[object, str, Tensor, tuple[str, ...]], Tensor], ...] = ()
    _watchers: tuple[Callable[[object, str, Tensor, tuple[str, ...]], object], ...] = ()

    def report(
        self,
        name: str,
        values: Tensor | Callable[[], Tensor],
        axes: Sequence[str],
        *,
        layer: int | None = None,
        units: str | None = None,
        coordinates: Mapping[str, tuple[str | float, ...]] | None = None,
        quantity_units: Mapping[str, str] | None = None,
    ) -> None:
        """Report a reading if this instance is being captured; otherwise do nothing.

        Args:
            name: Its name ("attention", "state", "routing").
            values: The tensor, or a callable that computes it only if it is captured.
            axes: One name of lab.api.AXES per dimension, "batch" first.
            layer: The block it belongs to; None means the block in the module's path.
            units: Unit of the values, if they have one.
            coordinates: By axis, the label or number of each position along it, as in Reading; None numbers them.
            quantity_units: The units of quantities that differ, by label, as in Reading; None for none.
        """
        if self._capture is None:
            return
        name = self._full_name(name)
        if self.of_source:
            axes = ["source" if axis == "token" else axis for axis in axes]
        if self.reads_backwards:
            values = _turned(values, [index for index, axis in enumerate(axes) if axis in POSITIONS])
        self._capture.receive(self, name, values, axes, layer, units, coordinates, quantity_units)

    def hook_point(self, name: str, values: Tensor, axes: Sequence[str]) -> Tensor:
        """Return the values that the module continues with: an intervention on this instance may change them.

        Args:
            name: The name of the values ("heads").
            values: The tensor.
            axes: One name of lab.api.AXES per dimension. Interventions of the lab act on "head", else on "unit",
                else on "channel".
        """
        for edit in self._edits:
            values = edit(self, name, values, tuple(axes))
        for watch in self._watchers:
            watch(self, name, values, tuple(axes))
        return values

    def reporting(self, name: str) -> bool:
        """Return True if a reading of this name is being captured, for modules whose fast path cannot produce it."""
        return self._capture is not None and self._capture.wants(self._full_name(name))

    def _full_name(self, name: str) -> str:
        return f"{self.report_prefix}{'encoder ' if self.of_source else ''}{name}"

    def add_loss(self, name: str, value: Tensor, weight: float) -> None:
        """Add weight · value to the training loss; ignored unless a trainer is training this instance.

        Terms of one name are summed over the layers. The recorded series "auxiliary NAME" is their mean without the
        weight, so a weight of 0 only records it. If several layers add it, there is "auxiliary NAME LAYER" for each. A
        step of several micro-batches (`training.accumulation`) takes the mean over them: exact for terms linear in the
        tokens, another number and another gradient for a product of means, such as a balance loss.

        Args:
            name: Its name ("balance").
            value: A scalar over the tokens of this forward pass.
            weight: Its factor, read from the live config.
        """
        if self._losses is not None and self.training and not self._losses.is_muted:
            self._losses.terms.append((name, value, weight, self._losses.layers[id(self)]))

    @contextlib.contextmanager
    def _token_by_token(self, tokens: int) -> Iterator[None]:
        """Stack the reports of a module called once per token, and average the losses it adds."""
        before = len(self._losses.terms) if self._losses is not None else 0
        with contextlib.nullcontext() if self._capture is None else self._capture.token_by_token():
            yield
        if self._losses is not None:
            added = self._losses.terms[before:]
            self._losses.terms[before:] = [
                (name, value, weight / tokens, layer) for name, value, weight, layer in added
            ]


class AuxiliaryLosses:
    """The collector of losses added by `add_loss`, attached once to the instance being trained.

    Attributes:
        terms: (name, scalar, weight, layer) since the last `take`.
        layers: By id of a module, the layer it belongs to; "" if it belongs to none.
        is_muted: True while nothing is collected.
    """

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self.layers: dict[int, str] = {}
        self.is_muted = False

    def attach(self, model: nn.Module) -> AuxiliaryLosses:
        """Collect from every module of this instance, but not from copies of it."""
        for path, module in model.named_modules():
            if isinstance(module, Reports):
                module._losses = self
                self.layers[id(module)] = layer_of(path)
        return self

    @contextlib.contextmanager
    def muted(self) -> Iterator[None]:
        """Collect nothing in the body, in which a part of the model is computed once more."""
        self.is_muted = True
        try:
            yield
        finally:
            self.is_muted = False

    def take(self) -> list[Term]:
        """Return the terms since the last call."""
        terms, self.terms = self.terms, []
        return terms

    def __deepcopy__(self, memo: object) -> None:
        """Copy as None: a copy of the trained model has no collector."""


class Derives(Reports):
    """A mixin that checks on construction that the author wrote enough of forward, start, extend and step."""

    _base: ClassVar[type]

    def writes(self, name: str) -> bool:
        """Return True if the author wrote this form, so that it is not derived."""
        return getattr(type(self), name) is not getattr(self._base, name)

    def _check_written(self) -> None:
        kind = type(self).__name__
        if not any(self.writes(name) for name in ("forward", "extend", "step")):
            raise TypeError(f"{kind} must define start and step, or start and extend, or forward")
        if (self.writes("extend") or self.writes("step")) and not self.writes("start"):
            raise TypeError(f"{kind} defines {'extend' if self.writes('extend') else 'step'} and so must define start")
        if (
            getattr(self, "causal", True)
            and self.writes("start")
            and not (self.writes("extend") or self.writes("step"))
        ):
            raise TypeError(f"{kind} defines start, so it must define extend or step, which read its state")


def _turned(values: Tensor | Callable[[], Tensor], axes: list[int]) -> Callable[[], Tensor]:
    """Return a callable that computes values and reverses some of their axes."""
    return lambda: (values if isinstance(values, Tensor) else values()).flip(axes)


def name_readings(module: nn.Module, prefix: str, *, backwards: bool = False) -> None:
    """Let the names of all readings of a module and of its children begin with a prefix.

    Args:
        module: The module.
        prefix: The prefix, with a space at its end.
        backwards: Whether it reads the text from its end, so that its readings are turned round.
    """
    for part in module.modules():
        if isinstance(part, Reports):
            part.report_prefix = prefix + part.report_prefix
            part.reads_backwards = part.reads_backwards != backwards


def layer_of(path: str) -> str:
    """Return the layer of a module or parameter: its path up to the first whole number ("blocks.0"), or ""."""
    parts = path.split(".")
    return next((".".join(parts[: i + 1]) for i, part in enumerate(parts) if part.isdigit()), "")


def joined(past: Tensor | None, more: Tensor, history: int | None) -> tuple[Tensor, Tensor]:
    """Concatenate past and new inputs along axis 1; return all of them, and the last `history` of them for storing."""
    seen = more if past is None else torch.cat([past, more], dim=1)
    return seen, seen if history is None else seen[:, max(0, seen.shape[1] - history) :]
