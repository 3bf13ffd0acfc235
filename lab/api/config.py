"""ModelConfig and `setting`: the one declaration from which form, command line, recipe, checks and docs derive."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from lab.api.settings import NUMBERS, TAG, Setting, settings_of, shape_of, shapes_of
from lab.base import BadInput, Problem

LONGEST_SHOWN = 200
"""The largest number of characters of a value in a problem."""


class NotAllowed(ValueError):
    """Raised by a validator of a config that reports more than one sentence.

    Args:
        what: What is wrong with the value.
        allowed: What would be accepted; None means what the field's declaration allows.
        remedy: What to do next.
    """

    def __init__(self, what: str, *, allowed: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.allowed, self.remedy = allowed, remedy


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("is not allowed")  # noqa: TRY004 - pydantic takes a ValueError
    return value


def _only_bool(value: Any) -> Any:
    if value is not None and not isinstance(value, bool):
        raise ValueError("is not allowed")
    return value


NO_BOOL, ONLY_BOOL = BeforeValidator(_no_bool), BeforeValidator(_only_bool)
"""Validators that refuse True as a number and 1 as a truth value, which pydantic accepts."""


def _complete(info: FieldInfo) -> None:
    """Add to a field the rules that follow from its annotation, before pydantic builds the validator of its config."""
    kind = shape_of(info.annotation).kind
    if kind == "union":
        annotated = any(get_origin(argument) is Annotated for argument in get_args(info.annotation))
        if info.discriminator is None and not annotated:
            info.discriminator = TAG
        return
    rule = NO_BOOL if kind in NUMBERS else ONLY_BOOL if kind == "bool" else None
    if rule is not None and not any(known is rule for known in info.metadata):
        info.metadata = [*info.metadata, rule]


class ModelConfig(BaseModel):
    """The settings of one component of an experiment: an architecture, a mixer, an optimizer, a corpus.

    Make every field with `setting`. Assigning to a field validates it. A field marked live may change while a run
    trains, so read it from the config at use and never copy it in `__init__`.

    A field that may be None has None as its default: a stored recipe cannot express None and leaves it out.

    A field annotated `A | B` holds one of several configs. Each of them has a field `kind: Literal["a"]` with one value
    of its own, which identifies it in stored settings.

    When the meaning of stored settings changes, raise `version` and extend `migrate` to read the older ones.
    """

    model_config = ConfigDict(
        extra="forbid",
        validate_assignment=True,
        protected_namespaces=(),
        allow_inf_nan=False,
        validate_default=True,
        defer_build=True,  # a start declares some eighty configs and reads three
    )
    version: ClassVar[int] = 1

    @classmethod
    def __pydantic_init_subclass__(cls, **given: Any) -> None:
        super().__pydantic_init_subclass__(**given)
        for name, info in cls.model_fields.items():
            if type(None) in get_args(info.annotation) and not info.is_required() and info.default is not None:
                raise TypeError(
                    f"{cls.__name__}.{name} may be None and has the default {info.default!r}: a recipe cannot "
                    "express None. Make None the default, or use a number or a choice that means it"
                )
        for info in cls.model_fields.values():
            _complete(info)

    @classmethod
    def migrate(cls, settings: dict[str, Any], version: int) -> dict[str, Any]:
        """Return settings of an older `version` converted to this version. Called only if it is older."""
        del version
        return settings

    @classmethod
    def read(cls, settings: Mapping[str, Any], *, version: int | None = None, field: str = "settings") -> Self:
        """Read settings: migrate them from an older version, then validate them.

        Args:
            settings: Values by field name; nested configs as nested tables, with their "version" if it is known.
            version: The version they were written in; None means the current one.
            field: Their path ("architecture"), put before the field's name in a problem.

        Raises:
            BadInput: A field is unknown or its value is not allowed; the problem names field, value and bounds.
        """
        try:
            return cls.model_validate(_migrated(cls, settings, version, field))
        except ValidationError as error:
            raise BadInput(_first_problem(error, cls, field)) from None

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the names of fields that have no effect with these values; forms hide them, recipes leave them out."""
        del values
        return frozenset()

    def stored(self) -> dict[str, Any]:
        """Return all settings as a recipe stores them: without None, nested configs with their version."""
        values = self.model_dump(mode="json", exclude_none=True)
        unused = self.unused(values)
        for name, value in self:
            if isinstance(value, ModelConfig):
                values[name] = {"version": value.version, **value.stored()}
        return {name: value for name, value in values.items() if name not in unused}

    def change(self, name: str, value: Any, *, field: str = "settings") -> None:
        """Set one live field (dotted for nested configs) while a run trains.

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
            trial = owner.model_copy()  # pydantic stores a value even if a rule of the entire config refuses it
            setattr(trial, last, value)
            setattr(owner, last, value)
        except ValidationError as error:
            raise BadInput(_first_problem(error, type(owner), _joined(field, *outer))) from None


@contextlib.contextmanager
def field_prefix(field: str) -> Iterator[None]:
    """Prefix the field of a BadInput raised inside with the path of the settings ("architecture")."""
    try:
        yield
    except BadInput as error:
        raise BadInput(replace(error.problem, field=_joined(field, error.problem.field or ""))) from None


FeedForwardActivation: TypeAlias = Literal[
    "relu", "relu2", "gelu", "gelu-tanh", "gelu-sigmoid", "silu", "swiglu", "geglu", "geglu-tanh"
]
"""The activations of feed-forward layers; the type of a setting that selects one of them."""
ACTIVATION_NAMES: Mapping[str, str] = dict(
    zip(
        get_args(FeedForwardActivation),
        ("ReLU", "ReLU²", "GELU", "GELU (tanh)", "GELU (sigmoid)", "SiLU", "SwiGLU", "GEGLU", "GEGLU (tanh)"),
        strict=True,
    )
)
"""Their names for display, for `setting(…, names=…)`."""
GATED_ACTIVATIONS: Mapping[str, str] = {"swiglu": "silu", "geglu": "gelu", "geglu-tanh": "gelu-tanh"}
"""Those with a gate (Shazeer 2020, eq. 5), with the activation of the gate; they take twice as many units."""


def setting(
    default: Any = ...,
    *,
    help: str,  # noqa: A002 - the word authors expect
    unit: str | None = None,
    live: bool = False,
    log: bool = False,
    cite: str = "",
    label: str = "",
    group: str = "",
    auto: str | bool = False,
    zero: str = "",
    names: Mapping[Any, str] | None = None,
    when: Mapping[str, Any] | None = None,
    path: bool = False,
    run: bool = False,
    counted: str = "",
    **bounds: Any,
) -> Any:
    """Declare one field of a ModelConfig.

    Args:
        default: Its value if none is given; for a nested ModelConfig an instance of it.
        help: One plain sentence for users who see the field for the first time.
        unit: The unit of the value ("channels"), if it has one.
        live: Whether it may change while a run trains.
        log: Whether a slider over it is logarithmic.
        cite: Paper and equation the setting comes from.
        label: Its name as the field writes it ("QK norm"), where the name of the field does not give it.
        group: The heading under which a form lists it ("Attention").
        auto: For a field in which 0 (or nothing) means a value that follows from the others: the name of the property
            of the config that returns the value in use. In the config of a mixer, which has no width of its own, it may
            name a method instead, which is called with the width of the stack. True if only the engine knows the value;
            a config that inherits the field and lacks the property has True.
        zero: What 0 means in a word or two ("all", "no limit"), where it does not mean the number.
        names: Labels of the values of a choice ({"rotary": "RoPE"}); others are shown as they are.
        when: The values that other fields must have for this one to have an effect ({"positions": "rotary"}); several
            of them in a tuple. True means any value but 0, an empty text and nothing; False means one of these. Forms
            hide it otherwise; its value is stored all the same.
        path: Whether it is the path of a file or folder, for which a form offers a dialog.
        run: Whether it is the name of a run. The factory of a filter or a strategy gets a RunReader of it.
        counted: For a whole number, what it counts, in the plural ("layers"): names of runs then write "4 layers".
        **bounds: ge, gt, le, lt, multiple_of, min_length, max_length, pattern, as in pydantic.

    Raises:
        TypeError: `help` is empty.
    """
    if not help.strip():
        raise TypeError("setting(…, help=…): describe in one sentence what the setting does")
    needed = {name: wanted if isinstance(wanted, tuple) else (wanted,) for name, wanted in (when or {}).items()}
    extra: dict[str, Any] = {
        "unit": unit,
        "live": live,
        "log": log,
        "cite": cite,
        "label": label,
        "group": group,
        "auto": auto,
    }
    extra |= {"zero": zero, "names": dict(names or {}), "when": needed, "path": path, "run": run, "counted": counted}
    return Field(default, description=help, json_schema_extra={k: v for k, v in extra.items() if v}, **bounds)


class StackConfig(ModelConfig):
    """The settings that lab.layers.ResidualStack reads, and other models may. Subclass it and add your own."""

    layers: int = setting(
        4, ge=1, le=1000, group="Size", help="Blocks on top of each other. Typical: 2 to 12.", unit="blocks",
        counted="layers",
    )  # fmt: skip
    width: int = setting(
        128,
        ge=1,
        le=65536,
        log=True,
        group="Size",
        help="Channels of the residual stream. Typical: 64 to 768.",
        unit="channels",
    )
    dropout: float = setting(
        0.0,
        ge=0,
        lt=1,
        live=True,
        group="Regularisation",
        help="Share of values set to zero after the embedding and on every residual branch, in training. "
        "Typical: 0 to 0.2.",
        cite="Srivastava et al. 2014",
    )
    layer_dropout: float = setting(
        0.0,
        ge=0,
        lt=1,
        live=True,
        group="Regularisation",
        zero="none",
        help="Share of the examples for which the branches of the last block are left out, in training; it grows "
        "linearly from the first block on. Typical: 0, or 0.1 to 0.5 for deep stacks.",
        cite="Huang et al. 2016, eq. 4",
    )


def tie_setting(*, default: bool = True) -> Any:
    """Declare the field `tie` of an architecture with an embedding and an output head over the same vocabulary."""
    return setting(
        default,
        label="Weight tying",
        group="Output",
        help="Use the embedding matrix as the output head.",
        cite="Press & Wolf 2017",
    )


def norm_epsilon_setting() -> Any:
    """Declare the field `norm_epsilon` of an architecture with normalisations."""
    return setting(
        1e-5, gt=0, le=0.1, log=True, label="Norm epsilon", group="Block",
        help="Added under the root of a normalisation, against division by zero. Typical: 1e-6 to 1e-5.",
    )  # fmt: skip


class HeadSettings(ModelConfig):
    """The settings of softmax attention in every architecture: its heads, and how far they see."""

    heads: int = setting(
        4, ge=1, le=1024, unit="heads", counted="heads", group="Attention",
        help="Attention heads of each layer. Typical: 2 to 12.",
        cite="Vaswani et al. 2017, section 3.2.2",
    )  # fmt: skip
    head_width: int = setting(
        0, ge=0, le=4096, unit="channels", group="Attention", auto="each_head",
        help="Channels of each head; 0 shares the width among the heads. Typical: 32 to 128.",
    )  # fmt: skip
    kv_heads: int = setting(
        0, ge=0, le=1024, unit="heads",
        label="Key/value heads", group="Attention", auto="key_value_heads",
        help="Heads of keys and values, shared by groups of query heads; 1 is multi-query, 0 means as many as heads. "
        "Typical: 1 to 8.",
        cite="Shazeer 2019; Ainslie et al. 2023",
    )  # fmt: skip
    window: int = setting(
        0, ge=0, le=1 << 20, unit="tokens", label="Sliding window", group="Attention", zero="all",
        help="How many tokens a token may read, itself included; 0 means all. "
        "Typical: 0, or 1/8 to 1/2 of the context length.",
        cite="Beltagy et al. 2020, section 3.1; Jiang et al. 2023; Ren et al. 2024",
    )  # fmt: skip


def _migrated(
    config: type[ModelConfig], settings: Mapping[str, Any], version: int | None, field: str
) -> dict[str, Any]:
    """Return settings converted to the current versions of a config and of its nested configs."""
    values = dict(settings)
    if version is not None and version != config.version:
        if version > config.version:
            raise BadInput(
                f"written by a newer version ({version}; this one reads up to {config.version})",
                field=_joined(field, "version"),
                remedy="Update the lab or the plugin it belongs to",
            )
        values = config.migrate(values, version)
    for name, shape in shapes_of(config).items():
        value = values.get(name)
        inner = shape.inside(value)
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


def _located(
    config: type[BaseModel], location: Iterable[str]
) -> tuple[list[str], Setting | None, type[BaseModel] | None]:
    """Return the path of an error in a recipe's notation, the field there, and the config that the path leads to."""
    path: list[str] = []
    found: Setting | None = None
    owner: type[BaseModel] | None = config
    for part in location:
        if owner is None and found is not None and part in found.variants:
            owner = found.variants[part]  # pydantic adds the kind of a union to the path
            continue
        path.append(part)
        fields = settings_of(owner, nested=False) if owner else ()
        found = next((setting for setting in fields if setting.name == part), None)
        owner = found.config if found else None
    return path, found, owner


