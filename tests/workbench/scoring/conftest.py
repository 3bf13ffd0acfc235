"""Runs that are trained once for the tests of texts."""

import pytest

from lab.recipes import Recipe
from lab.workbench import Workbench

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
COUNTING = ("architecture.name=n-gram", "training.context_length=8", "training.steps=1")


@pytest.fixture(scope="module")
def opened(tmp_path_factory, small_recipe):
    """Open a run on a text that makes three steps, by default the small transformer; equal ones are trained once."""
    bench, made = Workbench(), {}

    def recipe_of(file, steps, settings):
        if settings == COUNTING:
            return Recipe().with_values({"corpus": {"name": "file", "path": str(file)}}).with_assignments(*settings)
        return small_recipe(file, steps, *settings)

    def opened(*settings, text=TEXT, steps=3):
        key = (settings, text, steps)
        if key not in made:
            file = tmp_path_factory.mktemp("texts") / f"text {len(made)}.txt"
            file.write_text(text)
            run = bench.start(recipe_of(file, steps, settings))
            run.wait_out()
            assert run.state == "finished"
            run.folder.path.with_name(file.name).write_text(text)  # where it is found from every home
            made[key] = bench.open(run.folder.path)
        return made[key]

    yield opened
    bench.close()


@pytest.fixture(scope="module")
def n_gram(opened):
    """An n-gram that has counted the text."""
    return opened(*COUNTING)
