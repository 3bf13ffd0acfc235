"""The stated truth of a source is reached by a model that can represent it, as `lm-lab bench sources` reports."""

import pytest

from lab.bench.models.sources import PREFIX, WITHIN, sources
from lab.recipes import shipped_names

SOURCES = [name.removeprefix(PREFIX) for name in shipped_names() if name.startswith(PREFIX)]


@pytest.fixture(scope="module")
def reported():
    return sources(print)


@pytest.mark.long
@pytest.mark.timeout(3600)  # the first one trains all of them
@pytest.mark.parametrize("name", SOURCES)
def test_a_model_that_can_represent_a_source_comes_within_a_hundredth_of_a_nat(reported, name):
    found = reported[name]
    assert abs(found["difference"]) <= WITHIN, found
    assert found.get("standard_error", 0) < WITHIN / 4  # a lucky sample would be no proof
    assert found.get("accuracy", 1) > 0.99