def _first_problem(error: ValidationError, config: type[BaseModel], field: str) -> Problem:
    """Return pydantic's first error as a problem: the field, its value, what is allowed."""
    first = error.errors(include_url=False)[0]
    location = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        above, _, owner = _located(config, location[:-1])
        return _unknown(owner or config, location[-1], _joined(field, *above))
    names, found, _ = _located(config, location)
    path = _joined(field, *names)
    if first["type"] in ("union_tag_invalid", "union_tag_not_found") and found:
        kind, kinds = first.get("ctx", {}).get("tag"), "one of " + ", ".join(found.choices)
        what, value = ("is not allowed", repr(kind)) if kind is not None else ("is missing", None)
        return Problem(what, field=_joined(path, TAG), value=value, allowed=kinds)
    if first["type"] == "missing":
        return Problem("is missing", field=path, allowed=found.allowed() if found else None, remedy="Give it a value")
    if first["type"] == "string_unicode":
        return Problem("cannot be stored as text: it is not UTF-8", field=path, value=ascii(first["input"]))
    rule = first["type"] == "value_error"
    what = first["msg"].removeprefix("Value error, ")
    _, around, _ = _located(config, location[:-1])
    if around is not None and around.kind == "list" and first["type"].endswith(("_parsing", "_type")):
        return Problem("is not allowed", field=path, value=repr(first["input"]), allowed=around.allowed())
    if found is None:  # a rule of the entire config, or an element of a list
        given = None if isinstance(first["input"], BaseModel | dict) else repr(first["input"])
        return Problem(what, field=path, value=given)
    if found.kind in ("group", "union") and rule:  # a rule between the fields of a nested config
        return Problem(what, field=path)
    remedy = f'Put it in quotes: "{first["input"]}"' if first["type"] == "string_type" else None
    value, allowed = _shown(first["input"]), found.allowed()
    error_itself = first.get("ctx", {}).get("error")
    if isinstance(error_itself, NotAllowed):
        return Problem(
            what, field=path, value=value, allowed=error_itself.allowed or allowed, remedy=error_itself.remedy
        )
    return Problem(what if rule else "is not allowed", field=path, value=value, allowed=allowed, remedy=remedy)


def _shown(value: Any) -> str:
    """Return a value for use in a problem, cut if it is long."""
    shown = repr(value)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
