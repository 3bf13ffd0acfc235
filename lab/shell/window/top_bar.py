"""The top bar: menu, places, the selected run, the device of the next run, and the buttons Start, Step and Stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from lab.base.run_state import STARTING_OR_SAVING, TRAINING, RunState
from lab.shell.session.runs.formatting import detail_label, state_label, waiting_label
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.controls import Button, MenuButton, label, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import icon
from lab.widgets.core.theme import control_height, px, themes
from lab.widgets.readings.base import Line

APART = 16
"""Pixels between Step and Stop, so that neither is clicked by mistake."""
NAME_OF_RUN = 110
"""Pixels that the name of the selected run needs at a size of the type of 100 percent, shortened if necessary."""
SHORT_START, NO_DEVICE, NO_NAME, ICONS, TIGHT, NO_START, SHORT_PLACES = 1, 2, 3, 4, 5, 6, 7
"""The steps in which a narrow bar drops its parts: the long text of Start, then the device of the next run, which the
form shows too, then the name of the lab and the places with an icon, which the menu has too, then the texts of the
search and of the buttons after Start, which keep tool tips and names, then most of the space between the places, then
the text of Start, then the ends of long titles of places, which have them as tool tips."""
LETTERS = 6
"""Letters of a shortened title of a place."""
APART_FROM_OTHERS, CLOSE = 8, 2
"""Pixels between two parts of the bar, and of one that is tight."""


class TopBar(QWidget):
    """The content of the window's only toolbar.

    Args:
        places: (key, title) of the places, in order.
        others: (key, title with shortcut, icon) of the places that have an icon instead of a title.
        start: Starts, pauses or resumes a run.
        step: Makes one step of the selected run.
        stop: Stops the selected run.
        resume: Resumes the selected run from its last checkpoint.
        find: Opens the palette.
        device: Called with the device that is selected for the next run.
    """

    place_selected = Signal(str)

    def __init__(
        self,
        places: Sequence[tuple[str, str]],
        others: Sequence[tuple[str, str, str]],
        start: Callable[[], object],
        step: Callable[[], object],
        stop: Callable[[], object],
        resume: Callable[[], object],
        find: Callable[[], object],
        device: Callable[[str], object],
    ) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(APART_FROM_OTHERS)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        self._burger = Button(hint=tr("Menu"), icon_name="menu", role="quiet")
        follow_type(self._burger, lambda burger: burger.setFixedWidth(control_height(32)))
        row.addWidget(self._burger)
        self._name = label(tr("LM Lab"), "name")
        row.addWidget(self._name)
        row.addSpacing(12)
        self._is_idle = False  # in a place without a run
        self._left_out = 0
        self._content: tuple[object, ...] = ()
        self._stop_text = tr("Stop")
        self._start_title, self._start_face = "", ("", "")  # the text of the button while there is room, and the tip
        self._starts_new = True  # the button starts a run, and does not pause or resume one
        self._places = QButtonGroup(self)
        self._keys: list[str] = []
        for key, title in places:
            button = self._add_place(key, title)
            button.setText(title)
        self._places.idClicked.connect(self._select)
        self._run = Line()
        self._run.setProperty("role", "dim")
        self._run.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._run, 1)
        self._icons = {icon_name: self._add_place(key, title) for key, title, icon_name in others}
        for button in self._icons.values():
            button.setProperty("face", "icon")  # its width has no room for the padding of a title
            button.setToolTip(button.accessibleName())
            follow_type(button, _fit_icon)
        self._draw_icons()
        themes.changed.connect(self._draw_icons)
        self.find_button = Button(tr("Find anything   Ctrl+K"), hint=tr("Find a command, run or setting (Ctrl+K)"))
        self.find_button.clicked.connect(find)
        row.addWidget(self.find_button)
        self._device = MenuButton(tr("device of the next run"), [("auto", tr("device auto"))], device)
        row.addWidget(self._device)
        row.addSpacing(4)
        self.resume = Button(tr("Resume"), hint=tr("Resume from its last checkpoint"), icon_name="start", role="")
        self.resume.clicked.connect(resume)
        self.resume.hide()
        row.addWidget(self.resume)
        self.start = Button(tr("Start new run"), icon_name="start", role="")
        self.start.clicked.connect(start)
        self.step = Button(tr("Step"), hint=tr("Train one step (.)"), icon_name="step", role="")
        self.step.clicked.connect(step)
        self.stop = Button(tr("Stop"), hint=tr("Stop the selected run and save it"), icon_name="stop", role="")
        self.stop.clicked.connect(stop)
        row.addWidget(self.start)
        row.addWidget(self.step)
        row.addSpacing(APART - 8)
        row.addWidget(self.stop)
        themes.changed.connect(self._fit)

    def _add_place(self, key: str, name: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("role", "place")
        button.setAccessibleName(name)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._places.addButton(button, len(self._keys))
        self._keys.append(key)
        self._row.addWidget(button)
        return button

    def _draw_icons(self) -> None:
        for name, button in self._icons.items():
            button.setIcon(icon(name))

    def set_menu(self, menu: QMenu) -> None:
        """Set the menu of all commands."""
        self._burger.setMenu(menu)

    def place_button(self, key: str) -> QAbstractButton:
        """Return the button that opens a place."""
        return self._places.button(self._keys.index(key))

    def minimumSizeHint(self) -> QSize:
        """Return a width that any window has; what has no room in it is left out."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what has no room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out as little as is necessary."""
        for left_out in range(SHORT_PLACES + 1):
            self._leave_out(left_out)
            if self._needed() <= self.width():
                break
        self._row.activate()

    def _needed(self) -> int:
        """Return the width in pixels of everything that is not left out; a tight bar elides the name of the run."""
        self._row.update()
        has_name = bool(self._run.full_text) and self._left_out < TIGHT
        return self._row.sizeHint().width() + (px(NAME_OF_RUN) if has_name else 0)

    def _leave_out(self, left_out: int) -> None:
        self._left_out = left_out
        self._name.setVisible(left_out < NO_NAME)
        for opener in self._icons.values():
            opener.setVisible(left_out < NO_NAME)
        self._device.setVisible(left_out < NO_DEVICE and not self._is_idle)
        self.start.setMinimumWidth(px(108) if left_out < NO_NAME else 0)
        title = self._start_text if self._starts_new else self._start_title
        self.start.setText(title if left_out < NO_START else "")
        self.start.setAccessibleName(title)
        self._row.setSpacing(APART_FROM_OTHERS if left_out < TIGHT else CLOSE)
        for place in self._places.buttons():
            if place.property("face") != "icon":
                refresh_style(place, "face", "" if left_out < TIGHT else "tight")
                name = place.accessibleName()
                is_short = left_out >= SHORT_PLACES and len(name) > LETTERS + 1
                place.setText(f"{name[:LETTERS]}…" if is_short else name)
                place.setToolTip(name if is_short else "")
        search = tr("Find anything   Ctrl+K") if left_out < ICONS else ""
        if self.find_button.text() != search:
            self.find_button.set_face(search, "" if search else "find", self.find_button.toolTip())
        for button, text in ((self.resume, tr("Resume")), (self.step, tr("Step")), (self.stop, self._stop_text)):
            button.setText(text if left_out < ICONS else "")
            button.setAccessibleName(text)

    @property
    def _start_text(self) -> str:
        """The text of the button while it starts a new run."""
        return tr("Start new run") if self._left_out < SHORT_START else tr("Start")

    def _select(self, number: int) -> None:
        self.place_selected.emit(self._keys[number])

    def show_place(self, key: str) -> None:
        """Mark the open place; none is marked for a place without a button."""
        self._places.setExclusive(False)  # or the last one could not be unmarked
        for number, each in enumerate(self._keys):
            self._places.button(number).setChecked(each == key)
        self._places.setExclusive(True)

    def show_device(self, device: str, devices: Sequence[str]) -> None:
        """Show the device of the next run, and offer the available ones."""
        offered = list(dict.fromkeys(["auto", "cpu", *devices, device]))
        self._device.set_choices([(one, tr("device {name}", name=one)) for one in offered])
        self._device.show_value(device)

    def show_run(
        self,
        run: RunModel | None,
        *,
        waiting: bool,
        resumable: bool = False,
        at_home: bool = False,
        has_primary: bool = False,
    ) -> None:
        """Show the selected run, and update the buttons for it.

        Args:
            run: The selected run; None if there is none.
            waiting: True while a start waits until the lab is ready.
            resumable: True if the selected run can be resumed from a checkpoint.
            at_home: True while Home is open, whose cards start runs; the buttons are hidden unless a run trains.
            has_primary: True if the open place has a primary button of its own, so that none of these should be one.
        """
        state = run.state if run is not None and (run.active is not None or run.elsewhere) else None
        is_idle = at_home and not waiting and not state
        text = "" if run is None or is_idle else f"{run.name} · {waiting_label(run) or state_label(run)}"
        if self._run.full_text != text:
            self._run.set_full_text(text)
        self._starts_new = False
        if waiting:
            title, icon, hint, role = tr("Starting"), "start", tr("The run starts as soon as the lab is ready"), ""
        elif state == RunState.RUNNING:
            title, icon, hint, role = tr("Pause"), "pause", tr("Pause after this step (Space)"), ""
        elif state == RunState.PAUSED:
            title, icon, hint, role = tr("Resume"), "start", tr("Resume (Space)"), "primary"
        elif state in STARTING_OR_SAVING and run is not None:
            detail = state_label(run) if waiting_label(run) else detail_label(run)
            title, icon, role = detail[:1].upper() + detail[1:], "start", ""
            hint = (
                tr("It starts when the runs before it have finished") if state == RunState.QUEUED else tr("Please wait")
            )
        else:
            title, icon, role = self._start_text, "start", "primary"
            hint = tr("Start a new run of the configuration (Space)")
            self._starts_new = True
        if has_primary:
            role = ""
        if (title, hint) != self._start_face:
            self._start_face = title, hint
            self.start.set_face(title, icon, hint)
        self._start_title = title
        if self.start.property("role") != role:
            self.start.change_role(role)
        self.start.setEnabled(not waiting and state not in STARTING_OR_SAVING)
        stop, hint = tr("Stop"), tr("Stop the selected run and save it")
        if state == RunState.QUEUED:
            stop, hint = tr("Remove"), tr("Remove the selected run from the queue")
        if self._stop_text != stop:
            self._stop_text = stop
            self.stop.set_face(stop, "stop", hint)
        self.find_button.setVisible(is_idle)
        for widget in (self.start, self.step, self.stop):
            widget.setVisible(not is_idle)
        self._is_idle = is_idle
        self.resume.setVisible(resumable and not is_idle)
        content = (bool(text), title, stop, is_idle, resumable)
        if self._content != content:
            self._content = content
            self._fit()
        self.step.setEnabled(state in TRAINING)
        self.stop.setEnabled(waiting or state in (*TRAINING, RunState.PREPARING, RunState.QUEUED))


def _fit_icon(button: QToolButton) -> None:
    button.setIconSize(QSize(px(16), px(16)))
    button.setFixedWidth(control_height(36))
