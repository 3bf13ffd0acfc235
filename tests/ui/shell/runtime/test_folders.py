"""Folders that are opened in the file manager."""

from PySide6.QtGui import QDesktopServices

from lab.base.folders import runs_folder
from lab.shell.runtime.folders import open_folder


def test_the_folder_of_the_runs_is_shown_and_opened(lab_home, monkeypatch):
    urls = []
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    open_folder(runs_folder())
    assert [url.toLocalFile() for url in urls] == [runs_folder().as_posix()]


def test_a_folder_that_cannot_be_made_is_reported(tmp_path, monkeypatch, reported):
    urls = []
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    (tmp_path / "file").write_text("")
    open_folder(tmp_path / "file" / "runs")
    assert "LAB_HOME" in reported[0].remedy
    assert not urls
