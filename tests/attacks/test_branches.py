"""A branch from a checkpoint of others that does not fit is refused, whatever its parts raise."""

from types import SimpleNamespace

import pytest
from attacking import refusal

from lab.runs import RunFolder
from lab.workbench.launch.origins import BranchedRun


@pytest.mark.parametrize("error", [TypeError, AttributeError, KeyError, ValueError, RuntimeError])
def test_a_state_that_does_not_fit_is_refused(target, error):
    def load_state_dict(*_):
        raise error("rain")

    branch = BranchedRun(RunFolder.open(target), 3, ["training.steps=9"], None)
    problem = refusal(lambda: branch.restore(SimpleNamespace(load_state_dict=load_state_dict)))
    assert "do not fit the model" in problem.what
    assert "rain" in problem.what
