"""What a setting says of itself for forms: its name, its group, when it has an effect, what 0 means."""

from typing import ClassVar, Literal

from lab.api import HOOKS, ModelConfig, setting, settings_of, without_effect
from lab.host import Plugins
from lab.recipes import Readings, Training


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


class Part(ModelConfig):
    hidden: int = setting(0, ge=0, auto="units_of_the_stack", help="Units.")


class Stack(Part):
    units_of_the_stack: ClassVar[int] = 64
    part: Part = setting(Part(), help="A part.")


def test_an_automatic_value_names_a_property_where_its_config_has_one():
    automatic = {one.name: one.auto for one in settings_of(Stack) if one.auto}
    assert automatic == {"hidden": "units_of_the_stack", "part.hidden": True}


def test_the_property_of_every_automatic_value_is_one_of_its_config():
    cards = Plugins().cards("architectures")
    configs = {card.config for card in cards.values()}
    nested = {one.config for config in configs for one in settings_of(config) if one.config is not None}
    named = [(config, one.auto) for config in configs | nested for one in settings_of(config, nested=False)]
    assert all(hasattr(config, auto) for config, auto in named if isinstance(auto, str))


def test_every_architecture_knows_its_own_automatic_values():
    extras = [
        (card.config, info.json_schema_extra["auto"])
        for card in Plugins().cards("architectures").values()
        for info in card.config.model_fields.values()
        if isinstance(info.json_schema_extra, dict) and isinstance(info.json_schema_extra.get("auto"), str)
    ]
    assert extras
    assert all(hasattr(config, auto) for config, auto in extras)


def test_every_mixer_in_a_pattern_knows_its_automatic_values_for_a_width():
    config = Plugins().card("architectures", "hybrid").config
    automatic = [
        (mixer.config(), one.auto)
        for mixer in config.mixers.values()
        for one in settings_of(mixer.config, nested=False)
        if one.auto
    ]
    assert automatic
    for mixer, auto in automatic:
        value = getattr(mixer, auto)
        assert isinstance(value(128) if callable(value) else value, int)


def test_what_a_config_does_not_use_has_no_effect():
    class Pattern(ModelConfig):
        mixer: str = setting("a", help="Mixer.")
        heads: int = setting(1, help="Heads.")

        @classmethod
        def unused(cls, values):
            return frozenset({"heads"} if values["mixer"] == "a" else ())

    assert without_effect(Pattern, Pattern().stored()) == {"heads"}
    assert without_effect(Pattern, Pattern(mixer="b").stored()) == frozenset()


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


def numbers():
    """The numbers among the settings of recipes and of the built-in cards; for sources of text any value is as good."""
    yield from ((config.__name__, one) for config in (Training, Readings) for one in settings_of(config))
    plugins = Plugins(safe_mode=True)
    for kind in HOOKS:
        for card in plugins.cards(kind).values() if kind != "corpora" else ():
            if getattr(card, "config", None) is not None:
                yield from ((f"{kind}/{card.name}", one) for one in settings_of(card.config))


def test_the_help_of_every_number_says_which_values_are_typical():
    without = [
        f"{of}.{one.name}"
        for of, one in numbers()
        if one.kind in ("int", "float") and "Typical: " not in one.help and not one.help.startswith(("Seed", "Version"))
    ]
    assert without == []
