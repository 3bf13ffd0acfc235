"""Names of runs that no person has named: titles, differences, numbers, and names that never change."""

from lab.base.folders import runs_folder
from lab.runs import RunFolder, resolve_run
from lab.runs.library import titles
from lab.runs.library.labels import change_label
from lab.runs.library.recipe_fields import read_fields
from lab.runs.library.titles import NAMESAKES, NamedRun, distinct_names, name_in_the_lab, name_of_new_run

RECIPE = """title = "Small: a test"
[architecture]
name = "gru"
layers = {layers}
"""


def made(folder, layers=2, **facts):
    """A run in the lab's folder."""
    return RunFolder.create(runs_folder() / folder, RECIPE.format(layers=layers), facts)


def test_runs_of_one_title_are_named_by_their_differences():
    recipes = [{"training.seed": 1, "architecture.layers": 4}, {"training.seed": 1, "architecture.layers": 6}]
    assert distinct_names(["rope", "rope", "lstm"], [*recipes, {}]) == ["rope · 4 layers", "rope · 6 layers", "lstm"]
    assert distinct_names(["rope", "rope", "rope"], [recipes[0]] * 3) == ["rope", "rope 2", "rope 3"]


def test_a_run_on_a_file_is_named_by_the_file_then_its_title_then_the_rest():
    def made(corpus, steps):
        return {**corpus, "training.steps": steps, "architecture.name": "transformer"}

    story, manual = {"corpus.name": "file", "corpus.path": "story.txt"}, {"corpus.name": "python-manual"}
    recipes = [made(story, 120), made(story, 80), made(manual, 120)]
    assert distinct_names(["Transformer"] * 3, recipes) == [
        "story.txt · Transformer · 120 steps", "story.txt · Transformer · 80 steps",
        "python-manual · Transformer · 120 steps",
    ]  # fmt: skip


def test_names_leave_out_the_architecture_only_if_all_runs_share_it():
    def made(name):
        return [{"architecture.name": name, "architecture.layers": layers} for layers in (4, 6)]

    assert distinct_names(["gru", "gru", "lstm"], [*made("gru"), {}]) == ["gru · 4 layers", "gru · 6 layers", "lstm"]
    assert distinct_names(["gru", "gru"], made("gru")) == ["4 layers", "6 layers"]
    reported = distinct_names(["gru", "gru", "lstm", "lstm"], [*made("gru"), *made("lstm")])
    assert reported == ["gru · 4 layers", "gru · 6 layers", "lstm · 4 layers", "lstm · 6 layers"]


def test_a_new_run_is_named_by_its_title_then_its_differences_then_a_number():
    named = []
    for layers in (4, 6, 4, 4, 6):
        name = name_of_new_run("Small", {"architecture.layers": layers}, named)
        named.append(NamedRun(name, "Small", {"architecture.layers": layers}))
    names = ["Small", "Small · 6 layers", "Small · 4 layers", "Small · 4 layers 2", "Small · 6 layers 2"]
    assert [one.name for one in named] == names


def test_the_settings_in_a_name_are_written_by_the_function_that_is_handed_in():
    def label(path, value, text):
        return f"<{path} {value} {text}>"

    others = [NamedRun("Small", "Small", {"architecture.layers": 4, "architecture.name": "gru"})]
    settings = {"architecture.layers": 6, "architecture.name": "gru"}
    assert name_of_new_run("Small", settings, others, label) == "Small · <architecture.layers 6 6>"
    assert distinct_names(["gru", "gru"], [others[0].settings, settings], label) == [
        "<architecture.layers 4 4>", "<architecture.layers 6 6>",
    ]  # fmt: skip


def test_a_new_run_gets_no_name_that_a_person_gave():
    assert name_of_new_run("Small", {}, [NamedRun("Small", "Other", {})]) == "Small 2"


def test_the_name_of_a_new_run_in_the_lab_differs_from_assigned_given_and_earlier_ones():
    assert name_in_the_lab(RECIPE.format(layers=2)) == "Small"
    made("a", name="Small")
    assert name_in_the_lab(RECIPE.format(layers=2)) == "Small 2"
    assert name_in_the_lab(RECIPE.format(layers=3)) == "Small · 3 layers"
    change_label(made("b").path, name="Small 2")
    assert name_in_the_lab(RECIPE.format(layers=2)) == "Small 3"


def test_of_many_runs_of_a_title_only_the_recipes_of_those_that_are_compared_are_read(monkeypatch):
    for number in range(NAMESAKES + 3):
        made(f"{number:02}", name=f"Small {number}")
    read = []
    monkeypatch.setattr(titles, "read_fields", lambda recipe, name: read.append(name) or read_fields(recipe, name))
    assert name_in_the_lab(RECIPE.format(layers=2)) == "Small"
    assert len(read) == 1 + NAMESAKES


def test_runs_of_earlier_versions_count_by_the_names_that_the_list_shows():
    made("a")
    made("b")
    assert name_in_the_lab(RECIPE.format(layers=2)) == "Small 3"


def test_a_run_is_found_by_the_name_that_it_got_until_a_person_renames_it():
    run = made("2026-01-01-gru", name="Small · 3 layers")
    assert resolve_run("Small · 3 layers").id == run.id
    change_label(run.path, name="Mine")
    assert resolve_run("Mine").id == run.id


def test_a_damaged_name_is_shown_as_one_line():
    assert made("a", name="two\nlines\x00").assigned_name == "twolines"
    assert made("b", name=["no", "text"]).assigned_name == ""
