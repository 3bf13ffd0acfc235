"""The tree of a model's parts, from its modules and one pass on the meta device."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

import torch
from torch import nn

from lab.api import Architecture, Task
from lab.base.jobs import Cancelled, check_cancelled
from lab.base.model_parts import Branch, Kind, ModelPart
from lab.diagnostics.cost import blueprint, counts_tokens, extrapolated, lengths_of, pass_of
from lab.diagnostics.structure.flow import Flow, flow_of
from lab.diagnostics.structure.folding import folded
from lab.diagnostics.structure.names import declared_names, kind_of, name_of, name_of_parameter
from lab.diagnostics.structure.trace import Trace, paths_around, shapes_in, traced

NUMBERED = ("layer", "layer_idx", "layer_index", "layer_id", "index", "idx", "depth", "number")
"""Attributes that number a module and so do not make it another one than its neighbours."""
CONTAINERS = (nn.ModuleList, nn.ModuleDict)
"""Modules that only hold others."""
NOTED = 3
"""Most main parts that the note of a block names."""


def tree_of(architecture: Architecture, config: Any, task: Task, *, model: Any = None) -> ModelPart:
    """Return the parts of an architecture's model; nothing is allocated and nothing computed.

    Args:
        architecture: The card.
        config: Its settings.
        task: The task it is built for.
        model: Its blueprint, if there is one already.
    """
    model = blueprint(architecture, config, task) if model is None else model
    if model.learns == "counting":
        return _tables(model, architecture.title)
    return TreeBuilder(model, task, architecture.title).root()


@dataclass
class _Totals:
    """The figures of one path, with everything inside it.

    Attributes:
        parameters: Those that count here.
        shared: Those that are counted at another path.
        flops: Operations per token.
    """

    parameters: int = 0
    shared: int = 0
    flops: float = 0.0


class TreeBuilder:
    """The tree of one model that learns by gradient.

    Args:
        model: Its blueprint, which is called once to record what it does.
        task: The task it is built for.
        title: The name of the model.
    """

    def __init__(self, model: Any, task: Task, title: str) -> None:
        self._model, self._task, self._title = model, task, title
        self._modules: dict[str, nn.Module] = dict(model.named_modules(remove_duplicate=False))
        self._trace, self._flops = _passes(model, task)
        self._shapes = _named_shapes(model, task, self._trace)
        self._totals = self._sums()
        self._signatures: dict[str, Hashable] = {}

    def root(self) -> ModelPart:
        """Return the model as a part."""
        return self._part([""], self._title, "model", 1)

    # Figures

    def _sums(self) -> dict[str, _Totals]:
        totals: dict[str, _Totals] = {}
        first: dict[int, str] = {}
        for name, parameter in self._model.named_parameters(remove_duplicate=False):
            counts = first.setdefault(id(parameter), name) == name
            for path in paths_around(name):
                one = totals.setdefault(path, _Totals())
                one.parameters += parameter.numel() if counts else 0
                one.shared += 0 if counts else parameter.numel()
        for home, flops in (self._flops or {}).items():
            for path in paths_around(home):
                totals.setdefault(path, _Totals()).flops += flops
        return totals

    def _figures(self, paths: Sequence[str]) -> dict[str, Any]:
        found = [self._totals.get(path, _Totals()) for path in paths]
        return {
            "parameters": sum(one.parameters for one in found),
            "shared": sum(one.shared for one in found),
            "flops": None if self._flops is None else sum(one.flops for one in found),
        }

    # Parts

    def _part(self, paths: Sequence[str], name: str, kind: Kind, count: int) -> ModelPart:
        """Return the part that stands for the modules at some paths, which are alike."""
        check_cancelled()
        path = paths[0]
        module = self._modules[path]
        children = self._children(path)
        own = [one for one, _ in module.named_parameters(recurse=False)]
        made = ModelPart(
            path, name, kind, count=count, copies=len(paths), shape=self._shapes.get(path, ()),
            weights=tuple(tuple(one.shape) for one in module.parameters(recurse=False)), **self._figures(paths),
        )  # fmt: skip
        if not children:
            return made
        parts = [*children, *(f"{path}.{one}".lstrip(".") for one in own)]
        weights = [False] * len(children) + [True] * len(own)
        flow = flow_of(self._trace, path, parts, weights) if self._trace.operations else _in_order(len(parts))
        rows, branches = self._folded(paths, parts, weights, flow)
        if len(rows) == 1 and len(rows[0]) == 1 and rows[0][0].children and ":" in rows[0][0].children[0].path:
            rows = rows[0][0].rows  # nothing but one matrix made of several
        note = _note(rows) if kind == "block" else ""
        return replace(made, rows=rows, branches=branches, note=note)

    def _children(self, path: str) -> list[str]:
        """Return the paths of the modules in a module that do something, those in containers included."""
        found = []
        for name, child in self._modules[path].named_children():
            inside = f"{path}.{name}".lstrip(".")
            if isinstance(child, CONTAINERS):
                found += self._children(inside)
            elif inside in self._totals or self._works(inside, child):
                found.append(inside)
        return found

    def _works(self, path: str, module: nn.Module) -> bool:
        """Return True if a module without parameters does something with what it reads."""
        if isinstance(module, nn.Identity | nn.Dropout):
            return False
        return not self._trace.operations or path in self._trace.inside

    def _folded(
        self, paths: Sequence[str], parts: Sequence[str], weights: Sequence[bool], flow: Flow
    ) -> tuple[tuple[tuple[ModelPart, ...], ...], tuple[Branch, ...]]:
        """Return the rows of a module's parts with identical neighbours folded, and its branches along them."""
        inner = [path.removeprefix(paths[0]).lstrip(".") for path in parts]
        starting: dict[int, list[tuple[int, int]]] = {}
        for first, last in flow.branches:
            starting.setdefault(first, []).append((first, last))
        keys: list[Hashable] = []
        for number, row in enumerate(flow.rows):
            own = tuple(last - first for first, last in starting.get(number, ()))
            alike = tuple(self._signature(parts[part]) if not weights[part] else parts[part] for part in row)
            keys.append((alike, own) if not any(weights[part] for part in row) else (number,))

        def parts_of(row: Sequence[int], starts: Sequence[int], count: int) -> Iterator[ModelPart]:
            for column, part in enumerate(row):
                alike = [inner[flow.rows[start][column]] for start in starts]
                full_paths = [f"{path}.{one}".lstrip(".") for path in paths for one in alike]
                yield self._inner_part(paths[0], full_paths, is_weight=weights[part], count=count)

        rows: list[tuple[ModelPart, ...]] = []
        branches: list[Branch] = []
        index: list[int] = []  # of each row: the row that it is folded into
        for fold in folded(keys):
            inside = []
            for number in range(fold.start, fold.start + fold.period):
                starts = [number + time * fold.period for time in range(fold.repeats)]
                inside.append(tuple(parts_of(flow.rows[number], starts, fold.repeats if fold.period == 1 else 1)))
            index += [len(rows)] * (fold.period * fold.repeats)
            within = [(a, b) for a, b in flow.branches if a >= fold.start and b < fold.start + fold.period]
            if fold.period == 1:
                branches += [Branch(len(rows), len(rows)) for _ in within]
                rows += inside
            else:
                rows.append((self._group(inside, within, fold.start, fold.repeats, len(paths)),))
        branches += [Branch(index[a], index[b]) for a, b in flow.branches if index[a] < index[b]]
        return tuple(rows), tuple(dict.fromkeys(branches))

    def _inner_part(self, around: str, full_paths: Sequence[str], *, is_weight: bool, count: int) -> ModelPart:
        parent_path, _, attribute = full_paths[0].rpartition(".")
        if is_weight:
            parent = self._modules[parent_path]
            weight = parent.get_parameter(attribute)
            name = name_of_parameter(attribute, parent)
            shapes = (tuple(weight.shape),)
            return ModelPart(full_paths[0], name, "part", count=count, copies=len(full_paths), weights=shapes,
                             **self._figures(full_paths))  # fmt: skip
        holder = self._modules[around]
        module = self._modules[full_paths[0]]
        inner = full_paths[0].removeprefix(around).lstrip(".")
        attribute = next((piece for piece in reversed(inner.split(".")) if not piece.isdigit()), "")
        outputs = self._task.classes or self._task.outputs or self._task.vocabulary_size
        name = name_of(module, attribute, holder, vocabulary=outputs, root=not around)
        kind = kind_of(module, attribute, name)
        if inner.split(".")[-1].isdigit() and kind == "part" and self._children(full_paths[0]):
            kind = "block"
        part = self._part(full_paths, name, kind, count)
        declared = declared_names(holder).get(attribute)
        return self._divided(part, declared, full_paths) if isinstance(declared, Mapping) else part

    def _divided(self, part: ModelPart, names: Mapping[str, int], full_paths: Sequence[str]) -> ModelPart:
        """Return a matrix made of several with a part for each of them, side by side."""
        total = sum(names.values())
        if not total or any(shape[0] != total for shape in part.weights):
            return part
        pieces = []
        for name, share in names.items():
            fits = part.shape and part.shape[-1] == str(total)
            pieces.append(
                ModelPart(
                    f"{full_paths[0]}:{name}", name, "part", copies=part.copies,
                    shape=(*part.shape[:-1], str(share)) if fits else (), parameters=part.parameters * share // total,
                    shared=part.shared * share // total,
                    flops=None if part.flops is None else part.flops * share / total,
                    weights=tuple((share, *shape[1:]) for shape in part.weights),
                )
            )  # fmt: skip
        label = ", ".join(names) if len(names) < 4 else part.name
        return replace(part, name=label, rows=(tuple(pieces),), weights=())

    def _group(
        self,
        rows: Sequence[tuple[ModelPart, ...]],
        branches: Sequence[tuple[int, int]],
        start: int,
        repeats: int,
        around: int,
    ) -> ModelPart:
        """Return the part that stands for a repeated sequence of rows, in which neighbours may be alike, too."""
        parts = [part for row in rows for part in row]
        shortened: list[tuple[ModelPart, ...]] = []
        for fold in folded([tuple(self._signature(part.path) for part in row) for row in rows]):
            alike = rows[fold.start : fold.start + fold.period * fold.repeats]
            if fold.period == 1 and fold.repeats > 1 and not branches:
                shortened.append(tuple(_joined(column) for column in zip(*alike, strict=True)))
            else:
                shortened += alike
        figures: dict[str, Any] = {
            "parameters": sum(part.parameters for part in parts),
            "shared": sum(part.shared for part in parts),
            "flops": None if self._flops is None else sum(part.flops or 0.0 for part in parts),
        }
        inner = tuple(Branch(first - start, last - start) for first, last in branches)
        name = "sequence of blocks" if any(part.kind == "block" for part in parts) else "sequence"
        return ModelPart(f"{parts[0].path}:group", name, "group", _pattern(shortened), count=repeats,
                         copies=repeats * around, shape=parts[-1].shape, rows=tuple(shortened), branches=inner,
                         **figures)  # fmt: skip

    def _signature(self, path: str) -> Hashable:
        """Return what makes a module another one than its neighbour: class, shapes, settings, and parts."""
        found = self._signatures.get(path)
        if found is None:
            module = self._modules.get(path)
            if module is None:
                return path
            children = tuple((name, self._signature(f"{path}.{name}")) for name, _ in module.named_children())
            found = self._signatures[path] = (own_signature(module), children)
        return found


