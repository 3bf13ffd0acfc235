"""The explorables: what is moved changes what is drawn and said."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from lab.lessons.markdown import EXPLORABLES
from lab.shell.examples.explorables.page import MAKERS, ExplorablesPage, titles
from lab.shell.examples.pages import make_explorable
from lab.shell.runtime.background import Background
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.formulas.picture import typeset_picture


@pytest.fixture
def page(qtbot):
    made = ExplorablesPage(lambda key: MAKERS[key](None, None))
    qtbot.addWidget(made)
    made.resize(1200, 700)
    made.show()
    return made


@pytest.mark.parametrize("key", MAKERS)
def test_each_is_listed_and_drawn(page, key):
    card = page.show_explorable(key)
    assert card.isVisible()
    assert card.title == titles()[key]
    assert card.grab().width() > 300


def test_the_product_falls_with_each_word(page):
    card = page.show_explorable("sentence")
    assert "perplexity is 6.3" in card.result.text()
    for slider in card.sliders:
        slider.set_value(0)
    assert "perplexity is 1.00" in card.result.text()


def test_a_cold_softmax_gives_all_to_the_largest_logit(page):
    card = page.show_explorable("softmax")
    card.temperature.set_value(0)
    assert card.bars.accessibleDescription() == "p1 1.000, p2 0.000, p3 0.000"


def test_a_larger_share_takes_more_words_into_the_nucleus(page):
    card = page.show_explorable("nucleus")
    assert card.result.text().startswith("4 of 10 words")
    card.share.set_value(0.05)
    assert card.result.text().startswith("1 of 10 words")
    card.share.set_value(1)
    assert card.result.text().startswith("10 of 10 words")


def test_a_key_is_dragged_and_the_weights_follow(page):
    card = page.show_explorable("attention")
    before = card.bars.accessibleDescription()
    plane = card.plane
    start, end = plane.to_pixels(plane.vectors["k2"]).toPoint(), plane.to_pixels(plane.vectors["q"] * 1.5).toPoint()
    QTest.mousePress(plane, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(plane, end)
    QTest.mouseRelease(plane, Qt.MouseButton.LeftButton, pos=end)
    assert plane.vectors["k2"] == pytest.approx(plane.vectors["q"] * 1.5, abs=0.05)
    assert card.bars.accessibleDescription() != before
    QTest.mouseClick(plane, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))  # far from any end
    assert plane.vectors["k2"] == pytest.approx(plane.vectors["q"] * 1.5, abs=0.05)


def test_vectors_are_moved_by_keys_too(page):
    card = page.show_explorable("attention")
    card.plane.setFocus()
    before = card.plane.vectors["k1"].copy()
    card.plane.selected = "q"
    QTest.keyClick(card.plane, Qt.Key.Key_Space)
    QTest.keyClick(card.plane, Qt.Key.Key_Right)
    assert card.plane.vectors["k1"] == pytest.approx([before[0] + 0.1, before[1]])


def test_the_rotary_score_stays_when_both_move(page):
    card = page.show_explorable("rotary")
    score = card.score
    card.both.set_value(4321)
    assert card.score == pytest.approx(score)
    card.key.set_value(5)
    assert card.score != pytest.approx(score)


def test_a_cell_with_an_open_forget_tap_keeps_its_state(page):
    card = page.show_explorable("cell")
    card.forget.set_value(1)
    card.do_ten()
    assert card.steps[-1].c == 1
    card.forget.set_value(0)
    card.do_step()
    assert card.steps[-1].c == 0
    card.restart()
    assert len(card.steps) == 1
    for _ in range(9):
        card.do_ten()
    assert len(card.steps) == 40


def test_a_number_is_stored_with_the_error_of_each_format(page):
    card = page.show_explorable("formats")
    card.power.set_value(6)
    assert "float16 inf" in card.result.text()
    card.power.set_value(0)
    assert "float16 1 (0.0e+00)" in card.result.text()


def test_log_sum_exp_overflows_and_is_cured(page):
    card = page.show_explorable("log-sum-exp")
    cells = [card.table.item(0, column).text() for column in range(3)]
    assert cells == ["float16", "∞", "12.40625"]
    card.field.setText("1000, 999")
    assert card.table.item(3, 1).text() == "∞"
    card.field.setText("x")
    assert card.field.property("state") == "bad"
    card.field.setText("3")
    assert card.table.item(3, 2).text() == "3"


def test_the_product_of_two_positions_depends_on_their_offset_alone(page):
    card = page.show_explorable("sinusoids")
    card.offset.set_value(0)
    assert "Their product is 6.000" in card.result.text()
    card.offset.set_value(7)
    before = card.result.text().partition("product")[2]
    card.position.set_value(150)
    assert card.result.text().partition("product")[2] == before


def test_a_mode_outside_the_circle_grows_and_one_inside_is_halved(page):
    card = page.show_explorable("modes")
    assert "halved after 13.5" in card.result.text()
    card.plane.vectors["a1"] = np.array([1.1, 0.0])
    card.plane.moved.emit("a1")
    assert "halved after ∞" in card.result.text()
    for slider in card.weights:
        slider.set_value(0)
    assert card.result.text().endswith("y = 0.0000.")


def test_a_full_expert_drops_points_and_more_room_takes_them_all(page):
    card = page.show_explorable("routing")
    card.capacity.set_value(0.5)
    dropped = int(card.result.text().partition("each; ")[2].split()[0])
    assert dropped >= 36 - 4 * 5  # each of the four has room for 0.5 · 36 / 4 points, rounded up
    card.capacity.set_value(3)
    assert "; 0 of 36 places" in card.result.text()
    card.plane.added.emit(0.5, 0.5)
    card.plane.moved.emit(36, 9.0, 0.0)
    assert card.points[36] == pytest.approx([2.0, 0.0])
    assert card.result.text().startswith("37 points")
    card.plane.removed.emit(0)
    assert card.result.text().startswith("36 points")


def test_the_best_model_of_a_budget_has_no_greater_loss_than_any_other(page):
    card = page.show_explorable("budget")
    least = card.result.text().rpartition("loss ")[2]
    for power in np.linspace(8, 12, 9):
        card.parameters.set_value(float(power))
        loss = card.result.text().partition("loss ")[2].split()[0].rstrip(".")
        assert float(loss) >= float(least.rstrip(".")) - 1e-4


def test_a_text_of_a_lesson_may_name_each_explorable_and_no_other():
    assert set(EXPLORABLES) == set(MAKERS) == set(titles())


@pytest.mark.parametrize("key", sorted(set(MAKERS) - {"formats", "log-sum-exp"}))
def test_every_slider_with_a_symbol_stands_for_one_of_the_formula(key, qtbot):
    card = make_now(key)
    qtbot.addWidget(card)
    card.show()
    symbols = {symbol for view in card.formulas for symbol in view.symbols}
    sliders = [slider for slider in card.findChildren(LabelledSlider) if slider.symbol]
    assert {slider.symbol for slider in sliders} <= symbols
    for slider in sliders:
        card.marks.point(slider.symbol)
        assert slider.is_marked
        assert card.grab().width() > 300


def make_now(key):
    """Make an explorable whose formulas are typeset at once."""

    def typeset(formulas, colour, scale, show):
        show([typeset_picture(latex, colour, scale) for latex in formulas])

    return MAKERS[key](typeset, None)


def test_each_card_typesets_its_formulas_until_they_are_done(qtbot):
    background = Background()
    waiting = []
    background.run = lambda _title, _work, done, _failed, *, replaces: waiting.append((replaces, done))
    cards = [make_explorable(background, "softmax") for _ in range(2)]
    for card in cards:
        qtbot.addWidget(card)
        card.show()
    assert len({key for key, _ in waiting}) == 2
    cards[0].hide()
    cards[0].show()  # that was cancelled, or goes on: none is shown yet
    assert len(waiting) == 3
    waiting[-1][1]([typeset_picture(view.latex, "#000000", 1.0) for view in cards[0].formulas])
    cards[0].hide()
    cards[0].show()
    assert len(waiting) == 3
