"""The profile: light on a machine that is short of something, unless the user selects one; announced once."""

import pytest

from lab.base import LabError
from lab.base.settings import change_section
from lab.base.system import profile
from lab.base.system.profile import FULL, LIGHT, Machine

GOOD = Machine(8 * 10**9, 2)
POOR = Machine(4 * 10**9, 2)


@pytest.fixture
def on(monkeypatch):
    """Start the lab on a machine."""

    def on(machine):
        monkeypatch.setattr(profile, "this_machine", lambda: machine)
        monkeypatch.setattr(profile._Current, "profile", None)
        monkeypatch.setattr(profile._Current, "setting", None)

    return on


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Write a file of Linux's control groups for the group /lab/small of this process."""
    monkeypatch.setattr(profile, "GROUPS", tmp_path)
    membership = tmp_path / "membership"
    membership.write_text("0::/lab/small\n")
    read = profile.Path
    monkeypatch.setattr(profile, "Path", lambda path: membership if path == "/proc/self/cgroup" else read(path))

    def groups(name, text):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return groups


@pytest.mark.parametrize(
    ("machine", "short_of"),
    [
        (GOOD, []),
        (Machine(None, 8, 0.007), []),
        (POOR, ["memory"]),
        (Machine(16 * 10**9, 1), ["cores"]),
        (Machine(8 * 10**9, 4, 0.05), ["speed"]),
        (Machine(2 * 10**9, 1, 0.05), ["memory", "cores", "speed"]),
    ],
)
def test_a_machine_is_short_of_memory_of_cores_or_of_speed(machine, short_of):
    assert machine.shortages() == short_of


def test_the_automatic_profile_suits_the_machine_and_a_selected_one_does_not_ask_it():
    assert profile.resolved("automatic", GOOD) is FULL
    assert profile.resolved("automatic", POOR) is LIGHT
    assert profile.resolved("full", POOR) is FULL
    assert profile.resolved("light", GOOD) is LIGHT


def test_light_is_less_of_everything():
    assert LIGHT.busy_interval > FULL.busy_interval
    assert LIGHT.idle_interval > FULL.idle_interval
    assert LIGHT.reading_bytes < FULL.reading_bytes
    assert LIGHT.cache_bytes < FULL.cache_bytes
    assert (LIGHT.has_effects, FULL.has_effects) == (False, True)
    assert (LIGHT.separate_runs, FULL.separate_runs) == (1, None)


def test_what_is_selected_is_used_at_once_and_at_the_next_start(on):
    on(POOR)
    assert profile.now() is LIGHT
    profile.select("full")
    assert profile.now() is FULL
    on(POOR)
    assert (profile.selected(), profile.now()) == ("full", FULL)


def test_an_unknown_profile_in_the_settings_means_the_automatic_one(on):
    change_section("profile", lambda _: {"setting": "huge"})
    on(GOOD)
    assert (profile.selected(), profile.now()) == ("automatic", FULL)


def test_the_light_profile_is_announced_once_until_another_one_was_taken(on):
    on(POOR)
    assert [profile.announce(), profile.announce()] == [True, False]
    on(GOOD)
    assert not profile.announce()
    on(POOR)
    assert profile.announce()


def test_a_selected_light_profile_needs_no_announcement(on):
    on(GOOD)
    profile.select("light")
    on(GOOD)
    assert not profile.announce()


def test_settings_that_cannot_be_written_do_not_keep_a_profile_from_being_used(on, lab_home):
    on(GOOD)
    lab_home.write_text("a file is where the folder should be")
    with pytest.raises(LabError):
        profile.select("light")
    assert profile.now() is LIGHT


def test_a_measured_speed_counts_at_once_and_at_the_next_start(monkeypatch):
    monkeypatch.setattr(profile, "usable_memory", lambda: 8 * 10**9)
    monkeypatch.setattr(profile, "usable_cores", lambda: 2)
    monkeypatch.setattr(profile._Current, "profile", None)
    assert profile.now() is FULL
    change_section("machine", lambda _: {"core_seconds": 0.04})
    assert [profile.resolve_again(), profile.resolve_again()] == [True, False]
    assert profile.now() is LIGHT
    monkeypatch.setattr(profile._Current, "profile", None)
    assert profile.now() is LIGHT


def test_the_memory_of_a_group_of_processes_or_of_one_above_it_is_the_limit(groups):
    everything = profile.usable_memory()
    groups("lab/small/memory.max", "max\n")
    assert profile.usable_memory() == everything
    groups("lab/memory.max", f"{10**6}\n")
    assert profile.usable_memory() == 10**6


def test_the_share_of_the_processor_of_a_group_limits_the_cores(groups):
    groups("lab/small/cpu.max", "max 100000\n")
    assert profile.usable_cores() >= 1
    groups("lab/small/cpu.max", "50000 100000\n")
    assert profile.usable_cores() == 1
