"""A window that the system asks to end: it closes in the ordinary way, and its runs are stopped and saved."""

import os
import signal

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer

from lab.host import Plugins
from lab.runs import list_runs
from lab.shell import app


@pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")
def test_a_window_that_is_asked_to_end_stops_and_saves_its_runs(qapp, small, monkeypatch, quick_turns):
    sessions, timer = [], QTimer()

    def session_of(plugins, **_):
        sessions.append(app_session(plugins))
        sessions[0].draft.take(small("training.steps=1000000", "training.evaluate_every=0"), "small")
        return sessions[0]

    def go_on():
        (session,) = sessions
        if session.warm_up.ready and session.selected is None:
            session.start()
        elif session.selected is not None and session.selected.step > 2:
            timer.stop()
            signal.raise_signal(signal.SIGTERM)

    app_session = app.Session
    monkeypatch.setattr(app, "Session", session_of)
    monkeypatch.setattr(app.themes, "start", lambda *_: None)  # the application of the tests is dressed
    timer.timeout.connect(go_on)
    timer.start(20)
    before = signal.getsignal(signal.SIGTERM)
    assert app.open_window(Plugins.from_environment(later=True), []) == 0
    for window in qapp.topLevelWidgets():
        if isinstance(window, app.Window):
            window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    (run,), _ = list_runs()
    assert run.status().state == "stopped"
    assert run.checkpoint_steps()[-1] == run.status().step > 2
    assert signal.getsignal(signal.SIGTERM) == before
