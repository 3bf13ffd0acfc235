"""Checks of checkpoint formats: a model written for another program is read back as the same model."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from safetensors.torch import load, save
from torch import Tensor

from lab.api import Architecture, BadInput, Converter, ModelConfig, Setting, settings_of
from lab.host import Plugins
from lab.testing.check import Broken, remedied, require, require_same
from lab.testing.checks.tasks import call
from lab.testing.model_case import TASKS, ModelCase, read_preset, smaller, tasks_of
from lab.testing.registration_case import RegistrationCase, registration_check

INVERSE = "let settings read every key that config writes, and let config raise BadInput for what no key can express"
"""The remedy if another model is read than was written."""


@dataclass(frozen=True)
class Variant:
    """A small model that a format can express.

    Args:
        converter: The converter of the format.
        model: Its architecture, settings and task.
        config: The config.json, read from a file.
        label: The difference from the first variant ("norm_epsilon = 2e-05"), for failures.
    """

    converter: Converter
    model: ModelCase
    config: Mapping[str, Any]
    label: str

    def tensors(self, model: Any) -> dict[str, Tensor]:
        """Return the tensors of the checkpoint, after writing them to a file and reading it."""
        remedy = "return contiguous tensors with their own memory: .contiguous(), .clone() if two share memory"
        with remedied(f"writing the tensors of a model with {self.label}", remedy):
            return dict(load(save(self.converter.tensors(self.model.config(), model.tables()))))

    def again(self) -> ModelCase:
        """Return the model that the config.json describes."""
        architecture = self.model.architecture
        with remedied(f"reading the config.json that it wrote for a model with {self.label}", INVERSE):
            settings = architecture.config.read(self.converter.settings(self.config), field="config.json")
        return _model_case(architecture, settings)


def first(case: RegistrationCase) -> Variant:
    """Return the given model, or the first among defaults and presets that the format can express."""
    card = case.card
    converter = card.make()
    require(
        isinstance(converter, Converter),
        f"the factory returns a {type(converter).__name__}",
        "return an instance of a subclass of lab.api.Converter",
    )
    named = f"the architecture {card.architecture!r} that it names"
    with remedied(named, "name an architecture of this plugin or of the lab"):
        architecture = case.architecture or Plugins(safe_mode=True).card("architectures", card.architecture)
    if case.model is not None:
        return _variant(converter, _model_case(architecture, case.model.config), "the settings of the given model")
    for name, preset in {"defaults": {}, **architecture.presets}.items():
        with contextlib.suppress(BadInput):
            small = _model_case(architecture, smaller(read_preset(architecture, preset)[0]))
            return _variant(converter, small, name if name == "defaults" else f"the preset {name}")
    raise Broken(
        f"it can express neither the defaults of {architecture.name} nor one of its presets",
        "test it with a model that it can express: check_registration(…, model=…)",
    )


def variants(case: RegistrationCase) -> Iterator[Variant]:
    """Yield the first variant, and all variants that differ from it by one setting and can be expressed."""
    one = first(case)
    yield one
    for setting in settings_of(one.model.architecture.config):
        for value in _others(setting, one.model.config()):
            with contextlib.suppress(BadInput):
                changed = {**one.model.config().model_dump(), setting.name: value}
                tested = _model_case(one.model.architecture, type(one.model.config()).read(changed))
                yield _variant(one.converter, tested, f"{setting.name} = {value}")
                break


def _others(setting: Setting, config: ModelConfig) -> list[Any]:
    """Return other values of a setting; the first allowed one is used."""
    value = getattr(config, setting.name, None)
    if setting.kind == "choice":
        return [other for other in setting.choices if other != value]
    if setting.kind == "bool":
        return [not value]
    if isinstance(value, int):
        return [2 * value, value + 1, value // 2] if value else [1, 2, 4]
    return [value * 2, value / 2] if isinstance(value, float) and value else [0.5, 2.0]


def _model_case(architecture: Architecture, config: ModelConfig) -> ModelCase:
    tasks = tasks_of(architecture)
    known = (one for one in TASKS if one != "regression")  # causal and masked first
    name = next(each for one in known for each in tasks if each == one or each.startswith(f"{one}-"))
    return ModelCase(architecture.name, architecture, name, config, tasks[name], "cpu", {})


def _variant(converter: Converter, case: ModelCase, label: str) -> Variant:
    """Return a variant, unless the format refuses it with BadInput."""
    config = converter.config(case.config(), case.task)
    with remedied(f"the config.json of a model with {label}", "return a table of JSON types: text, numbers, lists"):
        return Variant(converter, case, json.loads(json.dumps(config, allow_nan=False)), label)


@registration_check("checkpoint_formats", name="contract", after="card")
def writes_a_config(case: RegistrationCase) -> None:
    """The factory returns a Converter whose config.json names the kind of model and the size of a text's vocabulary."""
    variant = first(case)
    wanted: dict[str, Any] = {"model_type": case.card.model_type}
    if variant.model.task.input_shape is None:
        wanted["vocab_size"] = variant.model.task.vocabulary_size
    for key, value in wanted.items():
        found = variant.config.get(key)
        require(found == value, f"its config.json has {key} = {found!r}, not {value!r}", f"let config write {key}")


@registration_check("checkpoint_formats", name="same")
def reads_the_same_model(case: RegistrationCase) -> None:
    """A model that was written is read as one with the same logits; settings that cannot be expressed are refused."""
    for variant in variants(case):
        try:
            model = variant.model.model()
        except BadInput:  # a rule of the architecture that needs more than the config
            continue
        again = variant.again()
        other = again.model()
        written = variant.converter.settings(variant.converter.config(again.config(), again.task))
        wrong = [
            name for name, value in variant.converter.settings(variant.config).items() if written.get(name) != value
        ]
        measured = (
            f"the settings {', '.join(wrong)} of a model with {variant.label} change each time it is written and read"
        )
        require(not wrong, measured, INVERSE)
        remedy = f"{INVERSE}, and let tables be the inverse of tensors"
        with remedied(f"reading the tensors of a model with {variant.label}", remedy):
            other.load_tables(variant.converter.tables(variant.config, variant.tensors(model)))
        length, task = variant.model.length(model), variant.model.task
        has_inputs = task.input_shape is not None or variant.model.special == "source"
        inputs = variant.model.inputs(2, length) if has_inputs else {"tokens": variant.model.tokens(2, length)}
        require_same(
            call(other, inputs),
            call(model, inputs),
            f"logits of a model with {variant.label}, written and read",
            remedy,
        )


@registration_check("checkpoint_formats", name="pure")
def leaves_its_arguments_alone(case: RegistrationCase) -> None:
    """The given tables and config.json are not changed."""
    variant = first(case)
    model = variant.model.model()
    before = {name: table.clone() for name, table in model.tables().items()}
    variant.converter.tables(variant.config, variant.converter.tensors(variant.model.config(), model.tables()))
    remedy = "work on copies: clone() before a method that ends in _, dict(config) before writing a key"
    same = all(bool((table == before[name]).all()) for name, table in model.tables().items())
    require(same, "the tables of the model are changed", remedy)
    config = dict(variant.config)
    variant.converter.settings(variant.config)
    require(dict(variant.config) == config, "the config.json that it reads is changed", remedy)
