"""ModelConfig: one declaration, from which forms, help, validation and live edits derive."""

from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import Field, model_validator

from lab.api import BadInput, ModelConfig, Problem, StackConfig, setting, settings_of


class Inner(ModelConfig):
    rate: float = setting(0.5, gt=0, le=1, live=True, unit="per step", log=True, cite="Someone 1999", help="A rate.")
    depth: int = setting(1, ge=1, multiple_of=1, help="A depth.")


class Outer(ModelConfig):
    inner: Inner = setting(Inner(), help="Nested.")
    kind: Literal["plain", "fancy"] = setting("plain", help="A choice.")
    low: float = setting(0.1, ge=0, le=1, live=True, help="Lower end.")
    high: float = setting(0.5, ge=0, le=1, live=True, help="Upper end.")
    maybe: Inner | None = setting(None, help="May be left out.")
    name: str = setting("a", pattern=r"^[a-z]$", help="A letter.")
    items: list[int] = setting([1], min_length=1, help="Numbers.")
    on: bool = setting(True, help="A switch.")

    @model_validator(mode="after")
    def _in_order(self):
        if self.low > self.high:
            raise ValueError("low must not be above high")
        return self


def problem_of(call, *arguments, **given):
    with pytest.raises(BadInput) as caught:
        call(*arguments, **given)
    return caught.value.problem


def test_a_setting_says_all_that_a_form_needs():
    found = {each.name: each for each in settings_of(Outer)}
    rate = found["inner.rate"]
    assert (rate.kind, rate.default, rate.unit, rate.live, rate.log) == ("float", 0.5, "per step", True, True)
    assert (rate.cite, rate.help, rate.allowed()) == ("Someone 1999", "A rate.", "number, 0 < x ≤ 1")
    assert {name: each.kind for name, each in found.items() if "." not in name} == {
        "inner": "group", "kind": "choice", "low": "float", "high": "float", "maybe": "group", "name": "text",
        "items": "list", "on": "bool",
    }  # fmt: skip
    assert found["kind"].choices == ("plain", "fancy")
    assert found["maybe"].optional


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kind", "one of plain, fancy"),
        ("inner.depth", "whole number, 1 ≤ x, a multiple of 1"),
        ("maybe", "table of settings, or nothing"),
        ("name", "text, matching ^[a-z]$"),
        ("items", "list of whole numbers, at least 1 long"),
        ("on", "true or false"),
    ],
)
def test_what_is_allowed_is_said_in_words(name, words):
    assert next(each.allowed() for each in settings_of(Outer) if each.name == name) == words


def test_a_setting_without_help_is_refused():
    with pytest.raises(TypeError, match="describe in one sentence what the setting does"):
        setting(1, help=" ")


@pytest.mark.parametrize(
    ("given", "field", "value", "allowed"),
    [
        ({"low": 2}, "architecture.low", "2", "number, 0 ≤ x ≤ 1"),
        ({"low": "much"}, "architecture.low", "'much'", "number, 0 ≤ x ≤ 1"),
        ({"low": float("nan")}, "architecture.low", "nan", "number, 0 ≤ x ≤ 1"),
        ({"kind": "odd"}, "architecture.kind", "'odd'", "one of plain, fancy"),
        ({"inner": {"rate": 0}}, "architecture.inner.rate", "0", "number, 0 < x ≤ 1"),
        ({"maybe": {"rate": 0}}, "architecture.maybe.rate", "0", "number, 0 < x ≤ 1"),
        ({"inner": {"speed": 1}}, "architecture.inner.speed", None, "rate, depth"),
        ({"items": [1, "x"]}, "architecture.items.1", "'x'", "list of whole numbers, at least 1 long"),
    ],
)
def test_a_value_that_is_not_allowed_is_a_problem_with_field_value_and_bounds(given, field, value, allowed):
    problem = problem_of(Outer.read, given, field="architecture")
    assert (problem.field, problem.value, problem.allowed) == (field, value, allowed)


def test_a_rule_of_the_whole_config_speaks_for_itself():
    problem = problem_of(Outer.read, {"low": 0.9}, field="architecture")
    assert (problem.field, problem.what) == ("architecture", "low must not be above high")


def test_an_unknown_setting_is_met_with_the_nearest_name():
    problem = problem_of(Outer.read, {"hihg": 1})
    assert (problem.field, problem.what, problem.remedy) == (
        "settings.hihg", "there is no such setting", "Did you mean high?"
    )  # fmt: skip


def test_a_required_setting_that_is_missing_is_named():
    class Needs(ModelConfig):
        size: int = setting(ge=1, help="A size.")

    problem = problem_of(Needs.read, {})
    assert (problem.field, problem.what, problem.allowed) == ("settings.size", "is missing", "whole number, 1 ≤ x")


