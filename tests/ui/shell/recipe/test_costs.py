"""The costs below the form: warnings in words, a question before a run that does not fit, figures beside the form."""

import dataclasses

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication

from lab.shell.recipe.limits import DAY
from lab.training.optimizers.listing import UpdatedGroup
from lab.widgets.forms.rows import Knob
from lab.workbench.launch.preflight import Preflight

GB = 10**9
FITS = Preflight(
    parameters=798_000, active_parameters=798_000, flops_per_token=5e6, state_bytes=1000, vocabulary_size=100,
    train_tokens=10**6, tokens=10**6, steps=100, tokens_per_parameter=1.2, memory_bytes=50_000_000, seconds=60.0,
    blocks={"embedding": 1000, "blocks.0": 2000}, activation_bytes=100.0, backward_bytes=1000.0,
    plain_backward_bytes=1000.0, state_formula="",
    device_bytes=16 * GB,
)  # fmt: skip


@pytest.fixture
def started():
    return []


@pytest.fixture
def panel(make_panel):
    return make_panel()


def test_a_run_that_fits_is_started_without_a_question(panel, started):
    panel.costs.show_costs(FITS)
    assert not panel.costs._warning.isVisible()
    panel.ask_before(lambda: started.append(1))
    assert started == [1]


def test_the_details_say_who_is_updated_at_which_rate_and_who_decays(panel):
    groups = [UpdatedGroup("matrix", (0, 3), 787_000, 0.001, 0.1), UpdatedGroup("norm", (1, 1), 512, 0.0005, 0.0)]
    panel.costs.show_costs(dataclasses.replace(FITS, groups=groups))
    panel.costs.opener.click()
    text = panel.costs._details._groups.text()
    assert text.splitlines() == [
        "matrices of layers 1 to 4: 787 k at 0.001, decay 0.1",
        "norms of layer 2: 512 at 0.0005, no decay",
    ]


def test_the_details_say_what_recomputing_saves(panel):
    panel.costs.show_costs(dataclasses.replace(FITS, backward_bytes=3e6, plain_backward_bytes=12e6, steps=1234))
    assert panel.costs._more[0] == "1,234"
    assert "3.0 MB instead of 12.0 MB" in " ".join(panel.costs._more)


@pytest.mark.parametrize(("measured", "text"), [(True, "60 s"), (False, "≈ 60 s")])
def test_an_estimated_time_is_marked_and_a_measured_one_is_not(panel, measured, text):
    panel.costs.show_costs(FITS, measured=measured)
    assert panel.costs._values[3].text() == text


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"memory_bytes": 58_900_000_000}, "It needs 58.9 GB of memory; this machine has 16.0 GB."),
        ({"seconds": 154 * DAY}, "It would take 154 days on this machine."),
    ],
)
def test_a_run_that_does_not_fit_is_marked_and_asked_about(panel, started, qtbot, figures, words):
    panel.costs.show_costs(dataclasses.replace(FITS, **figures))
    assert (panel.costs._warning.text(), panel.costs._warning.property("role")) == (words, "bad")
    panel.ask_before(lambda: started.append(1))
    question = panel._question
    assert question.isVisible()
    assert words in question._reasons.text()
    qtbot.mouseClick(question.cancel, Qt.MouseButton.LeftButton)
    assert (started, question.isVisible()) == ([], False)
    panel.ask_before(lambda: started.append(1))
    qtbot.mouseClick(question.agree, Qt.MouseButton.LeftButton)
    assert started == [1]


def test_an_edit_forgets_the_limits_of_the_draft_before(panel):
    panel.costs.show_costs(dataclasses.replace(FITS, seconds=2 * DAY))
    panel._draft.edit("training.steps", 5)
    assert panel.costs.limits == []


def test_all_figures_leave_the_form_its_rows(panel, qtbot):
    panel.costs.show_costs(FITS)
    before = panel.costs.height()
    panel.costs.opener.click()
    details = panel.costs._details
    assert details.isVisible()
    assert panel.costs.sizeHint().height() <= before
    assert "1 × 2.0 k + 1.0 k" in [value.text() for value in details._values]
    qtbot.mouseClick(details.close_button, Qt.MouseButton.LeftButton)
    assert not panel.costs.opener.isChecked()


@pytest.mark.parametrize("size", [(1100, 640), pytest.param((1366, 768), marks=pytest.mark.long)])
def test_all_figures_cover_no_row_of_the_form(open_window, until, size):
    window = open_window(size=size)
    window.show_place("train")
    panel = window.draft_panel
    panel.costs.show_costs(FITS)
    QApplication.processEvents()
    before = [one.setting.name for one in panel.findChildren(Knob) if not one.visibleRegion().isEmpty()]
    assert len(before) >= 3
    panel.costs.opener.click()
    QApplication.processEvents()
    details = panel.costs._details
    assert details.isVisible()
    covered = QRect(details.mapToGlobal(QPoint(0, 0)), details.size())
    rows = [one for one in panel.findChildren(Knob) if not one.visibleRegion().isEmpty()]
    assert [one.setting.name for one in rows] == before
    assert not any(covered.intersects(QRect(one.mapToGlobal(QPoint(0, 0)), one.size())) for one in rows)


@pytest.mark.parametrize("figures", [FITS, dataclasses.replace(FITS, state_formula="2 × 4 layers × 64 tokens")])
def test_all_figures_are_seen_with_and_without_the_formula_of_the_state(panel, figures):
    panel.costs.show_costs(figures)
    panel.costs.opener.click()
    details = panel.costs._details
    assert details.height() >= sum(value.sizeHint().height() for value in details._values)


@pytest.mark.parametrize(("ratio", "text"), [(0.1364, "0.136 of 20"), (20.04, "20 of 20"), (1700.4, "1,700 of 20")])
def test_tokens_per_parameter_have_no_powers_of_ten(panel, ratio, text):
    panel.costs.show_costs(dataclasses.replace(FITS, tokens_per_parameter=ratio))
    assert panel.costs._values[2].text() == text


def test_a_model_without_weights_has_figures_that_are_not_cut(panel):
    counting = dataclasses.replace(
        FITS, parameters=0, tokens_per_parameter=None, memory_bytes=None, flops_per_token=None
    )
    panel.costs.show_costs(counting)
    panel.costs.layout().activate()
    assert all(value.sizeHint().width() <= value.width() for value in panel.costs._values)


def test_the_quick_start_is_in_the_menu_once(panel):
    texts = [action.text() for action in panel.presets.menu.actions()]
    assert texts.count("quick start") == 1


def test_all_settings_are_offered_to_the_palette_also_of_closed_groups(panel):
    paths = dict(panel.sections.settings())
    assert paths["training.steps"] == "Steps"
    assert paths["architecture.kv_heads"] == "Key/value heads"


def test_limits_stay_when_the_draft_is_compared_with_another_run(panel):
    panel.costs.show_costs(dataclasses.replace(FITS, seconds=2 * DAY))
    panel._draft.compare_with(panel._draft.recipe, "another run")
    assert panel.costs.limits != []
