"""The form: every kind of field through its real controls, validated by the config, with a way back to the preset."""

from typing import Literal

import pytest
from pydantic import model_validator
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QSlider, QWidget

from lab.api import ModelConfig, Problem, setting, settings_of
from lab.widgets.core.theme import themes
from lab.widgets.forms.form import Form, HelpStrip
from lab.widgets.forms.groups import GroupHead
from lab.widgets.forms.row_parts import Caption, WayBack
from lab.widgets.forms.rows import Knob
from lab.widgets.forms.values import shown, slider_values


class Gru(ModelConfig):
    kind: Literal["gru"] = setting("gru", help="Recurrent.")
    size: int = setting(8, ge=1, le=64, help="Units.")


class Conv(ModelConfig):
    kind: Literal["conv"] = setting("conv", help="Convolution.")
    reach: int = setting(3, ge=1, le=9, help="Tokens.")


class Rates(ModelConfig):
    rate: float = setting(1.0, live=True, help="Speed.")
    fate: float = setting(1.0, help="Speed.")


class Needy(ModelConfig):
    kind: Literal["needy"] = setting("needy", help="Cannot do without a size.")
    size: int = setting(ge=1, label="Cells", help="Units.")


class Inner(ModelConfig):
    decay: float = setting(0.5, gt=0, lt=1, live=True, help="What is kept per token.")
    mixer: Gru | Conv | Needy = setting(Gru(), help="What mixes.")


class Config(ModelConfig):
    layers: int = setting(4, ge=1, le=100, unit="blocks", help="Blocks on top of each other.", cite="Somebody 1999")
    width: int = setting(128, ge=1, le=65536, log=True, help="Channels.")
    heads: int = setting(4, ge=1, le=1024, log=True, help="Heads.")
    learning_rate: float = setting(1e-3, gt=0, le=10, log=True, live=True, help="Size of an update.")
    clip: float = setting(1.0, ge=0, help="Longest gradient.")
    norm: Literal["layer", "root_mean_square"] = setting("layer", help="Normalisation.")
    bias: bool = setting(False, help="Whether there is a bias.")
    limit: int | None = setting(None, ge=1, help="A limit.")
    betas: list[float] = setting([0.9, 0.99], min_length=1, help="Shares.")
    pattern: str = setting("aab", pattern=r"^[ab]+$", help="Order of the mixers.")
    inner: Inner = setting(Inner(), help="What is inside.")
    extra: Conv | None = setting(None, help="May be left out.")

    @model_validator(mode="after")
    def _heads_fit(self):
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}")
        return self


