"""Data sets of Hugging Face on this machine: loaded for real, without the network, and without running their code."""

import json
import socket

import pytest

from lab.api import BadInput, LongText
from lab.text.corpora.datasets import DatasetConfig, read_dataset


@pytest.fixture(autouse=True)
def no_network(datasets, monkeypatch):
    """Whoever asks for another machine fails the test."""

    def refuse(*arguments, **_):
        pytest.fail(f"asked the network for {arguments}")

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)  # or it would refuse what is to be found
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "stories"
    made.mkdir()
    return made


def write(path, *rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path, **settings):
    return read_dataset(DatasetConfig(path=str(path), **settings))


def problem(path, **settings):
    with pytest.raises(BadInput) as caught:
        read(path, **settings)
    reported = caught.value.problem
    assert reported.remedy
    return reported


ONE = [{"id": 1, "text": "one"}, {"id": 2, "text": None}, {"id": 3, "text": "two\r\nlines\n"}]


def test_a_folder_of_tables_is_read(folder):
    write(folder / "train.jsonl", *ONE)
    text = read(folder)
    assert text.text == "one\n\ntwo\nlines\n"
    assert text.name == "stories"
    assert text.facts == {"reader": "datasets", "split": "train", "column": "text", "rows": 2, "blank_rows": 1}


def test_a_single_file_is_read_though_its_name_is_a_pattern(folder):
    assert read(write(folder / "a[1]*.jsonl", *ONE)).text == "one\n\ntwo\nlines\n"


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_files_of_several_kinds_are_read(datasets, folder, form):
    made = datasets.Dataset.from_list([{"text": "one"}, {"text": "two"}])
    getattr(made, f"to_{form}")(folder / f"a.{form}")
    assert read(folder / f"a.{form}").text == "one\n\ntwo\n"


def test_what_the_library_saved_is_read(datasets, folder):
    datasets.Dataset.from_list(ONE).save_to_disk(folder / "alone")
    parts = datasets.DatasetDict(train=datasets.Dataset.from_list(ONE), test=datasets.Dataset.from_list(ONE[:1]))
    parts.save_to_disk(folder / "parts")
    assert read(folder / "alone").text == read(folder / "parts").text == "one\n\ntwo\nlines\n"
    assert read(folder / "parts", split="test").text == "one\n"


def test_a_split_is_chosen_by_name(folder):
    write(folder / "train.jsonl", *ONE)
    write(folder / "test.jsonl", {"id": 4, "text": "held out"})
    assert read(folder, split="test").text == "held out\n"
    reported = problem(folder, split="dev")
    assert (reported.field, reported.value, reported.allowed) == ("corpus.split", "dev", "train, test")


def test_a_subset_is_chosen_by_name(folder):
    write(folder / "a.jsonl", {"text": "a"})
    write(folder / "b.jsonl", {"text": "b"})
    configs = "- config_name: one\n  data_files: a.jsonl\n- config_name: two\n  data_files: b.jsonl\n"
    (folder / "README.md").write_text(f"---\nlicense_link: https://example.org\nconfigs:\n{configs}---\nWords.\n")
    assert read(folder, subset="two").text == "b\n"
    assert "one" in problem(folder, subset="three").what


def test_a_column_is_chosen_by_name_and_a_wrong_one_refused(folder):
    file = write(folder / "a.jsonl", {"id": 1, "text": "a", "title": "b"})
    assert read(file, column="title").text == "b\n"
    reported = problem(file, column="words")
    assert (reported.field, reported.allowed) == ("corpus.column", "id, text, title")


def test_the_code_of_a_data_set_is_not_run(folder, capsys):
    (folder / "stories.py").write_text("print('it ran')\n")
    assert "cannot be loaded" in problem(folder).what
    assert "it ran" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "files",
    ["hf://datasets/a/b/c.jsonl", "https://example.org/c.jsonl", "../c.jsonl", "/c.jsonl", '"htt\\x70://a/b.csv"'],
)
@pytest.mark.parametrize(
    "form", ["configs:\n- config_name: default\n  data_files: {}", '{{"configs": [{{data_files: [{}]}}]}}']
)
def test_a_folder_that_names_files_elsewhere_is_refused(folder, files, form):
    write(folder / "a.jsonl", *ONE)
    (folder / "README.md").write_text(f"---\n{form.format(files)}\n---\n")
    assert "elsewhere" in problem(folder).what


def test_what_is_not_there_is_refused(folder):
    assert "no such file" in problem(folder / "nowhere").what


def test_a_broken_line_is_reported(folder):
    (folder / "a.jsonl").write_text('{"text": "one"}\n{"text": \n')
    assert "cannot be loaded" in problem(folder / "a.jsonl").what


def test_a_file_of_no_known_kind_is_refused(folder):
    (folder / "a.zip").write_bytes(b"PK")
    assert ".parquet" in problem(folder / "a.zip").allowed


def test_a_name_on_the_hub_is_loaded_by_that_name(datasets, monkeypatch):
    def load(path, subset, **settings):
        requested.append((path, subset))
        return datasets.DatasetDict(train=datasets.Dataset.from_list([{"text": "far"}]))

    requested = []
    monkeypatch.setattr(datasets, "load_dataset", load)
    text = read("owner/stories", subset="small")
    assert requested == [("owner/stories", "small")]
    assert (text.text, text.name) == ("far\n", "owner/stories")


def test_a_policy_without_a_network_forbids_the_hub_and_no_local_file(datasets, folder, with_policy, monkeypatch):
    with_policy("network = false")
    monkeypatch.setattr(datasets, "load_dataset", None)
    assert "downloads are not allowed by" in problem("owner/stories").what
    monkeypatch.undo()
    (folder / "a.jsonl").write_text('{"text": "one"}')
    assert read(str(folder / "a.jsonl")).text == "one\n"


def test_a_missing_network_is_reported(datasets, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    reported = problem("owner/stories")
    assert "cannot be loaded" in reported.what
    assert "network" in reported.remedy


def test_a_long_one_is_read_piece_by_piece(folder, monkeypatch):
    rows = [f"row {number}" for number in range(1000)]
    write(folder / "train.jsonl", *({"text": row} for row in rows))
    monkeypatch.setattr("lab.text.corpora.files.LONG", 1000)
    text = read(folder)
    assert isinstance(text, LongText)
    assert "".join(text.pieces()) == "\n\n".join(rows) + "\n"
