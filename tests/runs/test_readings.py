"""Stored readings: the same arrays come back, and a stranger's file is read or refused, never run."""

import json
import struct

import numpy as np
import pytest
from safetensors.numpy import save

from lab.api.readings import Reading
from lab.base.problems import BadInput, LabError
from lab.runs import read_readings, reading_steps, write_readings

GENERATOR = np.random.default_rng(0)
READINGS = [
    Reading("attention", ("head", "query", "key"), GENERATOR.random((4, 8, 8), "f4"), 1, "blocks.1.token"),
    Reading("attention", ("head", "query", "key"), GENERATOR.random((8, 8, 4)).astype("f2").T, 0, "blocks.0.token"),
    Reading("entropy", (), np.float64(1.5), None, "", "nats"),
    Reading("counts", ("batch", "token"), np.arange(12, dtype=">i4").reshape(3, 4)[:, ::2], None, "head"),
    Reading("nothing", ("token", "channel"), np.zeros((0, 3), "f4")),
    Reading("chosen ☃", ("expert",), np.array([True, False])),
]


def test_readings_come_back_in_order_with_their_values_and_words(run):
    write_readings(run.path, 40, READINGS)
    found = read_readings(run.path, 40)
    for given, read in zip(READINGS, found, strict=True):
        assert (read.name, read.axes, read.layer) == (given.name, given.axes, given.layer)
        assert (read.path, read.units) == (given.path, given.units)
        np.testing.assert_array_equal(read.values, given.values)
        assert read.values.dtype == np.asarray(given.values).dtype.newbyteorder("=")


def test_the_units_of_quantities_come_back(run):
    names, units = {"quantity": ("time", "share")}, {"time": "s"}
    write_readings(
        run.path, 1, [Reading("timing", ("quantity",), np.zeros(2), coordinates=names, quantity_units=units)]
    )
    assert read_readings(run.path, 1)[0].quantity_units == units


def test_the_same_readings_make_the_same_file(run):
    write_readings(run.path, 1, READINGS)
    write_readings(run.path, 2, READINGS)
    first, second = ((run.path / "readings" / f"{step}.safetensors").read_bytes() for step in (1, 2))
    assert first == second


def test_steps_with_readings_are_listed_in_order_and_a_step_may_be_replaced(run):
    assert reading_steps(run.path) == []
    for step in (1000, 20, 3, 20):
        write_readings(run.path, step, READINGS[:2])
    write_readings(run.path, 20, [])
    (run.path / "readings" / ".7.safetensors.1.new").touch()
    (run.path / "readings" / "best.safetensors").touch()
    assert reading_steps(run.path) == [3, 20, 1000]
    assert read_readings(run.path, 20) == []


def test_a_step_without_readings_is_reported_with_the_nearest_ones(run):
    for step in range(0, 100, 10):
        write_readings(run.path, step, [])
    with pytest.raises(BadInput) as error:
        read_readings(run.path, 52)
    assert (error.value.problem.field, error.value.problem.value) == ("step", "52")
    assert error.value.problem.allowed == "30, 40, 50, 60, 70"


@pytest.mark.parametrize(
    ("reading", "texts"),
    [
        (Reading("x", ("token",), np.zeros((2, 2))), "1 axes"),
        (Reading("x", ("time",), np.zeros(2)), "unknown axis"),
        (Reading("x", ("token",), np.array(["a"])), "not a type of real numbers"),
        (Reading("x", ("token",), np.array([object()])), "not a type of real numbers"),
        (Reading("x", ("token",), np.zeros(2, complex)), "not a type of real numbers"),
    ],
)
def test_what_is_no_reading_is_refused(run, reading, texts):
    with pytest.raises(ValueError, match=texts):
        write_readings(run.path, 1, [reading])
    assert reading_steps(run.path) == []


def packed(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def described(*readings, dtype="F32", shape=(1,), end=4, form=1):
    about = json.dumps({"format": form, "readings": list(readings)})
    tensor = {"dtype": dtype, "shape": list(shape), "data_offsets": [0, end]}
    return packed({"__metadata__": {"lab": about}, "0": tensor}, b"\0" * min(end, 100))


ONE = {"name": "x", "axes": ["token"], "layer": None, "path": "", "units": None}
HOSTILE = {
    "empty": b"",
    "no header": b"abc",
    "a header of 2^63 bytes": struct.pack("<Q", 2**63) + b"{}",
    "a header longer than the file": struct.pack("<Q", 2**20) + b"{}",
    "a header that nests": packed(b"[" * 100_000),
    "a pickle": b"\x80\x04cos\nsystem\n(S'echo'\ntR.",
    "no description": save({"0": np.zeros(3, "f4")}),
    "a description that is no object": packed({"__metadata__": {"lab": "[]"}}),
    "a description that nests": packed({"__metadata__": {"lab": "[" * 100_000}}),
    "more arrays than described": described(),
    "fewer arrays than described": described(ONE, ONE),
    "a shape of other length": described(ONE, shape=(5,)),
    "a shape of 2^124 and nothing": described(ONE, shape=(2**62, 0, 2**62), end=0),
    "seventy dimensions": described(ONE, shape=[1] * 70),
    "an array beyond the file": described(ONE, shape=(2**30,), end=2**32),
    "a type numpy lacks": described(ONE, dtype="BF16", shape=(2,)),
    "an unknown type": described(ONE, dtype="F33"),
    "axes that do not fit": described({**ONE, "axes": ["token", "head"]}),
    "unknown axes": described({**ONE, "axes": ["time"]}),
    "axes that are no list": described({**ONE, "axes": 7}),
    "axes that are no names": described({**ONE, "axes": [["token"]]}),
    "a name that is no text": described({**ONE, "name": ["x"]}),
    "a layer that is no number": described({**ONE, "layer": "1"}),
    "a field too many": described({**ONE, "code": "print()"}),
    "a field too few": described({"name": "x"}),
    "a description that is no reading": described("x"),
    "a newer format": described(ONE, form=2),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_damaged_or_hostile_file_is_a_problem_that_names_it(run, kind):
    (run.path / "readings" / "5.safetensors").write_bytes(HOSTILE[kind])
    with pytest.raises(LabError, match=r"5\.safetensors cannot be read"):
        read_readings(run.path, 5)


def test_the_cases_above_differ_from_a_good_file_in_one_thing_each(run):
    (run.path / "readings" / "5.safetensors").write_bytes(described(ONE))
    assert read_readings(run.path, 5)[0].values.tolist() == [0.0]
