"""Study files by a grammar, each value of which may lie: the plan is made or refused, and nothing else is read."""

import copy
import os
import random
import tomllib

import pytest
import tomli_w
from attacking import bounded_memory, damage, lie, refusal

from lab.cli.main import main
from lab.host import Plugins
from lab.recipes import Recipe
from lab.studies.plans import load_study
from lab.workbench.studies.planning import Planner
from lab.workbench.studies.store import StudyStore

SAMPLE = 60
GRID = """
title = "Widths"
question = "Does width help?"
set = ["training.steps=3"]
seeds = [0, 1]
[base]
format = {recipe}
[base.architecture]
name = "gru"
[[vary]]
path = "architecture.width"
values = [8, 16]
[[vary]]
path = "training.optimizer.learning_rate"
low = 0.001
high = 0.1
log = true
count = 3
[vary.when]
"architecture.width" = [8]
[sampler]
name = "grid"
runs = 3
[stopping]
rule = "none"
first = 10
minutes = 1.0
"""
FAIR = """
title = "Fair"
recipe = "quick-start"
seeds = [0]
[fair]
architectures = ["gru", "lstm"]
equal = "parameters"
target = 2000
rates = [0.001, 0.01]
"""
PLANS = {
    "grid": GRID,
    "random": GRID.replace('name = "grid"', 'name = "random"'),
    "hypercube": GRID.replace('name = "grid"', 'name = "latin-hypercube"'),
    "fair": FAIR,
}


@pytest.fixture(scope="module")
def plugins():
    return Plugins().load()


def planned(file, plugins):
    """Return the problem with which a study is refused before anything is trained; None if it has a plan."""

    def plan():
        study = load_study(file)
        Planner(study, plugins, StudyStore(study)).trials()
        load_study(file).to_toml()

    return refusal(plan)


def try_studies(tmp_path, plugins, seeds, tally):
    """Plan studies with lies in them. Return how many were refused."""
    file, refused = tmp_path / "study.toml", 0
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    for seed in seeds:
        draw = random.Random(seed)
        kind = draw.choice(sorted(PLANS))
        data = copy.deepcopy(tomllib.loads(PLANS[kind].replace("{recipe}", str(Recipe.version))))
        lies = [lie(data, draw) for _ in range(draw.randint(1, 2))]
        content = tomli_w.dumps(data).encode(errors="surrogatepass")
        if draw.random() < 0.25:
            what, content = damage(tomli_w.dumps(data), draw)
            lies.append(what)
        file.write_bytes(content)
        tally.begin(kind)
        try:
            with bounded_memory():
                problem = planned(file, plugins)
        except Exception as error:
            error.add_note(f"seed {seed}: {lies}")
            raise
        if problem is not None:
            assert problem.what, lies
            assert problem.field, lies
            assert len(problem.line()) < 4000, lies
            refused += 1
    assert {path.name for path in tmp_path.iterdir()} <= {"study.toml", "lab home"}
    tally.end()
    return refused


def test_a_study_with_any_lie_is_refused_or_has_a_plan(tmp_path, plugins, tally):
    assert SAMPLE / 3 < try_studies(tmp_path, plugins, range(SAMPLE), tally) < SAMPLE


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_studies_with_lies(tmp_path, plugins, tally):
    assert try_studies(tmp_path, plugins, range(1000, 5000), tally) > 1000


@pytest.mark.parametrize(
    "name", ["../secret.toml", "/etc/secret.toml", "sub/secret.toml", "..\\secret.toml", "\\\\host\\share\\secret.toml",
             "C:secret.toml"],
)  # fmt: skip
def test_a_study_names_no_recipe_but_one_beside_it(tmp_path, name):
    (tmp_path / "secret.toml").write_text("title = 'precious'")
    folder = tmp_path / "studies"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "secret.toml").write_text("title = 'precious'")
    (folder / "study.toml").write_text(f"recipe = '{name}'\nseeds = [0, 1]\n")
    problem = refusal(lambda: load_study(folder / "study.toml"))
    assert (problem.field, problem.what) == ("recipe", "there is no such recipe")


@pytest.mark.parametrize(
    ("lines", "field"),
    [
        ("seeds = [0, 1]\n[[vary]]\npath = 'a'\nvalues = [1]\n[sampler]\nname = 'random'\nruns = 99999", "sampler"),
        ("".join(f"[[vary]]\npath = '{name}'\nlow = 0\nhigh = 1\ncount = 400\n" for name in "ab"), "vary"),
        ("[[vary]]\npath = 'a'\nlow = -1e308\nhigh = 1e308", "vary a.low"),
        (f"[[vary]]\npath = '{'a.' * 70}b'\nvalues = [1]", "vary 1.path"),
    ],
    ids=["draws and seeds", "a grid", "a range without end", "a deep path"],
)  # fmt: skip
def test_a_plan_that_is_too_large_is_refused_before_it_is_made(tmp_path, plugins, lines, field):
    (tmp_path / "study.toml").write_text(lines)
    with bounded_memory(2**26):
        assert planned(tmp_path / "study.toml", plugins).field.startswith(field)


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
def test_a_study_or_its_recipe_that_is_no_file_keeps_nobody_waiting(tmp_path, capsys, make):
    make(tmp_path / "odd.toml")
    (tmp_path / "study.toml").write_text('recipe = "odd.toml"\nseeds = [0, 1]\n')
    for name in ("odd.toml", "study.toml"):
        assert main(["study", str(tmp_path / name), "--plan"]) == 2
    assert "Traceback" not in capsys.readouterr().err
