"""The checks of the machine: its processor, its memory, and its clock."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator

from lab.base.system import profile
from lab.base.units import short
from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.subject import Subject

LITTLE = 700 * 10**6
"""Bytes of free memory below which a training is likely to be ended by the system."""
WRITTEN = 1_735_689_600
"""The seconds since 1970 before which no clock can be right: 2025-01-01."""
FAR = 2**32
"""The seconds since 1970 after which no clock can be right: the year 2106."""


def processor(subject: Subject) -> Iterator[Finding]:
    """Report the processor, and the cores that this process may use."""
    del subject
    cores, every = profile.usable_cores(), os.cpu_count() or 1
    machine = platform.machine() or "unknown"
    yield Finding(f"cores: {cores} of {every}, processor: {machine}")
    if cores < every:
        yield Finding(
            f"the lab may not use all cores ({cores} of {every})",
            Level.NOTE,
            remedy="Start it without taskset, or raise the limit of its container or group",
        )


def memory(subject: Subject) -> Iterator[Finding]:
    """Report the memory, how much of it is free, and the profile that follows from it."""
    del subject
    import psutil  # type: ignore[import-untyped]

    total, state = profile.usable_memory(), psutil.virtual_memory()
    free = min(int(state.available), total or int(state.available))
    yield Finding(f"{short(total or state.total)}B of memory, {short(free)}B free")
    if free < LITTLE:
        yield Finding(
            f"only {short(free)}B of memory is free, and the system may end a training",
            Level.WRONG,
            remedy="Close other programs, or choose a smaller model and batch",
        )
    if total is not None and total < state.total:
        yield Finding(
            f"the lab may use {short(total)}B of {short(state.total)}B of memory",
            Level.NOTE,
            remedy="Raise the limit of its container or group if models do not fit",
        )
    if profile.now() is profile.LIGHT:
        yield Finding(
            "the light profile is used, which draws less and uses less memory",
            Level.NOTE,
            remedy="If the machine is fast enough, select the full profile in Settings",
        )
    else:
        yield Finding("the full profile is used")


def clock(subject: Subject) -> Iterator[Finding]:
    """Report a clock that cannot be right: runs are dated and ordered by it."""
    del subject
    now = time.time()
    if WRITTEN <= now < FAR:
        yield Finding("date and time are plausible")
    else:
        year = time.gmtime(min(max(now, 0), FAR)).tm_year
        yield Finding(
            f"the clock of this machine shows the year {year}",
            Level.WRONG,
            remedy="Set date and time: runs are ordered by them, and downloads check them",
        )
