"""The losses without a part, without a window: what a model offers, whose results are shown, what is measured."""

import pytest

from lab.base.problems import Problem
from lab.shell.inspect.ablation.model import AblationModel, CellState, Progress, State
from lab.shell.inspect.ablation.parts import MOST, WINDOW, kinds_of, table_of
from lab.workbench.access.ablation import Baseline

TRANSFORMER = {
    "head": ["1.1", "1.2", "2.1", "2.2"],
    "layer": ["1", "2"],
    "mixer": ["1.token", "1.channel", "2.token", "2.channel"],
    "unit": [f"{block}.{unit}" for block in (1, 2) for unit in range(1, 101)],
    "mean": ["head:1.1", "head:1.2", "head:2.1", "head:2.2"],
}
HEADS = [f"head:{address}" for address in TRANSFORMER["head"]]
KINDS = kinds_of(TRANSFORMER)


class Source:
    """A run, or an untrained model."""


@pytest.fixture
def source():
    return Source()


@pytest.fixture
def model(source):
    """The state with a model at step 100 whose parts are listed."""
    made = AblationModel()
    made.select_model(source, 100)
    listed(made)
    return made


def listed(model, kinds=KINDS):
    assert model.offer(model.listing.start(0.0), kinds, 0.0)


def requested(model, *targets, now=0.0):
    number, wanted = model.request(targets, now)
    assert wanted == list(targets)
    return number


def measured(model, loss=1.5, step=100, **losses):
    """Measure parts, named as head_1_1, and end."""
    targets = {name.replace("_", ":", 1).replace("_", "."): value for name, value in losses.items()}
    number = requested(model, *targets)
    model.take_baseline(number, Baseline(loss, step, 64, "windows"), 0.0)
    for target, value in targets.items():
        model.take_loss(number, target, value, None)
    assert model.end(number, 1.0) == []


def states(model, targets=HEADS):
    return [model.cell(target).state for target in targets]


# ---- what a model offers


def test_parts_are_grouped_by_what_they_are_and_how_they_are_changed():
    assert list(KINDS) == [("", "head"), ("", "mixer"), ("", "layer"), ("", "unit"), ("mean", "head")]
    assert [part.target for part in KINDS["mean", "head"].parts][:2] == ["mean:head:1.1", "mean:head:1.2"]


def test_heads_stand_one_row_for_each_block_beside_a_column_of_the_blocks():
    table = table_of(KINDS, ("", "head"))
    assert (table.rows, table.columns, table.with_blocks) == ((1, 2), ("", "1", "2"), True)
    assert table.parts[1, 0].target == "layer:2"
    assert table.parts[0, 2].target == "head:1.2"


def test_means_have_no_column_of_blocks_since_a_block_has_no_mean():
    assert table_of(KINDS, ("mean", "head")).columns == ("1", "2")


def test_of_very_many_parts_a_window_is_shown_by_number():
    assert KINDS["", "unit"].is_large
    assert len(KINDS["", "unit"].indices) > MOST
    table = table_of(KINDS, ("", "unit"), first=40)
    assert table.columns == ("", *(str(number) for number in range(41, 41 + WINDOW)))
    assert table_of(KINDS, ("", "unit"), first=99).columns[-1] == "100"


def test_parts_outside_the_blocks_stand_in_one_row():
    table = table_of(kinds_of({"order": ["1", "2", "3"]}), ("", "order"))
    assert (table.rows, table.columns, table.with_blocks) == ((None,), ("1", "2", "3"), False)


