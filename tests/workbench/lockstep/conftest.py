"""Runs that are trained once for the tests of columns."""

import pytest

from lab.workbench import Workbench
from lab.workbench.lockstep.columns import Column

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60


@pytest.fixture(scope="module")
def opened(tmp_path_factory, small_recipe):
    """Open a run on a text, by default the small transformer after four steps; equal ones are trained once."""
    bench, made = Workbench(), {}

    def opened(*settings, text=TEXT, steps=4):
        key = (settings, text, steps)
        if key not in made:
            file = tmp_path_factory.mktemp("lockstep") / f"text {len(made)}.txt"
            file.write_text(text)
            run = bench.start(small_recipe(file, steps, *settings))
            run.wait_out()
            assert run.state == "finished", run.problem
            run.folder.path.with_name(file.name).write_text(text)
            made[key] = bench.open(run.folder.path)
        return made[key]

    yield opened
    bench.close()


@pytest.fixture(scope="module")
def column(opened):
    """Return a column of a run that is trained with another seed, or otherwise."""

    def column(*settings, **options):
        return Column(opened(*settings, **options), " ".join(settings) or "first")

    return column
