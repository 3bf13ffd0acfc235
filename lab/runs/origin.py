"""Facts about the program and the machine that made a run; nothing about its user."""

from __future__ import annotations

import contextlib
import copy
import functools
import importlib.metadata
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGES = ("lm-lab", "torch", "numpy", "safetensors")


def provenance(**given: Any) -> dict[str, Any]:
    """Return the current versions, machine and git state, and further facts of the caller.

    They hold no user name, host name or absolute path. torch is not imported for its version.

    Args:
        given: Further facts by name (corpus, plugins, device, command); they replace those of the same name.
    """
    return {**copy.deepcopy(_of_this_process()), **given}


@functools.cache
def _of_this_process() -> dict[str, Any]:
    """Return the facts of this process, found once: it computes with what it imported, whatever changes later."""
    return {
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}},
        "platform": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "git": git_state(Path(__file__).parents[2]),
    }


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the changes since a run was made that may affect its numbers: versions, processor, placement.

    Args:
        before: The facts of the run.
        now: The same facts now.
    """
    found = []
    for group in ("versions", "placement"):
        old, new = before.get(group), now.get(group)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += [f"{name} {old.get(name)} → {new[name]}" for name in new if old.get(name) != new[name]]
    for name in ("platform", "machine", "processor"):
        if before.get(name) != now.get(name):
            found.append(f"{name} {before.get(name)} → {now.get(name)}")
    return found


def is_of_this_machine(facts: Mapping[str, Any]) -> bool:
    """Return True if a run was made on a machine with the processor and the number of CPUs of this one.

    Args:
        facts: The facts of the run.
    """
    return facts.get("processor") == _processor() and facts.get("cpus") == os.cpu_count()


def git_state(checkout: Path) -> dict[str, Any] | None:
    """Return the commit of a checkout and whether tracked files differ from it ("dirty"); None without git."""
    if not (checkout / ".git").exists():
        return None
    commit = _git(checkout, "rev-parse", "HEAD")
    changes = _git(checkout, "status", "--porcelain", "--untracked-files=no")
    return None if commit is None or changes is None else {"commit": commit, "dirty": bool(changes)}


def _git(checkout: Path, *arguments: str) -> str | None:
    """Return git's output; None if it fails. It ignores a hook's GIT_DIR and takes no lock."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(
            ["git", "-c", "core.fsmonitor=false", *arguments],
            cwd=checkout,
            env={**environment, "GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            check=True,
            text=True,
            timeout=5,
        ).stdout.strip()
    return None


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # a packaged application, or a plain checkout
        return None


@functools.cache
def _processor() -> str:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
                name, _, value = line.partition(":")
                if name.strip() == "model name":
                    return value.strip()
    return platform.processor() or platform.machine()
