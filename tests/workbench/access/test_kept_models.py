"""A run on disk keeps the model that was asked last, for one call at a time; an untrained one finds its corpus."""

import gc
import threading
import weakref

import numpy as np
import pytest
import torch

import lab
from lab.base import BadInput, LabError
from lab.workbench import SavedRun
from lab.workbench.access.untrained import Untrained


@pytest.fixture
def loaded(monkeypatch):
    """The models that were loaded from checkpoints, as weak references."""
    model, loaded = SavedRun.model, []

    def counted(run, step=None):
        made = model(run, step)
        loaded.append(weakref.ref(made))
        return made

    monkeypatch.setattr(SavedRun, "model", counted)
    return loaded


def test_questions_one_after_another_load_the_checkpoint_once(recipe, loaded):
    run = lab.train(recipe(2))
    run.inspect("the cat")
    run.next_tokens("the ")
    list(run.generate("the ", count=3))
    with pytest.raises(BadInput):
        run.next_tokens("Ж")
    run.next_tokens("the c")
    assert len(loaded) == 1


def test_a_model_that_is_asked_for_is_never_the_one_that_is_kept(recipe):
    run = lab.train(recipe(2))
    before = run.next_tokens("the ")
    for parameter in run.model().parameters():
        parameter.data.zero_()
    assert run.next_tokens("the ") == before


def test_a_model_that_is_lent_computes_float32_without_tf32(recipe):
    run = lab.train(recipe(2))
    try:
        torch.backends.cudnn.allow_tf32 = True  # torch's default
        with run.borrow():
            assert not torch.backends.cudnn.allow_tf32
    finally:
        torch.backends.cudnn.allow_tf32 = True


def test_a_checkpoint_that_a_training_deletes_while_it_is_read_gives_way_to_the_newer_one(recipe, monkeypatch):
    run = lab.train(recipe(2))
    load, folder = SavedRun.model, run.folder

    def deleted_meanwhile(asked, step=None):
        if step == 2:
            folder.checkpoint_folder(2).rename(folder.checkpoint_folder(3))
        return load(asked, step)

    monkeypatch.setattr(SavedRun, "model", deleted_meanwhile)
    with run.borrow() as borrowed:
        assert borrowed.step == 3


def test_the_last_checkpoint_that_is_damaged_is_reported(recipe):
    run = lab.train(recipe(2))
    (run.folder.checkpoint_folder(2) / "model.safetensors").write_bytes(b"garbage")
    with pytest.raises(LabError, match="cannot be read"), run.borrow():
        pass


def test_an_inspection_during_generation_has_its_own_model(recipe, loaded):
    run = lab.train(recipe(2))
    alone = [piece.text for piece in run.generate("the ", count=8)]
    writing = run.generate("the ", count=8)
    pieces = [next(writing).text]
    run.inspect("the cat")
    assert len(loaded) == 2
    assert pieces + [piece.text for piece in writing] == alone
    run.inspect("the cat")
    assert len(loaded) == 2


def test_threads_that_ask_at_once_get_what_one_gets(recipe):
    run = lab.train(recipe(2))
    expected, found = run.next_tokens("the "), []
    threads = [threading.Thread(target=lambda: found.append(run.next_tokens("the "))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_a_model_that_is_forgotten_gives_its_memory_back_also_if_it_was_in_use(recipe, loaded):
    run = lab.train(recipe(2))
    run.inspect("the cat")
    run.forget_model()
    writing = run.generate("the ", count=3)
    next(writing)
    run.forget_model()
    list(writing)
    del writing
    gc.collect()
    assert [model() for model in loaded] == [None, None]


def test_the_untrained_model_of_a_run_on_disk_is_the_one_it_began_with(recipe):
    run = lab.train(recipe(2))
    found, recorded = Untrained(run.recipe, run._plugins, run.folder).inspect(), run.recorded(0)
    assert found.labels == recorded.labels
    kept = {(one.name, one.path, one.layer): one.values for one in recorded.readings}  # and what probes found
    assert found.readings
    for one in found.readings:
        assert np.array_equal(one.values, kept[one.name, one.path, one.layer])


def test_a_run_without_its_corpus_reports_where_to_put_it_for_the_untrained_model(recipe, text):
    run = lab.train(recipe(2))
    text.unlink()
    with pytest.raises(BadInput) as refused:
        Untrained(run.recipe, run._plugins, run.folder).inspect()
    assert refused.value.problem.field == "corpus.path"
    assert "beside the run" in refused.value.problem.remedy


def test_another_text_under_the_name_of_the_corpus_is_no_corpus_of_the_run(recipe, text):
    run = lab.train(recipe(2))
    text.write_text("quite another text. " * 200)
    with pytest.raises(BadInput, match="not the text this run was trained on"):
        Untrained(run.recipe, run._plugins, run.folder).inspect()