def own_signature(
    module: nn.Module, *, exact: bool = False
) -> tuple[type, tuple[tuple[str, tuple[int, ...]], ...], tuple[tuple[str, Any], ...]]:
    """Return what makes a module another one, without its children.

    Args:
        module: The module.
        exact: Whether numbers of layers and fractions count, too.
    """
    kinds = (bool, int, str, float) if exact else (bool, int, str)
    settings = []
    for name, value in vars(module).items():
        if name.startswith("_") or name in ("training", "task", "config") or (name in NUMBERED and not exact):
            continue
        if isinstance(value, kinds) or (isinstance(value, tuple) and all(isinstance(one, kinds) for one in value)):
            settings.append((name, value))
        elif is_dataclass(value) and not isinstance(value, type):
            plain = tuple(getattr(value, one.name) for one in fields(value))
            settings.append((name, tuple(one for one in plain if isinstance(one, (*kinds, float)))))
    parameters = tuple((name, tuple(one.shape)) for name, one in module.named_parameters(recurse=False))
    return type(module), parameters, tuple(sorted(settings, key=lambda pair: pair[0]))


def _passes(model: Any, task: Task) -> tuple[Trace, dict[str, float] | None]:
    """Return the record of a pass, and operations per token by path; an empty record if the model cannot be called."""
    try:
        if not counts_tokens(task):
            return traced(model, pass_of(model, task, task.context_length), backward=False), None
        lengths = lengths_of(model, task)
        passes = [traced(model, pass_of(model, task, length), backward=True) for length in lengths]
    except Cancelled:
        raise
    except Exception:  # noqa: BLE001 - a plugin's code, or a model that only its objective can call
        return Trace(), None
    counted = [_per_token(model, one, length) for one, length in zip(passes, lengths, strict=True)]
    if len(counted) == 1:
        return passes[0], counted[0]
    few, more = counted
    flops = {path: extrapolated(few.get(path, 0.0), more.get(path, 0.0), task) for path in few | more}
    return passes[0], flops


