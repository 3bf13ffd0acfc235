"""The states of Inspect without a window: what is shown, which answers count, and what is compared."""

from types import SimpleNamespace

import pytest

from lab.api import Reading
from lab.base import LabError
from lab.base.jobs import Job
from lab.base.problems import Problem
from lab.shell.inspect.gallery.reading_selection import ReadingSelection
from lab.shell.inspect.model import FIND, Compared, ComparisonModel, InspectModel, Result, State
from lab.shell.inspect.probes import inspect_model
from lab.workbench.access.inspection import Inspection

HEADS, LAGS, SCORES = (
    ("mixing", ("head", "query", "key")), ("memory", ("lag",)), ("head scores", ("layer", "head")),
)  # fmt: skip


class Run(SimpleNamespace):
    """A run in the list; runs are compared by identity."""

    __hash__ = object.__hash__

    def __init__(self, key="run 1", step=9, works=True):
        super().__init__(key=key, step=step, works=works, source=Model())


class Model:
    """A model with reports and probes; those named in `broken` raise."""

    def __init__(self, broken=(), recorded=()):
        self.calls, self._broken, self._recorded = [], broken, recorded

    def inspect(self, text, *, probe="reports"):
        self.calls.append((text, probe))
        if probe in self._broken:
            raise LabError(f"{probe} cannot be used")
        return Inspection(9, ("a",), [Reading(f"of {probe}", ("lag",), [1.0])])

    def recorded_steps(self):
        return list(self._recorded)

    def recorded(self, step):
        return Inspection(step, ("a",), [])


def view(name="run 1 · step 9"):
    """Return the shown state of an inspection."""
    return SimpleNamespace(name=name, inspection=Inspection(9, ("a",), []), groups={})


@pytest.fixture
def model():
    """Inspect, ready, with a run that recorded three steps."""
    made = InspectModel()
    made.start()
    made.select_run(Run())
    made.offer_steps([5, 10, 20])
    return made


def request(model, *, now=0.0):
    return model.request(model.run.source, model.run, now)


def shown(model, *, now=0.0):
    """Have the model as it is now inspected, and shown."""
    made = request(model, now=now)
    model.show(view())
    model.requests.end(made.number, now)
    return model.shown


# ---- states


def test_models_cannot_be_used_before_the_start_nor_after_the_end():
    model = InspectModel()
    assert (model.state, model.is_ready) == (State.NOT_READY, False)
    model.start()
    assert (model.state, model.is_ready) == (State.EMPTY, True)
    model.close()
    assert (model.state, model.is_ready) == (State.CLOSED, False)
    model.start()
    assert model.state is State.CLOSED


def test_the_first_inspection_of_a_model_hides_readings_of_another_one(model):
    request(model)
    assert (model.state, model.shown) == (State.LOADING, None)
    shown(model)
    assert model.state is State.SHOWN
    model.select_run(Run("run 2"))
    request(model)
    assert (model.state, model.shown) == (State.LOADING, None)


def test_a_further_inspection_of_the_same_model_leaves_the_last_one_in_view(model):
    before = shown(model)
    request(model)
    assert (model.state, model.shown) == (State.SHOWN, before)


def test_a_refusal_leaves_what_is_shown_of_the_same_step_in_view(model):
    before = shown(model)
    assert not model.refuse(request(model))
    assert (model.state, model.shown) == (State.SHOWN, before)


def test_a_refusal_of_another_step_shows_nothing_and_offers_no_cards(model):
    model.readings.offer({LAGS: {("lag",)}}, 1)
    shown(model)
    model.select_step(0)
    assert model.refuse(request(model))
    assert (model.state, model.shown, model.shown_step) == (State.REFUSED, None, 0)
    assert model.readings.offered == {}


def test_after_a_refusal_the_model_can_be_inspected_again(model):
    model.refuse(request(model))
    request(model)
    assert model.state is State.REFUSED
    model.forget_source()
    request(model)
    assert model.state is State.LOADING


def test_a_snapshot_that_cannot_be_read_is_refused_once(model):
    model.select_step(10)
    assert model.refuse_snapshot()
    assert (model.state, model.shown_step) == (State.REFUSED, 10)
    assert not model.refuse_snapshot()


# ---- answers


def test_an_answer_is_awaited_until_another_request_is_made(model):
    first = request(model)
    assert model.is_awaited(first)
    second = request(model)
    assert not model.is_awaited(first)
    assert model.is_awaited(second)


