"""A temporary home for a benchmark, so that your settings and runs are not touched."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def home_of_its_own() -> Iterator[Path]:
    """Inside, let the lab store its files in a temporary folder."""
    before = os.environ.get("LAB_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LAB_HOME"] = folder
        try:
            yield Path(folder)
        finally:
            os.environ.pop("LAB_HOME")
            if before is not None:
                os.environ["LAB_HOME"] = before
