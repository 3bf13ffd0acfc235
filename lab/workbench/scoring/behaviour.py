"""The tests of what a run does with texts, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lab.api import BadInput
from lab.workbench.scoring.outcome import Outcome
from lab.workbench.scoring.reach_tests import copying, loss_by_context, needle
from lab.workbench.scoring.sentence_tests import arithmetic, cloze, minimal_pairs, prompts

if TYPE_CHECKING:
    from lab.workbench.access.model_access import ModelAccess

OF_MODEL = {"context": loss_by_context, "copying": copying, "needle": needle, "arithmetic": arithmetic}
"""The tests that need nothing but the run."""
OF_FILE = {"pairs": minimal_pairs, "cloze": cloze, "prompts": prompts}
"""The tests that read a file of one JSON object a line."""
TESTS = (*OF_MODEL, *OF_FILE)
"""The names of all tests."""


def behave(
    access: ModelAccess,
    test: str,
    file: Path | None = None,
    *,
    device: str | None = None,
    progress: Callable[[float], object] = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Test a run.

    Args:
        access: The run.
        test: One of TESTS.
        file: The file of a test of OF_FILE.
        device: Where to compute; see ModelAccess.borrow.
        progress: Called with the share that is done.
        cancelled: Called between batches; True ends it.

    Raises:
        BadInput: There is no such test, its file is missing or cannot be used, or the run cannot be tested so.
        Cancelled: It was cancelled.
        LabError: A plugin's code raised.
    """
    if test not in TESTS:
        raise BadInput("there is no such test", field="test", value=test, allowed=", ".join(TESTS))
    if (test in OF_FILE) != (file is not None):
        what = "is missing" if file is None else f"is not read by the test {test}"
        remedy = "Give a file of one JSON object a line" if file is None else "Leave it out"
        raise BadInput(what, field="file", remedy=remedy)
    with access.borrow_for_evaluation(device) as borrowed:
        if file is None:
            return OF_MODEL[test](access, borrowed, cancelled, progress)
        return OF_FILE[test](access, borrowed, file, cancelled, progress)
