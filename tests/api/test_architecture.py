"""Cards: light to list, heavy only when built."""

import subprocess
import sys

import pytest

from lab.api import (
    Architecture,
    Mixer,
    MixerStackConfig,
    ModelConfig,
    NoSettings,
    StackConfig,
    Task,
    View,
    load,
    setting,
)


def test_the_contracts_and_the_cards_of_built_ins_import_no_torch():
    code = "import sys, lab.api, lab_transformer; sys.exit('torch' in sys.modules or 'PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_factory_may_be_named_and_is_imported_when_called():
    assert load("math:sqrt")(9) == 3
    assert load(len) is len
    card = Architecture("a", "A", "a", "", ModelConfig, "no_such_module:build")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        card.make(ModelConfig(), Task(2, 2))


class Own(ModelConfig):
    size: int = setting(2, ge=1, help="A size.")


def test_a_token_mixer_is_offered_as_a_stack_of_it():
    mixer = Mixer("my-mixer", "Mine", "token", Own, object, tasks=frozenset({"causal", "masked"}))
    card = mixer.stack()
    assert (card.name, card.title, card.tasks) == ("my-mixer", "Mine", frozenset({"causal", "masked"}))
    assert "Mine" in card.summary
    config = card.config.read({"layers": 1, "my_mixer": {"size": 3}})
    assert isinstance(config, MixerStackConfig | StackConfig)
    assert config.my_mixer == Own(size=3)
    assert card.config.mixer is mixer


def test_two_stacks_keep_their_own_mixers():
    first, second = (Mixer(name, name, "token", Own, object).stack() for name in ("first", "second"))
    assert first.config.mixer.name == "first"
    assert second.config.mixer.name == "second"
    assert "second" not in first.config.model_fields


def test_a_mixer_cannot_be_called_as_a_setting_of_every_stack():
    with pytest.raises(ValueError, match="cannot be called 'layers'"):
        Mixer("layers", "L", "token", Own, object).stack()


def test_a_view_names_its_axes_has_no_settings_and_is_made_of_nothing():
    card = View(name="own", title="Own", axes=("head", "query", "key"), build="builtins:list")
    assert (card.axes, card.config, card.summary) == (("head", "query", "key"), NoSettings, "")
    assert card.make() == []
    with pytest.raises(TypeError, match="config"):
        View(name="own", title="Own", axes=("token",), build=list, config=Own)


def test_a_plugin_with_a_view_is_listed_without_importing_its_window():
    code = (
        "import sys; from lab.api import View\n"
        "View(name='own', title='Own', axes=('token',), build='PySide6.QtWidgets:QLabel')\n"
        "sys.exit('PySide6' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
