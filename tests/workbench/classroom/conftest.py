"""Finished runs that nobody trained, and forged bundles."""

import hashlib
import json
import re
import zipfile

import pytest

from lab.recipes import Recipe
from lab.runs import MetricWriter, RunFolder
from lab.runs.bundle import export_bundle


@pytest.fixture
def finished(tmp_path):
    """Make a finished run of so many steps that ends with a loss; further facts replace its own."""

    def finished(name, loss, *, steps=100, recipe=None, **facts):
        known = {"name": name, "corpus": {"name": "the manual", "sha256": "0" * 64}, "vocabulary": {"words": ["a"]}}
        run = RunFolder.create(tmp_path / "runs" / name, (recipe or Recipe()).to_toml(), {**known, **facts})
        with MetricWriter(run.metrics_file) as writer:
            writer.append([(step, "validation loss", loss + (steps - step) / 100) for step in range(0, steps + 1, 25)])
        run.append_sample({"step": steps, "text": f"the end of {name}"})
        summary = {"validation_loss": loss, "protocol": "windows", "part": "all", "parameters": 1000, "targets": 100}
        run.update(state="finished", step=steps, summary={**summary, "loss_unit": "nats per token"})
        return run

    return finished


@pytest.fixture
def bundle(finished, tmp_path):
    """Make the bundle of a finished run that a student hands in."""

    def bundle(student, loss=2.0, *, folder=tmp_path, **facts):
        plain = re.sub(r"[^\w ]", "-", student)
        run = finished(f"run of {plain}", loss, **facts)
        return export_bundle(run, folder / f"{plain}.lmlab", student=student)

    return bundle


@pytest.fixture
def forged(tmp_path):
    """Write a package of any content under any names, with a manifest that fits it but for what it is told to say."""

    def forged(name, contents, **about):
        listed = [
            {"name": each, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for each, content in contents.items()
        ]
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for each, content in contents.items():
                archive.writestr(each, content)
            archive.writestr("manifest.json", json.dumps({"format": 1, "files": listed, **about}))
        return tmp_path / name

    return forged


@pytest.fixture
def names_in():
    """List the names of the files in a folder."""
    return lambda folder: sorted(path.name for path in folder.iterdir())