def test_two_configs_share_no_default():
    one, other = Outer(), Outer()
    one.inner.rate = 0.25
    one.items.append(2)
    assert (other.inner.rate, other.items) == (0.5, [1])


def test_a_live_setting_changes_also_in_a_nested_config():
    config = Outer()
    config.change("inner.rate", 0.75)
    config.change("high", 0.625)
    assert (config.inner.rate, config.high) == (0.75, 0.625)


def test_a_change_keeps_the_nested_config_that_parts_of_a_model_hold():
    config = Outer()
    held = config.inner
    config.change("high", 0.75)
    config.change("inner.rate", 0.25)
    assert held is config.inner
    assert held.rate == 0.25


def test_a_setting_that_is_not_live_cannot_change():
    problem = problem_of(Outer().change, "kind", "fancy", field="architecture")
    assert problem.field == "architecture.kind"
    assert problem.allowed == "the live fields: inner.rate, low, high, maybe.rate"


@pytest.mark.parametrize(("name", "value"), [("high", 0.05), ("high", 3), ("inner.rate", 2), ("low", "x")])
def test_a_refused_change_changes_nothing(name, value):
    config = Outer()
    problem = problem_of(config.change, name, value)
    assert problem.what
    assert config == Outer()


@pytest.mark.parametrize(
    ("name", "field", "allowed"),
    [
        ("inner.speed", "settings.inner.speed", "rate, depth"),
        ("maybe.rate", "settings.maybe", "inner"),
        ("inner.rate.x", "settings.inner.rate", "none"),
        ("other.rate", "settings.other", "inner"),
    ],
)
def test_a_change_of_what_is_not_there_names_where_the_path_ends(name, field, allowed):
    problem = problem_of(Outer().change, name, 1)
    assert (problem.field, problem.allowed) == (field, allowed)


class Renamed(ModelConfig):
    version: ClassVar[int] = 2
    size: int = setting(8, ge=1, help="A size.")

    @classmethod
    def migrate(cls, settings, version):
        assert version == 1
        return {"size" if name == "width" else name: value for name, value in settings.items()}


def test_settings_of_an_older_version_are_migrated():
    assert Renamed.read({"width": 3}, version=1).size == 3
    assert Renamed.read({"size": 3}, version=2).size == 3
    assert problem_of(Renamed.read, {"width": 3}, version=2).field == "settings.width"


def test_settings_of_a_newer_version_ask_for_an_update():
    problem = problem_of(Renamed.read, {}, version=3, field="architecture")
    assert problem.field == "architecture.version"
    assert "version (3; this one reads up to 2)" in problem.what
    assert problem.remedy == "Update the lab or the plugin it belongs to"


def test_what_a_stack_reads_is_documented_and_only_its_dropouts_are_live():
    assert [each.name for each in settings_of(StackConfig) if each.live] == ["dropout", "layer_dropout"]
    assert all(each.help.endswith(".") for each in settings_of(StackConfig))


class Nested(ModelConfig):
    version = 2

    length: int = setting(64, ge=1, help="A length.")

    @classmethod
    def migrate(cls, settings, version):
        assert version == 1
        return {"length": settings.pop("reach", 64)}


class Around(ModelConfig):
    version = 3

    nested: Nested = setting(Nested(), help="Nested.")
    maybe: Nested | None = setting(None, help="May be left out.")


def test_nested_settings_are_stored_with_their_own_version_and_read_back():
    config = Around.read({"nested": {"length": 5}})
    assert config.stored() == {"nested": {"version": 2, "length": 5}}
    assert Around.read(config.stored(), version=3) == config


@pytest.mark.parametrize("name", ["nested", "maybe"])
def test_older_nested_settings_are_migrated_by_their_own_config(name):
    config = Around.read({name: {"version": 1, "reach": 7}}, version=3)
    assert getattr(config, name).length == 7


@pytest.mark.parametrize("version", [3, 0, True, "1"])
def test_a_nested_version_that_cannot_be_read_is_refused_with_its_place(version):
    problem = problem_of(Around.read, {"nested": {"version": version}}, field="architecture")
    assert problem.field == "architecture.nested.version"


def test_a_default_that_recipes_could_not_tell_from_none_is_refused():
    with pytest.raises(TypeError, match=r"limit may be None and has the default 5.*Make None the default"):

        class Limited(ModelConfig):
            limit: int | None = setting(5, help="A limit.")


@pytest.mark.parametrize("name", ["low", "inner.depth"])
def test_true_is_no_number(name):
    settings = {"low": True} if name == "low" else {"inner": {"depth": True}}
    problem = problem_of(Outer.read, settings, field="")
    assert (problem.field, problem.value) == (name, "True")
    assert "number" in str(problem.allowed)
    config = Outer()
    with pytest.raises(ValueError, match="is not allowed"):
        config.low = True
    assert Outer(on=True).on


