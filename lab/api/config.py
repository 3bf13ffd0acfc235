"""ModelConfig and `setting`: the one declaration that form, command line, recipe, validation and docs derive from."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo

from lab.base import BadInput, Problem

C = TypeVar("C", bound="ModelConfig")


class ModelConfig(BaseModel):
    """The settings of one part of an experiment: an architecture, a mixer, an optimizer, a corpus.

    Every field is made by `setting`. Assigning to a field validates it. A field marked live may change while a run
    trains, so code reads it from the config at use and never copies it in `__init__`.

    A field that may be None has None as its default: a stored recipe has no word for it and leaves it out.

    When the meaning of stored settings changes, raise `version` and teach `migrate` to read the older ones.
    """

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, protected_namespaces=(), allow_inf_nan=False, validate_default=True
    )
    version: ClassVar[int] = 1

    @classmethod
    def __pydantic_init_subclass__(cls, **given: Any) -> None:
        super().__pydantic_init_subclass__(**given)
        for name, info in cls.model_fields.items():
            if type(None) in get_args(info.annotation) and not info.is_required() and info.default is not None:
                raise TypeError(
                    f"{cls.__name__}.{name} may be None and has the default {info.default!r}: a recipe has no "
                    "word for None. Make None the default, or use a number or a choice that means it"
                )

    @field_validator("*", mode="before")
    @classmethod
    def _bool_is_no_number(cls, value: Any, info: ValidationInfo) -> Any:
        kind = _kind_of(cls.model_fields[str(info.field_name)].annotation)[0]
        if value is not None and isinstance(value, bool) != (kind == "bool") and kind in ("bool", *NUMBERS):
            raise ValueError("is not allowed")
        return value

    @classmethod
    def migrate(cls, settings: dict[str, Any], version: int) -> dict[str, Any]:
        """Settings written by an older `version`, as this version would write them. Called only when it is older."""
        del version
        return settings

    @classmethod
    def read(cls, settings: Mapping[str, Any], *, version: int | None = None, field: str = "settings") -> Self:
        """Validated settings, migrated from an older version first.

        Args:
            settings: Values by field name; nested configs as nested tables, with their "version" if it is known.
            version: The version they were written in; None means today's.
            field: Where they stand ("architecture"), put before the field's name in a problem.

        Raises:
            BadInput: A field is unknown or its value is not allowed; the problem names field, value and bounds.
        """
        try:
            return cls.model_validate(_migrated(cls, settings, version, field))
        except ValidationError as error:
            raise BadInput(_first_problem(error, cls, field)) from None

    def stored(self) -> dict[str, Any]:
        """All settings as a recipe stores them, what is None left out; nested configs with their version."""
        values = self.model_dump(mode="json", exclude_none=True)
        for name, value in self:
            if isinstance(value, ModelConfig):
                values[name] = {"version": value.version, **value.stored()}
        return values

    def change(self, name: str, value: Any, *, field: str = "settings") -> None:
        """Sets one live field (dotted for nested configs) while a run trains.

        Raises:
            BadInput: There is no such field, it is not live, or the value is not allowed.
        """
        owner: ModelConfig = self
        *outer, last = name.split(".")
        for depth, part in enumerate(outer, start=1):
            inner = getattr(owner, part, None)
            if not isinstance(inner, ModelConfig):
                groups = [group for group, value in owner if isinstance(value, ModelConfig)]
                raise BadInput(
                    "there is no such group of settings here",
                    field=_joined(field, *outer[:depth]),
                    allowed=", ".join(groups) or "none",
                )
            owner = inner
        found = {setting.name: setting for setting in settings_of(type(owner), nested=False)}
        if last not in found:
            raise BadInput(_unknown(type(owner), last, _joined(field, *outer)))
        if not found[last].live:
            live = [setting.name for setting in settings_of(type(self)) if setting.live]
            raise BadInput(
                "cannot change while a run trains",
                field=_joined(field, name),
                allowed=f"the live fields: {', '.join(live)}" if live else "no field of this config is live",
                remedy="Start a new run with the changed value",
            )
        try:
            trial = owner.model_copy()  # pydantic keeps a value that a rule of the whole config refuses
            setattr(trial, last, value)
            setattr(owner, last, value)
        except ValidationError as error:
            raise BadInput(_first_problem(error, type(owner), _joined(field, *outer))) from None


@contextlib.contextmanager
def within(field: str) -> Iterator[None]:
    """Inside, the field that a BadInput names is one of the settings at this path ("architecture")."""
    try:
        yield
    except BadInput as error:
        raise BadInput(replace(error.problem, field=_joined(field, error.problem.field or ""))) from None


def setting(
    default: Any = ...,
    *,
    help: str,  # noqa: A002 - the word authors expect
    unit: str | None = None,
    live: bool = False,
    log: bool = False,
    cite: str = "",
    **bounds: Any,
) -> Any:
    """One field of a ModelConfig.

    Args:
        default: Its value when none is given; a nested ModelConfig's default is an instance of it.
        help: One plain sentence for people who meet the field for the first time.
        unit: The unit of the value ("channels"), if it has one.
        live: Whether it may change while a run trains.
        log: Whether a slider over it is logarithmic.
        cite: Paper and equation the setting comes from.
        **bounds: ge, gt, le, lt, multiple_of, min_length, max_length, pattern, as pydantic knows them.

    Raises:
        TypeError: `help` is empty.
    """
    if not help.strip():
        raise TypeError("setting(…, help=…): say in one sentence what the setting does")
    extra = {"unit": unit, "live": live, "log": log, "cite": cite}
    return Field(default, description=help, json_schema_extra={k: v for k, v in extra.items() if v}, **bounds)


class StackConfig(ModelConfig):
    """What lab.layers.ResidualStack reads, and other models may. Subclass it and add what is yours."""

    layers: int = setting(4, ge=1, le=1000, help="Blocks on top of each other.", unit="blocks")
    width: int = setting(128, ge=1, le=65536, log=True, help="Channels of the residual stream.", unit="channels")
    dropout: float = setting(
        0.0,
        ge=0,
        lt=1,
        live=True,
        help="Share of values set to zero after the embedding and on every residual branch, in training.",
        cite="Srivastava et al. 2014",
    )


Kind = Literal["int", "float", "bool", "text", "choice", "list", "group"]
NUMBERS: tuple[Kind, ...] = ("int", "float")


@dataclass(frozen=True)
class Setting:
    """One field as forms, help texts and docs need it.

    Args:
        name: Dotted within its config ("attention.heads").
        kind: What it holds; "group" is a nested config, whose own fields follow it.
        default: Its default; None where there is none.
        help: Its sentence.
        bounds: ge, gt, le, lt, multiple_of … by name.
        choices: The values of a choice.
        optional: Whether None is allowed too.
    """

    name: str
    kind: Kind
    default: Any
    help: str
    unit: str | None = None
    live: bool = False
    log: bool = False
    cite: str = ""
    bounds: Mapping[str, Any] | None = None
    choices: tuple[Any, ...] = ()
    optional: bool = False

    def allowed(self) -> str:
        """What may stand there, in words: "whole number, 1 ≤ x ≤ 64"."""
        if self.kind == "choice":
            return "one of " + ", ".join(map(str, self.choices))
        word = {
            "int": "whole number",
            "float": "number",
            "bool": "true or false",
            "text": "text",
            "list": "list",
            "group": "table of settings",
        }[self.kind]
        bounds = self.bounds or {}
        low = next((f"{_number(bounds[k])} {s} " for k, s in (("ge", "≤"), ("gt", "<")) if k in bounds), "")
        high = next((f" {s} {_number(bounds[k])}" for k, s in (("le", "≤"), ("lt", "<")) if k in bounds), "")
        parts = [word] + ([f"{low}x{high}"] if low or high else [])
        parts += [f"a multiple of {bounds['multiple_of']}"] if "multiple_of" in bounds else []
        parts += [f"at least {bounds['min_length']} long"] if "min_length" in bounds else []
        parts += [f"at most {bounds['max_length']} long"] if "max_length" in bounds else []
        parts += [f"matching {bounds['pattern']}"] if "pattern" in bounds else []
        parts += ["or nothing"] if self.optional else []
        return ", ".join(parts)


def settings_of(config: type[BaseModel], *, nested: bool = True, prefix: str = "") -> Iterator[Setting]:
    """The fields of a config in order, those of nested configs (dotted) behind their group."""
    for name, info in config.model_fields.items():
        kind, choices, optional, inner = _kind_of(info.annotation)
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        yield Setting(
            name=prefix + name,
            kind=kind,
            default=None if info.is_required() else info.get_default(call_default_factory=True, validated_data={}),
            help=info.description or "",
            unit=str(extra["unit"]) if "unit" in extra else None,
            live=bool(extra.get("live")),
            log=bool(extra.get("log")),
            cite=str(extra.get("cite", "")),
            bounds=_bounds_of(info),
            choices=choices,
            optional=optional,
        )
        if inner is not None and nested:
            yield from settings_of(inner, prefix=f"{prefix}{name}.")


def _migrated(
    config: type[ModelConfig], settings: Mapping[str, Any], version: int | None, field: str
) -> dict[str, Any]:
    """Settings as today's versions of a config and of those nested in it write them."""
    values = dict(settings)
    if version is not None and version != config.version:
        if version > config.version:
            raise BadInput(
                f"written by a newer version ({version}; this one reads up to {config.version})",
                field=_joined(field, "version"),
                remedy="Update the lab or the plugin it belongs to",
            )
        values = config.migrate(values, version)
    for name, info in config.model_fields.items():
        inner, value = _kind_of(info.annotation)[3], values.get(name)
        if inner is None or not issubclass(inner, ModelConfig) or not isinstance(value, Mapping):
            continue
        written = value.get("version")
        where = _joined(field, name)
        if written is not None and (not isinstance(written, int) or isinstance(written, bool) or written < 1):
            raise BadInput(
                "is not allowed", field=_joined(where, "version"), value=repr(written), allowed=f"1 to {inner.version}"
            )
        rest = {key: part for key, part in value.items() if key != "version"}
        values[name] = _migrated(inner, rest, written, where)
    return values


