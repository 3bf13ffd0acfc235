"""What a setting says of itself for forms: its name, its group, when it has an effect, what 0 means."""

from typing import Literal

from lab.api import ModelConfig, setting, settings_of, without_effect


class Layer(ModelConfig):
    positions: Literal["rotary", "none", "t5"] = setting("none", help="Positions.", names={"rotary": "RoPE"})
    rotary_base: float = setting(1e4, help="Base.", label="RoPE base", group="Positions", when={"positions": "rotary"})
    buckets: int = setting(32, help="Buckets.", when={"positions": ("t5", "rotary")})
    window: int = setting(0, ge=0, zero="all", help="Window.")
    dilation: int = setting(1, help="Dilation.", when={"window": True})
    hidden_units: int = setting(0, ge=0, auto="units", help="Units.")

    @property
    def units(self):
        return self.hidden_units or 64


def named(name):
    return next(one for one in settings_of(Layer) if one.name == name)


def test_a_setting_has_its_label_as_title_or_one_made_from_its_name():
    assert named("rotary_base").title == "RoPE base"
    assert named("hidden_units").title == "Hidden units"


def test_a_setting_tells_its_group_its_automatic_value_and_the_meaning_of_0():
    assert (named("rotary_base").group, named("window").group) == ("Positions", "")
    assert (named("hidden_units").auto, named("window").auto) == ("units", False)
    assert named("window").zero == "all"
    assert dict(named("positions").names) == {"rotary": "RoPE"}


def test_a_setting_has_no_effect_while_another_field_has_another_value():
    assert without_effect(Layer, Layer().stored()) == {"rotary_base", "buckets", "dilation"}
    assert without_effect(Layer, Layer(positions="rotary").stored()) == {"dilation"}
    assert without_effect(Layer, Layer(positions="t5").stored()) == {"rotary_base", "dilation"}


def test_true_in_a_condition_means_any_value_but_0():
    assert "dilation" not in without_effect(Layer, Layer(window=8).stored())


def test_a_field_that_is_missing_is_no_hindrance():
    assert without_effect(Layer, {}) == frozenset()


def test_a_setting_without_effect_is_stored_all_the_same():
    assert Layer(rotary_base=5e5).stored()["rotary_base"] == 5e5
