"""Jobs: running work that is listed, can be cancelled and waited for, and whose faults are told."""

import signal
import sys
import threading

import pytest

from lab.base.jobs import Job, check_cancelled, interruptible, is_interrupted, running_jobs
from lab.base.notices import listen


@pytest.fixture
def gate():
    """Work that goes on until the gate is opened."""
    gate = threading.Event()
    yield gate
    gate.set()


def test_a_job_is_listed_while_it_runs(gate):
    job = Job("Counting", lambda _: gate.wait()).start()
    assert running_jobs() == (job,)
    assert not job.join(0)
    gate.set()
    assert job.join(5)
    assert running_jobs() == ()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals are another thing there")
@pytest.mark.timeout(30)
def test_a_signal_that_another_thread_gets_ends_the_wait_for_a_job(gate):
    class Signalled(Exception):
        pass

    def handler(*_):
        raise Signalled

    def work(_):
        waits.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        gate.wait()

    waits, before = threading.Event(), signal.signal(signal.SIGUSR1, handler)
    job = Job("Counting", work).start()
    threading.Timer(0.1, waits.set).start()
    try:
        with pytest.raises(Signalled):
            job.join()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_work_gets_its_job():
    got = []
    job = Job("Counting", got.append).start()
    job.join()
    assert got == [job]


def test_cancelling_asks_and_does_not_wait(gate):
    calls = []
    job = Job("Counting", lambda _: gate.wait())
    job.when_cancelled(lambda: calls.append(threading.current_thread()))
    job.start()
    job.cancel()
    assert job.cancelled
    assert not job.join(0)
    assert calls == [threading.current_thread()]
    gate.set()
    job.join()


def test_interruptible_work_ends_at_the_next_check_after_its_job_was_cancelled(gate):
    reached = []

    def work(job):
        gate.wait()
        check_cancelled()
        reached.append("outside")
        with interruptible(job):
            check_cancelled()
            reached.append("inside")

    job = Job("Counting", work).start()
    job.cancel()
    gate.set()
    job.join()
    assert reached == ["outside"]
    assert not is_interrupted()


def test_waiting_ends_after_its_time(gate):
    job = Job("Counting", lambda _: gate.wait()).start()
    assert not job.join(0.01)
    gate.set()
    assert job.join(5)


def test_an_exception_becomes_a_notice_and_the_job_is_not_listed_any_more():
    received = []
    end = listen(received.append)
    job = Job("Counting", lambda _: 1 / 0).start()
    job.join()
    end()
    assert received[0].level == "error"
    assert received[0].problem.what == "Counting failed: ZeroDivisionError: division by zero"
    assert running_jobs() == ()


def test_work_that_exits_the_process_is_reported_like_any_other_error():
    received = []
    end = listen(received.append)
    Job("Counting", lambda _: sys.exit(0)).start().join()
    end()
    assert received[0].problem.what == "Counting failed: SystemExit: 0"
    assert running_jobs() == ()


def test_jobs_are_listed_oldest_first(gate):
    jobs = tuple(Job(title, lambda _: gate.wait()).start() for title in "abc")
    assert running_jobs() == jobs
    gate.set()
    for job in jobs:
        job.join()
