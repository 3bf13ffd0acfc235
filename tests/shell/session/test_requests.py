"""Numbered requests: stale answers, and the pause between two requests."""

from lab.shell.session.requests import REST, Requests


def test_the_answer_to_the_newest_request_counts():
    requests = Requests()
    number = requests.start(0.0)
    assert requests.pending
    assert requests.is_current(number)
    assert requests.end(number, 1.0)
    assert not requests.pending


def test_an_answer_counts_once():
    requests = Requests()
    number = requests.start(0.0)
    assert requests.end(number, 1.0)
    assert not requests.end(number, 2.0)


def test_an_answer_to_an_earlier_request_is_stale_and_changes_nothing():
    requests = Requests()
    first = requests.start(0.0)
    second = requests.start(1.0)
    assert not requests.end(first, 9.0)
    assert requests.pending
    assert requests.cost == 0.0
    assert requests.end(second, 2.0)


def test_a_dropped_request_is_stale():
    requests = Requests()
    number = requests.start(0.0)
    requests.drop()
    assert not requests.pending
    assert not requests.end(number, 1.0)


def test_the_pause_is_in_proportion_to_the_cost_of_the_last_answer_and_has_a_minimum():
    requests = Requests(least=2.0)
    assert requests.rest == 2.0
    requests.end(requests.start(10.0), 14.0)
    assert requests.rest == 4 * REST
    assert not requests.is_due(14.0 + 4 * REST - 0.1)
    assert requests.is_due(14.0 + 4 * REST)


def test_none_is_due_while_one_is_pending():
    requests = Requests()
    requests.start(0.0)
    assert not requests.is_due(1e9)


def test_a_quick_refusal_does_not_lower_the_cost():
    requests = Requests()
    requests.end(requests.start(0.0), 4.0)
    assert requests.fail(requests.start(10.0), 10.1)
    assert requests.cost == 4.0


def test_a_wait_for_a_busy_machine_does_not_lengthen_the_pause():
    requests = Requests(least=2.0)
    requests.end(requests.start(0.0), 30.0, work=0.4)
    assert requests.rest == 0.4 * REST
