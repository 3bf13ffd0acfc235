"""The lock on torch's generators: fair, re-entrant, and what is drawn under it depends on its numbers alone."""

import threading
import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lab.base.torch_lock import FairLock, mixed, own_draws, torch_lock


def in_thread(work, *arguments):
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def until(true):
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.001)


@pytest.fixture
def lock():
    """A lock of this test's own."""
    return FairLock()


def test_one_thread_at_a_time(lock):
    inside, most = [], []

    def work():
        for _ in range(200):
            with lock:
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [in_thread(work) for _ in range(6)]
    for thread in threads:
        thread.join()
    assert len(most) == 1200
    assert set(most) == {1}


def test_threads_get_it_in_the_order_in_which_they_asked(lock):
    order, threads = [], []

    def work(number):
        with lock:
            order.append(number)

    with lock:
        for number in range(6):
            threads.append(in_thread(work, number))
            until(lambda: len(lock._waiting) == number + 1)  # noqa: B023 - called at once
    for thread in threads:
        thread.join()
    assert order == list(range(6))


def test_a_thread_that_releases_the_lock_and_requests_it_again_is_last_in_the_queue(lock):
    order = []

    def other():
        with lock:
            order.append("other")

    with lock:
        thread = in_thread(other)
        until(lambda: lock._waiting)
    with lock:
        order.append("first again")
    thread.join()
    assert order == ["other", "first again"]


def test_its_holder_may_take_it_again(lock):
    with lock, lock:
        pass
    with lock:
        pass


def test_a_thread_that_leaves_while_it_waits_does_not_block_the_others(lock, monkeypatch):
    class Impatient:
        """A lock whose owner presses Ctrl+C while it waits for it the second time."""

        def __init__(self):
            self.taken = 0

        def acquire(self):
            self.taken += 1
            if self.taken == 2:
                raise KeyboardInterrupt

        def release(self):
            """Let go."""

    with lock:
        real = threading.Lock

        def leaves():
            monkeypatch.setattr("lab.base.torch_lock.threading.Lock", Impatient)
            with pytest.raises(KeyboardInterrupt):
                lock.__enter__()
            monkeypatch.setattr("lab.base.torch_lock.threading.Lock", real)

        in_thread(leaves).join()
    thread = in_thread(lambda: lock.__enter__())
    thread.join(5)
    assert not thread.is_alive()


def test_draws_are_a_function_of_the_numbers():
    with own_draws(1, 2, 3):
        first = torch.rand(5)
    torch.rand(17)
    with own_draws(1, 2, 3):
        again = torch.rand(5)
    with own_draws(1, 2, 4):
        other = torch.rand(5)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_draws_of_two_threads_do_not_mix():
    drawn = {}

    def draw(number):
        for _ in range(20):
            with own_draws(number):
                values = []
                for _ in range(5):
                    values.append(torch.rand(1).item())
                    time.sleep(0)
            drawn.setdefault(number, set()).add(tuple(values))

    threads = [in_thread(draw, number) for number in range(4)]
    for thread in threads:
        thread.join()
    assert all(len(values) == 1 for values in drawn.values())
    assert len(set.union(*drawn.values())) == 4


def test_the_lock_is_free_again_after_an_error():
    with pytest.raises(ZeroDivisionError), own_draws(1):
        1 / 0  # noqa: B018
    assert torch_lock._owner is None


@given(st.lists(st.integers(-(2**70), 2**70), max_size=4))
def test_a_mixed_seed_has_64_bits(numbers):
    assert 0 <= mixed(*numbers) < 2**64


def test_neighbours_give_unrelated_seeds():
    seeds = {mixed(seed, kind, step) for seed in range(20) for kind in range(2) for step in range(50)}
    assert len(seeds) == 2000
    bits = [bin(mixed(0, 0, step) ^ mixed(0, 0, step + 1)).count("1") for step in range(200)]
    assert 28 < sum(bits) / len(bits) < 36
