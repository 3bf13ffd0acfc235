"""Settings: descriptions of the fields of a config for forms, help texts and docs, read from their annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from weakref import WeakKeyDictionary

from pydantic import BaseModel
from pydantic.fields import FieldInfo

Kind = Literal["int", "float", "bool", "text", "choice", "list", "group", "union"]
NUMBERS: tuple[Kind, ...] = ("int", "float")
TAG = "kind"
"""The field that identifies the variant of a union."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The type of a field, read from its annotation.

    Args:
        kind: The kind of its values; "group" is a nested config, "union" one of several with a Literal "kind" each.
        choices: The values of a choice; the kinds of a union.
        optional: Whether None is allowed, too.
        element: The kind of the elements of a list.
        config: The nested config of a group.
        variants: The configs of a union, by kind.
    """

    kind: Kind
    choices: tuple[Any, ...] = ()
    optional: bool = False
    element: Kind | None = None
    config: type[BaseModel] | None = None
    variants: Mapping[str, type[BaseModel]] = field(default_factory=dict)

    def inside(self, table: Any) -> type[BaseModel] | None:
        """Return the config that reads a nested table: the group's, or the variant that the table names."""
        if self.kind == "union":
            kind = table.get(TAG) if isinstance(table, Mapping) else None
            return self.variants.get(kind) if isinstance(kind, str) else None
        return self.config


@dataclass(frozen=True, kw_only=True)
class Setting(Shape):
    """The description of one field for forms, help texts and docs.

    Args:
        name: Dotted within its config ("attention.heads").
        default: Its default; None if it has none.
        help: Its description.
        bounds: ge, gt, le, lt, multiple_of … by name.
        label: Its name in the window; "" makes one from `name`.
        group: The heading under which a form lists it; "" leaves that to the form.
        auto: Whether 0 (or nothing) means a value that the lab finds: the property of the config that returns it, or a
            method that returns it for the width of the stack; True if the config cannot know it.
        zero: The meaning of 0 in a word or two ("all"); "" if 0 is a number like others.
        names: Labels of the values of a choice, where the value itself is not written that way.
        when: What the other fields of its config must be for it to have an effect; see `applies`.
        path: Whether it is the path of a file or folder.
        run: Whether it names a run.
        counted: What it counts, in the plural ("layers"), if names of runs write "4 layers" instead of its name and
            value; "" if they do not.
    """

    name: str
    default: Any
    help: str
    unit: str | None = None
    live: bool = False
    log: bool = False
    cite: str = ""
    bounds: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    group: str = ""
    auto: str | bool = False
    zero: str = ""
    names: Mapping[Any, str] = field(default_factory=dict)
    when: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    path: bool = False
    run: bool = False
    counted: str = ""

    @property
    def title(self) -> str:
        """Its name for the user: "Head width" for "attention.head_width", unless it has a label."""
        if self.label:
            return self.label
        text = self.name.rpartition(".")[2].replace("_", " ")
        return text[:1].upper() + text[1:]

    def applies(self, values: Mapping[str, Any]) -> bool:
        """Return True if it has an effect with these values of its config's fields.

        Where `when` names True or False for a field of another type, the field must, or must not, be set: to anything
        but 0, an empty text and nothing. A field that is not among the values is no hindrance.
        """
        return all(_is_one_of(values[name], allowed) for name, allowed in self.when.items() if name in values)

    def allowed(
        self,
        tr: Callable[..., str] = str.format,
        *,
        number: Callable[[float], str] | None = None,
        label: Callable[[Any], str] = str,
    ) -> str:
        """Describe the allowed values: "whole number, 1 ≤ x ≤ 64".

        Args:
            tr: Translates a text and replaces its placeholders.
            number: Returns the text of a bound; None writes it as a recipe does.
            label: Returns the text of a value of a choice; by default as a recipe writes it.
        """
        number = number or _number
        choices = ", ".join(map(label, self.choices))
        if self.kind == "choice":
            return tr("one of {choices}", choices=choices)
        lists = {"int": tr("list of whole numbers"), "float": tr("list of numbers")}
        word = {
            "int": tr("whole number"),
            "float": tr("number"),
            "bool": tr("true or false"),
            "text": tr("name of a run") if self.run else tr("text"),
            "list": lists.get(self.element or "", tr("list")),
            "group": tr("table of settings"),
            "union": tr("table of settings, with {tag} = one of {choices}", tag=TAG, choices=choices),
        }[self.kind]
        bounds = self.bounds
        low = next((f"{number(bounds[k])} {s} " for k, s in (("ge", "≤"), ("gt", "<")) if k in bounds), "")
        high = next((f" {s} {number(bounds[k])}" for k, s in (("le", "≤"), ("lt", "<")) if k in bounds), "")
        parts = [word] + ([f"{low}x{high}"] if low or high else [])
        parts += [tr("a multiple of {n}", n=number(bounds["multiple_of"]))] if "multiple_of" in bounds else []
        parts += [tr("at least {n} long", n=number(bounds["min_length"]))] if "min_length" in bounds else []
        parts += [tr("at most {n} long", n=number(bounds["max_length"]))] if "max_length" in bounds else []
        parts += [tr("matching {pattern}", pattern=bounds["pattern"])] if "pattern" in bounds else []
        parts += [tr("or nothing")] if self.optional else []
        return ", ".join(parts)