def _kind_of(annotation: Any) -> tuple[Kind, tuple[Any, ...], bool, type[BaseModel] | None]:
    arguments = get_args(annotation)
    if type(None) in arguments and get_origin(annotation) is not Literal:
        rest = tuple(argument for argument in arguments if argument is not type(None))
        kind, choices, _, inner = _kind_of(rest[0])
        return kind, choices, True, inner
    origin = get_origin(annotation)
    if origin is Literal:
        return "choice", arguments, False, None
    if origin in (list, tuple):
        return "list", (), False, None
    if isinstance(annotation, type):
        if issubclass(annotation, BaseModel):
            return "group", (), False, annotation
        words: tuple[tuple[type, Kind], ...] = ((bool, "bool"), (int, "int"), (float, "float"))
        for python, word in words:
            if issubclass(annotation, python):
                return word, (), False, None
    return "text", (), False, None


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


def _joined(*parts: str) -> str:
    return ".".join(part for part in parts if part)


def _unknown(config: type[BaseModel], name: str, field: str) -> Problem:
    names = list(config.model_fields)
    near = difflib.get_close_matches(name, names, n=1)
    return Problem(
        "there is no such setting",
        field=_joined(field, name),
        allowed=", ".join(names) or "none",
        remedy=f"Did you mean {near[0]}?" if near else None,
    )