def _per_token(model: Any, trace: Trace, length: int) -> dict[str, float]:
    flops = {path: counted / length for path, counted in trace.flops.items()}
    for path, module in model.named_modules():
        extra = getattr(module, "extra_flops", None)
        if extra is not None:
            flops[path] = flops.get(path, 0.0) + extra(length) / length
    return flops


def _named_shapes(model: Any, task: Task, trace: Trace) -> dict[str, tuple[str, ...]]:
    """Return the output shapes of modules with names for the axes that grow with rows and tokens."""
    if not trace.shapes or "" not in trace.shapes:
        return {}
    length = min(task.context_length, lengths_of(model, task)[0])
    other = length - 1 if length > 2 else length
    try:
        with torch.no_grad():
            shapes = shapes_in(model, pass_of(model, task, other, batch=2))
    except Cancelled:
        raise
    except Exception:  # noqa: BLE001 - a plugin's code
        return {}
    return {
        path: tuple(_axis(a, b, length, other) for a, b in zip(shape, shapes[path], strict=True))
        for path, shape in trace.shapes.items()
        if len(shapes.get(path, ())) == len(shape)
    }


def _axis(one: int, two: int, length: int, other: int) -> str:
    """Return the name of an axis from its sizes in a pass of one row and in one of two rows and another length."""
    if one == two:
        return str(one)
    growth = Fraction(two, one) if one else Fraction(0)
    times = {Fraction(2): "batch", Fraction(other, length): "tokens", Fraction(2 * other, length): "batch · tokens"}
    name = times.get(growth, "")
    base = 1 if name == "batch" else length
    return f"{one}" if not name else name if one == base else f"{one // base} · {name}" if one % base == 0 else f"{one}"


