"""The values of a form's fields: how they are formatted and parsed, slider positions, and step sizes."""

import pytest
from pydantic import create_model

from lab.api import ModelConfig, setting, settings_of
from lab.widgets.forms.values import shown, slider_values, stepped, typed


def setting_of(kind, default, **given):
    made = create_model("Made", __base__=ModelConfig, x=(kind, setting(default, help="A value.", **given)))
    return next(settings_of(made))


@pytest.mark.parametrize(
    ("kind", "default", "bounds", "first", "last"),
    [
        (int, 4, {"ge": 1, "le": 9}, 1, 9),
        (int, 4, {"gt": 1, "lt": 9}, 2, 8),
        (int, 4, {"ge": 0, "le": 90, "multiple_of": 4}, 0, 88),
        (float, 0.5, {"gt": 0, "lt": 1}, 0.01, 0.99),
        (float, 1e-3, {"gt": 0, "le": 10, "log": True}, 1e-6, 10),
        (int, 4, {"ge": 1, "le": 1000}, 1, 1000),
        (int, 100, {"ge": 0, "log": True}, 0, 100_000),
    ],
)
def test_a_slider_covers_the_allowed_range(kind, default, bounds, first, last):
    values = slider_values(setting_of(kind, default, **bounds))
    assert (values[0], values[-1]) == (first, last)
    assert list(values) == sorted(values)


@pytest.mark.parametrize(
    ("kind", "bounds"),
    [(int, {}), (int, {"ge": 0}), (int, {"ge": 0, "lt": 2**63}), (float, {"ge": -1e6, "le": 1e6}), (float, {"gt": 0})],
)
def test_a_useless_slider_is_not_shown(kind, bounds):
    assert slider_values(setting_of(kind, 1, **bounds)) == ()


def test_a_slider_over_a_wide_range_is_logarithmic():
    values = slider_values(setting_of(int, 4, ge=1, le=1000))
    assert values[len(values) // 2] == pytest.approx(32, rel=0.1)


@pytest.mark.parametrize(
    ("value", "words"), [(0.001, "0.001"), (1e-5, "1e-5"), (10_000.0, "10000"), (1e6, "1e6"), (1 / 3, repr(1 / 3))]
)
def test_a_number_is_shown_short_and_reads_back_unchanged(value, words):
    float_setting = setting_of(float, 1.0)
    assert shown(float_setting, value) == words
    assert float(typed(float_setting, words)) == value


def test_a_step_stays_within_the_bounds():
    share = setting_of(float, 0.5, ge=0, lt=1)
    assert [stepped(share, 0.0, -1), stepped(share, 0.99, 1), stepped(share, 0.95, 1, far=True)] == [0, 0.99, 0.95]


@pytest.mark.parametrize("value", ["", " ", "\r", "\t\n", '"', "a b"])
def test_an_optional_text_reads_back_as_shown(value):
    optional = setting_of(str | None, None)
    assert typed(optional, shown(optional, value)) == value
