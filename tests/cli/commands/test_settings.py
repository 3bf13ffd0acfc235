"""`lm-lab settings`: everything that has settings, and what each setting means."""

import json

import pytest

from lab.api import settings_of
from lab_transformer import TransformerConfig


def test_without_a_name_everything_that_has_settings_is_listed_by_kind(lm_lab):
    ended = lm_lab("settings")
    assert ended.code == 0
    lines = dict(line.split(":", 1) for line in ended.out.splitlines() if ":" in line)
    assert lines["Every recipe"].split() == ["training,", "distillation,", "readings"]
    assert "transformer" in lines["Architectures"]
    assert "sampling" in lines["Strategies"]
    assert "top-p" in lines["Filters"]


def test_every_setting_of_a_card_is_explained(lm_lab):
    out = " ".join(lm_lab("settings", "transformer").out.split())
    for setting in settings_of(TransformerConfig):
        assert f"architecture.{setting.name} = " in out
        assert " ".join(setting.help.split()) in out


def test_a_name_that_several_kinds_of_cards_share_explains_all_of_them(lm_lab):
    out = lm_lab("settings", "gla").out
    assert "architecture gla: " in out
    assert "architecture.gla gla: " in out


@pytest.mark.parametrize("name", ["n-gram", "ngram", "n_gram"])
def test_signs_in_a_name_make_no_difference(lm_lab, name):
    assert "architecture.smoothing" in lm_lab("settings", name).out


def test_settings_that_no_recipe_has_are_shown_without_a_path(lm_lab):
    assert "\n  k = 0 " in lm_lab("settings", "top-k").out


def test_a_card_without_settings_is_described(lm_lab):
    assert "It has no settings." in lm_lab("settings", "character").out


def test_an_unknown_name_is_refused_with_the_nearest_one(lm_lab):
    ended = lm_lab("settings", "transfomer")
    assert ended.code == 2
    assert "Did you mean transformer?" in ended.problem


def test_json_has_every_setting_with_its_bounds(lm_lab):
    (entry,) = json.loads(lm_lab("settings", "transformer", "--json").out.splitlines()[-1])["settings"]
    heads = next(setting for setting in entry["settings"] if setting["path"] == "architecture.heads")
    assert heads["default"] == "4"
    assert heads["allowed"].startswith("whole number")
