"""A question to a process: what it wrote counts, however it ended."""

import sys

import pytest

from lab.workbench.doctor import child
from lab.workbench.doctor.child import Answer, ask_child

PYTHON = [sys.executable, "-I", "-S", "-c"]


def test_lines_of_json_are_put_together_and_others_left_out():
    code = "print('{\"a\": 1}'); print('a warning'); print('[2]'); print('{\"b\": 2}')"
    assert ask_child("", command=[*PYTHON, code]) == Answer({"a": 1, "b": 2})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_the_signal_that_ended_it_has_its_name_and_what_it_wrote_before_counts():
    code = "import os; print('{\"a\": 1}', flush=True); os.abort()"
    answer = ask_child("", command=[*PYTHON, code])
    assert (answer.parts, answer.ended) == ({"a": 1}, "signal SIGABRT")


def test_an_error_has_its_status_and_its_last_lines():
    answer = ask_child("", command=[*PYTHON, "raise ImportError('libcudart.so.12')"])
    assert answer.ended == "status 1"
    assert answer.errors.endswith("ImportError: libcudart.so.12")


@pytest.mark.parametrize(
    ("longest", "cancelled", "ended"), [(0.0, False, "no answer within 0 s"), (60, True, "cancelled")]
)
def test_one_that_is_silent_or_cancelled_is_ended(monkeypatch, longest, cancelled, ended):
    monkeypatch.setattr(child, "LONGEST", longest)
    answer = ask_child("", lambda: cancelled, [*PYTHON, "import time; time.sleep(600)"])
    assert answer.ended == ended


def test_a_program_that_cannot_be_started_is_an_answer():
    assert ask_child("", command=["/no/such/program"]).ended == "not started: No such file or directory"