def test_blocks_with_fewer_parts_leave_cells_empty():
    table = table_of(kinds_of({"head": ["1.1", "1.2", "3.1"]}), ("", "head"))
    assert sorted(table.parts) == [(0, 0), (0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("offered", "first"),
    [
        (TRANSFORMER, ("", "head")),
        ({name: TRANSFORMER[name] for name in ("layer", "mixer", "unit")}, ("", "mixer")),
        ({name: TRANSFORMER[name] for name in ("layer", "unit")}, ("", "layer")),
        ({}, None),
    ],
)
def test_first_shown_are_small_parts_before_mixers_and_blocks_and_large_kinds_last(offered, first):
    assert next(iter(kinds_of(offered)), None) == first


def test_residual_connections_follow_the_mixers_that_they_bypass():
    offered = {"layer": ["1"], "mixer": ["1.token"], "residual": ["1.token", "1.channel"], "head": ["1.1"]}
    kinds = kinds_of(offered)
    assert list(kinds) == [("", "head"), ("", "mixer"), ("", "residual"), ("", "layer")]
    assert table_of(kinds, ("", "residual")).columns == ("", "token", "channel")


# ---- states


def test_the_parts_of_a_model_are_listed_before_they_are_shown(source):
    model = AblationModel()
    assert (model.state, model.needs_listing) == (State.EMPTY, False)
    model.select_model(source, 100)
    assert (model.state, model.needs_listing) == (State.LISTING, True)
    number = model.listing.start(0.0)
    assert not model.needs_listing
    model.offer(number, KINDS, 0.0)
    assert (model.state, model.kind) == (State.SHOWN, ("", "head"))


def test_a_model_that_offers_nothing_shows_that(source):
    model = AblationModel()
    model.select_model(source, 0)
    listed(model, {})
    assert (model.state, model.kind, model.table) == (State.NOTHING, None, None)


def test_parts_that_cannot_be_listed_are_refused_until_a_person_tries_again(source):
    model = AblationModel()
    model.select_model(source, 0)
    model.refuse(model.listing.start(0.0), Problem("no checkpoint"), 0.0)
    assert (model.state, model.needs_listing) == (State.REFUSED, False)
    model.forget_refusal()
    assert model.needs_listing


def test_a_late_list_of_another_model_is_dropped(source):
    model, other = AblationModel(), Source()
    model.select_model(source, 0)
    number = model.listing.start(0.0)
    model.select_model(other, 0)
    assert not model.offer(number, KINDS, 0.0)
    assert model.state is State.LISTING


def test_a_recorded_step_has_no_weights_unless_it_is_that_of_the_model(model, source):
    model.select_model(source, 100, snapshot=40)
    assert model.state is State.SNAPSHOT
    assert model.request(HEADS, 0.0) is None
    model.select_model(source, 100, snapshot=100)
    assert model.state is State.SHOWN


def test_after_the_end_nothing_is_taken(model):
    number = requested(model, *HEADS)
    model.close()
    assert model.state is State.CLOSED
    assert model.request(HEADS, 0.0) is None
    assert not model.measurements.is_current(number)


# ---- results


def test_a_loss_is_shown_with_its_change(model):
    measured(model, 1.5, head_1_1=1.75)
    cell = model.cell("head:1.1")
    assert (cell.state, cell.loss, cell.change) == (CellState.MEASURED, 1.75, 0.25)
    assert states(model) == [CellState.MEASURED, *[CellState.UNMEASURED] * 3]


def test_a_part_that_was_measured_at_this_step_is_not_measured_again(model):
    measured(model, head_1_1=1.75)
    assert model.request(["head:1.1"], 0.0) is None
    assert model.request(["head:1.1", "head:1.2"], 0.0)[1] == ["head:1.2"]


def test_results_of_another_model_are_not_shown_and_stay_known(model, source):
    measured(model, head_1_1=1.75)
    other = Source()
    assert model.select_model(other, 100)
    listed(model)
    assert states(model) == [CellState.UNMEASURED] * 4
    assert model.baseline is None
    model.select_model(source, 100)
    assert model.cell("head:1.1").loss == 1.75


def test_results_of_an_earlier_step_are_marked_and_forgotten_with_the_first_of_a_later_one(model, source):
    measured(model, head_1_1=1.75)
    model.select_model(source, 200)
    assert model.is_older
    assert model.unmeasured[:2] == ["layer:1", "head:1.1"]
    number = requested(model, "head:1.2")
    assert model.cell("head:1.1").state is CellState.MEASURED  # of step 100, as the baseline says
    model.take_baseline(number, Baseline(1.25, 200, 64, "windows"), 0.0)
    assert not model.is_older
    assert states(model)[:2] == [CellState.UNMEASURED, CellState.RUNNING]


def test_at_a_later_step_a_measured_part_is_measured_again(model, source):
    measured(model, head_1_1=1.75)
    model.select_model(source, 200)
    assert model.request(["head:1.1"], 0.0)[1] == ["head:1.1"]


def test_an_untrained_model_is_not_older_than_itself(source):
    model = AblationModel()
    model.select_model(source, 0)
    listed(model)
    measured(model, step=0, head_1_1=4.0)
    assert not model.is_older


def test_a_part_without_a_loss_has_failed_and_says_why(model):
    number = requested(model, "head:1.1", "head:1.2")
    model.take_baseline(number, Baseline(1.5, 100, 64, "windows"), 0.0)
    model.take_loss(number, "head:1.1", None, Problem("no expert is left"))
    cell = model.cell("head:1.1")
    assert cell.state is CellState.FAILED
    assert cell.problem.what == "no expert is left"
    assert model.request(["head:1.1"], 0.0)[1] == ["head:1.1"]


# ---- measurements


def test_one_part_runs_while_the_others_wait(model):
    number = requested(model, *HEADS)
    assert states(model) == [CellState.WAITING] * 4  # the model as it is comes first
    model.take_baseline(number, Baseline(1.5, 100, 64, "windows"), 0.0)
    model.take_loss(number, "head:1.1", 1.6, None)
    assert states(model) == [CellState.MEASURED, CellState.RUNNING, CellState.WAITING, CellState.WAITING]


def test_what_is_requested_meanwhile_joins_the_measurement(model):
    number = requested(model, "head:1.1")
    assert model.request(["head:1.1", "head:2.2"], 0.0) == (number, ["head:2.2"])
    assert model.request(["head:2.2"], 0.0) is None
    assert model.progress(0.0).count == 2


def test_what_comes_too_late_for_a_measurement_is_returned_at_its_end(model):
    number = requested(model, "head:1.1")
    model.take_baseline(number, Baseline(1.5, 100, 64, "windows"), 0.0)
    model.take_loss(number, "head:1.1", 1.6, None)
    model.request(["head:2.2"], 0.0)
    assert model.end(number, 1.0) == ["head:2.2"]
    assert not model.is_measuring


def test_progress_tells_the_time_left_from_the_parts_so_far(model):
    assert model.progress(0.0) is None
    number = requested(model, *HEADS, now=10.0)
    assert model.progress(11.0) == Progress(0, 4, None)
    model.take_baseline(number, Baseline(1.5, 100, 64, "windows"), 12.0)
    model.take_loss(number, "head:1.1", 1.6, None)
    assert model.progress(14.0) == Progress(1, 4, 6.0)


def test_cancelling_keeps_the_results_so_far(model):
    number = requested(model, *HEADS)
    model.take_baseline(number, Baseline(1.5, 100, 64, "windows"), 0.0)
    model.take_loss(number, "head:1.1", 1.6, None)
    assert model.cancel()
    assert states(model) == [CellState.MEASURED, *[CellState.CANCELLED] * 3]
    assert not model.take_loss(number, "head:1.2", 1.7, None)
    assert model.request(["head:1.2"], 0.0)[1] == ["head:1.2"]
    assert model.cell("head:1.2").state is CellState.WAITING


def test_another_model_cancels_the_measurement(model, source):
    number = requested(model, *HEADS)
    model.select_model(Source(), 100)
    assert not model.is_measuring
    assert not model.take_baseline(number, Baseline(1.5, 100, 64, "windows"), 0.0)
    model.select_model(source, 100)
    assert states(model) == [CellState.CANCELLED] * 4


def test_a_measurement_that_fails_marks_all_that_is_left(model):
    number = requested(model, *HEADS)
    assert model.fail(number, Problem("the corpus is not here"), 1.0)
    assert states(model) == [CellState.FAILED] * 4
    assert not model.is_measuring


def test_measuring_all_takes_only_what_is_shown(model):
    model.select_kind(("", "unit"))
    model.select_first(40)
    assert len(model.unmeasured) == 2 * WINDOW + 2  # and the two blocks beside
    assert "unit:1.41" in model.unmeasured
    assert "unit:1.1" not in model.unmeasured


def test_a_selected_kind_stays_where_another_model_has_it_too(model):
    model.select_kind(("", "mixer"))
    model.select_model(Source(), 0)
    listed(model)
    assert model.kind == ("", "mixer")
    model.select_model(Source(), 0)
    listed(model, kinds_of({"order": ["1"]}))
    assert model.kind == ("", "order")
