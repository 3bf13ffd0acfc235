"""Recipes that an administrator shares are listed with those of the lab, and a broken one stops nothing."""

import pytest

from lab.base import BadInput
from lab.recipes import Recipe, gallery, shared_recipe, shared_recipes, shipped


@pytest.fixture
def share(lab_system):
    """Write a file among the shared recipes."""

    def share(name, text):
        folder = lab_system / "recipes"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        return folder / name

    return share


def test_without_shared_recipes_the_gallery_is_that_of_the_lab():
    assert shared_recipes() == {}
    assert "shared" not in gallery().topics


def test_they_have_their_titles_and_a_topic_of_their_own(share):
    class_file = share("class.toml", Recipe(title="Of our class").to_toml())
    plain = share("plain.toml", Recipe().to_toml())
    assert shared_recipes() == {class_file: "Of our class", plain: "plain"}
    assert shared_recipe("plain") == plain
    found = gallery()
    assert list(found.topics)[-1] == "shared"
    assert [(entry.name, entry.shows) for entry in found.entries[-2:]] == [
        (str(each),) * 2 for each in (class_file, plain)
    ]


def test_one_that_cannot_be_read_is_reported_once_and_left_out(share, reported):
    file = share("broken.toml", "title = ")
    share("note.txt", "no recipe")
    assert shared_recipes() == shared_recipes() == {}
    assert [problem.field for problem in reported] == [str(file)]


def test_an_unknown_name_is_answered_with_theirs_too(share):
    share("class.toml", "")
    with pytest.raises(BadInput) as caught:
        shipped("clas")
    assert caught.value.problem.allowed.endswith(", class")
