"""A pipe where a file belongs keeps nobody waiting, whatever reads it; metadata nested deeply ends in no failure."""

import os
import signal
import sys

import pytest

from lab.base import LabError
from lab.base.folders import settings_file
from lab.base.settings import change_section
from lab.interop.pretrained.files import Weights
from lab.runs import read_readings
from lab.runs.readings import read_sample
from lab.text.corpora.datasets import _refuse_elsewhere
from lab.text.readers.base import Given
from lab.text.readers.documents import read_docx, read_pdf
from lab.text.row_files.tables import _classes_in
from lab.training.recording.checkpoints import load_model_tables

DEEP = 100_000


@pytest.fixture
def pipe():
    """Make a pipe of which the other end is held, and fail where something waits for what is written into it."""
    held = []

    def fail(*_):
        raise AssertionError("it waits for the pipe")

    def make(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)
        held.append(os.open(path, os.O_RDWR | os.O_NONBLOCK))
        signal.alarm(5)
        return path

    before = signal.signal(signal.SIGALRM, fail)
    yield make
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    for number in held:
        os.close(number)


def given(path):
    return Given(path, "corpus.path", path.name)


READERS = {
    "sample": ("readings/5.safetensors", lambda path: read_sample(path.parents[1], 5)),
    "weights": ("5/model.safetensors", lambda path: load_model_tables(path.parent)),
    "text": ("a.txt", lambda path: list(given(path).blocks())),
    "document": ("a.pdf", lambda path: read_pdf(given(path))),
    "Word": ("a.docx", lambda path: read_docx(given(path))),
    "settings": (None, lambda _: change_section("own", lambda section: section)),
}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are no files there")
@pytest.mark.parametrize(("name", "read"), READERS.values(), ids=READERS)
def test_a_pipe_is_refused_at_once(pipe, tmp_path, name, read):
    path = tmp_path / name if name else settings_file().with_name(settings_file().name + ".lock")
    with pytest.raises((LabError, OSError), match="not a regular file"):
        read(pipe(path))


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are no files there")
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("readings/5.safetensors", lambda path: read_readings(path.parents[1], 5)),
        ("model.safetensors", lambda path: Weights(path.parent)),
    ],
)
def test_a_pipe_is_none_of_the_files_of_a_folder(pipe, tmp_path, name, read):
    with pytest.raises(LabError):
        read(pipe(tmp_path / name))


def test_metadata_nested_deeply_names_no_classes():
    assert list(_classes_in({b"huggingface": b'{"info": ' + b"[" * DEEP})) == []


def test_a_card_nested_deeply_is_refused(tmp_path):
    (tmp_path / "README.md").write_text(f"---\nconfigs: {'[' * 1000}{']' * 1000}\n---\n")
    with pytest.raises(LabError, match="is not YAML"):
        _refuse_elsewhere(given(tmp_path), tmp_path)


def test_a_description_of_readings_that_is_huge_is_refused(tmp_path, monkeypatch):
    import numpy as np
    from safetensors.numpy import save_file

    (tmp_path / "readings").mkdir()
    save_file({"0": np.zeros(1)}, tmp_path / "readings" / "5.safetensors", {"lab": '{"format": 1}'})
    monkeypatch.setattr("lab.runs.readings.LARGEST", 5)
    for read in (read_sample, read_readings):
        with pytest.raises(LabError, match="longer than"):
            read(tmp_path, 5)
