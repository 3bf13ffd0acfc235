"""Durations and times are rounded as people say them."""

import pytest

from lab.shell.home.texts import duration_note, time_since
from lab.widgets.core.i18n import about_duration

NOON = 1_772_971_200.0  # 2026-03-08 12:00 UTC


def test_a_measured_duration_is_told_from_an_estimate():
    assert duration_note(None) == ""
    assert duration_note((33.0, True)) == "30 s on this machine"
    assert duration_note((33.0, False)) == "≈ 30 s on this machine"


@pytest.mark.parametrize(
    ("seconds", "text"), [(3, "5 s"), (22, "20 s"), (81, "80 s"), (110, "2 min"), (600, "10 min"), (4200, "1 h 10 min")]
)
def test_durations_are_rounded(seconds, text):
    assert about_duration(seconds) == text


@pytest.mark.parametrize(
    ("created", "text"),
    [
        ("2026-03-08T11:59:30", "just now"),
        ("2026-03-08T11:30:00", "30 min ago"),
        ("2026-03-08T09:00:00+00:00", "3 h ago"),
        ("2026-03-07T10:00:00", "yesterday"),
        ("2026-03-03T12:00:00", "5 days ago"),
        ("2025-12-01T12:00:00", "1 Dec 2025"),
        ("", ""),
        ("nonsense", ""),
    ],
)
def test_the_time_since_a_run_is_short_and_rounded(created, text):
    assert time_since(created, NOON) == text


def test_the_month_is_that_of_the_language(german):
    assert time_since("2025-12-01T12:00:00", NOON) == "1. Dez. 2025"
