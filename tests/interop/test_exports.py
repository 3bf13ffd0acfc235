"""A run goes out whole or not at all, in every form there is."""

import shutil
import subprocess
import sys

import pytest

from lab.base.folders import resources
from lab.base.problems import BadInput, LabError
from lab.interop import tables
from lab.interop.exports import FORMATS, export_run
from lab.runs import MetricWriter

SERIES = {"train loss": ("nats", range(1, 101), [4 / step for step in range(1, 101)])}
EVERY_FORM = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)


@pytest.fixture
def run(recorded):
    made = recorded(SERIES)
    made.append_sample({"step": 100, "text": "It was"})
    return made


@pytest.fixture
def place(tmp_path):
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def content(path):
    return b"".join(file.read_bytes() for file in sorted(path.rglob("*"))) if path.is_dir() else path.read_bytes()


@EVERY_FORM
def test_the_suffix_of_the_file_selects_the_format(run, place, form):
    file = place / f"My Run{form.suffix.upper()}"
    assert export_run(run, file) == file
    assert [path.name for path in place.iterdir()] == [file.name]
    assert content(file)


@EVERY_FORM
def test_a_form_that_is_named_takes_any_name_of_a_file(run, place, form):
    export_run(run, place / "out.bin", form.name)
    export_run(run, place / f"out{form.suffix}")
    assert content(place / "out.bin") == content(place / f"out{form.suffix}")


@EVERY_FORM
def test_the_formats_are_in_the_users_guide(form):
    assert f"{form.suffix}`" in (resources() / "docs" / "using" / "sharing.md").read_text(encoding="utf-8")


def test_an_unknown_form_is_refused_with_those_there_are(run, place):
    with pytest.raises(BadInput) as refused:
        export_run(run, place / "run.csv", "excel")
    assert (refused.value.problem.field, refused.value.problem.value) == ("form", "excel")
    assert refused.value.problem.allowed == "csv, parquet, tensorboard, html"


@pytest.mark.parametrize("name", ["run.xlsx", "run", "csv"])
def test_a_name_without_a_known_suffix_is_refused_with_the_known_ones(run, place, name):
    with pytest.raises(BadInput) as refused:
        export_run(run, place / name)
    assert refused.value.problem.value == name
    assert all(form.suffix in refused.value.problem.allowed for form in FORMATS)
    assert not list(place.iterdir())


@EVERY_FORM
def test_an_existing_file_is_replaced_only_on_request(run, place, form):
    file = place / f"out{form.suffix}"
    export_run(run, file)
    before = content(file)
    with MetricWriter(run.metrics_file) as writer:
        writer.append([(101, "train loss", 0.04)])
    with pytest.raises(BadInput, match="already exists"):
        export_run(run, file)
    assert content(file) == before
    export_run(run, file, overwrite=True)
    assert content(file) != before
    assert [path.name for path in place.iterdir()] == [file.name]


def test_a_folder_in_the_place_of_a_file_is_not_harmed(run, place):
    (place / "out.csv").mkdir()
    (place / "out.csv" / "mine").write_text("kept")
    with pytest.raises(LabError):
        export_run(run, place / "out.csv", overwrite=True)
    assert (place / "out.csv" / "mine").read_text() == "kept"


def test_parent_folders_are_made(run, place):
    assert export_run(run, place / "for" / "class" / "run.html").is_file()


@EVERY_FORM
def test_a_cancelled_export_leaves_nothing(run, place, form):
    with pytest.raises(LabError, match="cancelled"):
        export_run(run, place / f"out{form.suffix}", cancelled=lambda: True)
    assert not list(place.iterdir())


@EVERY_FORM
def test_progress_rises_to_one(run, place, form, monkeypatch):
    monkeypatch.setattr(tables, "ROWS", 10)
    reported = []
    export_run(run, place / f"out{form.suffix}", progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == 1.0


def test_without_its_library_parquet_is_refused_with_what_to_install(run, place, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput) as refused:
        export_run(run, place / "run.parquet")
    assert refused.value.problem.remedy == 'Install it: pip install "lm-lab[exports]"'
    assert not list(place.iterdir())


@EVERY_FORM
def test_a_run_that_still_trains_is_exported_as_far_as_it_is(run, place, form):
    with MetricWriter(run.metrics_file) as writer:
        writer.append([(101, "train loss", 0.5)])
        assert content(export_run(run, place / f"out{form.suffix}"))
    assert run.status().state == "running"


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 64 kilobytes; skips where one may not be mounted."""
    folder = tmp_path / "small disk"
    folder.mkdir()
    mount = shutil.which("mount") if sys.platform == "linux" else None
    command = [mount, "-t", "tmpfs", "-o", "size=64k", "lab-test", folder]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@EVERY_FORM
def test_on_a_full_disk_nothing_is_left_and_the_place_is_named(recorded, small_disk, form):
    steps = range(1, 20_001)
    run = recorded({f"series {number}": ("", steps, [number + 1 / step for step in steps]) for number in range(4)})
    for number in range(12):
        run.append_sample({"step": number, "text": "word " * 4000})
    with pytest.raises(LabError) as refused:
        export_run(run, small_disk / f"out{form.suffix}")
    assert "No space left on device" in refused.value.problem.what
    assert refused.value.problem.value == str(small_disk)
    assert refused.value.problem.remedy == "Free some space there, or choose another folder"
    assert not list(small_disk.iterdir())


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_of_a_run_without_metrics_is_refused_and_the_file_is_named(run, place, form):
    run.metrics_file.unlink()
    with pytest.raises(LabError, match=r"metrics\.sqlite cannot be read: it is missing"):
        export_run(run, place / f"out.{form}")
    assert not list(place.iterdir())
