"""Study files and the plans that follow from them."""

import tomllib

import pytest

from lab.base import BadInput
from lab.base.folders import resources
from lab.runs.library.recipe_fields import fields_of
from lab.studies.plans import parse_study, points_of, trials_of

HEAD = 'title = "Mine"\n'
RATES = '[[vary]]\npath = "training.optimizer.learning_rate"\nlow = 1e-4\nhigh = 1e-2\nlog = true\n'
WIDTHS = '[[vary]]\npath = "architecture.width"\nvalues = [16, 32]\n'
MEASURE = '[[measures]]\ntitle = "far"\nfigure = "loss at length"\nlength = 256\n'


def base_of(study):
    return fields_of(study.base.model_dump(mode="json", exclude_none=True))


def points(text):
    study = parse_study(text)
    return points_of(study, base_of(study))


def test_a_grid_has_each_combination_once():
    found = points(HEAD + WIDTHS + RATES)
    assert len(found) == 6
    assert sorted({point["training.optimizer.learning_rate"] for point in found}) == [0.0001, 0.001, 0.01]


@pytest.mark.parametrize("sampler", ["random", "latin-hypercube"])
def test_drawn_settings_are_inside_their_ranges_and_the_same_each_time(sampler):
    text = f'{HEAD}{WIDTHS}{RATES}[sampler]\nname = "{sampler}"\nruns = 40\n'
    found = points(text)
    assert found == points(text)
    assert all(1e-4 <= point["training.optimizer.learning_rate"] <= 1e-2 for point in found)
    assert {point["architecture.width"] for point in found} == {16, 32}


def test_a_latin_hypercube_draws_each_stratum_once():
    found = points(
        f'{HEAD}[[vary]]\npath = "training.batch_size"\nlow = 0\nhigh = 50\n[sampler]\n'
        'name = "latin-hypercube"\nruns = 50\n'
    )
    assert sorted(int(point["training.batch_size"]) for point in found) == list(range(50))


def test_a_setting_with_a_condition_varies_only_where_it_holds():
    momentum = '[[vary]]\npath = "training.optimizer.momentum"\nvalues = [0.0, 0.9]\n'
    momentum += 'when = {"training.optimizer.name" = "sgd"}\n'
    found = points(f'{HEAD}[[vary]]\npath = "training.optimizer.name"\nvalues = ["sgd", "adamw"]\n{momentum}')
    assert [point.get("training.optimizer.momentum") for point in found] == [0.0, 0.9, None]


def test_a_study_as_it_is_stored_gives_the_same_plan():
    head = f'{HEAD}look = "At this."\nminutes = 2\n'
    study = parse_study(head + WIDTHS + RATES + MEASURE + "[stopping]\nminutes = 3\n")
    again = parse_study(study.to_toml())
    assert again == study
    assert again.name == study.name
    keys = [trial.key for trial in trials_of(study, points_of(study, base_of(study)))]
    assert keys == [trial.key for trial in trials_of(again, points_of(again, base_of(again)))]
    assert len(set(keys)) == len(keys)


def test_an_edited_study_is_another_one_that_shares_its_runs():
    one, other = parse_study(HEAD + WIDTHS), parse_study(HEAD + WIDTHS.replace("32]", "32, 64]"))
    assert one.name != other.name
    keys = [{trial.key for trial in trials_of(study, points_of(study, base_of(study)))} for study in (one, other)]
    assert keys[0] < keys[1]


def test_each_setting_has_all_seeds():
    study = parse_study(HEAD + "seeds = [3, 5]\n" + WIDTHS)
    found = trials_of(study, points_of(study, base_of(study)))
    assert [(trial.arm, trial.recipe.training.seed) for trial in found] == [
        ("width 16", 3),
        ("width 16", 5),
        ("width 32", 3),
        ("width 32", 5),
    ]


def test_title_and_threads_do_not_make_another_run():
    one = parse_study(HEAD + WIDTHS)
    other = parse_study('title = "Other"\nset = ["training.threads=2"]\n' + WIDTHS)
    keys = [[trial.key for trial in trials_of(study, points_of(study, base_of(study)))] for study in (one, other)]
    assert keys[0] == keys[1]


