"""What the tests of texts share."""

import importlib

import pytest


@pytest.fixture(scope="session")
def datasets():
    """The library of data sets, whose import takes seconds."""
    return importlib.import_module("datasets")
