"""Processes: one for Python code, which ends with whoever asked for it, and the signals that end this one."""

import os
import signal

import pytest

from lab.base.processes import on_signals, run_python


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


@pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")
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
