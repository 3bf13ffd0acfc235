"""The draft: one frozen recipe after the other, with a history, a comparison and a name."""

import pytest

from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.session import draft as draft_module
from lab.shell.session.corpus.labels import corpus_name
from lab.shell.session.draft import Draft, quick_start


@pytest.fixture
def draft(qtbot):
    return Draft(Plugins.from_environment())


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves only when the test moves it."""

    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(draft_module, "time", clock)
    return clock


def width(draft):
    return draft.card("architecture").config.width


def test_the_draft_starts_as_the_quick_start_with_nothing_to_undo(draft):
    assert draft.recipe == quick_start()
    assert draft.changes() == {}
    assert not draft.can_undo
    assert not draft.can_redo


def test_an_edit_makes_a_new_recipe_and_leaves_the_old_one_alone(draft, qtbot):
    before = draft.recipe
    with qtbot.waitSignal(draft.changed):
        assert draft.edit("architecture.width", 64) is None
    assert width(draft) == 64
    assert before.architecture.settings["width"] == 128


def test_edits_are_undone_and_redone_in_order(draft, clock):
    for value in (32, 64, 96):
        clock.now += 10
        draft.edit("architecture.width", value)
    draft.undo()
    draft.undo()
    assert width(draft) == 32
    draft.redo()
    assert width(draft) == 64
    assert draft.can_redo


def test_an_edit_after_an_undo_clears_the_redo_history(draft):
    draft.edit("architecture.width", 64)
    draft.undo()
    draft.edit("architecture.layers", 2)
    assert not draft.can_redo
    draft.undo()
    assert draft.recipe == quick_start()


def test_edits_of_a_dragged_slider_are_undone_together(draft, clock):
    for value in (32, 48, 64):
        clock.now += 0.1
        draft.edit("architecture.width", value)
    draft.undo()
    assert width(draft) == 128


def test_edits_of_one_setting_with_a_pause_between_are_undone_one_by_one(draft, clock):
    for value in (32, 64):
        clock.now += 1.5
        draft.edit("architecture.width", value)
    draft.undo()
    assert width(draft) == 32


def test_edits_of_two_settings_are_undone_one_by_one_however_quick(draft, clock):
    draft.edit("architecture.width", 64)
    draft.edit("architecture.layers", 2)
    draft.undo()
    assert (width(draft), draft.card("architecture").config.layers) == (64, 4)


def test_an_edit_without_effect_is_not_merged_with_the_previous_one(draft, clock):
    draft.edit("architecture.width", 64)
    draft.edit("architecture.layers", 4)  # as it is
    draft.edit("architecture.layers", 2)
    draft.undo()
    assert (width(draft), draft.card("architecture").config.layers) == (64, 4)


def test_an_edit_right_after_an_undo_is_undone_by_itself(draft, clock):
    draft.edit("architecture.width", 64)
    clock.now += 10
    draft.edit("architecture.width", 96)
    draft.undo()
    draft.edit("architecture.width", 80)
    draft.undo()
    assert width(draft) == 64


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("architecture.width", -1, "architecture.width"),
        ("architecture.heads", 3, "architecture"),
        ("architecture.name", "hopfield", "architecture.name"),
        ("training.steps", "many", "training.steps"),
        ("training.optimizer.learning_rate", -1.0, "training.optimizer.learning_rate"),
        ("training.colour", "red", "training.colour"),
    ],
)
def test_a_refused_edit_leaves_the_draft_unchanged_and_names_the_field(draft, path, value, field):
    problem = draft.edit(path, value)
    assert problem is not None
    assert problem.field == field
    assert draft.recipe == quick_start()
    assert not draft.can_undo


def test_another_card_drops_the_settings_of_the_old_one(draft):
    assert draft.edit("architecture.name", "n-gram") is None
    assert draft.recipe.architecture.settings == {}


def test_removing_a_setting_restores_its_default(draft):
    draft.edit("training.steps", 5)
    draft.edit("training.steps", 800)
    assert draft.changes() == {}


def test_a_preset_is_applied_in_one_edit(draft):
    preset = draft._plugins.card("architectures", "transformer").presets
    name, pieces = next(iter(preset.items()))
    assert draft.apply(pieces) is None
    assert draft.changes(), name
    draft.undo()
    assert draft.recipe == quick_start()


def test_changes_are_listed_by_path_with_before_and_now(draft):
    draft.edit("architecture.width", 64)
    draft.edit("training.optimizer.learning_rate", 0.001)
    assert draft.changes() == {
        "architecture.width": (128, 64),
        "training.optimizer.learning_rate": (0.002, 0.001),
    }


def test_another_card_is_listed_only_with_its_name(draft):
    draft.edit("architecture.name", "n-gram")
    assert draft.changes() == {"architecture.name": ("transformer", "n-gram")}


def test_unused_settings_are_not_listed_as_changes(draft):
    mixture = quick_start().with_values({"architecture": {"name": "moe", "chosen": 3}})
    dense = mixture.with_assignments("architecture.experts=1")
    draft.take(dense, "dense")
    draft.compare_with(mixture, "mixture")
    assert draft.changes() == {"architecture.experts": (8, 1)}
    draft.take(mixture.with_assignments("architecture.scale=2"), "mixture")
    draft.compare_with(dense, "dense")
    assert draft.changes() == {"architecture.experts": (1, 8), "architecture.scale": (1.0, 2.0)}


def test_a_default_that_is_written_out_is_no_change(draft):
    draft.compare_with(Recipe.from_toml(quick_start().to_toml()), "the same, written out")
    assert draft.changes() == {}


def test_the_draft_is_compared_with_the_selected_run(draft):
    draft.compare_with(quick_start().with_assignments("architecture.width=64"), "Wide")
    assert draft.changes() == {"architecture.width": (64, 128)}
    assert draft.base_name == "Wide"


def test_edits_are_counted_from_the_recipe_that_was_taken_whichever_run_is_selected(draft):
    draft.compare_with(quick_start().with_assignments("architecture.width=64", "training.steps=9"), "Wide")
    assert draft.edited() == []
    draft.edit("architecture.layers", 2)
    draft.edit("tokenizer.name", "byte")
    assert draft.edited() == ["tokenizer", "architecture.layers"]
    draft.take(draft.recipe, "mine")
    assert draft.edited() == []


def test_an_unchanged_draft_keeps_its_title(draft):
    assert draft.ready().title == quick_start().title


def test_a_changed_draft_is_named_by_its_differences(draft):
    draft.edit("architecture.width", 64)
    draft.edit("training.optimizer.learning_rate", 0.001)
    assert draft.ready().title == "width 64 · learning rate 0.001 · Transformer"


def test_each_run_of_successive_edits_is_named_by_its_difference_from_the_previous_one(draft):
    titles = []
    for path, value in (("architecture.width", 64), ("architecture.layers", 2), ("training.seed", 7)):
        draft.edit(path, value)
        started = draft.ready()
        draft.compare_with(started, started.title)  # as the session does with the run it started
        titles.append(started.title)
    assert titles == ["width 64 · Transformer", "layers 2 · Transformer", "seed 7 · Transformer"]


def test_the_same_draft_started_again_has_the_same_name(draft):
    draft.edit("architecture.width", 64)
    first = draft.ready()
    draft.compare_with(first, first.title)
    assert draft.ready().title == first.title


def test_a_draft_that_returns_to_its_first_recipe_gets_its_title_back(draft):
    draft.edit("architecture.width", 64)
    first = draft.ready()
    draft.compare_with(first, first.title)
    draft.edit("architecture.width", 128)
    assert draft.ready().title == quick_start().title


def test_a_recipe_that_becomes_the_draft_keeps_its_title(draft, small):
    assert draft.take(small(), "small") is None
    assert draft.ready().title == "Small"
    draft.edit("training.seed", 5)
    assert draft.ready().title == "seed 5 · Transformer"


def test_a_name_of_many_changes_is_shortened(draft):
    for path, value in (
        ("architecture.width", 64), ("architecture.heads", 2), ("architecture.layers", 2), ("training.seed", 9),
        ("training.batch_size", 3), ("training.context_length", 32), ("training.evaluate_every", 7),
    ):  # fmt: skip
        draft.edit(path, value)
    title = draft.ready().title
    assert title.endswith(" · … · Transformer")
    assert len(title) <= 64


def test_a_name_shows_only_the_file_of_a_path(draft, tmp_path):
    (tmp_path / "secret folder").mkdir()
    file = tmp_path / "secret folder" / "animals.txt"
    file.write_text("the cat sat on the mat")
    draft.apply({"corpus": {"name": "file", "path": str(file)}})
    title = draft.ready().title
    assert "animals.txt" in title
    assert "secret folder" not in title


def test_a_recipe_file_becomes_the_draft(draft, tmp_path, small):
    file = tmp_path / "mine.toml"
    file.write_text(small().to_toml())
    assert draft.take_file(file) is None
    assert draft.recipe == small()
    assert draft.base_name == "mine"
    draft.undo()
    assert draft.recipe == quick_start()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"format = 99", b"[architecture]\nwidth = 3", b"no toml"])
def test_a_bad_recipe_file_is_refused(draft, tmp_path, content):
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    assert draft.take_file(file) is not None
    assert draft.recipe == quick_start()


def test_a_missing_recipe_file_is_refused(draft, tmp_path):
    problem = draft.take_file(tmp_path / "gone.toml")
    assert problem is not None
    assert "no such recipe" in problem.what


def test_the_history_has_a_limited_length(draft, clock, monkeypatch):
    monkeypatch.setattr(draft_module, "HISTORY", 10)
    for value in range(1, 30):
        clock.now += 10
        draft.edit("training.steps", value)
    steps = 0
    while draft.can_undo:
        draft.undo()
        steps += 1
    assert steps == 9
    assert draft.recipe.training.steps == 20


def test_a_shipped_corpus_is_named_in_the_language_and_a_file_by_its_name(german, draft):
    assert corpus_name(draft) == "Python-Handbuch"
    assert draft.apply({"corpus": {"name": "file", "path": "/texts/Python manual"}}) is None
    assert corpus_name(draft) == "Python manual"
