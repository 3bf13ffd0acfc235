"""The window holds at every size of the type: nothing is cut, nothing overlaps, and it fits a small laptop's screen."""

import pytest
from checks import CHECKS, Sight, words_of
from resting import settle
from sights import LAPTOP, Scene, make_run

from lab.base.jobs import running_jobs
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.theme import interface_font, px, themes

pytestmark = pytest.mark.timeout(300)
LAYOUT = ("nothing sticks out of its place", "no text is cut", "no siblings overlap")


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


def problems(scene):
    """Return what the checks of the layout find in each place."""
    found = []
    for key in ("home", "data", "train", "inspect", "play"):
        scene.place(key)
        sight = Sight(key, scene.window)
        found += [f"{key}: {line}" for name in LAYOUT for line in CHECKS[name](sight)]
    return found


@pytest.mark.parametrize("settings", [{"type_size": size} for size in (80, 125, 200)] + [{"projector": True}], ids=str)
def test_the_window_holds_at_a_size_of_the_type(scene, settings):
    scene.look()
    themes.change(**settings)
    settle()
    assert (scene.window.width(), scene.window.height()) == LAPTOP
    hint = scene.window.minimumSizeHint()
    assert (hint.width() <= LAPTOP[0], hint.height() <= LAPTOP[1]) == (True, True), hint
    found = problems(scene)
    assert not found, "\n".join(found)


def test_a_size_of_the_type_leaves_no_trace_when_it_changes_back(scene):
    before = shown_at_rest(scene)
    for size in (200, 80, 100):
        themes.change(type_size=size)
        after = shown_at_rest(scene)
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == []


def shown_at_rest(scene):
    """Return the words and geometry of each widget once no job runs, and the status line counts none."""
    jobs = scene.window.status._right
    settle(lambda: not (running_jobs() or jobs.text()))
    return [(words_of(one), one.geometry()) for one in Sight("at rest", scene.window).widgets]


def test_the_commands_change_the_size_step_by_step_and_remember_it(scene, qtbot):
    actions = {action.command.key: action for action in scene.window.commands.all()}
    actions["view.larger"].trigger()
    assert themes.appearance.type_size == 110
    assert scene.window._state.appearance == themes.appearance
    actions["view.normal"].trigger()
    assert themes.appearance.type_size == 100
    actions["view.smaller"].trigger()
    assert themes.appearance.type_size == 90


def test_projector_mode_has_large_type_wider_lines_and_no_notes(scene):
    card = scene.window.train.samples
    note = card._note
    card.set_title("Samples", "of a run")
    settle()
    assert note._label.text() == "of a run"
    themes.change(projector=True)
    settle()
    assert px(10) == 14
    assert themes.thickness == 2.0
    assert note._label.text() == ""


def test_the_sizes_end_at_80_and_200_percent():
    assert Appearance(type_size=200).larger().type_size == 200
    assert Appearance(type_size=80).smaller().type_size == 80
    assert Appearance(type_size=115).smaller().type_size == 110


def test_no_combination_makes_the_type_larger_than_twice_its_size():
    themes.apply(Appearance(type_size=200, projector=True))
    assert interface_font().pixelSize() == 26
