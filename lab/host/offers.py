"""The cards of one plugin: its hooks are checked and called one by one; only Ctrl+C interrupts the host."""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import pluggy

from lab.api import API_VERSION, HOOKS, OLDEST_API_VERSION, Hooks, filter_of_sampler
from lab.base.notices import notify
from lab.base.problems import BadInput, LabError, Problem, is_interrupt, is_third_party, problem_of, remedy_for
from lab.base.process_state import put_back
from lab.host.card_checks import check_card

Cards: TypeAlias = dict[str, dict[str, Any]]
"""Cards by kind and name."""

PREFIX = "lab_register_"
SLOW = 10.0
"""Seconds after which a call that has not returned is reported."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Guard:
    """A wrapper around calls of one plugin's code.

    Args:
        plugin: The name of the plugin.
        trace: Whether every call is written to standard error, with its milliseconds.
    """

    plugin: str
    trace: bool = False

    def run(self, doing: str, call: Callable[[], _T]) -> _T:
        """Return the result of `call`.

        Raises:
            LabError: The call raised anything, SystemExit included; the problem names the plugin and has the trace.
            KeyboardInterrupt: The user pressed Ctrl+C.
        """
        started = time.perf_counter()
        try:
            with put_back(self.plugin, doing), self._reported_when_slow(doing):
                return call()
        except BaseException as error:
            if is_interrupt(error):
                if is_third_party(self.plugin):
                    notify("warning", Problem(f"{doing} was interrupted", plugin=self.plugin, remedy=self.remedy))
                raise
            raise LabError(self.failure(error, doing)) from None
        finally:
            if self.trace:
                milliseconds = 1000 * (time.perf_counter() - started)
                sys.stderr.write(f"plugin {self.plugin}: {doing} {milliseconds:.2f} ms\n")

    @contextlib.contextmanager
    def _reported_when_slow(self, doing: str) -> Iterator[None]:
        """Report once if a third-party plugin's call in the body takes long, as it may hang."""
        if not is_third_party(self.plugin):
            yield
            return
        what = f"{doing} has taken {SLOW:g} seconds, and nothing else can go on"
        problem = Problem(what, plugin=self.plugin, remedy=f"Wait, or press Ctrl+C. {self.remedy}")
        timer = threading.Timer(SLOW, notify, ("warning", problem))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @property
    def remedy(self) -> str:
        """The remedy for a plugin that fails."""
        return remedy_for(self.plugin)

    def failure(self, error: BaseException, doing: str | None = None) -> Problem:
        """Return the problem for an exception of this plugin, with a remedy and the trace as text."""
        problem = problem_of(error, plugin=self.plugin, doing=doing)
        trace = problem.trace or "".join(traceback.format_exception(error))
        return replace(problem, trace=trace, remedy=problem.remedy or self.remedy)


@functools.cache
def built_in_offers(module: ModuleType) -> Cards:
    """Return every card of a built-in plugin, as `offers_of` does; they are the same for all starts of a process.

    Raises:
        LabError: As `offers_of`.
    """
    return offers_of(module, Guard(module.__name__), in_full=False)


def offers_of(module: object, guard: Guard, *, in_full: bool = True) -> Cards:
    """Return every card of a plugin, by kind and name.

    Mixers that stand alone are architectures too, and samplers of version 1 are filters. Each plugin gets its own
    plugin manager, so that a failing call does not affect the cards of others.

    Args:
        module: The plugin.
        guard: The wrapper that attributes errors to the plugin.
        in_full: False skips the checks that read settings, see `check_card`.

    Raises:
        LabError: The plugin was written for another API, has an unknown hook, or raised; none of its cards is used.
    """
    version = guard.run("reading LAB_API_VERSION", lambda: getattr(module, "LAB_API_VERSION", OLDEST_API_VERSION))
    _check_version(version, guard.plugin)
    manager = _PluginManager("lab")
    manager.add_hookspecs(Hooks)
    guard.run("looking for its hooks", lambda: _join(module, manager, guard.plugin))
    offers: Cards = {kind: {} for kind in HOOKS}
    for kind in HOOKS:
        hook = getattr(manager.hook, PREFIX + kind)
        if hook.get_hookimpls():
            register = _register(kind, offers[kind], guard.plugin, in_full)
            guard.run(hook.name, lambda hook=hook, register=register: hook(register=register))  # type: ignore[misc]
    _convert_samplers(offers, version, guard.plugin)
    for name, mixer in offers["mixers"].items():
        if in_full or mixer.alone:
            stack = guard.run(f"the stack of the mixer {name}", mixer.stack)
        if mixer.alone:
            offers["architectures"].setdefault(name, stack)
    return offers