def _in_order(count: int) -> Flow:
    return Flow(tuple((index,) for index in range(count)), ())


def _joined(alike: Sequence[ModelPart]) -> ModelPart:
    """Return one part that stands for identical neighbours."""
    first, count = alike[0], sum(part.count for part in alike)
    rows = tuple(
        tuple(_joined([part.rows[row][column] for part in alike]) if len(alike) > 1 else part
              for column, part in enumerate(first.rows[row]))
        for row in range(len(first.rows))
    )  # fmt: skip
    inner = tuple(tuple(replace(part, count=first.rows[r][c].count) for c, part in enumerate(row))
                  for r, row in enumerate(rows))  # fmt: skip
    return replace(
        first, count=count, copies=sum(part.copies for part in alike),
        parameters=sum(part.parameters for part in alike), shared=sum(part.shared for part in alike),
        flops=None if first.flops is None else sum(part.flops or 0.0 for part in alike), rows=inner,
    )  # fmt: skip


def _note(rows: Sequence[Sequence[ModelPart]]) -> str:
    """Return the main parts of a block for display: "attention, feed-forward"."""
    parts = [part for row in rows for part in row]
    main = [part.name for part in parts if part.kind in ("tokens", "channels")]
    if not main:
        return ""
    return ", ".join(dict.fromkeys(main[:NOTED]))


def _pattern(rows: Sequence[Sequence[ModelPart]]) -> str:
    """Return a sequence of blocks for display: "mamba × 3, attention"."""
    parts = [part for row in rows for part in row]
    names = [part.note.replace(", ", " + ") or part.name for part in parts]
    return ", ".join(
        name if part.count == 1 else f"{name} × {part.count}" for name, part in zip(names, parts, strict=True)
    )


def _tables(model: Any, title: str) -> ModelPart:
    """Return the tables of a model that counts; those with one number in their names belong together."""
    names = declared_names(model)
    groups: dict[str, list[str]] = {}
    for table in model.tables():
        number = table.rpartition(".")[2]
        groups.setdefault(number if number.isdigit() else "", []).append(table)
    rows: list[tuple[ModelPart, ...]] = []
    for number, tables in sorted(groups.items(), key=lambda item: int(item[0] or 0)):
        parts = [ModelPart(table, str(names.get(table.removesuffix(f".{number}"), table.partition(".")[0])), "table")
                 for table in tables]  # fmt: skip
        if number:
            inner = (tuple(parts),)
            rows.append((ModelPart(number, str(names.get(number, f"tables {number}")), "table", rows=inner),))
        else:
            rows += [(part,) for part in parts]
    return ModelPart("", title, "model", rows=tuple(rows))
