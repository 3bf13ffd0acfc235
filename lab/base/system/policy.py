"""The policy of an administrator, policy.toml: read once, checked field by field, and safe where it is broken."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lab.base.files.reading import parse_toml, read_text
from lab.base.notices import notify
from lab.base.problems import BadInput, Problem
from lab.base.system.folders import policy_file

LARGEST = 64 * 1024
"""Most bytes of a policy."""
GB = 10**9
"""Bytes of the unit of `memory_gb` and `disk_gb`."""
LANGUAGES = ("en", "de")
THEMES = ("system", "light", "dark", "contrast")
HIDEABLE = ("data", "inspect", "play", "compare", "learn", "plugins")
"""The places that can be hidden. Home, Train and Settings always show: the others lead there."""
UNTIL = "Until then the network is not used and no plugin of others runs"
"""The rule that holds while anything in a policy is broken: a misspelt limit must not open what it should close."""


@dataclass(frozen=True)
class Policy:
    """The limits that an administrator sets on this machine; without a policy there are none.

    Args:
        file: The file it was read from; None if there is none.
        devices: Names of devices that a model may use besides the CPU, "cuda" for all of CUDA; None for all.
        threads: Most processor threads of a training; None for any number.
        memory_gb: Most memory that a training may need by the estimate made before it starts, in GB; None for any.
        disk_gb: Most that the home of the lab of one person may hold when something is added to it, in GB; None for
            any.
        network: False if nothing may be downloaded, and no class may hand in over the network.
        allowed_plugins: Names of third-party plugins that may run; None for all.
        enabled_plugins: Names of shared plugins that run for everybody.
        hidden_places: Keys of the places that the window does not show.
        lessons: Names of the lessons that can be taken; None for all.
        language: The language of the window; None leaves it to the user.
        theme: The theme of the window; None leaves it to the user.
        problems: What is wrong in the file, at most MOST_PROBLEMS of it.
        forced: The fields whose value is not that of the file, since something in it is broken.
    """

    file: Path | None = None
    devices: tuple[str, ...] | None = None
    threads: int | None = None
    memory_gb: float | None = None
    disk_gb: float | None = None
    network: bool = True
    allowed_plugins: tuple[str, ...] | None = None
    enabled_plugins: tuple[str, ...] = ()
    hidden_places: tuple[str, ...] = ()
    lessons: tuple[str, ...] | None = None
    language: str | None = None
    theme: str | None = None
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    forced: tuple[str, ...] = ()

    def source(self, rule: str) -> str:
        """Return where a rule stands, as refusals name it: "/etc/lm-lab/policy.toml (devices)"."""
        return f"{self.file}, which is broken" if rule in self.forced else f"{self.file} ({rule})"

    def allows_device(self, name: str) -> bool:
        """Return True if a device ("cpu", "cuda:0", "mps") may be used."""
        return self.devices is None or name == "cpu" or not {name, name.partition(":")[0]}.isdisjoint(self.devices)

    def allows_plugin(self, name: str) -> bool:
        """Return True if a third-party plugin may run."""
        return self.allowed_plugins is None or name in self.allowed_plugins

    def allows_lesson(self, name: str) -> bool:
        """Return True if a lesson can be taken."""
        return self.lessons is None or name in self.lessons

    def refuse_network(self, field: str, value: str, remedy: str) -> None:
        """Raise BadInput if nothing may be downloaded.

        Args:
            field: The field or option that asks for it.
            value: Its value.
            remedy: How to go on without a network.
        """
        if not self.network:
            what = f"downloads are not allowed by {self.source('network')}"
            raise BadInput(what, field=field, value=value, remedy=remedy)

    def refuse_handing_in(self, field: str, value: str, remedy: str) -> None:
        """Raise BadInput if no class may hand in over the network.

        Args:
            field: The field or option that asks for it.
            value: Its value.
            remedy: How to hand in or collect without a network.
        """
        if not self.network:
            what = f"handing in over the network is not allowed by {self.source('network')}"
            raise BadInput(what, field=field, value=value, remedy=remedy)


STRICTEST: Mapping[str, Any] = {
    "devices": (), "threads": 1, "network": False, "allowed_plugins": (), "enabled_plugins": (),
}  # fmt: skip
"""The values of these fields if they cannot be read."""
CLOSED = ("network", "allowed_plugins", "enabled_plugins")
"""The fields for which the strictest holds while anything in the file is broken."""
MOST_PROBLEMS = 10


def policy() -> Policy:
    """Return the policy of this machine; each file is read once in a process."""
    return _read(policy_file())


def report_problems() -> None:
    """Report what is wrong in the policy as notices."""
    for problem in policy().problems:
        notify("warning", problem)


@functools.cache
def _read(file: Path) -> Policy:
    try:
        file.lstat()
    except FileNotFoundError:
        return Policy()
    except (OSError, ValueError):  # a folder above it cannot be entered, which the reading reports
        pass
    try:
        content = parse_toml(read_text(file, LARGEST))
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        remedy = f"Mend the file, or remove it. {UNTIL}, and models train on one thread of the processor"
        problem = Problem(f"the policy of this machine cannot be read: {why}", str(file), remedy=remedy)
        return Policy(file, **STRICTEST, problems=(problem,), forced=tuple(STRICTEST))
    return policy_of(content, file)


def policy_of(content: Mapping[str, Any], file: Path) -> Policy:
    """Return the policy in the content of a file; where it is broken, the strictest rule holds.

    Args:
        content: The fields by name.
        file: The file, for messages.
    """
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    forced = [name for name, given in content.items() if name in STRICTEST and _FIELDS[name].read(given) is None]
    for name, given in content.items():
        known = _FIELDS.get(name)
        value = None if known is None else known.read(given)
        if value is not None:
            values[name] = value
        elif len(problems) == MOST_PROBLEMS:
            continue
        elif known is None:
            near = difflib.get_close_matches(name, _FIELDS, n=1)
            remedy = f"Did you mean {near[0]}? {UNTIL}" if near else f"Remove it. {UNTIL}"
            what = "the policy has no such field"
            problems.append(Problem(what, f"{file} ({name})", allowed=", ".join(_FIELDS), remedy=remedy))
        else:
            remedy = f"Write, for example: {name} = {known.example}. {UNTIL}"
            what = "cannot be used in a policy"
            problems.append(Problem(what, f"{file} ({name})", _shown(given), allowed=known.allowed, remedy=remedy))
    found = Policy(file, **values)
    excluded = [name for name in found.enabled_plugins if not found.allows_plugin(name)]
    if excluded:
        what = "is contradicted by allowed_plugins, which does not name it"
        remedy = f"Add it there, or remove it here. {UNTIL}"
        problems.append(Problem(what, f"{file} (enabled_plugins)", ", ".join(excluded), remedy=remedy))
    if not problems:
        return found
    forced += [name for name in CLOSED if name not in forced]
    return replace(found, **{name: STRICTEST[name] for name in forced}, problems=tuple(problems), forced=tuple(forced))


def _shown(given: Any) -> str:
    """Return a value of any kind for a message, which is shortened there."""
    try:
        return str(given)
    except ValueError:  # a number with too many digits
        return "…"


@dataclass(frozen=True)
class _Field:
    """A field of the file.

    Args:
        read: Returns its value as a Policy has it; None if it is not allowed.
        allowed: What is allowed.
        example: An example, as TOML.
    """

    read: Callable[[Any], Any]
    allowed: str
    example: str


def _number(given: Any, least: float, most: float, kinds: type | tuple[type, ...]) -> Any:
    is_one = isinstance(given, kinds) and not isinstance(given, bool)
    return given if is_one and least <= given <= most else None


def _choice(given: Any, choices: Iterable[str]) -> str | None:
    return given if isinstance(given, str) and given in choices else None


def _names(given: Any, pattern: str) -> tuple[str, ...] | None:
    fits = isinstance(given, list) and all(isinstance(name, str) and re.fullmatch(pattern, name) for name in given)
    return tuple(dict.fromkeys(given)) if fits else None


_GIGABYTES = _Field(
    lambda given: _number(given, 0.1, 10**6, (int, float)),
    allowed="a number of GB from 0.1 to 1,000,000",
    example="2.5",
)
_PLUGINS = _Field(lambda given: _names(given, r".*\S.*"), allowed="a list of names of plugins", example='["average"]')
_FIELDS: Mapping[str, _Field] = {
    "devices": _Field(
        lambda given: _names(given, r"cpu|mps|cuda(:\d+)?"),
        allowed="a list of cpu, cuda, cuda:0, cuda:1 and so on, mps", example='["cpu"]',
    ),
    "threads": _Field(
        lambda given: _number(given, 1, 1024, int), allowed="a whole number from 1 to 1,024", example="2"
    ),
    "memory_gb": _GIGABYTES,
    "disk_gb": _GIGABYTES,
    "network": _Field(
        lambda given: given if isinstance(given, bool) else None, allowed="true or false", example="false"
    ),
    "allowed_plugins": _PLUGINS,
    "enabled_plugins": _PLUGINS,
    "hidden_places": _Field(
        lambda given: _names(given, "|".join(HIDEABLE)),
        allowed="a list of data, inspect, play, compare, learn, plugins", example='["plugins"]',
    ),
    "lessons": _Field(
        lambda given: _names(given, r"[a-z0-9][a-z0-9-]{0,59}"),
        allowed="a list of names of lessons", example='["never-seen", "the-floor"]',
    ),
    "language": _Field(lambda given: _choice(given, LANGUAGES), allowed="en or de", example='"de"'),
    "theme": _Field(
        lambda given: _choice(given, THEMES), allowed="system, light, dark or contrast", example='"light"'
    ),
}  # fmt: skip
"""The fields of the file by name; the names are those of `Policy`."""
