"""Recorded runs to export."""

import pytest

from lab.runs import MetricWriter, RunFolder

RECIPE = 'format = 1\n\n[architecture]\nname = "transformer"\nlayers = 3\n\n[training]\nsteps = 600\n'


@pytest.fixture
def recorded(tmp_path):
    """Return a function that makes a run with these series: (unit, steps, values) by name."""

    def recorded(series=None, facts=None, recipe=RECIPE, name="a run"):
        run = RunFolder.create(tmp_path / "runs" / name, recipe, facts or {})
        with MetricWriter(run.metrics_file) as writer:
            for series_name, (unit, steps, values) in (series or {}).items():
                writer.add_series(series_name, unit)
                writer.append((step, series_name, value) for step, value in zip(steps, values, strict=True))
        return RunFolder.open(run.path)

    return recorded
