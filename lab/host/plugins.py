"""All plugins, their states, and the cards of those that run."""

from __future__ import annotations

import contextlib
import difflib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from lab.api import Explanation
from lab.base.files.reading import read_bytes
from lab.base.files.writing import make_folder, write_file
from lab.base.folders import plugins_folder
from lab.base.notices import notify
from lab.base.problems import BadInput, LabError, Problem, note_module
from lab.base.system.folders import shared_folder
from lab.base.system.policy import policy
from lab.host.died_starts import died_in, forget_death, marked
from lab.host.discovery import BUILT_INS, Candidate, discover, named
from lab.host.info import PluginInfo, PluginState
from lab.host.offers import Cards, Guard, built_in_offers, offers_of
from lab.host.registry import Registry, singular
from lab.host.trust import Trust, forbidden


@dataclass
class _Plugin:
    candidate: Candidate
    guard: Guard
    state: PluginState
    title: str = ""
    problems: tuple[Problem, ...] = ()
    offers: Cards = field(default_factory=dict)


class Plugins:
    """All plugins. Creating it finds them and runs none; `load` runs the trusted ones one by one.

    Any request for cards loads first. All methods may be called from any thread: while one thread loads, others that
    request cards wait, and `listed` returns at once. If third-party plugins load `later`, a request for cards only
    loads the built-in ones and does not wait for the others, which load when `load` is called.

    Args:
        enable: Names of plugins that are trusted in this process, regardless of the settings.
        safe_mode: Whether to start with built-in plugins only.
        only: Names of the plugins to which this start is restricted, built-in architectures included; the lab's own
            plugins (corpora, tokenizers, optimizers, samplers) always run. None means all.
        trace: Whether every call of a plugin is written to standard error, with its milliseconds.
        built_ins: Modules of the built-in plugins.
        later: Whether third-party plugins wait until `load` is called, so that a window can open first.

    Raises:
        BadInput: `enable` names a plugin that does not exist, or that the policy of the machine forbids.
    """

    def __init__(
        self,
        enable: Sequence[str] = (),
        safe_mode: bool = False,
        only: Sequence[str] | None = None,
        trace: bool = False,
        built_ins: Sequence[str] = BUILT_INS,
        later: bool = False,
    ) -> None:
        self._lock = threading.RLock()
        self._safe_mode = safe_mode
        self._only = only
        self._trust = Trust()
        self._registry = Registry({})
        self._later = later
        self._trace = trace
        self._built_in_modules = tuple(built_ins)
        self._built_ins_loaded = False
        self._plugins = {
            candidate.name: _Plugin(candidate, Guard(candidate.name, trace), PluginState.OFF)
            for candidate in discover(built_ins)
        }
        for name in enable:
            if self._trust.forbids(self._find(name, field="--enable").candidate):
                raise BadInput(replace(forbidden(name), field="--enable", value=name, plugin=None))
        shared = {one.candidate.name for one in self._plugins.values() if one.candidate.origin == "shared"}
        for name in policy().enabled_plugins:
            if name not in shared:
                remedy = f"Put it into {shared_folder('plugins')}, or take it out of the policy"
                notify(
                    "warning",
                    Problem("no such plugin is shared", policy().source("enabled_plugins"), name, remedy=remedy),
                )
        self._enabled_here = set(enable)
        for name in only or ():
            if name not in self._plugins:
                notify("warning", self._unknown(name, field="LAB_PLUGINS"))
        for plugin in self._plugins.values():
            self._decide(plugin)

    @classmethod
    def from_environment(
        cls,
        enable: Sequence[str] = (),
        safe_mode: bool = False,
        built_ins: Sequence[str] = BUILT_INS,
        later: bool = False,
    ) -> Self:
        """Return the plugins that the environment variables select.

        `LAB_PLUGINS=a,b` restricts the start to these and the lab's own plugins; `LAB_PLUGINS_TRACE=1` traces their
        calls.

        Raises:
            BadInput: `enable` names a plugin that does not exist, or that the policy of the machine forbids.
        """
        only = [name.strip() for name in os.environ.get("LAB_PLUGINS", "").split(",") if name.strip()]
        trace = os.environ.get("LAB_PLUGINS_TRACE", "") not in ("", "0")
        return cls(enable, safe_mode, only or None, trace, built_ins, later)

    @property
    def start_options(self) -> dict[str, Any]:
        """The options of this start, for another process: `from_environment(**start_options)`."""
        return {"enable": sorted(self._enabled_here), "safe_mode": self._safe_mode}

    def load(self) -> Self:
        """Load the waiting plugins; a failure becomes a problem of its plugin and a notice."""
        with self._lock:
            if self._later:
                self._load_built_ins()
            self._load_all(list(self._plugins.values()))
            self._later = False
        return self

    def load_built_ins(self) -> Iterator[None]:
        """Load the waiting built-in plugins, one with each step, so that a window can handle events in between."""
        before = self._built_ins_loaded
        for plugin in self._built_ins():
            yield
            with self._lock:
                if plugin.state == PluginState.WAITING:
                    self._load(plugin)
        if not before:
            self._update_registry()
        self._load_built_ins()

    def _built_ins(self) -> list[_Plugin]:
        return [plugin for plugin in self._plugins.values() if plugin.candidate.origin == "built-in"]

    def _load_built_ins(self) -> None:
        with self._lock:
            self._load_all(self._built_ins())
            self._built_ins_loaded = True

    def _load_all(self, plugins: Sequence[_Plugin]) -> None:
        waiting = [plugin for plugin in plugins if plugin.state == PluginState.WAITING]
        for plugin in waiting:
            self._load(plugin)
        if waiting:
            self._update_registry()
        for plugin in waiting:
            for conflict in self._registry.conflicts.get(plugin.candidate.name, ()):
                notify("warning", conflict)

    def _ready(self) -> Registry:
        """Return the registry after loading what it needs; this waits for no lock if third-party plugins load later."""
        if not self._later:
            self.load()
        elif not self._built_ins_loaded:
            self._load_built_ins()
        return self._registry

    def listed(self) -> list[PluginInfo]:
        """Return every plugin in loading order, running or not. This loads nothing."""
        registry = self._registry
        return [
            PluginInfo(
                name=name,
                title=plugin.title,
                origin=plugin.candidate.origin,
                location=plugin.candidate.location,
                state=plugin.state,
                problems=plugin.problems + registry.conflicts.get(name, ()),
                cards=registry.owned_by(name),
                version=plugin.candidate.version,
                enabled=self._trust.allows(plugin.candidate),
                is_fixed=self._trust.forbids(plugin.candidate) or self._trust.requires(plugin.candidate),
            )
            for name, plugin in self._plugins.items()
        ]

    def cards(self, kind: str) -> Mapping[str, Any]:
        """Return the cards of a kind (a key of lab.api.HOOKS) by name, sorted.

        Raises:
            KeyError: There is no such kind.
        """
        return MappingProxyType(self._ready().cards[kind])

    def explanation(self, reading: str) -> Explanation | None:
        """Return what readings of a name show, from the first card that explains them; None if none does."""
        for kind in ("probes", "architectures", "mixers"):
            for card in self.cards(kind).values():
                if reading in card.explanations:
                    found: Explanation = card.explanations[reading]
                    return found
        return None

    def card(self, kind: str, name: str, field: str | None = None) -> Any:
        """Return one card.

        Args:
            kind: A key of lab.api.HOOKS.
            name: Its name; hyphens may be left out.
            field: Where the name was given ("architecture.name"), for the problem.

        Raises:
            BadInput: There is no such card; the problem lists the existing cards, and plugins that might provide it.
            KeyError: There is no such kind.
        """
        return self.cards(kind)[self._resolve_name(kind, name, field)]

    def _resolve_name(self, kind: str, name: str, field: str | None) -> str:
        """Return the full name of a card from a name that may lack hyphens."""
        cards = self.cards(kind)
        matches = (
            [name] if name in cards else [other for other in cards if _without_hyphens(other) == _without_hyphens(name)]
        )
        if len(matches) == 1:
            return matches[0]
        near = difflib.get_close_matches(name, cards, n=1)
        stopped = [f"{info.name}: {info.state}" for info in self.listed() if info.state != PluginState.ON]
        hints = [f"Did you mean {near[0]}?"] if near else []
        if stopped:
            hints.append(f"A plugin that does not run may provide it ({', '.join(stopped)}), see: lm-lab plugins")
        what, allowed = f"there is no such {singular(kind)}", ", ".join(cards) or "none"
        raise BadInput(what, field=field, value=name, allowed=allowed, remedy=" ".join(hints) or None)

    def owner(self, kind: str, name: str) -> str:
        """Return the name of the plugin that registered a card.

        Raises:
            BadInput: There is no such card.
            KeyError: There is no such kind.
        """
        full_name = self._resolve_name(kind, name, None)  # this loads the plugins
        return self._registry.owners[kind, full_name]

    def enable(self, name: str, *, load: bool = False) -> None:
        """Trust a plugin in this and later starts; it runs with the next `load`.

        A file is trusted by its path, a distribution by its name and version.

        Args:
            name: Its name.
            load: True to load it at once, with all others that wait; no request for cards waits for it.

        Raises:
            BadInput: There is no such plugin, or the policy of the machine decides about it.
            LabError: The settings cannot be written; nothing has changed.
        """
        with self._lock, self._without_waiting(load):
            plugin = self._find(name)
            self._trust.change(plugin.candidate, allow=True)
            forget_death(plugin.candidate)
            if plugin.state != PluginState.ON:
                self._decide(plugin)
            if load:
                self.load()

    def discover(self) -> None:
        """Look for plugins again: add those that are new, load those of them that are trusted, and drop those gone.

        One that runs stays as it is. No request for cards waits for this.
        """
        found = discover(self._built_in_modules)
        with self._lock, self._without_waiting():
            known = {(one.candidate.origin, one.candidate.key): one for one in self._plugins.values()}
            present = {(candidate.origin, candidate.key): candidate for candidate in found}
            plugins: dict[str, _Plugin] = {}
            for key, plugin in known.items():
                candidate = present.get(key)
                if plugin.state == PluginState.ON or (
                    candidate is not None and candidate.version == plugin.candidate.version
                ):
                    plugins[plugin.candidate.name] = plugin
                    present.pop(key, None)
            new = [named(candidate, plugins) for candidate in present.values()]
            for candidate in new:
                plugins[candidate.name] = _Plugin(candidate, Guard(candidate.name, self._trace), PluginState.OFF)
            self._plugins = plugins  # not changed in place: other threads list them
            for candidate in new:
                self._decide(plugins[candidate.name])
            self._update_registry()
            self.load()

    def add_file(self, source: Path) -> str:
        """Copy a Python file into the plugins folder, and return the name of its plugin, which is not enabled.

        Raises:
            BadInput: It is no file of a plugin, the folder has a plugin of this name, or the policy of the machine does
                not allow it.
            LabError: It cannot be read, or not be copied.
        """
        if source.suffix != ".py" or source.name.startswith(("_", ".")) or not source.is_file():
            remedy, allowed = "Select the Python file of the plugin", "a file NAME.py that does not start with _ or ."
            raise BadInput("this is no file of a plugin", value=source.name, allowed=allowed, remedy=remedy)
        if not policy().allows_plugin(source.stem):
            raise BadInput(forbidden(source.stem))
        path = plugins_folder() / source.name
        if path.exists():
            remedy = "Rename the file, or remove the one in the plugins folder"
            raise BadInput("the plugins folder has a file of this name", value=source.name, remedy=remedy)
        try:
            content = read_bytes(source)
        except (OSError, ValueError) as error:
            what = f"the file cannot be read: {getattr(error, 'strerror', None) or error}"
            raise LabError(Problem(what, value=str(source), remedy="Check the rights of the file")) from None
        with self._lock:
            self._trust.forget(str(path))  # of another file that had this path
        make_folder(path.parent)
        write_file(path, content)
        self.discover()
        return next(one.candidate.name for one in self._plugins.values() if one.candidate.key == str(path))

    @contextlib.contextmanager
    def _without_waiting(self, is_needed: bool = True) -> Iterator[None]:
        """Let requests for cards of other threads be answered with what runs, while the body loads plugins."""
        before = self._later
        self._later = before or is_needed
        try:
            yield
        except BaseException:
            self._later = before
            raise

    def disable(self, name: str) -> None:
        """Remove a plugin's cards, and do not run it in later starts.

        Raises:
            BadInput: There is no such plugin, or the policy of the machine decides about it.
            LabError: The settings cannot be written; nothing has changed.
        """
        with self._lock:
            plugin = self._find(name)
            self._trust.change(plugin.candidate, allow=False)
            self._enabled_here.discard(name)
            self._decide(plugin)
            self._update_registry()

    def report_failure(self, plugin: str, error: BaseException) -> Problem:
        """Quarantine a plugin whose code raised during a run: its cards are removed, and it is listed as failed.

        Raises:
            BadInput: There is no such plugin.
        """
        with self._lock:
            found = self._find(plugin)
            problem = found.guard.failure(error)
            self._fail(found, problem)
            self._update_registry()
        return problem

    def _decide(self, plugin: _Plugin) -> None:
        """Set the initial state of a plugin, from the user's choices and the options of this start."""
        candidate, name = plugin.candidate, plugin.candidate.name
        plugin.problems, plugin.offers = (), {}
        enabled_here = name in self._enabled_here
        of_the_lab = candidate.origin == "built-in" and name.startswith("lab.")
        narrowed = self._only is not None and name not in self._only and not of_the_lab
        if narrowed or (self._safe_mode and candidate.origin != "built-in"):
            plugin.state = PluginState.SKIPPED
        elif self._trust.forbids(candidate):
            plugin.state = PluginState.FORBIDDEN
            plugin.problems = (forbidden(name),)
        elif not enabled_here and not self._trust.allows(candidate):
            plugin.state = PluginState.DISABLED if candidate.origin == "built-in" else PluginState.OFF
            before = self._trust.other_version(candidate)
            if before is not None:
                what = f"it was enabled as version {before}, and is version {candidate.version} now"
                remedy = f"If you trust the new version: lm-lab plugins enable {name}"
                self._add_problem(plugin, Problem(what, remedy=remedy, plugin=name))
        elif not enabled_here and died_in(candidate):
            plugin.state = PluginState.LEFT_OUT
            what = "the last start died while loading it, so it is left out"
            self._add_problem(
                plugin, Problem(what, remedy=f"To try it again: lm-lab plugins enable {name}", plugin=name)
            )
        else:
            plugin.state = PluginState.WAITING

    def _load(self, plugin: _Plugin) -> None:
        try:
            if plugin.candidate.origin == "built-in":
                self._read(plugin)
            else:
                note_module(plugin.candidate.module, plugin.candidate.name)
                with marked(plugin.candidate):
                    self._read(plugin)
        except LabError as error:
            self._fail(plugin, error.problem)

    def _read(self, plugin: _Plugin) -> None:
        module = plugin.guard.run("its import", plugin.candidate.read)
        text = getattr(module, "__doc__", None)
        plugin.title = text.strip().partition("\n")[0] if isinstance(text, str) else ""
        if plugin.candidate.origin == "built-in" and not plugin.guard.trace:
            plugin.offers = built_in_offers(module)
        else:
            plugin.offers = offers_of(module, plugin.guard, in_full=plugin.candidate.origin != "built-in")
        plugin.state = PluginState.ON
        if not any(plugin.offers.values()):
            remedy = "Write a function lab_register_… with @hookimpl (of lab.api) above it"
            name = plugin.candidate.name
            self._add_problem(plugin, Problem("registers no card; is @hookimpl missing?", remedy=remedy, plugin=name))

    def _fail(self, plugin: _Plugin, problem: Problem) -> None:
        plugin.state, plugin.offers = PluginState.FAILED, {}
        self._add_problem(plugin, problem)

    def _add_problem(self, plugin: _Plugin, problem: Problem) -> None:
        plugin.problems = (*plugin.problems, problem)
        notify("warning", problem)

    def _update_registry(self) -> None:
        self._registry = Registry({name: plugin.offers for name, plugin in self._plugins.items()})

    def _find(self, name: str, field: str | None = None) -> _Plugin:
        if name not in self._plugins:
            raise BadInput(self._unknown(name, field))
        return self._plugins[name]

    def _unknown(self, name: str, field: str | None) -> Problem:
        near = difflib.get_close_matches(name, self._plugins, n=1)
        remedy = f"Did you mean {near[0]}?" if near else "See: lm-lab plugins"
        return Problem(
            "there is no such plugin", field=field, value=name, allowed=", ".join(self._plugins), remedy=remedy
        )


def _without_hyphens(name: str) -> str:
    """Return a name without hyphens: "ngram" means "n-gram"."""
    return name.replace("-", "").replace("_", "")
