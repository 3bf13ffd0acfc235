"""The window holds at every size of the type: nothing is cut, nothing overlaps, and it fits a small laptop's screen."""

import pytest
from checks import CHECKS, Sight, words_of
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from resting import settle
from sights import LAPTOP, Scene, make_run

from lab.base.jobs import running_jobs
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.i18n import language
from lab.widgets.core.theme import interface_font, px, themes

pytestmark = pytest.mark.timeout(300)
LONG = "alibi, quite a long name for a run of a small transformer"
OTHERS = ({"type_size": 150}, {"type_size": 100, "projector": True})
PLACES = ("home", "data", "train", "inspect", "play", "compare", "learn", "plugins", "settings")
LAYOUT = ("nothing sticks out of its place", "no text is cut", "no siblings overlap")


@pytest.fixture
def in_language(code):
    """Show the texts in a language."""
    language.use(code)
    yield
    language.use("en")


@pytest.fixture
def scene():
    """Open a window with a run on the screen of a laptop, and close it at the end."""
    made = Scene(LAPTOP)
    made.be_ready()
    make_run("rope", curves=True)
    made.list_runs()
    made.select("rope")
    yield made
    made.close()


@pytest.fixture
def compared(scene):
    """The window with a second run, which has a long name, beside the first one."""
    make_run(LONG, loss=1.97, curves=True)
    scene.list_runs()
    for run in scene.session.registry.runs:
        scene.session.registry.show(run.key, True)
    settle(lambda: scene.window.train.loss.comparison.isVisibleTo(scene.window.train))
    return scene


def problems(scene, places=PLACES):
    """Return what the checks of the layout find in places."""
    found = []
    for key in places:
        scene.place(key)
        settle()
        sight = Sight(key, scene.window)
        found += [f"{key}: {line}" for name in LAYOUT for line in CHECKS[name](sight)]
    return found


def shown_at_rest(scene):
    """Return the words and geometry of each widget once no job runs, and the status line counts none."""
    jobs = scene.window.status._right
    settle(lambda: not (running_jobs() or jobs.text()))
    return [(words_of(one), one.geometry()) for one in Sight("at rest", scene.window).widgets]


def actions_of(scene):
    """Return the actions of the window by the keys of their commands."""
    return {action.command.key: action for action in scene.window.commands.all()}


@pytest.mark.parametrize(
    ("sizes", "others"),
    [((200,), ()), pytest.param((80, 125), ({"type_size": 100, "projector": True},), marks=pytest.mark.long)],
)
def test_a_size_of_the_type_leaves_no_trace_when_it_changes_back_and_the_window_holds_at_every_size(
    scene, sizes, others
):
    before = shown_at_rest(scene)
    for size in (*sizes, 100):
        themes.change(type_size=size)
        after = shown_at_rest(scene)
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == []
    scene.look()
    for settings in (*({"type_size": size} for size in sizes), *others):
        themes.change(**settings)
        settle()
        assert (scene.window.width(), scene.window.height()) == LAPTOP
        hint = scene.window.minimumSizeHint()
        assert (hint.width() <= LAPTOP[0], hint.height() <= LAPTOP[1]) == (True, True), (settings, hint)
        found = problems(scene)
        assert not found, f"{settings}:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("settings", "places"),
    [
        ({"type_size": 200}, ("train", "compare")),
        *(pytest.param(each, PLACES, marks=pytest.mark.long) for each in ({"type_size": 200}, *OTHERS)),
    ],
)
@pytest.mark.parametrize(
    ("code", "theme"),
    [("de", "dark"), *(pytest.param(*one, marks=pytest.mark.long) for one in (("en", "dark"), ("de", "light")))],
)
def test_two_runs_beside_each_other_leave_the_window_whole_in_large_type_and_in_each_language(
    in_language, compared, settings, places, theme
):
    themes.choose(theme)
    compared.look()
    compared.place("settings")
    themes.change(**settings)
    settle()
    assert problems(compared, places) == []


