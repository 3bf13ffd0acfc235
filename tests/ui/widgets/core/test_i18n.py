"""Texts of the window: placeholders, and the singular of counts."""

import pytest

from lab.widgets.core.i18n import tr, tr_count


def test_a_text_takes_its_values():
    assert tr("step {n} of {all}", n=3, all=8) == "step 3 of 8"


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 runs of a"), (1, "1 run of a"), (2, "2 runs of a"), (1200, "1,200 runs of a")]
)
def test_a_count_has_a_singular_and_a_plural(n, text):
    assert tr_count("1 run of {name}", "{n} runs of {name}", n, name="a") == text
