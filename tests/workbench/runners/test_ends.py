"""The end of runs when something fails late: it is always reported, and nothing trained is lost."""

import pytest
import torch

from lab.base import BadInput, LabError
from lab.workbench.runners.thread_run import ActiveRun


def test_a_run_that_a_plugin_wanted_to_leave_fails_and_the_queue_continues(bench, for_ever, recipe, monkeypatch):
    from lab.training import trainer

    first = bench.start(for_ever)
    leaving, last = bench.start(recipe(3)), bench.start(recipe(1))

    def leave(self):
        raise SystemExit(0)

    monkeypatch.setattr(trainer.Trainer, "state_dict", leave)
    first.control.stop()
    for run in (leaving, last):
        with pytest.raises(LabError, match="SystemExit"):
            run.wait_out()
        assert run.state == "failed"


def test_a_run_whose_preparation_leaves_the_process_fails_and_the_queue_continues(bench, for_ever, recipe, monkeypatch):
    prepare = ActiveRun._prepare_and_train
    first = bench.start(for_ever)
    leaving, last = bench.start(recipe(3)), bench.start(recipe(1))

    def leave(self):
        if self is leaving:
            raise SystemExit(0)
        prepare(self)

    monkeypatch.setattr(ActiveRun, "_prepare_and_train", leave)
    first.control.stop()
    last.wait_out()
    assert last.state == "finished"
    with pytest.raises(LabError, match="SystemExit"):
        leaving.wait_out()
    assert leaving.state == "failed"


def test_a_training_state_that_cannot_be_kept_costs_no_weights(bench, recipe, monkeypatch):
    from lab.training.recording.checkpoints import load_training
    from lab.training.steps.gradient import GradientLearner

    state_dict = GradientLearner.state_dict
    monkeypatch.setattr(GradientLearner, "state_dict", lambda self: (state_dict(self)[0], {"optimizer": object()}))
    run = bench.start(recipe(3))
    with pytest.raises(LabError, match="not JSON serializable"):
        run.wait_out()
    assert run.problem.plugin == bench.plugins.owner("optimizers", run.recipe.training.optimizer.name)
    assert run.folder.checkpoint_steps() == [3]
    tensors, facts = load_training(run.folder.checkpoint_folder(3))
    assert tensors == {}
    assert "not JSON serializable" in facts["lacks"]
    assert facts["live"] == {"architecture": {"dropout": 0.0, "layer_dropout": 0.0}}
    saved, trained = bench.open(run.path).model().tables(), run.trainer.model.tables()
    assert all(torch.equal(saved[name], trained[name]) for name in trained)


def test_bad_input_after_the_training_has_begun_is_a_failure_and_deletes_nothing(bench, recipe, monkeypatch):
    def refuse(self, trainer, folder, problems):
        raise BadInput("too late")

    monkeypatch.setattr(ActiveRun, "_end", refuse)
    run = bench.start(recipe(3))
    with pytest.raises(LabError, match="too late") as failed:
        run.wait_out()
    assert not isinstance(failed.value, BadInput)
    assert run.folder.checkpoint_steps() == [3]
    assert run.folder.status().state == "failed"


@pytest.mark.parametrize("there", [False, True])
def test_bad_input_before_it_removes_what_the_run_made_and_no_folder_of_yours(
    bench, recipe, monkeypatch, tmp_path, there
):
    def refuse(self, several):
        raise BadInput("no such observer")

    out = tmp_path / "mine"
    if there:
        out.mkdir()
    monkeypatch.setattr(ActiveRun, "_instances", refuse)
    run = bench.start(recipe(3), out=out)
    with pytest.raises(BadInput, match="no such observer"):
        run.wait_out()
    assert run.folder is None
    assert out.exists() == there
    assert not there or not list(out.iterdir())


def test_a_model_that_wrongly_claims_to_decode_is_trained_all_the_same(bench, plugin, recipe):
    plugin(
        """
        import torch
        from lab.api import Architecture, NoSettings, hookimpl
        from lab.layers import LanguageModel

        class Mute(LanguageModel):
            reach = 8  # so that evaluations read in windows

            def __init__(self, config, task):
                super().__init__(config, task)
                self.table = torch.nn.Embedding(task.vocabulary_size, task.vocabulary_size)

            def forward(self, tokens):
                return self.table(tokens)

            def start(self, batch):
                return None

            def extend(self, tokens, state, last=None):
                raise RuntimeError("it rained")

        @hookimpl
        def lab_register_architectures(register):
            register(Architecture("mute", "Mute", "own", "Own.", config=NoSettings, build=Mute))
        """
    )
    mute = {"architecture": {"name": "mute"}, "training": {"sample_tokens": 0}}
    run = bench.start(recipe(3).with_values(mute))
    run.wait_out()
    assert (run.state, run.problem) == ("finished", None)
    assert "state_bytes" not in run.folder.status().summary
    assert run.trainer.model.training