@pytest.fixture
def area(qtbot):
    """A scroll area of the draft's width with a form in it."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(Form(Config, prefix="architecture"))
    area.resize(272, 300)
    qtbot.addWidget(area)
    area.show()
    qtbot.waitExposed(area)
    area.activateWindow()
    return area


@pytest.fixture
def form(area):
    """The form."""
    return area.widget()


@pytest.fixture
def edits(form):
    """The edits that the form reports."""
    reported = []
    form.edited.connect(lambda path, value: reported.append((path, value)))
    return reported


def control(form, name, kind=QWidget):
    return next(each for each in form.findChildren(kind) if each.isEnabled() and each.accessibleName() == name)


def enter(qtbot, field, words, key=Qt.Key.Key_Return):
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, words)
    qtbot.keyClick(field, key)


def turn(widget, by=120):
    at = QPointF(widget.rect().center())
    turned = QWheelEvent(
        at, widget.mapToGlobal(at), QPoint(), QPoint(0, by), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, turned)
    return turned.isAccepted()


def reasons(form):
    return [each.text() for each in form.findChildren(QWidget) if each.property("role") == "bad" and each.isVisible()]


@pytest.mark.parametrize(
    ("name", "words", "path", "value"),
    [
        ("Layers, blocks", "12", "layers", 12),
        ("Width", "1e3", "width", 1000),
        ("Learning rate", "3e-4", "learning_rate", 3e-4),
        ("Clip", " 0.5 ", "clip", 0.5),
        ("Limit", "7", "limit", 7),
        ("Betas", "0.1, .2,3", "betas", [0.1, 0.2, 3.0]),
        ("Pattern", "bb", "pattern", "bb"),
        ("Decay", "0.25", "inner.decay", 0.25),
    ],
)
def test_a_typed_entry_is_emitted_once_when_finished(qtbot, form, edits, name, words, path, value):
    field = control(form, name)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, words)
    assert edits == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    control(form, "Width").setFocus()
    control(form, "Clip").setFocus()
    assert edits == [(path, value)]
    assert isinstance(edits[0][1], type(value))


def test_leaving_a_field_finishes_its_entry(qtbot, form, edits):
    field = control(form, "Clip")
    enter(qtbot, field, "2", Qt.Key.Key_Tab)
    assert edits == [("clip", 2.0)]


def test_moving_through_fields_without_typing_emits_nothing(qtbot, form, edits):
    for field in form.findChildren(QLineEdit):
        field.setFocus()
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert edits == []


def test_a_cleared_field_that_may_be_empty_means_none(qtbot, form, edits):
    form.show_values({"limit": 7}, {})
    enter(qtbot, control(form, "Limit"), "\b")
    assert edits == [("limit", None)]
    assert "limit" not in form.values()


def test_switches_and_choices_are_emitted_at_once(qtbot, form, edits):
    qtbot.keyClick(control(form, "Bias"), Qt.Key.Key_Space)
    box = control(form, "Norm")
    assert [box.itemText(place) for place in range(box.count())] == ["layer", "root mean square"]
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert edits == [("bias", True), ("norm", "root_mean_square")]


@pytest.mark.parametrize(
    ("name", "words", "path", "what", "allowed"),
    [
        ("Layers, blocks", "0", "layers", "is not allowed", "whole number, 1 ≤ x ≤ 100"),
        ("Layers, blocks", "2.5", "layers", "is not allowed", "whole number, 1 ≤ x ≤ 100"),
        ("Clip", "much", "clip", "is not allowed", "number, 0 ≤ x"),
        ("Clip", "", "clip", "is not allowed", "number, 0 ≤ x"),
        ("Pattern", "abc", "pattern", "is not allowed", "text, matching ^[ab]+$"),
        ("Betas", "", "betas", "is not allowed", "list of numbers, at least 1 long"),
        ("Heads", "5", "heads", "width 128 is not a multiple of heads 5", None),
    ],
)
def test_an_invalid_entry_stays_with_its_reason_and_is_named(qtbot, form, edits, name, words, path, what, allowed):
    before = form.values()
    with qtbot.waitSignal(form.invalid):
        enter(qtbot, control(form, name), words or "\b")
    problem = form.problems[f"architecture.{path}"]
    assert list(form.problems) == [f"architecture.{path}"]
    assert (problem.field, problem.what, problem.allowed) == (f"architecture.{path}", what, allowed)
    assert control(form, name).text() == words
    assert control(form, name).property("state") == "bad"
    assert [what.lower() in reason.lower() for reason in reasons(form)] == [True]
    assert (edits, form.values()) == ([], before)


def test_a_problem_of_an_item_is_shown_at_the_list(qtbot, form):
    enter(qtbot, control(form, "Betas"), "0.1, x")
    problem = form.problems["architecture.betas"]
    assert (problem.value, problem.allowed) == ("'x'", "list of numbers, at least 1 long")


def test_a_valid_entry_removes_the_problem(qtbot, form, edits):
    field = control(form, "Layers, blocks")
    enter(qtbot, field, "0")
    with qtbot.waitSignal(form.invalid):
        enter(qtbot, field, "5")
    assert (form.problems, reasons(form), field.property("state"), edits) == ({}, [], "", [("layers", 5)])


def test_the_stored_value_entered_again_removes_the_problem(qtbot, form, edits):
    field, box = control(form, "Layers, blocks"), control(form, "Kind")
    enter(qtbot, field, "0")
    enter(qtbot, field, "4")
    assert (form.problems, reasons(form), field.property("state"), edits) == ({}, [], "", [])
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    assert list(form.problems) == ["architecture.inner.mixer"]
    qtbot.keyClick(box, Qt.Key.Key_Home)
    assert (box.currentText(), form.problems, edits) == ("gru", {}, [])


def test_escape_restores_the_last_valid_value(qtbot, form, edits):
    field = control(form, "Layers, blocks")
    enter(qtbot, field, "0")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert (field.text(), form.problems, reasons(form), edits) == ("4", {}, [], [])


def test_unused_keys_of_a_field_reach_the_window(qtbot, area, form, edits):
    heard = []
    for keys in ("Ctrl+Z", "Esc"):
        QShortcut(QKeySequence(keys), area, lambda keys=keys: heard.append(keys))
    field = control(form, "Clip")
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert heard == ["Ctrl+Z", "Esc"]
    field.selectAll()
    qtbot.keyClicks(field, "3")
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, "4")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert heard == ["Ctrl+Z", "Esc"]
    assert (field.text(), edits) == ("1", [])


def test_space_toggles_a_switch_despite_a_shortcut_of_the_window(qtbot, area, form, edits):
    heard = []
    QShortcut(QKeySequence("Space"), area, lambda: heard.append(1))
    switch = control(form, "Bias")
    switch.setFocus()
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert (edits, heard) == ([("bias", True)], [])


def test_a_refused_entry_is_accepted_when_another_edit_makes_it_valid(qtbot, form, edits):
    enter(qtbot, control(form, "Heads"), "5")
    enter(qtbot, control(form, "Width"), "126")
    assert set(form.problems) == {"architecture.heads", "architecture.width"}
    enter(qtbot, control(form, "Width"), "640")
    assert (form.problems, reasons(form)) == ({}, [])
    assert edits == [("width", 640), ("heads", 5)]


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("Layers, blocks", Qt.Key.Key_Up, 5),
        ("Layers, blocks", Qt.Key.Key_Down, 3),
        ("Layers, blocks", Qt.Key.Key_PageUp, 14),
        ("Layers, blocks", Qt.Key.Key_PageDown, 1),
        ("Width", Qt.Key.Key_PageUp, 256),
        ("Learning rate", Qt.Key.Key_Up, 0.0011),
        ("Learning rate", Qt.Key.Key_PageDown, 0.0005),
        ("Decay", Qt.Key.Key_Up, 0.51),
    ],
)
def test_keys_step_a_number(qtbot, form, edits, name, key, value):
    qtbot.keyClick(control(form, name), key)
    assert [reported for _, reported in edits] == [value]


def test_the_wheel_scrolls_the_form_unless_a_field_has_the_focus(form, edits):
    controls = [control(form, name) for name in ("Layers, blocks", "Layers, slider", "Norm")]
    control(form, "Pattern").setFocus()
    assert [turn(each) for each in controls] == [False, False, False]
    assert edits == []
    controls[0].setFocus()
    assert turn(controls[0])
    assert edits == [("layers", 5)]


def test_a_dragged_slider_emits_one_value_in_a_while_and_its_last_one_when_released(qtbot, form, edits):
    slider = control(form, "Learning rate, slider", QSlider)
    middle = slider.height() // 2
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(30, middle))
    for x in range(31, 60):
        qtbot.mouseMove(slider, QPoint(x, middle))
    assert edits == []
    qtbot.waitUntil(lambda: edits != [])
    for x in range(61, 90):
        qtbot.mouseMove(slider, QPoint(x, middle))
    assert len(edits) == 1
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(90, middle))
    qtbot.waitUntil(lambda: not slider._timer.isActive())
    assert len(edits) == 2
    path, value = edits[-1]
    assert path == "learning_rate"
    assert control(form, "Learning rate").text() == shown(next(s for s in settings_of(Config) if s.name == path), value)
    assert form.values()["learning_rate"] == value


def test_a_value_that_comes_while_a_slider_is_dragged_does_not_move_it(qtbot, form):
    slider = control(form, "Layers, slider", QSlider)
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 20, 7))
    place = slider.value()
    form.show_values({"layers": 3}, {})
    assert slider.value() == place
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 20, 7))
    assert form.values()["layers"] == slider_values(next(settings_of(Config)))[place]


def test_differences_are_marked_and_the_reset_button_restores_the_presets_value(qtbot, form, edits):
    form.show_values({"layers": 6, "inner": {"decay": 0.25}}, {"layers": 2})
    assert form.differing() == ["layers", "inner.decay"]
    back = control(form, "Layers, blocks: back to the preset's 2", WayBack)
    assert "Differs from 2; click to use that" in back.toolTip()
    assert back.isVisible()
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert edits == [("layers", 2)]
    assert not back.isVisible()
    assert form.differing() == ["inner.decay"]


def test_a_group_shows_its_number_of_differences_and_can_be_closed(qtbot, form):
    head = control(form, "Inner", GroupHead)
    form.show_values({"inner": {"decay": 0.25, "mixer": {"kind": "gru", "size": 3}}}, {})
    assert (head.accessibleName(), control(form, "Mixer, 1 differs", GroupHead).text()) == ("Inner, 2 differ", "Mixer")
    decay = control(form, "Decay")
    qtbot.mouseClick(head, Qt.MouseButton.LeftButton)
    assert not decay.isVisible()
    qtbot.keyClick(head, Qt.Key.Key_Space)
    assert decay.isVisible()


def test_another_kind_has_its_own_settings_and_is_emitted_as_a_whole(qtbot, form, edits):
    box = control(form, "Kind")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert edits == [("inner.mixer", {"version": 1, "kind": "conv", "reach": 3})]
    enter(qtbot, control(form, "Reach"), "5")
    assert edits[1:] == [("inner.mixer.reach", 5)]
    assert form.differing() == ["inner.mixer"]
    assert not [each for each in form.findChildren(QLineEdit) if each.accessibleName() == "Size"]
    qtbot.mouseClick(control(form, "Kind: back to the preset's gru", WayBack), Qt.MouseButton.LeftButton)
    assert edits[2:] == [("inner.mixer", {"version": 1, "kind": "gru", "size": 8})]
    assert control(form, "Size").text() == "8"


def test_a_kind_that_needs_a_value_is_accepted_once_it_has_one(qtbot, form, edits):
    box = control(form, "Kind")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    assert edits == []
    assert form.problems["architecture.inner.mixer"].what == "Cells is missing"
    enter(qtbot, control(form, "Cells"), "5")
    assert form.problems == {}
    assert edits == [("inner.mixer", {"version": 1, "kind": "needy", "size": 5})]
    assert reasons(form) == []


def test_escape_discards_a_refused_kind(qtbot, form, edits):
    box = control(form, "Kind")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert (box.currentText(), control(form, "Size").text(), form.problems, edits) == ("gru", "8", {}, [])


def test_an_optional_group_is_switched_on_and_off(qtbot, form, edits):
    switch = control(form, "Used")
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert control(form, "Reach").text() == "3"
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert edits == [("extra", {"version": 1, "kind": "conv", "reach": 3}), ("extra", None)]
    assert "extra" not in form.values()


def test_showing_values_emits_nothing_and_keeps_an_unfinished_entry(qtbot, form, edits):
    problems = []
    form.invalid.connect(lambda: problems.append(form.problems))
    field = control(form, "Layers, blocks")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "7")
    field.setCursorPosition(0)
    form.show_values({"layers": 9, "width": 256}, {})
    assert (field.text(), field.cursorPosition(), field.hasFocus()) == ("7", 0, True)
    assert control(form, "Width").text() == "256"
    assert (edits, problems) == ([], [])


def test_showing_values_keeps_an_invalid_entry_and_its_problem(qtbot, form):
    enter(qtbot, control(form, "Layers, blocks"), "0")
    form.show_values({"width": 256}, {})
    assert control(form, "Layers, blocks").text() == "0"
    assert "architecture.layers" in form.problems


def test_another_value_replaces_an_invalid_entry_that_is_not_being_edited(qtbot, form):
    enter(qtbot, control(form, "Layers, blocks"), "0", Qt.Key.Key_Tab)
    form.show_values({"layers": 9}, {})
    assert (control(form, "Layers, blocks").text(), form.problems, reasons(form)) == ("9", {}, [])


@pytest.mark.parametrize("path", ["architecture.betas", "betas", "betas.1"])
def test_a_problem_of_the_engine_is_shown_until_the_next_edit(qtbot, form, path):
    assert form.show_problem(path, Problem("too long for this corpus", field=path))
    assert reasons(form) == ["Too long for this corpus."]
    assert form.problems == {}
    enter(qtbot, control(form, "Betas"), "0.5")
    assert reasons(form) == []


def test_a_problem_of_another_field_is_not_shown_here(form):
    assert not form.show_problem("training.steps", Problem("too many"))
    assert reasons(form) == []


def test_revealing_a_field_opens_its_group(qtbot, area, form):
    control(form, "Inner", GroupHead).click()
    form.reveal("architecture.inner.mixer.size")
    size = control(form, "Size")
    assert size.hasFocus()
    assert area.viewport().rect().contains(size.mapTo(area.viewport(), size.rect().center()))


def test_the_tabulator_goes_from_top_to_bottom_also_after_another_kind(qtbot, form):
    form.show_values({"inner": {"mixer": {"kind": "conv"}}, "extra": {}}, {})
    control(form, "Layers, blocks").setFocus()
    heights = []
    for _ in range(14):
        here = QApplication.focusWidget()
        heights.append(here.mapTo(form, QPoint()).y())
        qtbot.keyClick(here, Qt.Key.Key_Tab)
    assert heights == sorted(heights)
    assert len(set(heights)) >= 12


def test_every_control_has_a_name(form):
    controls = [each for each in form.findChildren(QWidget) if each.focusPolicy() != Qt.FocusPolicy.NoFocus]
    assert len(controls) > 20
    assert [type(each) for each in controls if not each.accessibleName() and each.isVisible()] == []


def test_the_help_strip_describes_the_focused_setting(qtbot, form):
    strip = HelpStrip()
    qtbot.addWidget(strip)
    form.focused.connect(strip.show_setting)
    control(form, "Clip").setFocus()
    control(form, "Layers, blocks").setFocus()
    words = " ".join(each.text() for each in strip.findChildren(QWidget) if each.property("text"))
    for part in ("Blocks on top of each other.", "1 ≤ x ≤ 100", "blocks", "default 4", "Somebody 1999"):
        assert part in words
    control(form, "Layers, blocks").clearFocus()
    assert "Blocks" not in " ".join(each.text() for each in strip.findChildren(QWidget) if each.property("text"))


@pytest.mark.parametrize("name", ["Layers", "Clip", "Norm", "Bias"])
def test_a_press_on_the_name_of_a_setting_gives_its_control_the_focus_and_so_shows_its_help(qtbot, form, name):
    described = []
    form.focused.connect(described.append)
    caption = next(each for each in form.findChildren(Caption) if each.text == name)
    qtbot.mousePress(caption, Qt.MouseButton.LeftButton)
    assert described[-1].title == name
    assert QApplication.focusWidget().accessibleName().startswith(name)


def test_a_setting_that_can_change_in_training_has_no_mark_but_a_description(qtbot):
    live, fixed = settings_of(Rates)
    knobs = [Knob(one, "Rate") for one in (live, fixed)]
    for knob in knobs:
        qtbot.addWidget(knob)
    assert len({knob._caption.minimumSizeHint().width() for knob in knobs}) == 1
    for of_runs in (True, False):
        strip = HelpStrip(of_runs=of_runs)
        qtbot.addWidget(strip)
        strip.show_setting(live)
        assert ("can also be changed while a run trains" in strip._facts.text()) == of_runs


def test_fields_of_cards_and_omitted_fields_are_not_shown(qtbot):
    from lab.recipes import Training

    form = Form(Training, prefix="training", leave_out=("seed",))
    qtbot.addWidget(form)
    given = Training().stored()
    form.show_values(given, given)
    names = {each.accessibleName() for each in form.findChildren(QWidget)}
    assert not names & {"Optimizer", "Schedule", "Seed"}
    assert form.values() == given


def test_the_form_fits_a_narrow_panel(form):
    assert form.minimumSizeHint().width() <= 212


def test_an_unused_group_has_no_controls_until_it_is_used(qtbot):
    class Stack(ModelConfig):
        blocks: Literal["plain", "deep"] = setting("plain", help="What it is made of.")
        plain: Gru = setting(Gru(), help="Of the plain one.")
        deep: Inner = setting(Inner(), help="Of the deep one.")

        @classmethod
        def unused(cls, values):
            return frozenset({"plain", "deep"} - {values["blocks"]})

    form = Form(Stack)
    qtbot.addWidget(form)
    form.show()
    heads = {head.text(): head for head in form.findChildren(GroupHead)}
    assert (heads["Plain"].isVisible(), heads["Deep"].isVisible()) == (True, False)
    reported = []
    form.edited.connect(lambda path, value: reported.append((path, value)))
    assert not [each for each in form.findChildren(QWidget) if each.accessibleName() == "Decay"]
    box = control(form, "Blocks")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert reported == [("blocks", "deep")]
    assert (heads["Plain"].isVisible(), heads["Deep"].isVisible()) == (False, True)
    assert form.values()["plain"]["size"] == 8
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert (heads["Plain"].isVisible(), heads["Deep"].isVisible()) == (True, False)


def test_an_unused_setting_has_no_control_until_it_is_used(qtbot):
    class Layer(ModelConfig):
        experts: int = setting(4, ge=1, le=8, help="How many there are.")
        chosen: int = setting(2, ge=1, le=8, help="How many are taken.")

        @classmethod
        def unused(cls, values):
            return frozenset({"chosen"} if values["experts"] == 1 else ())

    form = Form(Layer)
    qtbot.addWidget(form)
    form.show()
    form.show_values({"experts": 4, "chosen": 3}, {})
    assert control(form, "Chosen").isVisible()
    form.show_values(Layer(experts=1, chosen=3).stored(), {"experts": 1})
    assert not control(form, "Chosen").isVisible()
    assert form.differing() == []
    form.show_values({"experts": 2}, {})
    assert control(form, "Chosen").isVisible()


class Filed(ModelConfig):
    file: str = setting("", path=True, help="A file.")


def test_the_caption_of_a_path_keeps_its_height_after_a_change_of_theme_and_follows_the_type(qtbot):
    form = Form(Filed)
    qtbot.addWidget(form)
    caption = form.row("file")._caption
    before = caption.minimumHeight()
    themes.changed.emit()
    assert caption.minimumHeight() == before
    themes.change(type_size=200)
    try:
        assert caption.minimumHeight() > before
    finally:
        themes.change(type_size=100)
