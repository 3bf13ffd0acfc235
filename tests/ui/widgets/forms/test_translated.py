"""Settings with their texts in the language of the window."""

from typing import Literal

from lab.api import ModelConfig, setting, settings_of
from lab.widgets.forms.row_parts import Field
from lab.widgets.forms.rows import format_for
from lab.widgets.forms.translated import translated
from lab.widgets.forms.values import typed


class Config(ModelConfig):
    parallel: Literal["no", "one-norm", "bfloat16"] = setting(
        "no", help="Parallel.", names={"one-norm": "One norm for both"}
    )


class Rate(ModelConfig):
    rate: float = setting(0.002, help="Rate.", gt=0, le=1, log=True)


def test_values_that_are_words_have_names_in_the_language_of_the_window(german):
    (parallel,) = translated(Config)
    assert parallel.names == {"no": "nein", "one-norm": "One norm for both"}


def test_a_field_shows_a_number_as_the_language_writes_it_and_takes_both_forms(german, qtbot):
    (rate,) = settings_of(Rate)
    field = Field(rate)
    qtbot.addWidget(field)
    field.show_value(0.002)
    assert field.text() == "0,002"
    assert (typed(rate, "0,05"), typed(rate, "0.05")) == (0.05, 0.05)
    field.step(1, far=True)
    assert field.text() == "0,004"
    assert format_for(rate, 0.002) == "0,002"


def test_in_english_a_comma_is_no_decimal_point():
    (rate,) = settings_of(Rate)
    assert typed(rate, "0,05") == "0,05"


def test_in_english_values_are_shown_as_recipes_write_them():
    (parallel,) = translated(Config)
    assert parallel.names == {"one-norm": "One norm for both"}
