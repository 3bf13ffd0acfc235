"""The checks of versions, processor, memory and clock."""

from types import SimpleNamespace

import psutil
import pytest

from lab.base.system import profile
from lab.workbench.doctor import machine, versions


@pytest.fixture
def clock_at(monkeypatch):
    """Set the clock that the check reads, in seconds since 1970."""
    return lambda seconds: monkeypatch.setattr(machine.time, "time", lambda: seconds)


@pytest.mark.parametrize(("seconds", "year"), [(0.0, 1970), (-10.0, 1970), (1e9, 2001), (1e12, 2106)])
def test_a_clock_that_cannot_be_right_is_wrong(subject, levels, clock_at, seconds, year):
    clock_at(seconds)
    assert levels(machine.clock(subject())) == {"wrong": [f"the clock of this machine shows the year {year}"]}


def test_a_clock_of_today_is_good(subject, levels, clock_at):
    clock_at(1_790_000_000.0)
    assert list(levels(machine.clock(subject()))) == ["good"]


def memory_of(monkeypatch, total, free, usable):
    state = SimpleNamespace(total=total, available=free)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: state)
    monkeypatch.setattr(profile, "usable_memory", lambda: usable)


def test_free_memory_counts_only_within_the_limit(subject, levels, monkeypatch):
    memory_of(monkeypatch, 16e9, 12e9, 4e9)
    found = levels(machine.memory(subject()))
    assert found["good"] == ["4.0 GB of memory, 4.0 GB free", "the full profile is used"]
    assert found["note"] == ["the lab may use 4.0 GB of 16.0 GB of memory"]


def test_little_free_memory_is_wrong(subject, levels, monkeypatch):
    memory_of(monkeypatch, 4e9, 3e8, 4e9)
    assert "only 300 MB of memory is free" in levels(machine.memory(subject()))["wrong"][0]


def test_the_light_profile_is_noted(subject, levels, monkeypatch):
    memory_of(monkeypatch, 4e9, 2e9, 4e9)
    monkeypatch.setattr(profile._Current, "profile", profile.LIGHT)
    assert "light profile" in levels(machine.memory(subject()))["note"][0]


def test_cores_that_the_lab_may_not_use_are_noted(subject, levels, monkeypatch):
    monkeypatch.setattr(machine.os, "cpu_count", lambda: 8)
    monkeypatch.setattr(profile, "usable_cores", lambda: 8)
    assert list(levels(machine.processor(subject()))) == ["good"]
    monkeypatch.setattr(profile, "usable_cores", lambda: 2)
    assert levels(machine.processor(subject()))["note"] == ["the lab may not use all cores (2 of 8)"]


@pytest.fixture
def installed(monkeypatch):
    """Change the versions of installed packages; None removes one."""
    own = versions.version_of

    def installed(**changed):
        names = {name.replace("_", "-"): version for name, version in changed.items()}
        monkeypatch.setattr(versions, "version_of", lambda name: names[name] if name in names else own(name))

    return installed


def test_a_package_that_is_missing_is_wrong_but_the_window_may_be(subject, levels, installed):
    installed(tokenizers=None, pyqtgraph=None)
    found = levels(versions.versions(subject()))
    assert found["wrong"] == ["tokenizers is not installed"]
    assert found["note"] == ["the packages of the window are not installed"]


@pytest.mark.parametrize(
    ("version", "works"), [("6.10.3", True), ("6.10.2", False), ("6.11.0", False), ("6.12", False)]
)
def test_a_version_that_is_known_not_to_work_is_wrong(subject, levels, installed, version, works):
    installed(PySide6_Essentials=version)
    wrong = levels(versions.versions(subject())).get("wrong", [])
    assert [one for one in wrong if version in one] == ([] if works else wrong)
    assert bool(wrong) != works


def test_numbers_of_a_version_leave_out_what_follows():
    assert versions.numbers_of("2.13.0+cpu") == (2, 13, 0)
    assert versions.numbers_of("3.0rc1") == (3, 0)
    assert versions.numbers_of("unknown") == ()