def test_a_value_that_a_setting_does_not_take_is_named_with_its_setting():
    study = parse_study(HEAD + '[[vary]]\npath = "training.batch_size"\nvalues = [0]\n')
    with pytest.raises(BadInput, match=r"training.batch_size.*batch_size 0"):
        trials_of(study, points_of(study, {}))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("x = 1", "study.x"),
        ("format = 2", "format"),
        ("title = 3", "title"),
        (HEAD, "vary"),
        (HEAD + "vary = 1", "vary"),
        (HEAD + "seeds = [1, 1]", "seeds"),
        (HEAD + "seeds = [-1]", "seeds"),
        (HEAD + 'seeds = "0"', "seeds"),
        (HEAD + "[[vary]]\nvalues = [1]", "vary 1.path"),
        (HEAD + '[[vary]]\npath = "a.b"\nvalues = []', "vary a.b.values"),
        (HEAD + '[[vary]]\npath = "a.b"\nvalues = [[[1]]]', "vary a.b.values"),
        (HEAD + '[[vary]]\npath = "a.b"\nlow = 2\nhigh = 1', "vary a.b"),
        (HEAD + '[[vary]]\npath = "a.b"\nlow = 0\nhigh = 1\nlog = true', "vary a.b"),
        (HEAD + '[[vary]]\npath = "a.b"\nlow = "x"\nhigh = 1', "vary a.b.low"),
        (HEAD + WIDTHS + WIDTHS, "vary"),
        (HEAD + WIDTHS + '[sampler]\nname = "magic"', "sampler.name"),
        (HEAD + WIDTHS + "[sampler]\nruns = 0", "sampler.runs"),
        (HEAD + WIDTHS + "[stopping]\nminutes = -1", "stopping.minutes"),
        (HEAD + "minutes = -1\n" + WIDTHS, "study.minutes"),
        (HEAD + "look = 1\n" + WIDTHS, "look"),
        (HEAD + "measures = 1\n" + WIDTHS, "measures"),
        (HEAD + WIDTHS + MEASURE + MEASURE, "measures 2.title"),
        (HEAD + WIDTHS + MEASURE.replace("length = 256", ""), "measures 1"),
        (HEAD + WIDTHS + MEASURE.replace("loss at length", "luck"), "measures 1.figure"),
        (HEAD + WIDTHS + MEASURE.replace("length = 256", "size = 3"), "measures 1.size"),
        (HEAD + 'recipe = "none"\n' + WIDTHS, "recipe"),
        (HEAD + 'set = ["a"]\n' + WIDTHS, "--set"),
        (HEAD + '[fair]\narchitectures = ["transformer"]', "fair.architectures"),
        (HEAD + '[fair]\narchitectures = ["transformer", "gru"]\nequal = "luck"', "fair.equal"),
        (HEAD + '[fair]\narchitectures = ["transformer", "gru"]\nequal = "seconds"', "training.budget"),
    ],
)
def test_what_is_no_study_is_refused_by_field(text, field):
    with pytest.raises(BadInput) as refused:
        parse_study(text)
    assert refused.value.problem.field == field


@pytest.mark.parametrize("text", ["", "title = ", "\x00", "[" * 200])
def test_garbage_is_refused(text):
    with pytest.raises(BadInput):
        parse_study(text)


@pytest.mark.parametrize(
    "name", sorted(file.name for file in (resources() / "studies").iterdir() if file.name.endswith(".toml"))
)
def test_the_lab_s_own_studies_have_a_plan(name):
    study = parse_study((resources() / "studies" / name).read_text(encoding="utf-8"))
    assert study.question.endswith("?")
    assert study.look.endswith(".") or not study.look
    assert study.minutes <= 60
    if study.fair is None:
        trials = trials_of(study, points_of(study, base_of(study)))
        assert len(study.seeds) >= 3 or len(trials) >= 24


def test_a_huge_grid_is_refused():
    vary = "".join(f'[[vary]]\npath = "a.p{at}"\nlow = 0\nhigh = 1\ncount = 1000\n' for at in range(3))
    with pytest.raises(BadInput, match="too large"):
        points(HEAD + vary)


def test_a_stored_study_is_plain_toml():
    stored = tomllib.loads(parse_study(HEAD + WIDTHS).to_toml())
    assert stored["base"]["training"]["steps"] == 1000


def test_a_value_may_be_a_list_which_the_recipe_and_the_file_have_as_one():
    study = parse_study(
        f'{HEAD}recipe = "network-teeth"\n[[vary]]\npath = "architecture.widths"\nvalues = [[197], [16, 16]]\n'
    )
    trials = trials_of(study, points_of(study, base_of(study)))
    assert [trial.recipe.architecture.settings["widths"] for trial in trials] == [[197], [16, 16]]
    assert [trial.arm for trial in trials] == ["widths [197]", "widths [16, 16]"]
    assert parse_study(study.to_toml()) == study


def test_each_seed_draws_rows_of_its_own_where_the_study_says_so():
    text = f'{HEAD}recipe = "network-teeth"\nseeds = [3, 4]\n'
    per_seed, shared = parse_study(f"{text}data_per_seed = true\n"), parse_study(text)
    assert [trial.recipe.corpus.settings["seed"] for trial in trials_of(per_seed, [{}])] == [3, 4]
    assert ["seed" in trial.recipe.corpus.settings for trial in trials_of(shared, [{}])] == [False, False]
    assert parse_study(per_seed.to_toml()) == per_seed
    assert per_seed.name != shared.name


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('[[vary]]\npath = "architecture.widths"\nvalues = [[[1]]]\n', "values"),
        ('[[vary]]\npath = "architecture.widths"\nvalues = [[1], [2]]\n[sampler]\nname = "tpe"\n', "vary"),
        ("data_per_seed = 1\nseeds = [1, 2]\n", "data_per_seed"),
        ('data_per_seed = true\n[fair]\narchitectures = ["lstm", "gru"]\n', "data_per_seed"),
    ],
)
def test_lists_in_lists_and_data_of_their_own_in_a_fair_fight_are_refused(text, field):
    with pytest.raises(BadInput) as refused:
        parse_study(HEAD + text)
    assert field in refused.value.problem.field
