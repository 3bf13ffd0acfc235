"""The application passes on what the system asks it to open."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent

from lab.shell.app import Application


@pytest.mark.parametrize(
    ("opened", "path"),
    [(QUrl.fromLocalFile("/a b/run.lmlab"), "/a b/run.lmlab"), (QUrl("lm-lab:x"), "lm-lab:x")],
)
def test_a_file_or_link_that_macos_opens_is_passed_on(opened, path):
    received = []
    application = SimpleNamespace(opened=SimpleNamespace(emit=received.append))  # a process has one application
    assert Application.event(application, QFileOpenEvent(opened))
    assert received == [[path]]
