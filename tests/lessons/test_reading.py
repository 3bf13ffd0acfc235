"""The reader of lessons: what is refused names file and line, and nothing in a lesson is run."""

import struct

import pytest

from lab.api import BadInput
from lab.lessons.collection import find_lesson, find_lessons, read_found
from lab.lessons.lines import line_of, toml_lines
from lab.lessons.markdown import formulas, pieces
from lab.lessons.reading import read_lesson, recipe_of


def test_a_lesson_has_what_its_files_say(folder):
    lesson = read_lesson(folder)
    assert (lesson.name, lesson.title, lesson.training_count) == ("more-context", "More context", 3)
    assert lesson.keys_of(lesson.measure("loss")) == ("1", "2", "3")
    recipe = recipe_of(lesson, "laplace", "2", seed=7)
    assert recipe.architecture.settings["order"] == 2
    assert recipe.training.seed == 7


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('mistake = "', 'mystery = "', 8, "mystery is no field of a lesson"),
        ('along = "arch', 'alon = "arch', 14, "Did you mean along?"),
        ("minutes = 10\n", "", 1, "minutes is missing"),
        ("minutes = 10", "minutes = 0", 6, "minutes is not allowed"),
        ('runs = ["laplace"]', 'runs = ["place"]', 20, "there is no run place"),
        ('"argmin(loss) = 2"', '"argmin(los) = 2"', 35, "names los, which is not measured"),
        ('"argmin(loss) = 2"', '"argmin(loss)"', 35, "compares nothing"),
        ('title = "Laplace"', 'title = "Laplace"\nrecipe = "no-such"', 13, "there is no recipe no-such"),
        ('title = "Laplace"', 'title = "Laplace"\nrecipe = "mine.toml"', 13, "the recipe mine.toml is missing"),
        ('title = "Laplace"', 'title = "Laplace"\nrecipe = "../mine.toml"', 13, "there is no recipe ../mine.toml"),
        ("values = [1, 2, 3]\n", "", 10, "only one of along and values"),
        ("minutes = 10", "minutes = ", 6, "is not TOML"),
        ("low = 0.5", "low = 5.0", 24, "low is not below high"),
        ("format = 1", "format = 2", 1, "format is not allowed"),
        ('of = "loss"', 'of = "lose"', 24, "of no measured quantity"),
        ('runs = ["laplace"]\n', "", 17, "the measure loss has no runs"),
        ('figure = "validation loss"', 'figure = "example"', 17, "has runs and is of an example"),
        ('runs = ["laplace"]\nfigure = "validation loss"', 'figure = "example"\nof = "z"', 17, "which worked example"),
        ('title = "Laplace"', 'title = "Laplace"\nstart = "base"', 13, "names base as its start"),
        ('title = "Laplace"', 'title = "Laplace"\nteacher = "laplace"', 13, "no single training before it"),
    ],
)
def test_a_problem_of_a_lesson_names_file_and_line(folder, change, old, new, line, says):
    change(old, new)
    with pytest.raises(BadInput) as refused:
        read_lesson(folder)
    problem = refused.value.problem
    assert problem.field == f"more-context/lesson.toml, line {line}"
    assert says in problem.line()


ONE_AND_TWO = """\
[[runs]]
name = "one"
title = "One"
settings = ["architecture.name=n-gram", "training.steps=3"]

[[runs]]
name = "two"
title = "Two"
start = "one"
settings = ["training.seed=9"]

[[measures]]"""


def test_a_run_that_starts_with_another_changes_its_recipe(folder, change):
    change("[[measures]]", ONE_AND_TWO)
    recipe = recipe_of(read_lesson(folder), "two")
    assert (recipe.architecture.name, recipe.training.steps, recipe.training.seed) == ("n-gram", 3, 9)
    assert recipe.title == "Two"


def test_a_run_cannot_have_both_a_recipe_and_a_start(folder, change):
    change("[[measures]]", ONE_AND_TWO.replace('start = "one"', 'start = "one"\nrecipe = "quick-start"'))
    with pytest.raises(BadInput, match="both a recipe and a start"):
        read_lesson(folder)


def test_fields_that_were_added_later_leave_the_digest_of_older_lessons_as_it_is(folder):
    assert read_lesson(folder).digest == "5e37a8d495f60ef31b31c570df439760"


def test_a_lesson_of_too_many_trainings_is_refused(folder, change):
    change("values = [1, 2, 3]", f"values = {list(range(1, 41))}")
    change("[[measures]]", '[[runs]]\nname = "one"\ntitle = "One"\n\n[[measures]]')
    with pytest.raises(BadInput, match="41 trainings"):
        read_lesson(folder)


def test_a_folder_without_a_lesson_says_so(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="there is no such file"):
        read_lesson(tmp_path / "empty")


def test_html_in_markdown_is_text():
    (piece,) = pieces("Before <script>alert(1)</script> & <img src=x onerror=y>\n\n> quoted\n\n`<b>`")
    assert "<script>" not in piece.text
    assert "<img" not in piece.text
    assert "\n> quoted" in piece.text
    assert "`<b>`" in piece.text


def test_formulas_are_found_and_code_and_money_are_not():
    text = "Cost $5 and $6, $a_i < b$ and `$x$`.\n\n$$\n\\sum_i x_i\n$$\n\n```\n$$y$$\n```\n"
    assert formulas(text) == ["a_i < b", "\\sum_i x_i"]


