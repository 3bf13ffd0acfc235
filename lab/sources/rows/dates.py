"""Pairs of a date as people write it and the same date in ISO 8601."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from lab.api import ENTROPY_RATE, Pairs, setting
from lab.sources.rows.draws import Choices, PairsConfig, distinct

_MONTHS = "January February March April May June July August September October November December"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"


class DatesConfig(PairsConfig):
    """The years of the dates."""

    first_year: int = setting(1950, ge=1, le=9900, help="First year of the dates.")
    years: int = setting(
        100,
        ge=1,
        le=100,
        unit="years",
        help="Years from the first one on; at most 100, so that the last two digits determine a year.",
    )


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number // 10 != 1 else "th"
    return f"{number}{ending}"


SPELLINGS: tuple[Callable[[datetime.date, str, str, str], str], ...] = (
    lambda date, year, month, _: f"{date.day} {month} {year}",
    lambda date, year, month, _: f"{month} {date.day}, {year}",
    lambda date, year, month, _: f"the {_ordinal(date.day)} of {month} {year}",
    lambda date, year, month, _: f"{month[:3]} {date.day} {year}",
    lambda date, year, month, _: f"{date.day:02}-{month[:3]}-{year[2:]}",
    lambda date, year, month, day: f"{day}, {date.day} {month} {year}",
    lambda date, year, month, day: f"{day[:3]} {month[:3]} {date.day:02} {year}",
    lambda date, year, *_: f"{date.day}.{date.month}.{year}",
    lambda date, year, *_: f"{date.day:02}.{date.month:02}.{year[2:]}",
    lambda date, year, *_: f"{date.month}/{date.day}/{year}",
    lambda date, year, *_: f"{date.month:02}/{date.day:02}/{year[2:]}",
    lambda date, year, *_: f"{year}{date.month:02}{date.day:02}",
    lambda date, year, *_: f"{year} {date.month:02} {date.day:02}",
    lambda date, year, month, _: f"{month.upper()} {_ordinal(date.day)} {year}",
)
"""The spellings: (date, its year in four digits, its month, its weekday) -> text.

Points stand between day, month and year, slashes between month, day and year, so no spelling means two dates.
"""


def dates(config: DatesConfig) -> Pairs:
    """Return dates in many spellings, each with its form in ISO 8601, which the spelling determines.

    Raises:
        BadInput: There are not so many different spellings of the dates of these years.
    """
    first = datetime.date(config.first_year, 1, 1).toordinal()
    count = datetime.date(config.first_year + config.years - 1, 12, 31).toordinal() - first + 1

    months, days = _MONTHS.split(), _DAYS.split()

    def pair(row: Choices) -> tuple[str, str]:
        date = datetime.date.fromordinal(first + row.below(count))
        spelling = row.one_of(SPELLINGS)
        return spelling(date, f"{date.year:04}", months[date.month - 1], days[date.weekday()]), date.isoformat()

    pairs = distinct(config, config.rows, 0, pair, 2)
    sources, targets = zip(*pairs, strict=True)
    return Pairs("dates", config.prefixed(sources), list(targets), floors={ENTROPY_RATE: 0.0})