@pytest.mark.parametrize("change", [lambda model: model.select_run(Run("run 2")), InspectModel.close])
def test_an_answer_that_comes_after_another_run_was_selected_or_the_window_closed_is_dropped(model, change):
    made = request(model)
    change(model)
    assert not model.is_awaited(made)


def test_an_answer_is_dropped_while_another_step_is_selected(model):
    made = request(model)
    model.select_step(10)
    assert not model.is_awaited(made)
    model.select_step(None)
    assert model.is_awaited(made)


def test_a_model_is_inspected_again_only_while_it_trains_and_after_its_pause(model):
    shown(model, now=100.0)
    assert not model.is_due(100.0)
    assert model.is_due(200.0)
    model.select_step(10)
    assert not model.is_due(200.0)
    model.select_step(None)
    model.run.works = False
    assert not model.is_due(200.0)


def at(step, **groups):
    """Return the state of an inspection at a step, with names of readings by card."""
    found = {(key, ()): [SimpleNamespace(name=name) for name in names] for key, names in groups.items()}
    return SimpleNamespace(name="", inspection=Inspection(step, ("a",), []), groups=found)


def test_a_later_snapshot_is_newer_only_at_now_and_on_the_text_of_the_run(model):
    shown(model)
    assert not model.is_newer(at(9))
    assert model.is_newer(at(20))
    model.text = "a dog"
    assert not model.is_newer(at(20))
    model.text = ""
    model.select_step(10)
    assert not model.is_newer(at(20))


def test_a_later_snapshot_that_lacks_a_map_of_a_selected_card_does_not_replace_it(model):
    model.show(at(9, maps=["attention", "influence"], lags=["memory"]))
    model.readings.offer({("maps", ()): set()}, 1)
    assert not model.is_newer(at(20, maps=["attention"]))
    assert model.is_newer(at(20, maps=["attention", "influence"]))


def test_the_steps_that_the_run_has_made_since_what_is_shown_as_now_are_counted(model):
    assert model.steps_behind == 0
    shown(model)
    model.run.step = 161
    assert model.steps_behind == 152
    model.select_step(10)
    assert model.steps_behind == 0


# ---- steps


def test_step_0_can_be_selected_though_it_was_not_recorded(model):
    assert model.steps == [0, 5, 10, 20]
    model.select_step(0)
    assert (model.is_recorded, model.is_untrained) == (False, True)
    model.select_step(5)
    assert (model.is_recorded, model.is_untrained) == (True, False)


def test_a_selected_step_that_is_gone_is_replaced_by_the_current_model(model):
    model.select_step(10)
    assert not model.offer_steps([10, 20])
    assert model.step == 10
    assert model.offer_steps([20])
    assert model.step is None


def test_without_a_run_no_step_can_be_selected():
    assert InspectModel().steps == []


def test_the_selected_run_is_selected_once(model):
    run = Run("run 2")
    assert model.select_run(run)
    assert not model.select_run(run)


# ---- cards


def test_the_first_cards_are_shown_until_a_person_switches_some():
    readings = ReadingSelection()
    assert readings.offer({HEADS: set(), LAGS: set(), SCORES: set()}, 2)
    assert readings.selected == [HEADS, LAGS]
    readings.switch(HEADS, on=False)
    readings.switch(SCORES, on=True)
    assert readings.selected == [LAGS, SCORES]
    assert readings.offer({SCORES: set(), HEADS: set()}, 2)
    assert readings.selected == [SCORES]


def test_the_same_cards_are_offered_once():
    readings = ReadingSelection()
    readings.offer({LAGS: {("lag",)}}, 1)
    assert not readings.offer({LAGS: {("lag",)}}, 1)
    assert readings.offer({LAGS: {("lag",), ("bin",)}}, 1)


def test_a_card_that_is_wanted_is_shown_once_it_is_offered():
    readings = ReadingSelection()
    readings.want([SCORES])
    assert readings.selected == []
    readings.offer({HEADS: set(), SCORES: set()}, 1)
    assert readings.selected == [HEADS, SCORES]


def test_the_cards_of_a_probe_that_was_switched_on_are_new_once(model):
    reading = Reading("memory", ("lag",), [1.0])
    found = SimpleNamespace(groups={LAGS: [reading], HEADS: [Reading("mixing", HEADS[1], [[[1.0]]])]})
    result = Result(Inspection(9, (), []), {"memory": {("memory", ("lag",))}})
    model.switch_probe("memory", on=True)
    assert model.learn_probes(result, found) == [LAGS]
    assert model.new_map == "memory"
    assert model.probe_of == {LAGS: "memory"}
    assert model.learn_probes(result, found) == ()


