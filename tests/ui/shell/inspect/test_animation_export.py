"""The file of an animation: pictures get a folder of their own, whatever the dialog names."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from lab.shell.inspect.animation import AnimationExport
from lab.shell.runtime.background import Background
from lab.widgets.timeline.timeline import TimelineBar


@pytest.mark.parametrize(("named", "made"), [("thesis", "thesis 2"), ("thesis.gif", "thesis 2"), ("new", "new")])
def test_pictures_never_go_into_a_folder_that_is_there(qtbot, tmp_path, monkeypatch, named, made):
    (tmp_path / "thesis").mkdir()
    window, bar = QWidget(), TimelineBar()
    qtbot.addWidget(window)
    qtbot.addWidget(bar)
    export = AnimationExport(window, SimpleNamespace(), Background(), bar, lambda: None)
    asked = lambda *given: (str(tmp_path / named), given[-1].split(";;")[1])  # noqa: E731
    monkeypatch.setattr(QFileDialog, "getSaveFileName", asked)
    assert export._ask("A run", "Weights") == tmp_path / made
