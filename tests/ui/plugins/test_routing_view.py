"""The view of a mixture of experts: load, figures, the text by experts, what they take, and over the training."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QApplication

from lab.api import Reading
from lab.api.architecture import load
from lab.testing.cards import offer_of
from lab.widgets.core.theme import THEMES, contrast, themes
from lab.widgets.maps.categories import colours_of_kinds
from lab.widgets.maps.layout import GAP
from lab.widgets.readings.base import Training
from lab_moe.token_classes import KEYWORDS
from lab_moe.views.load_bars import LoadBars
from lab_moe.views.routing import RoutingView

TEXT = tuple("if 12")
P = np.array([[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.1, 0.8, 0.1], [0.2, 0.7, 0.1], [0.2, 0.7, 0.1]], np.float32)
G = np.where(P > 0.25, P, 0)
"""The first two tokens have two experts each, the others the second; nobody takes the third."""


def routing(layer=0, p=P, axes=("token", "expert")):
    return Reading("routing", axes, p, layer, f"blocks.{layer}.channel")


def gates(layer=0, g=G):
    return Reading("gates", ("token", "expert"), g, layer, f"blocks.{layer}.channel")


@pytest.fixture
def view(qtbot):
    made = RoutingView()
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    made.show_readings([routing(), gates()], TEXT)
    return made


def choose(view, words):
    next(action for action in view._second.menu().actions() if action.text() == words).trigger()


def offered(view):
    return [action.text() for action in view._second.menu().actions()]


def test_readings_of_routers_are_one_card_even_without_expert_factors():
    other = Reading("routing", ("head", "expert"), np.ones((2, 3)), 0)
    card = offer_of("routing", "lab_moe")._offers["views"]["routing"]
    assert [one.name for one in card.selected([routing(), other, gates()])] == ["routing", "gates"]
    assert card.selected([other, gates()]) == []
    assert load(card.build) is RoutingView


def test_the_load_is_compared_with_the_even_share_and_dead_experts_are_named(view):
    words = view.figures.full_text
    assert words.startswith("balance ")
    assert "of 1.58 bits" in words
    assert "1.4 experts per token" in words
    assert "1 of 3 experts dead: 3" in words
    assert view.bars.text_at(0) == "expert 1 · 0.286 share of assignments"
    assert view.bars.text_at(2).endswith("dead: it takes no token")


def test_each_token_has_the_colour_of_its_first_expert_and_a_line_of_the_second(qtbot, view):
    tokens = view.text.strip.tokens
    assert tokens.values.tolist() == [0, 0, 1, 1, 1]
    assert np.array_equal(tokens.under, [1, 1, np.nan, np.nan, np.nan], equal_nan=True)
    qtbot.mouseMove(tokens, tokens.rects[1].center().toPoint())
    assert (
        view.text.message.full_text
        == "“f”, token 2 · experts 1 × 0.5, 2 × 0.4 · largest probability 0.5: expert 1 · 1.36 bits"
    )
    qtbot.mouseMove(tokens, QPoint(tokens.width() - 1, tokens.height() - 1))
    assert "ground" in view.text.message.full_text


def test_a_click_on_a_token_describes_it_until_it_is_clicked_again(qtbot, view):
    tokens, legend = view.text.strip.tokens, view.text.message.full_text

    def click_and_leave():
        here = tokens.rects[1].center().toPoint()
        qtbot.mouseMove(tokens, here)
        qtbot.mouseClick(tokens, Qt.MouseButton.LeftButton, pos=here)
        qtbot.mouseMove(tokens, QPoint(tokens.width() - 1, tokens.height() - 1))

    click_and_leave()
    assert view.text.message.full_text.startswith("“f”, token 2 · experts 1")
    assert tokens.followed == 1
    click_and_leave()
    assert view.text.message.full_text == legend
    assert tokens.followed == -1


def test_tokens_that_no_expert_takes_are_counted(view):
    view.show_readings([routing(), gates(g=np.where(np.arange(5)[:, None] < 2, 0, G))], TEXT)
    assert "40 % of tokens taken by none" in view.figures.full_text


def test_without_factors_a_token_belongs_to_its_most_probable_expert(view):
    view.show_readings([routing(axes=("expert", "token"), p=P.T)], TEXT)
    assert view.text.strip.tokens.values.tolist() == [0, 0, 1, 1, 1]
    assert "1 expert per token" in view.figures.full_text
    assert "gate weights" not in offered(view)


def test_classes_of_tokens_follow_a_list_of_keywords_that_is_edited(qtbot, view):
    choose(view, "token classes")
    table = view.classes.map
    assert table.text_at(0, 0) == "expert 1 · class keyword · 50 %"
    field = view.classes.field
    field.selectAll()
    qtbot.keyClicks(field, "else")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert table.text_at(0, 0) == "expert 1 · class letter · 50 %"
    view.classes._back.click()
    assert set(view.classes.keywords) == KEYWORDS
    assert table.text_at(1, 2) == "expert 2 · class space · 100 %"


def test_favourites_and_partners_of_experts_are_maps(view):
    choose(view, "favourite tokens")
    assert "“i 1”" in view.favourites.map.text_at(0, 0)
    choose(view, "experts together")
    assert view.together.map.text_at(0, 1).endswith("100 %")
    view.show_readings([routing()], TEXT)
    assert not view.together.map.isVisible()  # one expert each


@pytest.mark.parametrize(("experts", "size"), [(3, (300, 220)), (64, (700, 420))])
def test_every_favourite_token_can_be_read_however_many_experts_there_are(view, experts, size):
    p = np.random.default_rng(0).dirichlet(np.full(experts, 0.3), len(TEXT)).astype(np.float32)
    view.resize(*size)
    view.show_readings([routing(p=p), gates(g=np.where(p >= p.max(1, keepdims=True), p, 0))], TEXT)
    choose(view, "favourite tokens")
    shown = view.favourites.map
    written = [text for row in shown._texts[0] for text in row if text]
    cell = shown.rect_of(0, 0)
    assert cell.height() >= shown._token_metrics.height()
    assert cell.width() >= max(shown._token_metrics.horizontalAdvance(text) for text in written)


def test_the_load_over_the_training_ends_with_now(view):
    earlier = [routing(), gates(g=np.where(P.max(axis=1, keepdims=True) == P, P, 0))]
    view.set_training(
        Training([("0", earlier), ("other experts", [routing(p=P[:, :2])]), ("now", [routing(), gates()])])
    )
    view.show_readings([routing(), gates()], TEXT)
    assert view.training.map.isVisible()
    assert view.training.map.text_at(0, 0) == "expert 1 · step 0 · 0.4 load"
    assert view.training.map.text_at(0, 1) == "expert 1 · step now · 0.286 load"


def test_the_load_over_the_training_is_shown_next_to_the_load_on_request(view):
    p = np.random.default_rng(0).dirichlet(np.ones(8), 5).astype(np.float32)
    view.resize(480, 270)
    steps = (0, 1, 3, 6, 10, 25, 40, 63, 92, 251, 632, 1000)
    view.set_training(Training([(str(step), [routing(p=p)]) for step in steps]))
    view.show_readings([routing(p=p)], TEXT)
    choose(view, "during training")
    QApplication.processEvents()  # now all parts stand at their places
    strip, bars = view.training.map, view.bars
    assert strip.mapTo(view, QPoint()).x() > bars.mapTo(view, QPoint()).x() + bars.width()
    labels = [words for _, _, words, _ in strip._label_rects(strip._frame())]
    assert labels[:8] == list("12345678")
    view.resize(480, 500)
    QApplication.processEvents()
    assert strip.mapTo(view, QPoint()).y() > bars.mapTo(view, QPoint()).y() + bars.height()


def test_steps_over_the_training_do_not_touch_though_they_are_of_one_digit(view):
    view.training.show_loads([(str(step), np.full(8, 0.125)) for step in (0, 1, 3, 4, 5, 6, 7, 8, 9)], "")
    strip = view.training.map
    strip.resize(180, 90)
    middles = [room.center().x() for room, flags, *_ in strip._label_rects(strip._frame()) if room.width() > 100]
    assert np.diff(middles).min() >= strip._token_metrics.horizontalAdvance("0") + 2 * GAP


@pytest.mark.parametrize("size", [(180, 220), (180, 56)])
def test_the_even_share_is_shown_where_there_is_no_bar(qtbot, size):
    bars = LoadBars()
    qtbot.addWidget(bars)
    bars.resize(*size)
    seen = []
    for place in range(8):
        bars.set_load(np.eye(8)[place], 1.0)
        seen.append(bars.grab(QRect(60, 0, 120, 14)).toImage())
    assert all(one == seen[0] for one in seen)


def test_a_small_view_shows_one_part_at_a_time(view):
    assert "load" not in offered(view)
    view.resize(300, 150)
    choose(view, "text")
    assert not view.bars.isVisible()
    choose(view, "load")
    assert view.bars.isVisible()
    assert not view.text.isVisible()


def test_the_bar_of_an_expert_switches_by_click_and_by_keys(qtbot, view):
    clicks = []
    view.switched.connect(lambda *click: clicks.append(click))
    middle = view.bars.rect_of(1).center().toPoint()
    qtbot.mouseClick(view.bars, Qt.MouseButton.LeftButton, pos=middle)
    assert clicks == []  # nobody takes switches yet
    view.set_off({})
    qtbot.mouseClick(view.bars, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.keyClick(view.bars, Qt.Key.Key_Right)
    qtbot.keyClick(view.bars, Qt.Key.Key_Space)
    assert clicks == [(0, 1, 3), (0, 0, 3)]
    view.set_off({0: {1}})
    assert view.bars.text_at(1).endswith("click: back on")


def test_other_keys_of_the_bars_are_left_to_the_window(qtbot, view):
    clicks = []
    view.switched.connect(lambda *click: clicks.append(click))
    view.set_off({})
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier)
    view.bars.keyPressEvent(event)
    assert clicks == []  # no bar is selected
    assert not event.isAccepted()


def test_bars_of_experts_that_are_off_are_hollow_and_so_is_their_export(view):
    def pixel(bars):
        return bars.grab().toImage().pixelColor(bars.rect_of(1).center().toPoint() + QPoint(0, 20))

    filled, without = pixel(view.bars), LoadBars()
    view.set_off({0: {1}})
    assert pixel(view.bars) != filled
    without.copy_from(view.bars)
    without.resize(view.bars.size())
    assert without.off == {1}
    assert without.text_at(0) == "expert 1 · 0.286 share of assignments"  # a picture cannot be clicked


def test_more_experts_than_a_bar_has_pixels_are_drawn_in_one_colour(qtbot):
    bars = LoadBars()
    qtbot.addWidget(bars)
    bars.resize(300, 120)
    bars.set_load(np.full(4096, 1 / 4096), 0.0)
    image = bars.grab().toImage()
    middle = bars._room().center()
    colours = {image.pixelColor(x, int(middle.y()) + 10).name() for x in range(int(middle.x()), image.width() - 4)}
    assert len(colours) == 1


def test_an_expert_whose_load_is_unknown_has_no_bar(qtbot):
    bars = LoadBars()
    qtbot.addWidget(bars)
    bars.resize(300, 120)
    bars.set_load(np.array([np.nan, 0.5]), 0.0)
    assert "nothing here" in bars.text_at(0)
    image = bars.grab().toImage()
    unknown, known = (
        image.pixelColor(bars.rect_of(number).center().toPoint() + QPoint(0, 20)).name() for number in (0, 1)
    )
    assert known == QColor(colours_of_kinds(2, themes.now)[1]).name()
    assert unknown != known


def test_another_row_of_the_batch_has_its_own_load(view):
    rows = np.stack([P, P[:, ::-1]])
    factors = Reading("gates", ("batch", "token", "expert"), np.where(rows > 0.25, rows, 0), 0, "blocks.0.channel")
    view.show_readings([routing(p=rows, axes=("batch", "token", "expert")), factors], TEXT)
    choose(view, "router")
    assert view.bars.text_at(0) == "expert 1 · 0.286 share of assignments"
    next(action for action in view._row.menu().actions() if action.text() == "2").trigger()
    assert view.bars.text_at(2) == "expert 3 · 0.286 share of assignments"
    assert "0.6" in view.router.map.text_at(2, 0)


def test_the_selection_is_shown_in_the_pinned_view_too(qtbot, view):
    other = RoutingView()
    qtbot.addWidget(other)
    other.resize(900, 500)
    other.show_readings([routing(), gates(), routing(1), gates(1)], TEXT)
    view.set_layer(0)
    choose(view, "experts together")
    view.classes.set_keywords({"else"})
    other.choose_as(view)
    assert other._second.value == "together"
    assert other.classes.keywords == {"else"}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("count", [8, 64])
def test_colours_of_experts_differ_and_stand_out_from_the_card(theme, count):
    names = [f"#{packed & 0xFFFFFF:06x}" for packed in colours_of_kinds(count, theme).tolist()]
    assert len(set(names)) == count
    assert all(contrast(name, theme.panel) >= 3 for name in names)


def test_the_figures_are_not_cut_in_a_narrow_card(view):
    view.resize(320, 500)
    assert view.figures.text() == view.figures.full_text
    assert view.figures.heightForWidth(300) > 2 * view.figures.fontMetrics().height()
    assert view.figures.minimumSizeHint().width() < 320
