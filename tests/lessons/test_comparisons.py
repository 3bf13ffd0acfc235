"""The comparisons of measured quantities."""

import math

import pytest

from lab.lessons.comparisons import NotComparable, parse_comparison, parse_term

VALUES = {
    "loss": {"1": 3.1, "2": 2.5, "10": 2.75},
    "pre": 2.0,
    "endless": math.inf,
    "best": {"lstm": 1.0, "gru": 0.5},
    "prediction": "lstm",
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("1 < 2", True),
        ("1 < 2 < 2", False),
        ("pre = 2", True),
        ("pre - 0.5 * 2 + 1 = 2", True),
        ("-pre < 0", True),
        ("(1 + 2) * 2 = 6", True),
        ("argmin(loss) = 2", True),
        ("argmax(loss) = 1", True),
        ("loss[2] < loss[10] < loss[1]", True),
        ("loss[10.0] >= 2.75", True),
        ("min(loss) = 2.5", True),
        ("last(loss) = 2.75", True),
        ("mean(best) = 0.75", True),
        ("abs(pre - 5) <= 3", True),
        ("exp(ln(pre)) = pre", True),
        ("sqrt(pre * pre) != pre", False),
        ("infinite(endless) = 1", True),
        ("prediction = argmax(best)", True),
        ('argmin(best) = "gru"', True),
        ("1 / 0 < 1", False),
        ("ln(0 - 1) = 1", False),
    ],
)
def test_a_comparison_is_decided_by_the_measured_quantities(text, holds):
    assert parse_comparison(text).holds(VALUES) is holds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("loss", "compares nothing"),
        ("1 <", "a term is missing at the end"),
        ("__import__('os')", "cannot be read"),
        ("open(1) = 1", "there is no function open"),
        ("1 < 2 3", "cannot be read from '3'"),
        ("(1 < 2", ") is missing"),
        ("<" * 400, "longer than 300"),
        ("(" * 30 + "1" + ")" * 30 + " = 1", "brackets inside one another"),
        ("-" * 60 + "1 = 1", "brackets inside one another"),
    ],
)
def test_what_is_no_comparison_is_refused_with_a_reason(text, says):
    with pytest.raises(NotComparable, match=r".") as refused:
        parse_comparison(text)
    assert says in str(refused.value)


@pytest.mark.parametrize("text", ["missing = 1", "loss < 1", "pre[1] = 1", "loss[7] = 1", "min(pre) = 1"])
def test_a_quantity_of_another_form_is_an_error_and_not_a_failure(text):
    with pytest.raises(NotComparable):
        parse_comparison(text).holds(VALUES)


def test_a_term_has_the_value_of_what_it_names():
    assert parse_term("argmin(best)").value(VALUES) == "gru"
    assert parse_comparison("loss[1] < pre").names == {"loss", "pre"}
