"""Everything that the window can show is complete, legible, named and in order, in every theme, at scale 1 and 2."""

import pytest
from checks import CHECKS

SCREENS = [("dark", 1, "en"), ("dark", 2, "en"), ("light", 1, "de"), ("light", 2, "en"), ("contrast", 1, "en")]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("theme", "scale"), [("dark", 1), pytest.param("light", 2, marks=pytest.mark.long)])
def test_in_the_smallest_window(survey, theme, scale):  # one test: every process would make the survey anew
    found = survey(theme, scale, "short")["faults"]
    faults = [f"{check}: {fault}" for check in CHECKS for fault in found[check]]
    assert not faults, "\n".join(faults)


@pytest.mark.long
@pytest.mark.timeout(660)
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("theme", "scale", "language"), SCREENS)
def test_in_every_window_with_every_form_and_reading(survey, theme, scale, language, check):
    faults = survey(theme, scale, language)["faults"][check]
    assert not faults, "\n".join(faults)


@pytest.mark.long
@pytest.mark.timeout(660)
def test_there_is_no_widget_of_the_lab_that_was_not_seen(survey):
    assert survey("dark", 1, "en")["missing"] == []
