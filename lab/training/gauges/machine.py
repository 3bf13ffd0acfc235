"""Gauges of the machine: cores in use, memory, temperature and power, where the system tells them."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import torch

from lab.runs.metrics.clocks import ACCELERATOR_POWER, POWER

POWERCAP = Path("/sys/class/powercap")
"""Where Linux tells the energy that a processor has used, if the user may read it."""


class MachineGauges:
    """What this process and its machine do, as means since the last reading.

    Args:
        device: Where the training computes.
        counters: The files with the joules used so far, in millionths; None for those of this machine.
    """

    def __init__(self, device: torch.device, counters: list[Path] | None = None) -> None:
        self._device = device
        self._process = psutil.Process()
        self._counters = [path for path in (_counters() if counters is None else counters) if _number(path) is not None]
        self._has_temperature = self._has_accelerator_power = True
        self._last = time.perf_counter(), time.process_time(), self._joules()

    def read(self) -> dict[str, float]:
        """Return the value of each series that is known now."""
        now = time.perf_counter(), time.process_time(), self._joules()
        (at, computed, used), self._last = self._last, now
        seconds = max(1e-9, now[0] - at)
        found = {"processor": (now[1] - computed) / seconds, "memory": float(self._process.memory_info().rss)}
        if self._device.type == "cuda":
            found["accelerator memory"] = float(torch.cuda.memory_allocated(self._device))
        if used is not None and now[2] is not None and now[2] >= used:  # a counter starts again from time to time
            found[POWER] = (now[2] - used) / seconds
        watts = self._accelerator_power()
        if watts is not None:
            found[ACCELERATOR_POWER] = watts
        temperature = self._temperature()
        if temperature is not None:
            found["temperature"] = temperature
        return found

    def _joules(self) -> float | None:
        """Return the energy of all processors so far; None if it is not told."""
        numbers = [_number(path) for path in self._counters]
        known = [number for number in numbers if number is not None]
        return sum(known) / 1e6 if known and len(known) == len(numbers) else None

    def _accelerator_power(self) -> float | None:
        """Return the watts that an NVIDIA card uses now; None for another device, or without NVIDIA's library."""
        if self._device.type != "cuda" or not self._has_accelerator_power:
            return None
        try:
            return torch.cuda.power_draw(self._device) / 1000
        except (ImportError, RuntimeError, AttributeError):
            self._has_accelerator_power = False
            return None

    def _temperature(self) -> float | None:
        """Return the highest temperature that a sensor tells; None without any, which is then not asked again."""
        if not self._has_temperature:
            return None
        found: list[float] = []
        with contextlib.suppress(OSError, AttributeError):  # systems without sensors have no such function
            found = [one.current for many in psutil.sensors_temperatures().values() for one in many if one.current]
        self._has_temperature = bool(found)
        return max(found, default=None)


def _counters() -> list[Path]:
    """Return the counters of the packages of processors, of which cores and memory are parts."""
    with contextlib.suppress(OSError):
        return [path / "energy_uj" for path in sorted(POWERCAP.glob("*-rapl:*")) if path.name.count(":") == 1]
    return []


def _number(path: Path) -> int | None:
    """Return the number in a file; None if it cannot be read."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
