"""Checks of checkpoint formats: a model that is written for another program is read again as the same model."""

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
from lab.testing.specimen import Specimen, part_check
from lab.testing.subject import TASKS, Subject, read_preset, smaller

INVERSE = "let settings read every key that config writes, and config refuse with BadInput what no key can say"
"""What is to be changed where another model is read than was written."""


@dataclass(frozen=True)
class Variant:
    """A small model that a format can say.

    Args:
        converter: Of the format.
        model: Its architecture, settings and task.
        config: The config.json, as it comes from a file.
        words: What differs from the first one ("norm_epsilon = 2e-05"), for failures.
    """

    converter: Converter
    model: Subject
    config: Mapping[str, Any]
    words: str

    def tensors(self, model: Any) -> dict[str, Tensor]:
        """The tensors of the checkpoint, through a file."""
        lie = "give tensors that lie in memory in one piece of their own: .contiguous(), .clone() where two share one"
        with remedied(f"writing the tensors of a model with {self.words}", lie):
            return dict(load(save(self.converter.tensors(self.model.config(), model.tables()))))

    def again(self) -> Subject:
        """The model that its config.json asks for."""
        architecture = self.model.architecture
        with remedied(f"reading the config.json that it wrote for a model with {self.words}", INVERSE):
            settings = architecture.config.read(self.converter.settings(self.config), field="config.json")
        return _subject(architecture, settings)


def first(specimen: Specimen) -> Variant:
    """The model that is given, or the first of defaults and presets that the format can say."""
    card = specimen.card
    converter = card.make()
    require(
        isinstance(converter, Converter),
        f"the factory gives a {type(converter).__name__}",
        "return an instance of a subclass of lab.api.Converter",
    )
    named = f"the architecture {card.architecture!r} that it names"
    with remedied(named, "name an architecture of this plugin or of the lab"):
        architecture = specimen.architecture or Plugins(safe_mode=True).card("architectures", card.architecture)
    if specimen.model is not None:
        return _variant(converter, _subject(architecture, specimen.model.config), "the settings of the model given")
    for name, preset in {"defaults": {}, **architecture.presets}.items():
        with contextlib.suppress(BadInput):
            subject = _subject(architecture, smaller(read_preset(architecture, preset)[0]))
            return _variant(converter, subject, name if name == "defaults" else f"the preset {name}")
    raise Broken(
        f"it can say neither the defaults of {architecture.name} nor one of its presets",
        "test it with a model that it can say: check_part(…, model=…)",
    )


def variants(specimen: Specimen) -> Iterator[Variant]:
    """The first, and all that differ from it by one setting and can be said."""
    one = first(specimen)
    yield one
    for setting in settings_of(one.model.architecture.config):
        for value in _others(setting, one.model.config()):
            with contextlib.suppress(BadInput):
                changed = {**one.model.config().model_dump(), setting.name: value}
                subject = _subject(one.model.architecture, type(one.model.config()).read(changed))
                yield _variant(one.converter, subject, f"{setting.name} = {value}")
                break


def _others(setting: Setting, config: ModelConfig) -> list[Any]:
    """Other values of a setting, of which the first that is allowed is tried."""
    value = getattr(config, setting.name, None)
    if setting.kind == "choice":
        return [other for other in setting.choices if other != value]
    if setting.kind == "bool":
        return [not value]
    if isinstance(value, int):
        return [2 * value, value + 1, value // 2] if value else [1, 2, 4]
    return [value * 2, value / 2] if isinstance(value, float) and value else [0.5, 2.0]


def _subject(architecture: Architecture, config: ModelConfig) -> Subject:
    return Subject(architecture.name, architecture, "causal", config, TASKS["causal"], "cpu", {})


def _variant(converter: Converter, subject: Subject, words: str) -> Variant:
    """A variant, unless the format refuses it with BadInput."""
    config = converter.config(subject.config(), subject.task)
    with remedied(f"the config.json of a model with {words}", "give a table of what JSON knows: text, numbers, lists"):
        return Variant(converter, subject, json.loads(json.dumps(config, allow_nan=False)), words)


@part_check("checkpoint_formats", name="contract", after="card")
def says_a_model(specimen: Specimen) -> None:
    """The factory gives a Converter, whose config.json says what kind of model it is, and its vocabulary."""
    said = first(specimen)
    wanted = {"model_type": specimen.card.model_type, "vocab_size": said.model.task.vocabulary_size}
    for key, value in wanted.items():
        found = said.config.get(key)
        require(found == value, f"its config.json has {key} = {found!r}, not {value!r}", f"let config write {key}")


@part_check("checkpoint_formats", name="same")
def reads_the_same_model(specimen: Specimen) -> None:
    """A model that was written is read as one with the same logits; a setting that cannot be said is refused."""
    for said in variants(specimen):
        try:
            model = said.model.model()
        except BadInput:  # a rule of the architecture that needs more than the config
            continue
        again = said.again()
        other = again.model()
        written = said.converter.settings(said.converter.config(again.config(), again.task))
        wrong = [name for name, value in said.converter.settings(said.config).items() if written.get(name) != value]
        words = f"the settings {', '.join(wrong)} of a model with {said.words} change each time it is written and read"
        require(not wrong, words, INVERSE)
        turned = f"{INVERSE}, and let tables be the inverse of tensors"
        with remedied(f"reading the tensors of a model with {said.words}", turned):
            other.load_tables(said.converter.tables(said.config, said.tensors(model)))
        tokens = said.model.tokens(2, said.model.length(model))
        require_same(other(tokens), model(tokens), f"logits of a model with {said.words}, written and read", turned)


@part_check("checkpoint_formats", name="pure")
def leaves_its_arguments_alone(specimen: Specimen) -> None:
    """Neither the tables nor the config.json that it is given are changed."""
    said = first(specimen)
    model = said.model.model()
    before = {name: table.clone() for name, table in model.tables().items()}
    said.converter.tables(said.config, said.converter.tensors(said.model.config(), model.tables()))
    copy = "work on copies: clone() before an operation that ends in _, dict(config) before a key is written"
    same = all(bool((table == before[name]).all()) for name, table in model.tables().items())
    require(same, "the tables of the model are written into", copy)
    config = dict(said.config)
    said.converter.settings(said.config)
    require(dict(said.config) == config, "the config.json that it reads is changed", copy)
