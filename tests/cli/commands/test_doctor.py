"""`lm-lab doctor`: findings, the status, JSON, and a report that holds nothing private."""

import getpass
import json
import socket
from pathlib import Path

import pytest

from lab.cli.commands import doctor
from lab.workbench.doctor import Answer, Subject

ANSWER = Answer(
    {
        "torch": "2.9", "threads": 1, "instructions": "AVX2", "cuda": None, "devices": {"cpu": {}},
        "training": {"steps": 50, "seconds": 2.0, "tokens": 9000, "start": 3.4, "last": 1.2, "failure": None},
    }
)  # fmt: skip


@pytest.fixture(autouse=True)
def answers(monkeypatch):
    """Let the processes answer at once: a display without fonts only where a test says so."""
    made = {"computing": ANSWER, "display": None}

    class Answering(Subject):
        def __init__(self, plugins, display):
            super().__init__(plugins, lambda: made["display"], compute=lambda: made["computing"])

    monkeypatch.setattr(doctor, "Subject", Answering)
    monkeypatch.setattr("lab.base.system.profile.usable_cores", lambda: 1)
    return made


def test_where_nothing_is_wrong_the_status_is_0(lm_lab):
    ended = lm_lab("doctor")
    assert ended.code == 0, ended.out
    assert ended.out.splitlines()[-1] == "nothing is wrong"
    assert "  cpu computes" in ended.out.splitlines()


def test_what_is_wrong_stands_with_its_remedy_and_the_status_is_1(lm_lab, answers):
    answers["computing"] = Answer({}, "signal SIGILL", "Illegal instruction")
    ended = lm_lab("doctor")
    assert ended.code == 1
    assert "! torch cannot be loaded (its process: signal SIGILL)" in ended.out
    assert "    Illegal instruction\n    The processor may be too old" in ended.out
    assert ended.out.splitlines()[-1] == "wrong: 1"


def test_json_is_one_object_with_levels_and_details(lm_lab, answers, lab_home):
    answers["computing"] = Answer({}, "status 1")
    ended = lm_lab("doctor", "--json")
    assert ended.code == 1
    assert ended.json["wrong"] == 1
    checks = {check["title"]: check for check in ended.json["checks"]}
    assert checks["Torch"]["level"] == "wrong"
    assert checks["Folders"]["findings"][0]["detail"] == str(lab_home)


@pytest.mark.parametrize("name", ["report.txt", "report.json"])
def test_a_report_holds_no_name_and_no_path(lm_lab, plugin, answers, name, lab_home):
    plugin("annas_secret", "raise RuntimeError('at /home/anna/secret.txt')")
    answers["computing"] = Answer({}, "status 1", "ImportError: /home/anna/lib/libtorch.so")
    assert lm_lab("doctor", "--enable", "annas_secret", "--report", name).code == 1
    report = Path(name).read_text(encoding="utf-8")
    assert "RuntimeError" in report
    assert "torch cannot be loaded" in report
    private = [str(lab_home), str(Path.home()), str(Path.cwd()), socket.gethostname(), "anna", "secret", "libtorch"]
    private += [] if getpass.getuser() == "root" else [getpass.getuser()]
    assert [word for word in private if word in report] == []


def test_a_report_replaces_no_file_unless_that_is_said(lm_lab):
    Path("report.json").write_text("mine")
    refused = lm_lab("doctor", "--report", "report.json")
    assert refused.code == 2
    assert Path("report.json").read_text() == "mine"
    assert lm_lab("doctor", "--report", "report.json", "--overwrite").code == 0
    assert json.loads(Path("report.json").read_text())["format"] == 1


def test_without_a_display_none_is_opened(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(doctor, "missing", lambda: "")
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    monkeypatch.setattr(doctor, "ask_child", lambda module: pytest.fail("a process was started"))
    assert doctor._display() == Answer(ended="no display")
    monkeypatch.setattr(doctor, "missing", lambda: "the window needs PySide6")
    assert doctor._display() is None