def settings_of(config: type[BaseModel], *, nested: bool = True, prefix: str = "") -> Iterator[Setting]:
    """Yield the fields of a config in order, with those of nested configs (dotted) after their group.

    The fields of a union depend on its kind: call this for its variants.
    """
    for setting in _own_settings(config):
        yield replace(setting, name=prefix + setting.name) if prefix else setting
        if setting.config is not None and nested:
            yield from settings_of(setting.config, prefix=f"{prefix}{setting.name}.")


def _own_settings(config: type[BaseModel]) -> Sequence[Setting]:
    """Return the fields of a config in order, found once for each class."""
    found = _SETTINGS.get(config)
    if found is None or len(found) != len(config.model_fields):  # a class that waits for a type has no fields yet
        found = _SETTINGS[config] = tuple(_find_settings(config))
    return found


def _automatic(config: type[BaseModel], wanted: Any) -> str | bool:
    """Return the property or method that gives an automatic value; True if this config lacks it."""
    return wanted if isinstance(wanted, bool) or hasattr(config, wanted) else True


def _find_settings(config: type[BaseModel]) -> Iterator[Setting]:
    shapes = shapes_of(config)
    for name, info in config.model_fields.items():
        shape = shapes[name]
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        yield Setting(
            **vars(shape),
            name=name,
            default=None if info.is_required() else info.get_default(call_default_factory=True, validated_data={}),
            help=info.description or "",
            unit=str(extra["unit"]) if "unit" in extra else None,
            live=bool(extra.get("live")),
            log=bool(extra.get("log")),
            cite=str(extra.get("cite", "")),
            bounds=_bounds_of(info),
            label=str(extra.get("label", "")),
            group=str(extra.get("group", "")),
            auto=_automatic(config, extra.get("auto", False)),
            zero=str(extra.get("zero", "")),
            names=extra.get("names", {}),  # type: ignore[arg-type]
            when=extra.get("when", {}),  # type: ignore[arg-type]
            path=bool(extra.get("path")),
            run=bool(extra.get("run")),
            counted=str(extra.get("counted", "")),
        )


def without_effect(config: type[BaseModel], values: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the fields of a config that have no effect with these values of all its fields.

    They are those whose `when` does not apply, and those that `ModelConfig.unused` names.

    Args:
        config: The config.
        values: The values of its fields, as `ModelConfig.stored()` returns them.
    """
    idle = frozenset(one.name for one in settings_of(config, nested=False) if one.when and not one.applies(values))
    unused = getattr(config, "unused", None)
    return idle if unused is None else idle | unused(values)


def shapes_of(config: type[BaseModel]) -> Mapping[str, Shape]:
    """Return the shape of every field of a config by name, found once for each class."""
    found = _SHAPES.get(config)
    if found is None or len(found) != len(config.model_fields):  # a class that waits for a type has no fields yet
        found = _SHAPES[config] = {name: shape_of(info.annotation) for name, info in config.model_fields.items()}
    return found


_SETTINGS: WeakKeyDictionary[type[BaseModel], Sequence[Setting]] = WeakKeyDictionary()
_SHAPES: WeakKeyDictionary[type[BaseModel], Mapping[str, Shape]] = WeakKeyDictionary()


def shape_of(annotation: Any) -> Shape:
    """Return the type of a field from its annotation."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return shape_of(arguments[0])
    if origin in (Union, UnionType):
        members = [member for member in arguments if member is not type(None)]
        shape = shape_of(members[0]) if len(members) == 1 else _shape_of_union(members)
        return replace(shape, optional=shape.optional or len(members) < len(arguments))
    if origin is Literal:
        return Shape(kind="choice", choices=arguments)
    if origin in (list, tuple):
        elements = {shape_of(argument).kind for argument in arguments if argument is not ...}
        return Shape(kind="list", element=elements.pop() if len(elements) == 1 else None)
    if isinstance(annotation, type):
        if issubclass(annotation, BaseModel):
            return Shape(kind="group", config=annotation)
        kinds: tuple[tuple[type, Kind], ...] = ((bool, "bool"), (int, "int"), (float, "float"))
        for python, kind in kinds:
            if issubclass(annotation, python):
                return Shape(kind=kind)
    return Shape(kind="text")


def _shape_of_union(members: list[Any]) -> Shape:
    variants: dict[str, type[BaseModel]] = {}
    for member in members:
        tag = member.model_fields.get(TAG) if isinstance(member, type) and issubclass(member, BaseModel) else None
        kinds = shape_of(tag.annotation).choices if tag is not None else ()
        if len(kinds) != 1:
            return Shape(kind="text")
        variants[str(kinds[0])] = member
    return Shape(kind="union", choices=tuple(variants), variants=variants)


def _is_one_of(value: Any, allowed: tuple[Any, ...]) -> bool:
    plain = value.get(TAG) if isinstance(value, Mapping) else value
    return any(plain == one if not isinstance(one, bool) else bool(value) is one for one in allowed)


def _bounds_of(info: FieldInfo) -> dict[str, Any]:
    names = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
    bounds: dict[str, Any] = {}
    for constraint in info.metadata:
        for name in names:
            if getattr(constraint, name, None) is not None:
                bounds[name] = getattr(constraint, name)
    return bounds


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"
