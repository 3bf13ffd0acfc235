"""Columns of numbers are read with their class or numbers to predict; what is not a number is named."""

import numpy as np
import pytest

from lab.text.row_files.vectors import VectorsFileConfig, read_vectors

HASH = "88cec8dab4c687e3978ee24d773d3c7f08400319ac9176c06ef7485dc068a87e"  # of the table below, by version 1
IRIS = ["width,length,species", "1,10,setosa", "2,20,virginica", "3,60,setosa"]


def read(path, **settings):
    return read_vectors(VectorsFileConfig(path=str(path), **settings))


@pytest.fixture
def refused(problem):
    return lambda path, **settings: problem(read_vectors, VectorsFileConfig(path=str(path), **settings))


def test_a_column_of_text_is_the_class_and_the_others_are_features(write):
    data = read(write("iris.csv", *IRIS), standardise=False)
    assert data.inputs.tolist() == [[1, 10], [2, 20], [3, 60]]
    assert (data.inputs.dtype, data.targets.dtype) == (np.float32, np.int64)
    assert (data.classes, data.targets.tolist()) == (("setosa", "virginica"), [0, 1, 0])
    assert (data.features, data.outputs) == (("width", "length"), ())


def test_columns_are_standardised_and_the_facts_say_how(write):
    data = read(write("iris.csv", *IRIS))
    assert data.inputs.mean(0) == pytest.approx([0, 0], abs=1e-6)
    assert data.inputs.std(0) == pytest.approx([1, 1])
    assert data.facts["scaled"]["length"]["mean"] == 30
    assert data.facts["scaled"]["width"]["deviation"] == pytest.approx(np.std([1, 2, 3]))


def test_a_table_of_version_1_is_scaled_over_all_rows_and_recognised_by_its_hash(write):
    path = write("iris.csv", *IRIS)
    old = read_vectors(VectorsFileConfig.read({"path": str(path)}, version=1))
    assert not old.by_training
    assert old.sha256 == HASH
    assert read(path).by_training
    assert not read(path, standardise=False).by_training
    assert read(path).sha256 != old.sha256


def test_a_constant_column_becomes_zero(write):
    assert read(write("my.csv", "a,b,y", "1,5,u", "2,5,v", "3,5,u")).inputs[:, 1].tolist() == [0, 0, 0]


def test_targets_of_nothing_but_0_and_1_stay_as_they_are_and_other_columns_are_standardised(write):
    data = read(write("my.csv", "a,y,z", "0,0,3", "1,1,5", "1,1,7"), features="a", target="y,z", predicts="number")
    assert data.targets[:, 0].tolist() == [0, 1, 1]
    assert data.targets[:, 1].mean() == pytest.approx(0, abs=1e-6)
    assert data.inputs.mean() == pytest.approx(0, abs=1e-6)
    assert set(data.facts["scaled"]) == {"a", "z"}


def test_numbers_without_a_header_are_read_and_the_last_column_is_predicted(write):
    data = read(write("my.csv", "1,2,0.5", "3,4,1.5"), standardise=False)
    assert (data.features, data.outputs, data.classes) == (("1", "2"), ("3",), ())
    assert data.targets.tolist() == [[0.5], [1.5]]
    assert data.targets.dtype == np.float32


def test_a_header_above_numbers_is_recognised(write):
    assert read(write("my.csv", "height,weight", "1.5,50.5", "1.7,70.5")).features == ("height",)


def test_few_whole_numbers_are_classes_unless_said_otherwise(write, refused):
    path = write("my.csv", "a,y", "1,0", "2,1", "3,0", "4,1")
    assert read(path).classes == ("0", "1")
    assert read(path, predicts="number", standardise=False).targets.tolist() == [[0], [1], [0], [1]]
    many = write("many.csv", "a,y", *(f"{number},{number}" for number in range(30)))
    assert read(many).classes == ()
    assert "no class has examples" in refused(many, predicts="class").what


