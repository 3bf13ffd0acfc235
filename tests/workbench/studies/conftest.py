"""A small study, the plugins, and a Dask cluster in this process."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from lab.host import Plugins
from lab.studies.plans import parse_study
from lab.workbench.studies.execution import StudyExecution

SMALL = [
    "architecture.layers=1", "architecture.width=16", "training.context_length=16",
    "training.batch_size=2", "training.steps=4", "training.sample_tokens=0", "training.threads=1",
    "readings.moments=0", "training.evaluate_every=2", "readings.gauges_every=0",
]  # fmt: skip
WIDTHS = '[[vary]]\npath = "architecture.width"\nvalues = [16, 32]\n'


@pytest.fixture
def study_of(text):
    """Make a small study on a small corpus."""

    def study_of(vary=WIDTHS, seeds="[0, 1]", heads=("architecture.heads=2",), **changes):
        settings = [*SMALL, *heads, "corpus.name=file", f"corpus.path={text}"]
        settings += [f"{name.replace('__', '.')}={value}" for name, value in changes.items()]
        return parse_study(f'title = "Small"\nseeds = {seeds}\nset = {json.dumps(settings)}\n{vary}')

    return study_of


@pytest.fixture
def plugins(lab_home):
    return Plugins.from_environment().load()


@pytest.fixture
def in_this_process(monkeypatch):
    """Train in threads of this process, which starts sooner than processes do."""
    monkeypatch.setattr(
        StudyExecution, "_pool", lambda self: ThreadPoolExecutor(self._workers, thread_name_prefix="study")
    )


@pytest.fixture
def cluster_here():
    """A Dask cluster of two workers in threads of this process."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0", protocol="tcp"
    ) as cluster:
        yield cluster
