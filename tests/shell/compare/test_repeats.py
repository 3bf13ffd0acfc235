"""The repetition of compared runs with other seeds, without a window: which are missing, for how long, or why none."""

from types import SimpleNamespace

import pytest

from lab.recipes import Recipe
from lab.runs.library.recipe_fields import fields_of
from lab.shell.compare.repeats import Obstacle, plan_repeats
from lab.shell.session.runs.repetitions import groups_of

FINISHED = {
    "is_finished": True, "works": False, "elsewhere": False, "counts": False, "parent": None, "changed": {},
    "full_seconds": lambda: 40.0, "trains": False,
}  # fmt: skip


class Run(SimpleNamespace):
    """A run of a recipe; runs are compared by identity."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __init__(self, *assignments, facts=None, **further):
        recipe = Recipe().with_assignments("architecture.name=transformer", *assignments)
        folder = SimpleNamespace(facts=facts or {})
        super().__init__(
            name="a run", recipe=recipe, recipe_here=recipe, settings=fields_of(recipe.model_dump(mode="json"))
        )
        vars(self).update({"source": SimpleNamespace(folder=folder), **FINISHED, **further})


def other(*assignments, **further):
    """Return a run of another kind."""
    return Run("training.batch_size=7", *assignments, **further)


def seeds(plan):
    """Return the batch size, which is the kind, and the seed of each missing run."""
    return [(one.recipe.training.batch_size, one.recipe.training.seed) for one in plan.missing]


def test_each_kind_is_repeated_with_seeds_that_it_lacks_and_the_kinds_take_turns():
    one, two = Run("training.seed=2"), other()
    size, first = one.recipe.training.batch_size, two.recipe.training.seed
    left = [seed for seed in (1, 2, 3) if seed != first][:2] if first in (1, 2, 3) else [1, 2]
    assert seeds(plan_repeats([one, two])) == [(size, 1), (7, left[0]), (size, 3), (7, left[1])]


def test_only_the_seed_differs_from_the_run_that_is_repeated():
    for missing in plan_repeats([Run("training.steps=55"), other()]).missing:
        recipe = missing.template.recipe.with_assignments(f"training.seed={missing.seed}")
        assert missing.recipe == recipe


def test_repetitions_that_wait_in_the_queue_are_not_missing():
    queued = {"is_finished": False, "works": True}
    one, two = Run(), other()
    working = [Run(f"training.seed={seed}", **queued) for seed in (5, 6)]
    plan = plan_repeats([one, two], working)
    assert {batch for batch, _ in seeds(plan)} == {7}
    assert plan.waiting == 2


def test_repetitions_that_have_no_folder_yet_are_known_by_their_recipes():
    one, two = Run("training.seed=1"), other("training.seed=1")
    queued = {"is_finished": False, "works": True, "source": SimpleNamespace(folder=None)}
    working = [
        Run(f"training.seed={seed}", f"title=a run · seed {seed}", settings={"training.seed": seed}, **queued)
        for seed in (2, 3)
    ]
    plan = plan_repeats([one, two], working)
    assert seeds(plan) == [(7, 2), (7, 3)]
    assert plan.waiting == 2


def test_the_time_is_that_of_the_whole_training():
    plan = plan_repeats([Run(), other(full_seconds=lambda: 50.0)])
    assert plan.seconds == pytest.approx(2 * 40.0 + 2 * 50.0)


def test_a_repetition_that_trains_now_tells_how_long_the_next_one_takes():
    now = {"is_finished": False, "works": True, "trains": True, "full_seconds": lambda: 90.0}
    plan = plan_repeats([Run("training.seed=1"), other("training.seed=1")], [Run("training.seed=2", **now)])
    assert seeds(plan) == [(Run().recipe.training.batch_size, 3), (7, 2), (7, 3)]
    assert plan.seconds == pytest.approx(90.0 + 2 * 40.0)


def test_the_time_is_unknown_where_one_kind_was_not_measured():
    assert plan_repeats([Run(), other(full_seconds=lambda: None)]).seconds is None


@pytest.mark.parametrize(
    ("further", "why"),
    [
        ({"counts": True}, Obstacle.COUNTS),
        ({"facts": {"pretrained": {}}}, Obstacle.IMPORTED),
        ({"parent": {"name": "another"}}, Obstacle.BRANCH),
        ({"changed": {"training.clip": 1.0}}, Obstacle.CHANGED),
    ],
)
def test_where_another_seed_would_not_repeat_a_run_the_reason_is_given(further, why):
    refused = other(**further)
    plan = plan_repeats([Run(), refused])
    assert not plan.missing
    assert plan.refused == (refused, why)


def test_runs_of_one_kind_and_kinds_with_three_seeds_lack_nothing():
    assert not plan_repeats([Run(), Run("training.seed=9")]).missing
    complete = [kind(f"training.seed={seed}") for kind in (Run, other) for seed in (1, 2, 3)]
    assert not plan_repeats(complete).missing
    assert plan_repeats(complete).refused is None


def test_kinds_that_differ_by_architecture_are_called_by_the_titles_of_their_runs():
    runs = [Run(base_name="Transformer"), Run("architecture.name=mamba", base_name="Mamba")]
    assert [group.name for group in groups_of(runs)] == ["Transformer", "Mamba"]
