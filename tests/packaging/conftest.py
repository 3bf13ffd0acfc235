"""The sources of the lab, its plugins and its packaging, parsed once for all tests that look through them."""

import ast
import gc
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("lab", "plugins", "packaging")
sys.path.insert(0, str(ROOT / "packaging"))  # where the commands of packaging/ find their modules


@pytest.fixture(scope="session")
def nodes():
    """Return the nodes of each source file by its path, in the order of `ast.walk`: the first is its module."""
    from message_texts import parsed  # the tool for translations looks through the same trees

    files = [file for part in PARTS for file in sorted((ROOT / part).rglob("*.py"))]
    gc.disable()  # trees have no cycles, and the collector would look through all of them again and again
    try:
        return {file: list(ast.walk(parsed(file))) for file in files}
    finally:
        gc.enable()
