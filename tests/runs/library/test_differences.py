"""Names made from what differs: short, the same in whatever order, and one for each run."""

import random
import tomllib

import pytest

from lab.recipes import Recipe
from lab.runs.library.differences import SETTINGS, english_label, names_by_difference

TRUTH = ("true", "false")


def names(*changes):
    """Return names of recipes that differ from the default in these assignments."""
    recipes = [Recipe().with_assignments(*texts.split()) for texts in changes]
    return names_by_difference([recipe.model_dump(exclude_none=True) for recipe in recipes])


def rate(value):
    return f"training.optimizer.learning_rate={value}"


def test_differences_are_named_by_short_labels_in_a_fixed_order():
    assert names(f"{rate(3e-4)} architecture.layers=6", f"{rate(1e-3)} architecture.layers=4", rate(3e-4)) == [
        "lr 3e-4 · 6 layers",
        "lr 1e-3 · 4 layers",
        "lr 3e-4",
    ]


@pytest.mark.parametrize(
    ("path", "values", "expected"),
    [
        ("architecture.layers", (1, 4), ["1 layer", "4 layers"]),
        ("architecture.bias", ("true", "false"), ["bias", "no bias"]),
        ("training.seed", (1, 2), ["seed 1", "seed 2"]),
        ("training.steps", (50, 10_000), ["50 steps", "10,000 steps"]),
        ("architecture.dropout", (0.1, 0.25), ["dropout 0.1", "dropout 0.25"]),
        ("training.batch_size", (8, 16), ["batch 8", "batch 16"]),
        ("architecture.name", ("transformer", "n-gram"), ["transformer", "n-gram"]),
        ("tokenizer.name", ("byte", "character"), ["byte", "character"]),
        (
            "corpus",
            ('{name="file",path="/home/me/a.txt"}', '{name="file",path="C:\\\\texts\\\\b.txt"}'),
            ["a.txt", "b.txt"],
        ),
    ],
)
def test_each_kind_of_setting_has_its_words(path, values, expected):
    assert names_by_difference([nested(path, value) for value in values]) == expected


def test_a_setting_of_a_plugin_is_counted_where_its_path_is_known_to_count():
    recipes = [nested("architecture.pair.experts", number) for number in (1, 4)]
    assert names_by_difference(recipes) == ["experts 1", "experts 4"]
    label = english_label({"architecture.pair.experts": "experts"})
    assert names_by_difference(recipes, label=label) == ["1 expert", "4 experts"]


def nested(path, value):
    """A recipe with one setting."""
    return tomllib.loads(f"{path} = {value if str(value)[0] in '0123456789{' or value in TRUTH else repr(value)}")


def test_what_differs_together_is_said_once():
    assert names(f"{rate(1e-3)} training.schedule.warmup=10", f"{rate(2e-3)} training.schedule.warmup=20") == [
        "lr 1e-3",
        "lr 2e-3",
    ]


def test_settings_that_only_one_architecture_has_are_not_named():
    assert names("architecture.name=n-gram", "") == ["n-gram", "transformer"]


def test_title_and_what_is_recorded_make_no_name():
    assert names("title=One readings.moments=3", "title=Two") == ["transformer", "transformer (2)"]


def test_equal_runs_have_numbers_the_first_of_them_none():
    assert names("training.seed=1", "training.seed=2", "training.seed=1", "training.seed=1") == [
        "seed 1",
        "seed 2",
        "seed 1 (2)",
        "seed 1 (3)",
    ]


def test_one_run_alone_is_named_by_its_architecture_and_none_not_at_all():
    assert names("") == ["transformer"]
    assert names_by_difference([]) == []
    assert names_by_difference([{}, {}]) == ["run", "run (2)"]


def test_names_do_not_depend_on_the_order_of_different_runs():
    changes = [
        f"{rate(r)} architecture.layers={n} training.seed={s}" for r in (1e-3, 3e-4) for n in (2, 4) for s in (1, 2)
    ]
    by_change = dict(zip(changes, names(*changes), strict=True))
    shuffled = random.Random(4).sample(changes, len(changes))
    assert dict(zip(shuffled, names(*shuffled), strict=True)) == by_change
    assert len(set(by_change.values())) == len(changes)


def test_a_name_stays_short_however_much_differs():
    fields = ("layers", "heads", "mlp_ratio", "dropout", "context_window", "depth", "a", "b")
    chance = random.Random(1)
    recipes = [{"architecture": {"name": "x", **{f: chance.randrange(2) for f in fields}}} for _ in range(60)]
    assert max(name.count(" · ") for name in names_by_difference(recipes)) < SETTINGS


def test_a_long_value_is_cut():
    first, second = names_by_difference([{"corpus": {"name": "a" * 99}}, {"corpus": {"name": "b" * 99}}])
    assert first == "a" * 23 + "…"
    assert second != first
