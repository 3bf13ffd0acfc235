"""`--help`: every setting with its bounds, its unit and its sentence, written nowhere by hand."""

import re
import tomllib
from pathlib import Path
from typing import Literal

import pytest

from lab.api import ModelConfig, setting, settings_of
from lab.cli.settings_help import settings_help
from lab.host import Plugins
from lab_ngram import NgramConfig
from lab_transformer import TransformerConfig


def words(text):
    return " ".join(text.split())


@pytest.mark.parametrize(("name", "config"), [("transformer", TransformerConfig), ("n-gram", NgramConfig)])
def test_every_field_of_the_architecture_is_shown_with_bounds_unit_and_sentence(lm_lab, name, config):
    ended = lm_lab("train", "--architecture", name, "--help")
    assert ended.code == 0
    shown = words(ended.out)
    for each in settings_of(config):
        assert f"architecture.{each.name} = " in shown
        assert words(each.help) in shown
        assert words(each.allowed()) in shown
        assert each.unit is None or f"; {each.unit}" in shown


def test_settings_of_training_and_its_parts_are_shown(lm_lab):
    out = lm_lab("train", "--help").out
    for path in ("training.steps", "training.optimizer.learning_rate", "training.schedule.warmup", "readings.text"):
        assert f"  {path} = " in out
    others = (
        "adafactor, adagrad, adam, lamb, lbfgs, lion, muon, nadam, radam, rmsprop, schedule-free, sgd, soap, sophia"
    )
    assert f"training.optimizer.name = adamw   [others: {others}]" in out
    assert "presets of transformer: gpt-2, " in out


def test_help_follows_the_options_before_it(lm_lab):
    out = lm_lab("train", "--set", "training.optimizer.name=sgd", "--help").out
    assert "training.optimizer.momentum" in out
    assert "training.optimizer.beta1" not in out


def test_every_form_of_checkpoint_is_named_where_models_come_in_and_go_out(lm_lab, capsys):
    formats = Plugins.from_environment().cards("checkpoint_formats").values()
    said = []
    for command in ("import-checkpoint", "export"):
        with pytest.raises(SystemExit):
            lm_lab(command, "--help")
        said.append(re.split("[:,;)] ?", words(capsys.readouterr().out)))
    comes_in, goes_out = said
    of_texts = [card for card in formats if card.name not in ("vit", "clip")]  # others are opened by programs alone
    assert {name for card in of_texts for name in card.title.split(" and ")} <= set(comes_in)
    assert {card.model_type for card in formats} <= set(goes_out)


def test_the_version_is_that_of_the_project(lm_lab):
    stated = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["version"]
    ended = lm_lab("--version")
    assert (ended.code, ended.out) == (0, f"lm-lab {stated}\n")


def test_help_of_an_unknown_architecture_is_a_refusal(lm_lab):
    assert lm_lab("train", "--architecture", "x", "--help").code == 2


def test_a_third_partys_fields_are_shown_the_same_way(lm_lab, plugin):
    plugin(
        "mine",
        """
        from lab.api import Architecture, ModelConfig, hookimpl, setting

        class Inner(ModelConfig):
            depth: int = setting(2, ge=1, le=9, unit="blocks", help="How deep it goes.")

        class Config(ModelConfig):
            inner: Inner = setting(Inner(), help="A group.")
            colour: str = setting("", help="What it looks like.", live=True)
            wide: int | None = setting(None, ge=1, help="How wide, where that matters.")

        @hookimpl
        def lab_register_architectures(register):
            register(Architecture("mine", "Mine", "own", "It is mine.", config=Config, build=print))
        """,
    )
    out = lm_lab("train", "--enable", "mine", "--architecture", "mine", "--help").out
    assert "architecture mine: It is mine:" in out
    assert "architecture.inner.depth = 2   [whole number, 1 ≤ x ≤ 9; blocks]" in out
    assert 'architecture.colour = ""   [text; live]' in out
    assert "architecture.wide = (nothing)   [whole number, 1 ≤ x, or nothing]" in out
    assert "How deep it goes." in out


def test_a_union_is_shown_with_the_settings_of_each_kind():
    class Gru(ModelConfig):
        kind: Literal["gru"] = setting("gru", help="Recurrent.")
        size: int = setting(8, ge=1, help="Units.")

    class Conv(ModelConfig):
        kind: Literal["conv"] = setting("conv", help="Convolution.")

    class Either(ModelConfig):
        mixer: Gru | Conv = setting(Gru(), help="What mixes.")

    shown = settings_help("either", "architecture", Either)
    assert "architecture.mixer.kind = gru   [table of settings, with kind = one of gru, conv]" in shown
    assert "with architecture.mixer.kind = conv:" in shown
    assert "architecture.mixer.size = 8   [whole number, 1 ≤ x]" in shown


def test_defaults_are_shown_as_set_takes_them(recipe_field):
    for line in settings_help("training", "training", recipe_field).splitlines():
        assert "PydanticUndefined" not in line


@pytest.fixture
def recipe_field():
    """The settings of training."""
    from lab.recipes import Training

    return Training


@pytest.mark.parametrize("command", [(), ("evaluate",), ("generate",), ("plugins",), ("bench",)])
def test_every_command_has_help(lm_lab, capsys, command):
    with pytest.raises(SystemExit) as left:
        lm_lab(*command, "--help")
    assert left.value.code == 0
    assert "usage: lm-lab" in capsys.readouterr().out
