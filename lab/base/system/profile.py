"""The profile of this machine: how much memory, disk and drawing the lab allows itself; less on a poor machine."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, get_args

from lab.base.settings import change_section, read_section

Setting = Literal["automatic", "light", "full"]
"""The choices of the user; "automatic" is the profile that suits the machine."""
Shortage = Literal["memory", "cores", "speed"]
SECTION = "profile"
"""The section of the settings with the selected profile, and the one that was last announced."""
SPEED = "machine"
"""The section of the settings with the measured speed of the machine."""
LEAST_MEMORY = 6 * 10**9
"""Bytes of memory below which a machine is poor: what is sold as 4 GB has less, what is sold as 8 GB has more."""
LEAST_CORES = 2
SLOWEST = 0.022
"""Seconds of `lab.shell.home.machine.core_seconds` above which a core is slow: three times those of the machine that
recorded the gallery."""
GROUPS = Path("/sys/fs/cgroup")
"""The folder in which Linux describes the limits of groups of processes."""


@dataclass(frozen=True)
class Profile:
    """What the lab allows itself besides the training. It decides no result: recipes and their numbers are the same.

    Args:
        name: "light" or "full".
        busy_interval: Least seconds between two drawings of a chart while a run trains on the CPU.
        idle_interval: The same while none does.
        has_effects: Whether menus fade and cursors blink, unless the system or the appearance says no.
        reading_bytes: Most bytes of recorded readings that stay in memory.
        cache_bytes: Most bytes on disk of the tokens of long texts.
        separate_runs: Most runs at once in processes of their own, each of which loads torch again; None for any.
    """

    name: Literal["light", "full"]
    busy_interval: float
    idle_interval: float
    has_effects: bool
    reading_bytes: int
    cache_bytes: int
    separate_runs: int | None


FULL = Profile("full", 0.1, 1 / 30, True, 256 * 2**20, 16 * 2**30, None)
LIGHT = Profile("light", 0.5, 0.1, False, 48 * 2**20, 2 * 2**30, 1)


@dataclass(frozen=True)
class Machine:
    """What decides whether a machine is poor.

    Args:
        memory: Bytes of memory that this process may use; None if unknown.
        cores: Cores that it may use.
        core_seconds: The measured seconds of one core, see SLOWEST; None before they were measured.
    """

    memory: int | None
    cores: int
    core_seconds: float | None = None

    def shortages(self) -> list[Shortage]:
        """Return what the machine has little of; [] if nothing."""
        found: list[Shortage] = []
        if self.memory is not None and self.memory < LEAST_MEMORY:
            found.append("memory")
        if self.cores < LEAST_CORES:
            found.append("cores")
        if self.core_seconds is not None and self.core_seconds > SLOWEST:
            found.append("speed")
        return found


class _Current:
    """The profile of this process and what was selected; None until they are first needed."""

    profile: Profile | None = None
    setting: Setting | None = None


def now() -> Profile:
    """Return the profile that this process uses."""
    if _Current.profile is None:
        _Current.profile = resolved(selected(), this_machine())
    return _Current.profile


def resolved(setting: Setting, machine: Machine) -> Profile:
    """Return the profile that a setting means on a machine."""
    if setting == "automatic":
        return LIGHT if machine.shortages() else FULL
    return LIGHT if setting == "light" else FULL


def selected() -> Setting:
    """Return what the user selected; "automatic" if nothing."""
    if _Current.setting is None:
        stored = read_section(SECTION).get("setting")
        known: tuple[Setting, ...] = get_args(Setting)
        _Current.setting = stored if stored in known else known[0]
    return _Current.setting


def select(setting: Setting) -> None:
    """Use a profile from now on, and in later starts.

    Raises:
        LabError: The settings cannot be written; this process uses it all the same.
    """
    _Current.setting, _Current.profile = setting, resolved(setting, this_machine())
    change_section(SECTION, lambda section: {**section, "setting": setting, "announced": now().name})


def resolve_again() -> bool:
    """Use the profile that suits what is known of this machine now; return True if it is another than before."""
    before = now()
    _Current.profile = resolved(selected(), this_machine())
    return now() is not before


def announce() -> bool:
    """Return True if the light profile was taken since the last call, and not selected by the user.

    Raises:
        LabError: The settings cannot be written, so that it is announced again.
    """
    known, name = read_section(SECTION).get("announced", FULL.name), now().name
    if name == known:
        return False
    change_section(SECTION, lambda section: {**section, "announced": name})
    return name == LIGHT.name


def this_machine() -> Machine:
    """Return what is known of this machine; nothing is measured."""
    seconds = read_section(SPEED).get("core_seconds")
    return Machine(usable_memory(), usable_cores(), seconds if isinstance(seconds, int | float) else None)


def usable_memory() -> int | None:
    """Return the bytes of memory that this process may use: all, or the limit of its group; None if unknown."""
    found = [] if (total := _memory()) is None else [total]
    found += [int(text) for text in _limits("memory.max") if text.isdigit()]
    return min(found, default=None)


def usable_cores() -> int:
    """Return the number of cores that this process may use: those of its affinity, or the limit of its group."""
    count = os.cpu_count() or 1
    with contextlib.suppress(AttributeError, OSError):  # Linux alone has affinities
        count = len(os.sched_getaffinity(0))
    for text in _limits("cpu.max"):
        quota, _, period = text.partition(" ")
        if quota.isdigit() and period.isdigit() and int(period):
            count = min(count, max(1, round(int(quota) / int(period))))
    return count


def _memory() -> int | None:
    """Return the bytes of memory of the machine."""
    with contextlib.suppress(AttributeError, ValueError, OSError):  # Windows has no sysconf
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with contextlib.suppress(Exception):  # without it nothing is known
        import psutil  # type: ignore[import-untyped]

        return int(psutil.virtual_memory().total)
    return None


def _limits(name: str) -> list[str]:
    """Return the contents of a file of Linux's control groups, in the group of this process and in those above it."""
    found = []
    with contextlib.suppress(OSError, ValueError):
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        own = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), "")
        for part in (PurePosixPath(own), *PurePosixPath(own).parents):
            with contextlib.suppress(OSError):
                found.append((GROUPS / part / name).read_text(encoding="utf-8").strip())
    return found
