"""Labelled texts and labelled words are read; missing labels, too few and too many classes are refused."""

import json

import pytest

from lab.text.row_files.labels import LabelsFileConfig, read_labels


def read(path, **settings):
    return read_labels(LabelsFileConfig(path=str(path), **settings))


@pytest.fixture
def refused(problem):
    return lambda path, **settings: problem(read_labels, LabelsFileConfig(path=str(path), **settings))


def test_classes_are_in_the_order_of_the_alphabet(write):
    data = read(write("my.csv", "text,label", "fine,pos", "bad,neg", "good,pos"))
    assert (list(data.texts), list(data.labels), data.classes) == (["fine", "bad", "good"], [1, 0, 1], ("neg", "pos"))
    assert not data.by_token


def test_whole_numbers_are_in_their_order(write):
    data = read(write("my.csv", "stars,review", "10,a", "9,b", "10,c", "-1,d"), label="stars")
    assert data.classes == ("-1", "9", "10")
    assert list(data.labels) == [2, 1, 2, 0]


def test_numbers_and_truth_values_of_json_are_labels(write):
    rows = [{"text": "a", "label": True}, {"text": "b", "label": False}, {"text": "c", "label": True}]
    assert read(write("my.jsonl", *map(json.dumps, rows))).classes == ("false", "true")
    rows = [{"text": text, "label": label} for text, label in [("a", 1), ("b", 2.0), ("c", 1)]]
    assert read(write("my.jsonl", *map(json.dumps, rows))).classes == ("1", "2")


def test_a_data_set_names_its_classes(datasets, tmp_path):
    features = datasets.Features(text=datasets.Value("string"), label=datasets.ClassLabel(names=["world", "sport"]))
    rows = {"text": ["a", "b", "c"], "label": [1, 0, 1]}
    datasets.Dataset.from_dict(rows, features=features).save_to_disk(tmp_path / "news")
    data = read(tmp_path / "news")
    assert (data.classes, list(data.labels)) == (("world", "sport"), [1, 0, 1])


def test_a_row_that_a_data_set_gives_no_class_is_named_and_can_be_skipped(datasets, tmp_path, refused):
    features = datasets.Features(text=datasets.Value("string"), label=datasets.ClassLabel(names=["world", "sport"]))
    rows = {"text": ["a", "b", "c", "d"], "label": [1, 0, -1, 1]}
    datasets.Dataset.from_dict(rows, features=features).save_to_disk(tmp_path / "news")
    what = "news, row no. 3: the label -1 in the column 'label' is none of its 2 classes"
    assert refused(tmp_path / "news").what == what
    data = read(tmp_path / "news", bad_rows="skip")
    assert (data.classes, list(data.labels)) == (("world", "sport"), [1, 0, 1])


def test_words_have_labels_from_lists_or_separated_by_spaces(write):
    row = {"tokens": ["the", "dog"], "tags": ["DET", "NOUN"]}
    lists = read(write("my.jsonl", json.dumps(row)), labelled="words")
    spaces = read(write("my.csv", "words,tags", "the dog,DET NOUN"), labelled="words")
    for data in (lists, spaces):
        assert list(data.texts) == [["the", "dog"]]
        assert [data.classes[label] for label in data.labels[0]] == ["DET", "NOUN"]
        assert data.by_token


def test_a_data_set_names_the_classes_of_words(datasets, tmp_path):
    names = datasets.Sequence(datasets.ClassLabel(names=["O", "PER"]))
    features = datasets.Features(tokens=datasets.Sequence(datasets.Value("string")), ner_tags=names)
    datasets.Dataset.from_dict({"tokens": [["I", "Ann"]], "ner_tags": [[0, 1]]}, features=features).save_to_disk(
        tmp_path / "names"
    )
    data = read(tmp_path / "names", labelled="words")
    assert (data.classes, list(data.labels)) == (("O", "PER"), [[0, 1]])


def test_unequal_numbers_of_words_and_labels_are_named(write, refused):
    path = write("names.csv", "words,tags", "a b,X Y", "a b c,X Y")
    assert refused(path, labelled="words").what == "names.csv, line 3: 3 words have 2 labels"


def test_lists_that_are_none_are_named(write, refused):
    rows = [{"tokens": "", "tags": []}, {"tokens": 7, "tags": ["X"]}]
    for row in rows:
        assert "no list" in refused(write("my.jsonl", json.dumps(row)), labelled="words").what


def test_a_missing_label_is_named_by_file_and_line(write, refused):
    path = write("names.csv", "text,label", "a,x", "b,y", "c,z", "d,", "e,x")
    assert refused(path).what == "names.csv, line 5: the label in the column 'label' is missing"
    assert list(read(write("names.csv", "text,label", "a,x", "b,", "c,x", "d,y"), bad_rows="skip").labels) == [0, 0, 1]


def test_a_label_that_is_none_is_named(write, refused):
    rows = [{"text": "a", "label": [1]}]
    assert "is no label" in refused(write("my.jsonl", *map(json.dumps, rows))).what


def test_one_class_alone_is_refused(write, refused):
    found = refused(write("my.csv", "text,label", "a,x", "b,x"))
    assert "'x'" in found.what
    assert (found.field, found.value, found.allowed) == ("corpus.label", "label", "text, label")


def test_a_column_that_differs_in_each_row_is_no_label(write, refused):
    path = write("my.csv", "text,label,id", *(f"text {number},{number % 2},{number}" for number in range(9)))
    assert "9 different labels in 9 rows" in refused(path, label="id").what
