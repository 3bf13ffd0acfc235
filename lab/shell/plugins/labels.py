"""The texts of Plugins: groups, states, origins, what a plugin adds, and its problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from lab.base.problems import Problem
from lab.base.system.policy import policy
from lab.shell.plugins.model import BROKEN, Entry, Group, Status
from lab.widgets.core.i18n import number_text, tr, tr_registered
from lab.widgets.core.messages import capitalized, problem_line

COMMAND_LINE = "lm-lab plugins"
"""Remedies with this text name commands, for which this place has buttons."""


class RegisteredCards(Protocol):
    """The cards that plugins registered, such as `lab.host.Plugins`."""

    def cards(self, kind: str) -> Mapping[str, Any]:
        """Return the cards of a kind by name."""


def group_label(group: Group) -> str:
    """Return the heading of a group."""
    return {
        Group.FOLDER: tr("In the plugins folder"),
        Group.SHARED: tr("Shared on this machine"),
        Group.PACKAGES: tr("Installed packages"),
        Group.FAMILIES: tr("Families of models"),
        Group.LAB: tr("Parts of the lab"),
    }[group]


def title_of(entry: Entry) -> str:
    """Return the title of a plugin: its name, or for a built-in one the beginning of its first line."""
    if entry.info.origin == "built-in" and entry.title:
        return tr_registered(entry.title).partition(":")[0].rstrip(".")
    return entry.info.name


def status_label(status: Status) -> str:
    """Return a status in a word or two."""
    return {
        Status.RUNNING: tr("enabled"),
        Status.CHANGING: tr("changing …"),
        Status.WAITING: tr("loading …"),
        Status.OFF: tr("not enabled"),
        Status.OTHER_VERSION: tr("new version"),
        Status.DISABLED: tr("disabled"),
        Status.SKIPPED: tr("skipped"),
        Status.LEFT_OUT: tr("left out"),
        Status.FORBIDDEN: tr("not allowed"),
        Status.FAILED: tr("failed"),
        Status.OTHER_API: tr("other API version"),
    }[status]


def status_sentence(status: Status) -> str:
    """Return what a status means; "" for a plugin that simply runs."""
    return {
        Status.RUNNING: "",
        Status.CHANGING: tr("This takes as long as its code needs to load; the window stays usable."),
        Status.WAITING: tr("It is loaded in the background."),
        Status.OFF: tr("It is not enabled, and nothing of it has run."),
        Status.OTHER_VERSION: tr("Another version of it was enabled. Nothing of this one has run."),
        Status.DISABLED: tr("It is disabled, and nothing of it is used."),
        Status.SKIPPED: tr("This start skipped it: the lab runs in safe mode, or LAB_PLUGINS names others."),
        Status.FORBIDDEN: tr("The administrator of this machine does not allow it, and nothing of it has run."),
        Status.LEFT_OUT: tr("The last start crashed while it was loading, so this one left it out."),
        Status.FAILED: tr("It failed, so nothing of it is used. Repair it and try again, or disable it."),
        Status.OTHER_API: tr("It was written for another version of the lab, so nothing of it is used."),
    }[status]


def consent_text(entry: Entry) -> str:
    """Return what the user should know before enabling code of others."""
    if entry.group is Group.FOLDER and entry.path is not None:
        trusted = tr("You trust the file {name} in the plugins folder, also after it is edited.", name=entry.path.name)
    elif entry.path is not None:
        name = entry.path.name
        trusted = tr("You trust {name}, which is shared on this machine, also after it is changed there.", name=name)
    else:
        trusted = tr("You trust the installed package {name}, in this version only.", name=entry.info.location)
    danger = tr(
        "This is a program by others. Enabled, it may do everything that you may do on this machine: read and delete "
        "files, use the network. The lab does not confine it; enable only what you trust."
    )
    return f"{danger} {trusted}"


def effect_text(entry: Entry) -> str:
    """Return when enabling or disabling takes effect; "" if neither is possible."""
    if entry.info.is_fixed and entry.status is not Status.FORBIDDEN:
        return tr("It runs for everybody on this machine, by {source}.", source=policy().source("enabled_plugins"))
    if entry.status is Status.SKIPPED:
        return tr("A change takes effect at the next start.")
    if entry.can_enable or entry.can_disable:
        return tr("A change takes effect at once. Runs that train are not changed by it.")
    return tr("The lab does not work without it, so it cannot be disabled here.") if entry.group is Group.LAB else ""


def enable_label(entry: Entry) -> str:
    """Return the label of the button that enables a plugin."""
    if entry.needs_consent:
        return tr("Trust and enable")
    return tr("Try again") if entry.status in BROKEN else tr("Enable")


def origin_label(entry: Entry) -> str:
    """Return where a plugin comes from."""
    if entry.group is Group.FOLDER:
        return tr("the plugins folder")
    if entry.group is Group.SHARED:
        return tr("shared with everybody on this machine")
    return (
        tr("the installed package {name}", name=entry.info.location)
        if entry.group is Group.PACKAGES
        else tr("built in: {name}", name=entry.info.location)
    )


def problem_texts(entry: Entry) -> list[str]:
    """Return each problem of a plugin as one line, without commands for which the place has buttons."""
    has_buttons = entry.status in BROKEN or entry.status is Status.OTHER_VERSION
    return [_problem_text(problem, has_buttons=has_buttons) for problem in entry.info.problems]


def _problem_text(problem: Problem, *, has_buttons: bool) -> str:
    if has_buttons and problem.remedy is not None and COMMAND_LINE in problem.remedy:
        problem = replace(problem, remedy=None)
    return capitalized(problem_line(replace(problem, plugin=None)))


def additions(entry: Entry, host: RegisteredCards) -> list[tuple[str, str]]:
    """Return (kind with number, names) for each kind of cards that a plugin adds."""
    return [
        (tr("{kind} ({n})", kind=_kind_label(kind), n=number_text(len(names))), _names(host.cards(kind), names))
        for kind, names in entry.info.cards.items()
    ]


def _names(cards: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return ", ".join(_name(getattr(cards.get(name), "title", ""), name) for name in names)


def _name(title: str, name: str) -> str:
    """Return the title of a card, with its name in recipes unless that says the same."""
    shown = tr_registered(title)
    return f"{shown} ({name})" if shown and _plain(title) != _plain(name) else shown or name


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _kind_label(kind: str) -> str:
    return {
        "architectures": tr("Architectures"),
        "mixers": tr("Mixers"),
        "corpora": tr("Corpora"),
        "tokenizers": tr("Tokenizers"),
        "objectives": tr("Objectives"),
        "optimizers": tr("Optimizers"),
        "schedules": tr("Schedules"),
        "adapters": tr("Adapters"),
        "samplers": tr("Samplers"),
        "filters": tr("Filters"),
        "strategies": tr("Strategies"),
        "probes": tr("Probes"),
        "interventions": tr("Interventions"),
        "observers": tr("Observers"),
        "rules": tr("Rules of the doctor"),
        "checkpoint_formats": tr("Checkpoint formats"),
        "views": tr("Views"),
        "commands": tr("Commands"),
    }.get(kind, kind)
