"""The ring between a training and those who watch it: no torn row, all missed rows counted, none missed by a reader."""

import threading
import time

import numpy as np
import pytest

from lab.training.recording.telemetry import Rate, Ring


def check(rows):
    """A row (step, series, value) of these tests satisfies series = step % 7 and value = step + series / 10."""
    assert np.array_equal(rows.series, rows.steps % 7)
    assert np.array_equal(rows.values, rows.steps + rows.series / 10)


def write(ring, first, last):
    for step in range(first, last):
        ring.write(step, [step % 7], [step + step % 7 / 10])


def test_rows_come_back_in_order_and_once():
    ring = Ring(16)
    reader = ring.reader()
    write(ring, 0, 5)
    assert reader.take().steps.tolist() == [0, 1, 2, 3, 4]
    assert len(reader.take()) == 0
    write(ring, 5, 7)
    assert reader.take().steps.tolist() == [5, 6]


def test_a_reader_begins_where_it_was_made():
    ring = Ring(16)
    write(ring, 0, 5)
    reader = ring.reader()
    write(ring, 5, 6)
    rows = reader.take()
    assert (rows.steps.tolist(), rows.missed) == ([5], 0)


def test_a_late_reader_gets_the_newest_rows_and_the_number_of_missed_ones():
    ring = Ring(16)
    reader = ring.reader()
    write(ring, 0, 50)
    rows = reader.take()
    assert rows.missed == 34
    assert rows.steps.tolist() == list(range(34, 50))
    check(rows)


@pytest.mark.parametrize("width", [1, 3, 5, 16])
def test_rows_of_one_step_are_written_around_the_end_of_the_ring(width):
    ring = Ring(16)
    reader = ring.reader()
    for step in range(20):
        ring.write(step, list(range(width)), [step + number / 100 for number in range(width)])
        rows = reader.take()
        assert rows.missed == 0
        assert rows.steps.tolist() == [step] * width
        assert rows.series.tolist() == list(range(width))
        assert rows.values.tolist() == [step + number / 100 for number in range(width)]


def test_series_get_numbers_in_the_order_in_which_they_are_mentioned():
    ring = Ring(16)
    assert [ring.number(name, unit) for name, unit in (("loss", "nats"), ("speed", "1/s"), ("loss", ""))] == [0, 1, 0]
    assert ring.names == ["loss", "speed"]
    assert [ring.unit(number) for number in (0, 1)] == ["nats", "1/s"]


class Interrupted:
    """An array that is read while it is written."""

    def __init__(self, array, read):
        self._array, self._read = array, read

    def __setitem__(self, index, value):
        self._read()
        self._array[index] = value
        self._read()

    def __getitem__(self, index):
        return self._array[index]


@pytest.mark.parametrize("column", ["_steps", "_series", "_values"])
@pytest.mark.parametrize("late", [16, 15, 1])
def test_a_row_that_is_being_written_is_never_read(column, late):
    """A reader that is a full ring behind reads where the writer writes."""
    ring = Ring(16)
    taken = []

    def read():
        reader = ring.reader()
        reader.read -= late
        taken.append(reader.take())

    write(ring, 0, 40)
    setattr(ring, column, Interrupted(getattr(ring, column), read))
    write(ring, 40, 60)
    assert len(taken) == 40
    for rows in taken:
        check(rows)
        assert len(rows) + rows.missed == late


class Overtaken:
    """An array in the reading of which the writer writes many rows."""

    def __init__(self, array, write):
        self._array, self._write = array, write

    def __getitem__(self, index):
        self._write()
        return self._array[index]

    def __setitem__(self, index, value):
        self._array[index] = value


@pytest.mark.parametrize("rows_meanwhile", [1, 5, 40])
def test_rows_overwritten_while_they_are_read_are_missed_once_and_not_twice(rows_meanwhile):
    ring = Ring(16)
    reader = ring.reader()
    write(ring, 0, 20)
    plain, written = ring._values, [20]

    def more():
        ring._values = plain
        write(ring, written[0], written[0] + rows_meanwhile)
        written[0] += rows_meanwhile

    ring._values = Overtaken(plain, more)
    rows = reader.take()
    check(rows)
    rest = reader.take()
    check(rest)
    assert len(rows) + rows.missed + len(rest) + rest.missed == written[0]


def test_a_fast_and_a_stalled_reader_see_no_torn_row_of_seventy_thousand():
    ring, done = Ring(4096), threading.Event()
    seen = {"fast": [0, 0], "stalled": [0, 0]}

    def follow(name, pause):
        reader = readers[name]
        while True:
            ended = done.is_set()
            rows = reader.take()
            check(rows)
            seen[name][0] += len(rows)
            seen[name][1] += rows.missed
            if ended:
                return
            time.sleep(pause)

    failed = []

    def guarded(*arguments):
        try:
            follow(*arguments)
        except AssertionError as error:
            failed.append(error)

    readers = {name: ring.reader() for name in seen}
    threads = [threading.Thread(target=guarded, args=pair) for pair in (("fast", 0), ("stalled", 0.05))]
    for thread in threads:
        thread.start()
    write(ring, 0, 70_000)
    done.set()
    for thread in threads:
        thread.join()
    assert not failed
    assert sum(seen["fast"]) == sum(seen["stalled"]) == 70_000
    assert seen["stalled"][1] > 0


def test_a_keeping_reader_misses_nothing_while_the_writer_waits():
    ring = Ring(256)
    reader, got, done = ring.reader(blocking=True), [], threading.Event()

    def follow():
        while True:
            ended = done.is_set()
            rows = reader.take()
            assert rows.missed == 0
            check(rows)
            got.extend(rows.steps.tolist())
            if ended:
                return
            ring.full.wait(0.01)
            ring.full.clear()

    thread = threading.Thread(target=follow)
    thread.start()
    write(ring, 0, 5000)
    done.set()
    thread.join()
    assert got == list(range(5000))


def test_the_writer_waits_for_a_keeper_until_it_leaves():
    ring = Ring(16)
    reader = ring.reader(blocking=True)
    write(ring, 0, 16)
    thread = threading.Thread(target=write, args=(ring, 16, 40))
    thread.start()
    assert ring.full.wait(5)
    assert thread.is_alive()
    assert reader.take().steps.tolist() == list(range(16))
    reader.close()
    thread.join(5)
    assert not thread.is_alive()


def test_a_reader_that_does_not_keep_holds_nobody_up():
    ring = Ring(16)
    ring.reader()
    write(ring, 0, 100)


# ---- rate ----


def test_before_the_first_step_there_is_no_rate():
    assert Rate().tokens_per_second() is None


def test_the_rate_is_the_median_over_the_last_ten_seconds():
    rate = Rate()
    for _ in range(100):
        rate.add(1.0, 5)  # long ago, slow
    for _ in range(9):
        rate.add(1.0, 100)
    rate.add(1.0, 10_000)  # one outlier
    assert rate.tokens_per_second() == 100


def test_a_step_that_took_no_time_divides_by_nothing():
    rate = Rate()
    rate.add(0.0, 100)
    assert rate.tokens_per_second() == 0


def test_a_long_training_keeps_only_its_last_steps():
    rate = Rate()
    for _ in range(20_000):
        rate.add(0.001, 1)
    assert len(rate._steps) <= 10_001
    assert rate.tokens_per_second() == pytest.approx(1000)


def test_the_rate_of_short_steps_is_over_ten_seconds_too():
    rate = Rate()
    for tokens in (1, 2):
        for _ in range(4_500):
            rate.add(0.001, tokens)
    assert rate.tokens_per_second() == pytest.approx(1500)
