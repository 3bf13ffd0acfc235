"""`lm-lab train --baseline` trains the plainer model that an architecture is to be compared with."""

import pytest

ACTIVE, TOTAL = "dense, equal active parameters", "dense, equal total parameters"
MOE = ("--architecture", "moe", "--preset", "deepseek-moe")


def test_a_baseline_differs_in_the_architecture_alone_and_its_run_is_called_so(recipe_of):
    mixture = recipe_of(*MOE)
    baseline = recipe_of(*MOE, "--baseline", TOTAL)
    assert baseline.title == f"{TOTAL} · Mixture of experts"
    assert baseline.architecture.settings["experts"] == 1
    assert baseline.architecture.settings["hidden"] > 10 * mixture.architecture.settings["hidden"]
    apart = {"title", "architecture"}
    assert baseline.model_dump(exclude=apart) == mixture.model_dump(exclude=apart)


def test_it_is_that_of_all_settings_and_keeps_the_title_of_the_recipe(recipe_of):
    wide, wider = (
        recipe_of(*MOE, "--baseline", ACTIVE, "--set", f"architecture.chosen={chosen}", "--set", "title=Mine")
        for chosen in (2, 8)
    )
    assert wide.title == wider.title == f"{ACTIVE} · Mine"
    assert wide.architecture.settings["hidden"] < wider.architecture.settings["hidden"]


def test_its_run_trains(train):
    small = ("architecture.layers=1", "architecture.width=16", "architecture.experts=4")
    ended = train("--architecture", "moe", "--baseline", ACTIVE, architecture=small)
    assert ended.code == 0, ended.err
    assert "moe: " in ended.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--architecture", "moe", "--baseline", "dense"), f"moe has no such baseline. Allowed: '{ACTIVE}', '{TOTAL}'"),
        (("--architecture", "n-gram", "--baseline", ACTIVE), "n-gram has no baselines."),
        (
            (*MOE, "--baseline", ACTIVE, "--set", "architecture.experts=1"),
            "moe with these settings is this baseline already",
        ),
    ],
)
def test_a_missing_baseline_is_refused_with_the_existing_ones(lm_lab, arguments, words):
    ended = lm_lab("train", *arguments)
    assert ended.code == 2
    assert words in ended.problem


def test_the_help_lists_them(lm_lab):
    assert f"baselines of moe: '{ACTIVE}', '{TOTAL}'" in lm_lab("train", "--architecture", "moe", "--help").out
