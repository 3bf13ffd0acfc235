"""Problem: what went wrong as data, and as one line for people."""

import gc
import re
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.base import BadInput, LabError, Problem, problems
from lab.base.problems import attributed, note_module, problem_of, wrong_result


def test_a_line_names_plugin_field_value_what_is_allowed_and_the_remedy():
    problem = Problem("is too large", "training.steps", "9", "at most 5", "Lower it", "mine")
    assert problem.line() == "plugin mine: training.steps = 9: is too large. Allowed: at most 5. Lower it."


def test_what_is_missing_leaves_no_trace_in_the_line():
    assert Problem("it rained").line() == "it rained."
    assert Problem("it rained.", remedy="Wait!").line() == "it rained. Wait!"
    assert Problem("is empty", field="prompt").line() == "prompt: is empty."


@given(*[st.text()] * 4)
def test_a_line_is_one_line_whatever_it_holds(what, field, value, remedy):
    assert len(Problem(what, field, value, None, remedy).line().splitlines()) == 1


def test_a_problem_as_a_dictionary_has_all_its_fields():
    assert Problem("x", value="3").as_dict() == {"what": "x", "value": "3"}


def test_an_error_is_made_of_a_problem_or_of_its_parts():
    assert LabError(Problem("x", field="y")).problem == LabError("x", field="y").problem
    assert str(BadInput("x", field="y")) == "y: x."


def test_an_error_of_the_lab_keeps_its_own_words_and_gets_a_plugin_if_it_has_none():
    error = BadInput("x", remedy="y")
    assert problem_of(error) is error.problem
    assert problem_of(error, plugin="mine", doing="Reading").line() == "plugin mine: x. y."
    assert problem_of(BadInput("x", plugin="other"), plugin="mine").plugin == "other"


def test_a_foreign_exception_tells_its_kind_text_and_trace():
    try:
        {}["key"]
    except KeyError as error:
        problem = problem_of(error, plugin="mine", doing="Reading")
    assert re.fullmatch(r"Reading failed: KeyError: 'key' \(test_problems\.py, line \d+\)", problem.what)
    assert problem.trace.startswith("Traceback")
    assert "test_a_foreign_exception" in problem.trace


def test_an_exception_without_a_usable_message_is_reported_by_its_type():
    class Shy(Exception):
        def __str__(self):
            raise RuntimeError

    assert problem_of(Shy()).what == "Shy"


def test_nothing_of_the_frames_is_kept():
    class Tensor:
        pass

    def fails():
        tensor = Tensor()
        references.append(weakref.ref(tensor))
        raise ValueError("it rained")

    references = []
    try:
        fails()
    except ValueError as error:
        problem = problem_of(error)
    gc.collect(1)  # the youngest alone
    assert problem.what == "ValueError: it rained"
    assert references[0]() is None


def test_a_wrong_result_is_an_error_of_the_plugin_whose_class_gave_it(monkeypatch):
    monkeypatch.setattr(problems, "_modules", {})
    assert isinstance(wrong_result(Guest(), "returned nothing"), ValueError)
    note_module(__name__, "mine")
    error = wrong_result(Guest(), "returned nothing")
    assert isinstance(error, LabError)
    assert (error.problem.plugin, error.problem.what) == ("mine", "returned nothing")
    assert "lm-lab plugins disable mine" in error.problem.remedy


class Guest:
    """A part of a plugin."""


def test_attributed_code_fails_with_the_plugins_name():
    with pytest.raises(LabError) as failed, attributed("mine", "Counting"):
        raise ZeroDivisionError("by zero")
    line = failed.value.problem.line()
    assert line.startswith("plugin mine: Counting failed: ZeroDivisionError: by zero (test_problems.py, line ")
    with pytest.raises(LabError, match="plugin mine: Counting failed: SystemExit: 0"), attributed("mine", "Counting"):
        raise SystemExit(0)
    with pytest.raises(BadInput, match="its own words"), attributed("mine", "Counting"):
        raise BadInput("its own words")
    with pytest.raises(KeyboardInterrupt), attributed("mine", "Counting"):
        raise KeyboardInterrupt


def test_an_endless_value_is_echoed_in_part():
    problem = Problem("is not allowed" * 10_000, field="x" * 10_000, value="9" * 10_000, allowed="1")
    assert len(problem.line()) < 5000
    assert problem.value is not None
    assert problem.value.startswith("999")
    assert " … " in problem.value