# ---- inspections


def test_probes_that_find_nothing_are_reported_and_the_others_run(model):
    source = Model(broken=["wings"])
    made = model.request(source, None, 0.0, probes=["wings", "heads"])
    result = inspect_model(made, Job("inspect", lambda job: None))
    assert [reading.name for reading in result.inspection.readings] == ["of reports", "of heads"]
    assert set(result.problems) == {"wings"}
    assert set(result.kinds) == {"heads"}


def test_spare_probes_run_only_while_there_are_too_few_kinds_of_readings(model):
    source = Model()
    made = model.request(source, None, 0.0, spare=["first", "second", "third"], enough=2)
    inspect_model(made, Job("inspect", lambda job: None))
    assert [probe for _, probe in source.calls] == ["reports", "first"]


def test_a_run_whose_model_cannot_be_had_shows_its_last_snapshot(model):
    model.run.source = Model(broken=["reports"], recorded=[5, 10])
    assert inspect_model(request(model), Job("inspect", lambda job: None)).inspection.step == 10
    model.text = "a text of a person"
    with pytest.raises(LabError):
        inspect_model(request(model), Job("inspect", lambda job: None))


# ---- comparison


@pytest.fixture
def comparison():
    return ComparisonModel()


def test_a_pinned_inspection_stays_until_it_is_unpinned(comparison):
    pinned = view()
    comparison.pin(pinned)
    assert (comparison.state, comparison.view) == (Compared.PINNED, pinned)
    comparison.pin(None)
    assert (comparison.state, comparison.view) == (Compared.NOTHING, None)


def test_another_run_takes_the_place_of_what_is_pinned(comparison):
    comparison.pin(view())
    comparison.compare(Run("run 2"))
    assert (comparison.state, comparison.view) == (Compared.LOADING, None)
    comparison.show(view())
    assert comparison.state is Compared.SHOWN
    comparison.refuse(Problem("it cannot be read"))
    assert (comparison.state, comparison.view) == (Compared.REFUSED, None)


def test_an_answer_of_a_run_that_is_no_longer_compared_is_dropped(comparison):
    run = Run("run 2")
    comparison.compare(run)
    made = comparison.request(run, "text", ["heads"], 0.0)
    comparison.compare(Run("run 3"))
    assert not comparison.requests.is_current(made.number)


def test_a_model_is_compared_once_with_the_same_text_and_step(comparison):
    run = Run("run 2")
    comparison.compare(run)
    made = comparison.request(run, "text", ["heads"], 0.0)
    comparison.requests.end(made.number, 1.0)
    assert comparison.request(run, "text", ["heads"], 1000.0) is None
    assert comparison.request(run, "other text", ["heads"], 1.0) is not None


def test_a_model_that_trains_is_compared_again_after_its_pause(comparison):
    run = Run("run 2", step=10)
    comparison.compare(run)
    comparison.requests.end(comparison.request(run, "text", [], 0.0).number, 1.0)
    run.step = 20
    assert comparison.request(run, "text", [], 2.0) is None
    assert comparison.request(run, "text", [], 1.0 + 25.0) is not None


def test_a_step_that_lacks_readings_removes_no_card():
    readings = ReadingSelection()
    readings.offer({HEADS: {HEADS[1]}, LAGS: {LAGS[1]}}, 3)
    assert list(readings.extended({HEADS: {HEADS[1]}})) == [HEADS, LAGS]


def test_another_run_offers_none_of_the_cards_of_the_last_one(model):
    model.readings.offer({HEADS: {HEADS[1]}}, 3)
    model.select_run(Run("run 2"))
    assert model.readings.offered == {}


def test_the_newest_snapshot_stands_in_only_while_the_current_model_is_inspected_on_its_own_text(model):
    assert not model.lacks_now()
    model.request(model.run.source, model.run, 0.0)
    assert model.lacks_now()
    model.show(view())
    assert not model.lacks_now()
    model.select_step(5)
    model.show(view())
    model.select_step(None)
    assert model.lacks_now()
    model.text = "another text"
    assert not model.lacks_now()


# ---- searches and requests


def test_snapshots_are_searched_for_again_after_a_pause(model):
    assert model.is_search_due(0.0)
    model.start_search(0.0)
    assert not model.is_search_due(FIND)
    assert model.is_search_due(FIND + 0.1)


def test_the_newest_request_is_the_one_whose_stages_are_shown(model):
    assert model.last_request is None
    for now in (0.0, 1.0):
        request = model.request(Model(), model.run, now)
        assert model.last_request is request
