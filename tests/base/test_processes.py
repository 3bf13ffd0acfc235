"""Processes: one for Python code, which ends with whoever asked for it, and the signals that end this one."""

import os
import signal

import pytest

from lab.base.processes import on_signals, run_python

posix = pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")


def test_the_code_runs_elsewhere_with_the_environment_it_is_given(tmp_path):
    file = tmp_path / "written"
    code = f"import os; open({str(file)!r}, 'w').write(os.environ['LAB_WORD'] + str(os.getpid()))"
    assert run_python(code, lambda: False, LAB_WORD="here ")
    word, number = file.read_text().split()
    assert word == "here"
    assert int(number) > 0


def test_a_process_that_fails_is_reported():
    assert not run_python("import nothing.of.this.name", lambda: False)


@pytest.mark.timeout(60)
def test_a_process_that_is_cancelled_ends_at_once():
    assert not run_python("import time; time.sleep(100)", lambda: True)


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_calls_a_function_unless_it_is_ignored(name):
    number = getattr(signal, name)
    received, before = [], signal.getsignal(number)
    with on_signals(received.append):
        signal.raise_signal(number)
    assert received == [number]
    assert signal.getsignal(number) == before
    signal.signal(number, signal.SIG_IGN)
    try:
        with on_signals(received.append):
            signal.raise_signal(number)
    finally:
        signal.signal(number, before)
    assert received == [number]


@posix
def test_a_signal_while_handlers_are_restored_goes_to_the_one_before_and_leaves_none_of_ours(monkeypatch):
    received, real = [], signal.signal
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    original = {number: real(number, lambda number, _: received.append(number)) for number in numbers}
    before = {number: signal.getsignal(number) for number in numbers}

    def interrupted(number, handler):
        if number == signal.SIGINT:
            signal.raise_signal(signal.SIGTERM)
        return real(number, handler)

    def ask(_):
        raise KeyboardInterrupt

    try:
        with on_signals(ask):
            monkeypatch.setattr(signal, "signal", interrupted)
        monkeypatch.undo()
        assert {number: signal.getsignal(number) for number in numbers} == before
        assert received == [signal.SIGTERM]
    finally:
        for number, handler in original.items():
            real(number, handler)


@posix
def test_a_handler_that_is_no_python_code_stays(monkeypatch):
    replaced = []
    monkeypatch.setattr(signal, "getsignal", lambda number: None if number == signal.SIGHUP else signal.SIG_DFL)
    monkeypatch.setattr(signal, "signal", lambda number, _: replaced.append(number))
    with on_signals(lambda _: None):
        pass
    assert set(replaced) == {signal.SIGINT, signal.SIGTERM}
