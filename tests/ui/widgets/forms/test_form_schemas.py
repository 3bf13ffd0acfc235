"""The form over random schemas: every value survives form, recipe and TOML; entered values arrive and are valid."""

import copy
import itertools
import tomllib
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest
import tomli_w
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic import Field, create_model
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest

from lab.api import ModelConfig, setting
from lab.widgets.forms.form import Form
from lab.widgets.forms.row_parts import Choice, Switch
from lab.widgets.forms.row_parts import Field as TextField
from lab.widgets.forms.rows import Knob
from lab.widgets.forms.values import shown, typed

numbers = itertools.count()
FINITE = {"allow_nan": False, "allow_infinity": False}


@dataclass
class Spec:
    """One field of a random schema: its annotation, its declaration and its valid values."""

    annotation: Any
    values: st.SearchStrategy
    given: dict = field(default_factory=dict)
    groups: dict = field(default_factory=dict)  # specs of a nested config by its kind; "" for a group


def integers():
    low, high = st.integers(-50, 5), st.integers(6, 5000)
    return st.one_of(
        st.builds(lambda: Spec(int, st.integers(-(2**62), 2**62))),
        st.builds(lambda a, b: Spec(int, st.integers(a, b), {"ge": a, "le": b}), low, high),
        st.builds(lambda a, b: Spec(int, st.integers(a + 1, b), {"gt": a, "lt": b + 1}), low, high),
        st.builds(lambda m: Spec(int, st.integers(1, 90).map(lambda n: n * m), {"ge": m, "multiple_of": m}), high),
        st.just(Spec(int, st.integers(1, 65536), {"ge": 1, "le": 65536, "log": True})),
    )


def floats():
    def between(low, high, **rules):
        return Spec(float, st.floats(low, high, exclude_min="gt" in rules, exclude_max="lt" in rules, **FINITE), rules)

    return st.sampled_from(
        [
            Spec(float, st.floats(**FINITE)),
            between(0, 1, ge=0, le=1),
            between(0, 1, gt=0, lt=1),
            between(-3, 1e6, ge=-3, le=1e6),
            between(1e-6, 10, ge=1e-6, le=10, log=True),
            between(0, 100, gt=0, le=100, log=True),
        ]
    )


def texts():
    characters = st.characters(exclude_categories=["Cs"])
    return st.sampled_from(
        [
            Spec(str, st.text(characters, max_size=12)),
            Spec(str, st.text(characters, min_size=1, max_size=5), {"min_length": 1, "max_length": 5}),
            Spec(str, st.from_regex(r"\A[ab]+c?\Z"), {"pattern": r"^[ab]+c?$"}),
        ]
    )


def choices():
    words = st.lists(st.sampled_from(["plain", "root_mean_square", "a b", 1, 2, "1"]), min_size=1, unique_by=str)
    return words.map(lambda found: Spec(Literal[tuple(found)], st.sampled_from(found)))


def lists():
    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    elements = [(int, st.integers(-(10**9), 10**9)), (float, st.floats(**FINITE)), (str, words)]
    return st.sampled_from([Spec(list[kind], st.lists(values, max_size=4)) for kind, values in elements])


def leaves():
    switches = st.just(Spec(bool, st.booleans()))
    return st.one_of(integers(), floats(), texts(), choices(), lists(), switches)


@st.composite
def configs(draw, depth=2, kind=None):
    """Draw (config, its specs by name)."""
    specs = {}
    for place in range(draw(st.integers(1, 4))):
        nested = depth and draw(st.integers(0, 3)) == 0
        spec = draw(tables(depth - 1) if nested else leaves())
        if draw(st.integers(0, 4)) == 0:
            spec = Spec(spec.annotation | None, st.none() | spec.values, spec.given, spec.groups)
        specs[f"field_{place}"] = spec
    fields = {}
    for name, spec in specs.items():
        optional = type(None) in getattr(spec.annotation, "__args__", ())
        default = None if optional else draw(spec.values)
        rest = {"unit": "units"} if draw(st.booleans()) else {"live": True}
        fields[name] = (spec.annotation, setting(default, help="What it does.", **spec.given, **rest))
    if kind:
        fields = {"kind": (Literal[kind], setting(kind, help="Which it is."))} | fields
    return create_model(f"Random{next(numbers)}", __base__=ModelConfig, **fields), specs