def png(path, width, height, size=0):
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\0" * (16 + size))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("fine.png", None),
        ("missing.png", "cannot be read"),
        ("../outside.png", "has to be a file in the folder"),
        ("/etc/passwd", "has to be a file in the folder"),
        ("https://a.example/b.png", "has to be a file in the folder"),
        ("wide.png", "100000 × 100 pixels"),
        ("heavy.png", "5 MiB"),
        ("no.png", "is no PNG"),
        ("link.png", "may not be a link"),
    ],
)
def test_a_picture_is_a_small_file_of_the_lesson(folder, name, says):
    png(folder / "fine.png", 10, 10)
    png(folder / "wide.png", 100_000, 100)
    png(folder / "heavy.png", 10, 10, 5 << 20)
    (folder / "no.png").write_text("<svg/>")
    (folder / "link.png").symlink_to("/etc/hostname")
    (folder / "lesson.md").write_text(f"One\n\n![a picture]({name})\n")
    if says is None:
        read_lesson(folder)
        return
    with pytest.raises(BadInput) as refused:
        read_lesson(folder)
    assert refused.value.problem.field == "more-context/lesson.md, line 3"
    assert says in refused.value.problem.what


def test_a_picture_of_2_gb_is_not_read(folder):
    with (folder / "huge.png").open("wb") as file:
        file.truncate(2 << 30)
    (folder / "lesson.md").write_text("![](huge.png)")
    with pytest.raises(BadInput, match="2048 MiB"):
        read_lesson(folder)


@pytest.mark.parametrize("link", ["file:///etc/passwd", "javascript:alert(1)", "../other.md", "run:x"])
def test_a_link_leads_to_help_terms_places_examples_or_the_web(folder, link):
    (folder / "lesson.md").write_text(f"[here]({link})")
    with pytest.raises(BadInput, match="a link leads to"):
        read_lesson(folder)


def test_a_translation_replaces_texts_and_nothing_else(folder):
    (folder / "de").mkdir()
    (folder / "de" / "lesson.toml").write_text('title = "Mehr Kontext"\n[[questions]]\ntext = "Warum?"\n')
    (folder / "de" / "lesson.md").write_text("Ein Text.")
    german, english = read_lesson(folder, "de"), read_lesson(folder)
    assert (german.title, german.language, german.texts["lesson"]) == ("Mehr Kontext", "de", "Ein Text.")
    assert german.questions[0].answer == "Counts run out."
    assert german.digest == english.digest


def test_of_two_lessons_of_one_name_the_first_is_used_and_the_other_says_so(folder, tmp_path):
    other = tmp_path / "elsewhere" / "more-context"
    other.mkdir(parents=True)
    (other / "lesson.toml").write_text((folder / "lesson.toml").read_text())
    (other / "lesson.md").write_text("Another")
    found = [one for one in find_lessons(also=[tmp_path, other]) if one.name == "more-context"]
    assert [one.lesson is None for one in found] == [False, True]
    assert "another lesson of this name" in found[1].problem.what


def test_a_broken_lesson_does_not_hide_the_others(folder, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "lesson.toml").write_text("nonsense")
    found = {one.name: one for one in find_lessons(also=[tmp_path])}
    assert found["broken"].problem is not None
    assert found["more-context"].lesson is not None


def test_an_unknown_lesson_is_refused_with_the_known_names():
    with pytest.raises(BadInput, match="there is no such lesson"):
        find_lesson("nowhere")


def test_lines_of_toml_follow_tables_lists_and_long_texts():
    lines = toml_lines('a = 1\n[[b]]\nc = """\n[[b]]\nd = 1\n"""\ne = 2\n[[b]]\nc = 3\n[b.f]\ng = 1\n')
    assert lines["b", 0, "e"] == 7
    assert lines["b", 1, "c"] == 9
    assert lines["b", 1, "f", "g"] == 11
    assert line_of(lines, ("b", 1, "nothing")) == 8


def test_an_explorable_is_named_by_its_key(folder):
    (folder / "lesson.md").write_text("Look.\n\n![Softmax](explorable:softmax)")
    assert read_lesson(folder).texts["lesson"].endswith("(explorable:softmax)")
    (folder / "lesson.md").write_text("Look.\n\n![Softmax](explorable:sofmax)")
    with pytest.raises(BadInput) as refused:
        read_lesson(folder)
    assert refused.value.problem.field == "more-context/lesson.md, line 3"
    assert refused.value.problem.remedy == "Did you mean softmax?"


def test_the_policy_of_a_machine_names_the_lessons_that_can_be_taken(folder, with_policy):
    assert len(find_lessons()) > 10
    file = with_policy('lessons = ["never-seen", "more-context"]')
    assert {one.name for one in find_lessons(also=[folder])} == {"never-seen", "more-context"}
    assert find_lesson("never-seen").name == "never-seen"
    for refused in ("the-floor", "nothing"):
        with pytest.raises(BadInput, match=f"not allowed by {file}"):
            find_lesson(refused)


@pytest.mark.parametrize(
    "table",
    [
        "[runs.code]\nexec = 'x'", "import = 'os'", "[prediction.eval]\nx = 1", "unknown = [1, 2]", "[[checks.holds]]",
    ],
)  # fmt: skip
def test_fields_that_are_not_of_a_lesson_are_refused_and_nothing_is_run(folder, table):
    file = folder / "lesson.toml"
    file.write_text(table + "\n" + file.read_text())
    one = read_found(folder, "own")
    assert one.lesson is None
    assert "more-context/lesson.toml" in one.problem.line()


@pytest.mark.parametrize("depth", [60, 5000])
def test_deep_and_long_comparisons_are_refused(folder, change, depth):
    change('"argmin(loss) = 2"', '"' + "(" * depth + "1" + ")" * depth + ' = 1"')
    one = read_found(folder, "own")
    assert one.lesson is None
    assert "lesson.toml, line" in one.problem.field