class _PluginManager(pluggy.PluginManager):
    """A plugin manager that looks only at what can be a hook, as each static lookup of an attribute takes long."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> Any:
        """Return the options of an attribute that is marked as a hook, else None."""
        is_other = isinstance(plugin, ModuleType) and not inspect.isfunction(vars(plugin).get(name))
        return None if is_other else super().parse_hookimpl_opts(plugin, name)

    def parse_hookspec_opts(self, module_or_class: type | ModuleType, name: str) -> Any:
        """Return the options of an attribute that specifies a hook, else None."""
        return super().parse_hookspec_opts(module_or_class, name) if name.startswith(PREFIX) else None


def _register(kind: str, taken: dict[str, Any], plugin: str, in_full: bool) -> Callable[[Any], None]:
    def register(card: Any) -> None:
        check_card(kind, card, plugin, in_full=in_full)
        if card.name in taken:
            problem = Problem(
                "is registered twice", field=f"{kind}.{card.name}", remedy="Rename one of them", plugin=plugin
            )
            raise BadInput(problem)
        taken[card.name] = card

    return register


def _check_version(version: Any, plugin: str) -> None:
    if version in range(OLDEST_API_VERSION, API_VERSION + 1):
        return
    newer = isinstance(version, int) and version > API_VERSION
    raise BadInput(
        f"written for version {version!r} of the lab's API",
        field="LAB_API_VERSION",
        allowed=f"{OLDEST_API_VERSION} to {API_VERSION}",
        remedy="Update the lab" if newer else "Update the plugin",
        plugin=plugin,
    )


def _convert_samplers(offers: Cards, version: int, plugin: str) -> None:
    """Add the samplers of a plugin of version 1 to its filters; in a later version there are none."""
    for name, sampler in offers["samplers"].items():
        if version > OLDEST_API_VERSION:
            remedy = "Register a Filter in lab_register_filters: build(config) returns (logits, histories) -> logits"
            what = f"samplers are of version 1 of the lab's API, and the plugin names version {version}"
            raise BadInput(what, field=f"samplers.{name}", remedy=remedy, plugin=plugin)
        if name in offers["filters"]:
            remedy = "Rename one of them"
            raise BadInput("is registered twice, as sampler too", field=f"filters.{name}", remedy=remedy, plugin=plugin)
        offers["filters"][name] = filter_of_sampler(sampler)


def _join(module: object, manager: pluggy.PluginManager, plugin: str) -> None:
    hooks = [PREFIX + kind for kind in HOOKS]
    for name in dir(module):
        marked = manager.parse_hookimpl_opts(module, name) is not None
        if marked and name not in hooks:
            near = difflib.get_close_matches(name, hooks, n=1)
            remedy = f"Did you mean {near[0]}?" if near else "Rename it, or remove @hookimpl"
            raise BadInput("there is no such hook", field=name, allowed=", ".join(hooks), remedy=remedy)
        if name in hooks and not marked:
            raise BadInput("is not marked as a hook", field=name, remedy="Write @hookimpl above it (of lab.api)")
    try:
        manager.register(module, plugin)
    except pluggy.PluginValidationError as error:
        hook = next(name for name in hooks if repr(name) in str(error))
        what = "; ".join(str(error).splitlines()[1:])  # the first line names plugin and hook, as the problem does
        raise BadInput(what, field=hook, remedy=f"Write the hook as: def {hook}(register):") from None