def test_columns_can_be_chosen_and_several_predicted(write):
    path = write("my.csv", "a,b,c,d", "1,2,3.5,4", "5,6,7.5,8")
    data = read(path, features="d, a", target="b,c", standardise=False)
    assert data.inputs.tolist() == [[4, 1], [8, 5]]
    assert data.targets.tolist() == [[2, 3.5], [6, 7.5]]
    assert data.outputs == ("b", "c")


@pytest.mark.parametrize(
    ("cell", "what"),
    [("oops", "'oops'"), ("nan", "not a finite number"), ("inf", "finite"), ("1e39", "finite"), ("", "missing")],
)
def test_what_is_no_number_is_named_by_file_line_and_column(write, refused, cell, what):
    path = write("iris.csv", *IRIS, f"4,{cell},setosa")
    found = refused(path).what
    assert found.startswith("iris.csv, line 5: ")
    assert "'length'" in found
    assert what in found
    assert len(read(path, bad_rows="skip")) == 3


def test_a_target_that_is_no_number_is_named_too(write, refused):
    path = write("my.csv", "a,y", "1,0.5", "2,oops", "3,0.25", "4,0.75")
    assert refused(path).what == "my.csv, line 3: 'oops' in the column 'y' is not a number"
    assert len(read(path, bad_rows="skip")) == 3


def test_columns_that_are_not_there_or_used_twice_are_refused(write, refused):
    path = write("iris.csv", *IRIS)
    found = refused(path, features="width,height")
    assert (found.field, found.value, found.allowed) == ("corpus.features", "height", "width, length, species")
    assert refused(path, features="width,species").field == "corpus.features"
    assert refused(path, target="width,length", predicts="class").field == "corpus.target"
    assert "beside the target" in refused(write("one.csv", "y", "1", "2")).what


def test_one_class_alone_is_refused(write, refused):
    assert "nothing to learn" in refused(write("my.csv", "a,y", "1,u", "2,u")).what


def test_a_constant_column_becomes_zeros_and_no_number_is_lost(write):
    data = read(write("flat.csv", "a,b,label", "5,1,x", "5,2,y", "5,3,x"))
    assert data.inputs[:, 0].tolist() == [0, 0, 0]
    assert np.isfinite(data.inputs).all()


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (("a,label", "1,x", "2,x"), "all labels are 'x': there is nothing to learn"),
        (("a,label", "1,x"), "all labels are 'x': there is nothing to learn"),
        (("a,label", "1,x", "nan,y"), "vectors.csv, line 3: 'nan' in the column 'a' is not a finite number"),
        (("a,label", "1,x", "inf,y"), "vectors.csv, line 3: 'inf' in the column 'a' is not a finite number"),
    ],
)
def test_a_table_that_teaches_nothing_or_holds_no_number_is_refused(lines, what, write, refused):
    assert refused(write("vectors.csv", *lines)).what == what


def test_rows_that_are_left_out_leave_no_part_of_them_behind(write):
    lines = ("a,b,label", "1,2,x", "3,nan,y", "5,6,", "7,8,y")
    data = read(write("holes.csv", *lines), standardise=False, bad_rows="skip")
    assert data.inputs.tolist() == [[1, 2], [7, 8]]
    assert data.targets.tolist() == [0, 1]


def test_ten_thousand_features_are_read(write):
    names = ",".join(f"f{number}" for number in range(10_000))
    rows = [",".join(str(number % 7 + row) for number in range(10_000)) + f",{'xy'[row % 2]}" for row in range(4)]
    assert read(write("wide.csv", f"{names},label", *rows)).inputs.shape == (4, 10_000)


@pytest.mark.long
def test_many_rows_take_little_more_memory_than_their_file_and_their_numbers(write):
    import tracemalloc

    path = write("long.csv", "a,b,label", *(f"{row % 97},{row % 89},{'xy'[row % 2]}" for row in range(200_000)))
    config = VectorsFileConfig(path=str(path), standardise=False)
    tracemalloc.start()
    data = read_vectors(config)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(data) == 200_000
    assert peak < path.stat().st_size * 4 + 200_000 * 80