@pytest.mark.long
def test_the_menus_of_the_view_fit_and_change_the_size_step_by_step_remember_it_or_say_why_not(scene, monkeypatch):
    menus = {menu.title(): menu for menu in scene.window.findChildren(QMenu)}
    assert {action.objectName() for action in menus["Theme"].actions()} >= {"view.dark", "view.contrast"}
    for title in ("View", "Theme", "Text size", "Language"):
        assert menus[title].sizeHint().height() <= LAPTOP[1] - 60, title
    said = []
    monkeypatch.setattr("lab.shell.window.appearance.notify", lambda level, message: said.append(message))
    actions = actions_of(scene)
    actions["view.larger"].trigger()
    assert themes.appearance.type_size == 110
    assert scene.window._state.appearance == themes.appearance
    actions["view.normal"].trigger()
    assert themes.appearance.type_size == 100
    actions["view.smaller"].trigger()
    assert themes.appearance.type_size == 90
    actions["view.normal"].trigger()
    assert said == []
    themes.change(projector=True)
    for _ in range(3):
        actions["view.larger"].trigger()
    assert "as large as this window allows" in said[-1]
    themes.apply(Appearance(type_size=200))
    actions["view.larger"].trigger()
    assert said[-1] == "The type has its largest size."


def test_projector_mode_has_large_type_and_wider_lines_keeps_notes_and_gives_the_loss_most_of_a_low_window(
    scene, qtbot
):
    scene.place("play")
    card = scene.window.play.text_card
    note = card.note
    assert note
    themes.change(projector=True)
    settle()
    assert px(10) == 14
    assert themes.thickness == 2.0
    shown = [title._label.text() for title in (card._note, card._caption_line) if title.isVisible()]
    assert note in shown
    themes.change(projector=False)
    settle()
    window = scene.window
    scene.place("train")
    form, chart = window.draft_panel, window.train.loss.chart
    assert form.isVisible()
    assert window.train.below.isVisible()
    themes.change(projector=True)
    settle()
    assert (form.isVisible(), window.train.below.isVisible()) == (False, False)
    assert chart.height() >= 0.45 * window.height()
    assert chart.width() >= 0.8 * window.width()
    qtbot.mouseClick(window.docks._toggle, Qt.MouseButton.LeftButton)
    assert form.isVisible()
    scene.place("inspect")
    assert not window.inspect.panel.isVisible()
    themes.change(projector=False)
    settle()
    scene.place("train")
    assert (form.isVisible(), window.train.below.isVisible()) == (True, True)
    assert not window.docks._toggle.isVisible()


@pytest.mark.long
@pytest.mark.parametrize("whole", [False, True], ids=["train", "every place"])
def test_projector_mode_opens_the_form_when_a_setting_is_to_be_shown_and_is_limited_by_the_window(scene, whole):
    themes.change(projector=True)
    scene.place("train")
    scene.window.configuration.reveal("training.batch_size")
    assert scene.window.draft_panel.isVisible()
    scene.window.toggle_panel()
    assert not scene.window.draft_panel.isVisible()
    actions = actions_of(scene)
    for _ in range(3):
        actions["view.larger"].trigger()
    settle()
    assert themes.scale == 1.5
    assert themes.appearance.type_size == 110
    assert not whole or problems(scene) == []
    scene.place("train")
    assert scene.window.train.loss.chart.height() >= 0.4 * scene.window.height()
    scene.resize((1920, 1080))
    settle(lambda: themes.scale == pytest.approx(1.54))


@pytest.mark.long
def test_type_that_is_too_large_for_a_low_window_gives_the_loss_its_room_and_a_large_window_shows_all(scene):
    window = scene.window
    scene.place("train")
    themes.change(type_size=200)
    settle()
    assert (window.draft_panel.isVisible(), window.train.below.isVisible()) == (False, False)
    assert window.train.loss.chart.height() >= 0.3 * window.height()
    themes.change(type_size=125)
    settle()
    assert (window.draft_panel.isVisible(), window.train.below.isVisible()) == (True, True)
    themes.change(type_size=200)
    scene.resize((1920, 1080))
    settle(lambda: scene.window.train.below.isVisible())
    assert scene.window.draft_panel.isVisible()


def test_the_sizes_end_at_80_and_200_percent():
    assert Appearance(type_size=200).larger().type_size == 200
    assert Appearance(type_size=80).smaller().type_size == 80
    assert Appearance(type_size=115).smaller().type_size == 110


def test_no_combination_makes_the_type_larger_than_twice_its_size():
    themes.apply(Appearance(type_size=200, projector=True))
    assert interface_font().pixelSize() == 26
