"""What is refused before a model is built, because this machine cannot hold it."""

import psutil
import pytest

from lab.base import BadInput
from lab.recipes import Recipe
from lab.workbench.preflight import check_batch, check_memory


@pytest.fixture(autouse=True)
def a_gigabyte_is_free(monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: type("Memory", (), {"available": 2**30})())


def test_weights_gradients_and_means_must_fit_into_what_is_free():
    check_memory(2**26, "cpu")
    with pytest.raises(BadInput) as refused:
        check_memory(2**26 + 1, "cpu")
    assert refused.value.problem.field == "architecture"


def test_a_batch_must_fit_with_its_logits():
    huge = Recipe().with_assignments("training.batch_size=65536", "training.context_length=1024").training
    with pytest.raises(BadInput) as refused:
        check_batch(huge, 65)
    assert refused.value.problem.field == "training.batch_size"


def test_pieces_of_a_batch_need_no_more_logits_than_one_of_them():
    whole = Recipe().with_assignments("training.batch_size=4096", "training.context_length=1024").training
    with pytest.raises(BadInput):
        check_batch(whole, 65)
    check_batch(whole.model_copy(update={"accumulation": 64}), 65)
