"""Names of runs: each gets one when it is made, which is stored and stays."""

from lab.runs import RunFolder
from lab.workbench.launch.request import origin_of


def name(run):
    """The stored name of a run."""
    return RunFolder.open(run.path).assigned_name


def test_a_run_of_the_command_line_gets_a_name_that_stays_when_others_come(bench, recipe):
    first = bench.start(recipe(2))
    first.wait_out()
    second = bench.start(recipe(3))
    second.wait_out()
    branch = bench.branch(second.path, 3, ["training.steps=5"])
    branch.wait_out()
    assert name(first) == "transformer"
    assert name(second) == "transformer · 3 steps"
    assert name(branch) == "transformer · 5 steps"


def test_a_run_keeps_its_name_when_it_is_resumed(bench, recipe):
    first = bench.start(recipe(2))
    first.wait_out()
    bench.start(recipe(2)).wait_out()
    resumed = bench.resume(first.path, steps=4)
    resumed.wait_out()
    assert name(resumed) == "transformer"


def test_the_name_of_a_run_goes_along_with_its_request(bench, recipe):
    bench.namer = lambda recipe: f"{recipe.architecture.name} for me"
    run = bench.start(recipe(2))
    run.wait_out()
    assert name(run) == "transformer for me"
    assert origin_of(run.origin.request).name == "transformer for me"