def _first_problem(error: ValidationError, config: type[BaseModel], field: str) -> Problem:
    """Pydantic's first error in our words: which field, what was given, what is allowed."""
    first = error.errors(include_url=False)[0]
    location = [str(part) for part in first["loc"]]
    path = _joined(field, *location)
    if first["type"] == "extra_forbidden":
        owner: type[BaseModel] = config
        for part in location[:-1]:
            inner = _kind_of(owner.model_fields[part].annotation)[3] if part in owner.model_fields else None
            owner = inner or owner
        return _unknown(owner, location[-1], _joined(field, *location[:-1]))
    name = ".".join(location)
    found = next((setting for setting in settings_of(config) if setting.name == name), None)
    if first["type"] == "missing":
        return Problem("is missing", field=path, allowed=found.allowed() if found else None, remedy="Give it a value")
    if found is None:  # a rule of the whole config, or an element of a list
        what = first["msg"].removeprefix("Value error, ")
        given = None if isinstance(first["input"], BaseModel | dict) else repr(first["input"])
        return Problem(what, field=path, value=given)
    if found.kind == "group" and first["type"] == "value_error":  # a rule between the fields of a nested config
        return Problem(first["msg"].removeprefix("Value error, "), field=path)
    custom = first["msg"].removeprefix("Value error, ") if first["type"] == "value_error" else "is not allowed"
    remedy = f'Put it in quotes: "{first["input"]}"' if first["type"] == "string_type" else None
    return Problem(custom, field=path, value=repr(first["input"]), allowed=found.allowed(), remedy=remedy)