@st.composite
def tables(draw, depth):
    """Draw a nested group or a union of two configs."""
    if draw(st.booleans()):
        config, specs = draw(configs(depth))
        return Spec(config, made(config, specs), groups={"": specs})
    (one, specs), (other, other_specs) = draw(configs(depth, "one")), draw(configs(depth, "other"))
    either = one | other
    if draw(st.booleans()):
        either = Annotated[either, Field(discriminator="kind")]
    values = st.one_of(made(one, specs), made(other, other_specs))
    return Spec(either, values, groups={"one": specs, "other": other_specs})


def made(config, specs):
    """Configs with valid values."""
    return st.fixed_dictionaries({name: spec.values for name, spec in specs.items()}).map(lambda given: config(**given))


def leaves_of(specs, table, at=""):
    """Yield (path, spec) of every field that the form shows for stored values."""
    for name, spec in specs.items():
        value = table.get(name)
        if not spec.groups:
            yield at + name, spec
        elif value is not None:
            yield from leaves_of(spec.groups[value.get("kind", "")], value, f"{at}{name}.")


def at(table, path):
    for part in path.split("."):
        table = table.get(part)
    return table


def put(table, path, value):
    *above, last = path.split(".")
    inner = at(table, ".".join(above)) if above else table
    if value is None:
        inner.pop(last, None)
    else:
        inner[last] = value


def enter(knob, value):
    """Enter a value the way a person does."""
    control = knob.control
    if isinstance(control, Switch):
        if control.isChecked() != value:
            QTest.keyClick(control, Qt.Key.Key_Space)
    elif isinstance(control, Choice):
        place = [(type(option), option) for option in control.options].index((type(value), value))
        control.setCurrentIndex(place)
        control.activated.emit(place)
    else:
        words = shown(knob.setting, value)
        control.selectAll()
        if words.isascii() and words.isprintable() and words:
            QTest.keyClicks(control, words)
        else:
            control.setText(words)
        QTest.keyClick(control, Qt.Key.Key_Return)


def forget(*forms):
    for form in forms:
        form.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def survives(drawn, data):
    config, specs = drawn
    given = data.draw(made(config, specs))
    one, other = Form(config, prefix="x"), Form(config)
    try:
        one.show_values(given.stored(), config().stored())
        table = tomllib.loads(tomli_w.dumps(one.values()))
        other.show_values(table, {})
        assert other.values() == given.stored()
        assert config.read(other.values()) == given
        knobs = {knob.setting.name: knob for knob in other.findChildren(Knob)}
        assert {path for path, _ in leaves_of(specs, table)} <= set(knobs)
        for path, knob in knobs.items():
            if isinstance(knob.control, TextField):
                assert typed(knob.setting, knob.control.text()) == at(given.stored(), path)
            assert not knob.control.is_changed
    finally:
        forget(one, other)


def arrives(drawn, data):
    config, specs = drawn
    given = data.draw(made(config, specs)).stored()
    form, reported = Form(config), []
    form.edited.connect(lambda path, value: reported.append((path, value)))
    try:
        form.show_values(given, {})
        knobs = {knob.setting.name: knob for knob in form.findChildren(Knob)}
        expected = copy.deepcopy(given)
        for path, spec in leaves_of(specs, given):
            value, before = data.draw(spec.values), at(given, path)
            reported.clear()
            enter(knobs[path], value)
            assert form.problems == {}
            assert reported == ([(path, value)] if value != before else [])
            put(expected, path, value)
        assert form.values() == expected
        config.read(form.values())
    finally:
        forget(form)


def over(count):
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    return settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=checks,
        phases=[Phase.generate, Phase.shrink],
    )


@over(8)
@given(configs(), st.data())
def test_every_value_of_eight_random_schemas_survives_form_recipe_and_form(qapp, drawn, data):
    survives(drawn, data)


@pytest.mark.long
@over(200)
@given(configs(), st.data())
def test_every_value_of_200_random_schemas_survives_form_recipe_and_form(qapp, drawn, data):
    survives(drawn, data)


@over(8)
@given(configs(), st.data())
def test_entries_in_eight_random_forms_arrive_and_are_valid(qapp, drawn, data):
    arrives(drawn, data)


@pytest.mark.long
@over(200)
@given(configs(), st.data())
def test_entries_in_200_random_forms_arrive_and_are_valid(qapp, drawn, data):
    arrives(drawn, data)
