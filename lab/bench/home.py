"""A temporary home for a benchmark, so that the user's settings and runs are not touched."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.base.system import profile


@contextmanager
def temporary_home() -> Iterator[Path]:
    """Let the lab store its files in a temporary folder inside the context, in the full profile on any machine."""
    before = os.environ.get("LAB_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LAB_HOME"] = folder
        try:
            profile.select("full")  # a slow machine would become light in the middle of a measurement
            yield Path(folder)
        finally:
            os.environ.pop("LAB_HOME")
            if before is not None:
                os.environ["LAB_HOME"] = before