def test_a_number_in_place_of_text_is_refused_with_a_hint_at_quotes():
    assert problem_of(Outer.read, {"name": 2024}).remedy == 'Put it in quotes: "2024"'


def test_a_rule_between_the_fields_of_a_nested_config_speaks_for_itself():
    class Inner(ModelConfig):
        low: int = setting(1, help="Low.")
        high: int = setting(2, help="High.")

        @model_validator(mode="after")
        def rule(self):
            if self.low > self.high:
                raise ValueError("low stands above high")
            return self

    class Outer(ModelConfig):
        inner: Inner = setting(Inner(), help="Inner.")

    with pytest.raises(BadInput) as refused:
        Outer.read({"inner": {"low": 5}}, field="architecture")
    assert refused.value.problem == Problem("low stands above high", field="architecture.inner")


class Gru(ModelConfig):
    version: ClassVar[int] = 2

    kind: Literal["gru"] = setting("gru", help="Recurrent.")
    size: int = setting(8, ge=1, help="Units.")

    @classmethod
    def migrate(cls, settings, version):
        assert version == 1
        return {"size" if name == "units" else name: value for name, value in settings.items()}


class Conv(ModelConfig):
    kind: Literal["conv"] = setting("conv", help="Convolution.")
    low: float = setting(0.25, ge=0, le=1, live=True, help="Lower end.")
    high: float = setting(0.5, ge=0, le=1, help="Upper end.")

    @model_validator(mode="after")
    def _in_order(self):
        if self.low > self.high:
            raise ValueError("low must not be above high")
        return self


class OneOfTwo(ModelConfig):
    mixer: Gru | Conv = setting(Gru(), help="What mixes.")
    other: Annotated[Gru | Conv, Field(discriminator="kind")] | None = setting(None, help="May be left out.")
    shares: list[float] = setting([0.5], help="Shares.")


class OneOfTwoAndMore(OneOfTwo):
    depth: int = setting(1, help="A depth.")


def test_a_union_lists_its_kinds_and_a_list_the_type_of_its_items():
    found = {each.name: each for each in settings_of(OneOfTwo)}
    assert list(found) == ["mixer", "other", "shares"]
    assert found["mixer"].kind == found["other"].kind == "union"
    assert found["mixer"].variants == found["other"].variants == {"gru": Gru, "conv": Conv}
    assert (found["mixer"].optional, found["other"].optional) == (False, True)
    assert found["shares"].element == "float"
    assert found["shares"].allowed() == "list of numbers"
    assert found["mixer"].allowed() == "table of settings, with kind = one of gru, conv"


@pytest.mark.parametrize("config", [OneOfTwo, OneOfTwoAndMore])
@pytest.mark.parametrize("name", ["mixer", "other"])
def test_a_union_is_read_by_its_kind_and_stored_with_the_version_of_its_variant(config, name):
    read = config.read({name: {"kind": "conv", "high": 1}})
    assert getattr(read, name) == Conv(high=1)
    assert read.stored()[name] == {"version": 1, "kind": "conv", "low": 0.25, "high": 1.0}
    assert config.read(read.stored()) == read


def test_older_settings_of_a_variant_are_migrated_by_the_variant():
    assert OneOfTwo.read({"mixer": {"version": 1, "kind": "gru", "units": 3}}).mixer == Gru(size=3)


@pytest.mark.parametrize("config", [OneOfTwo, OneOfTwoAndMore])
@pytest.mark.parametrize(
    ("given", "field", "value", "allowed"),
    [
        ({"kind": "conv", "low": 2}, "a.mixer.low", "2", "number, 0 ≤ x ≤ 1"),
        ({"kind": "odd"}, "a.mixer.kind", "'odd'", "one of gru, conv"),
        ({"size": 3}, "a.mixer.kind", None, "one of gru, conv"),
        ({"kind": "conv", "size": 3}, "a.mixer.size", None, "kind, low, high"),
        ({"kind": "conv", "low": 0.75}, "a.mixer", None, None),
        ("conv", "a.mixer", "'conv'", "table of settings, with kind = one of gru, conv"),
    ],
)
def test_a_problem_in_a_union_names_its_field_without_the_variant(config, given, field, value, allowed):
    problem = problem_of(config.read, {"mixer": given}, field="a")
    assert (problem.field, problem.value, problem.allowed) == (field, value, allowed)


def test_a_live_setting_of_the_chosen_variant_changes():
    config = OneOfTwo(mixer=Conv())
    config.change("mixer.low", 0.375)
    assert config.mixer == Conv(low=0.375)
