"""How often tokens are drawn: often enough to see a mistake, and in the long form a hundred thousand times."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # chance is a module of the tests


@pytest.fixture(params=[500, pytest.param(100_000, marks=pytest.mark.long)])
def draws(request):
    """Number of tokens that are drawn."""
    return request.param
