"""Python code runs in a process of its own, which ends with whoever asked for it."""

import pytest

from lab.base.processes import run_python


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
