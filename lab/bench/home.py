"""A home for a benchmark: a person's settings and runs stay as they are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def home_of_its_own() -> Iterator[Path]:
    """Inside, the lab keeps its files in a folder that is gone afterwards."""
    before = os.environ.get("LAB_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LAB_HOME"] = folder
        try:
            yield Path(folder)
        finally:
            os.environ.pop("LAB_HOME")
            if before is not None:
                os.environ["LAB_HOME"] = before
