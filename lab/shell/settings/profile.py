"""The commands that select the profile of the machine, and the sentences about it."""

from __future__ import annotations

from functools import partial

from lab.base.notices import notify
from lab.base.problems import LabError
from lab.base.system import profile
from lab.base.units import short
from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.widgets.core.i18n import enumerated, localized, tr
from lab.widgets.core.theme import themes


def register_profile_commands(actions: Actions) -> None:
    """Register a command for each profile."""
    titles: dict[profile.Setting, str] = {
        "automatic": tr("Automatic profile"),
        "light": tr("Light profile"),
        "full": tr("Full profile"),
    }
    hints: dict[profile.Setting, str] = {
        "automatic": tr("Light on a machine with less than 6 GB of memory, one core or slow cores; full on others"),
        "light": difference(),
        "full": tr("Charts are drawn ten times a second, and memory is used as it is needed"),
    }
    for setting, title in titles.items():
        command = Command(f"profile.{setting}", title, CommandGroup.PROFILE, hint=hints[setting])
        actions.add(command, partial(_select, setting), checked=partial(_is_selected, setting))


def difference() -> str:
    """Return a sentence that says what the light profile changes."""
    return tr(
        "The light profile draws charts at most twice a second, leaves out effects, suggests smaller models, holds "
        "fewer readings in memory and fewer tokens on disk, and trains one run at a time in a separate process."
    )


def state() -> str:
    """Return a sentence that says which profile is used, and why."""
    setting = profile.selected()
    if setting != "automatic":
        return tr("You selected it.")
    if profile.now() is profile.FULL:
        return tr("The full profile is used, as this machine has enough memory and cores.")
    return tr("The light profile is used, as this machine has {what}.", what=_shortages())


def announcement() -> str:
    """Return a message about the light profile once after it was taken for the first time; "" otherwise."""
    try:
        is_new = profile.announce()
    except LabError:  # it is announced at the next start, too
        is_new = profile.now() is profile.LIGHT
    if not is_new:
        return ""
    changes = tr("Charts are drawn less often, and smaller models are suggested. Settings can change that.")
    return " ".join((state(), changes))


def _shortages() -> str:
    machine = profile.this_machine()
    labels = {
        "memory": tr("{size}B of memory", size=localized(short(machine.memory or 0))),
        "cores": tr("1 core"),
        "speed": tr("slow cores"),
    }
    return enumerated([labels[one] for one in machine.shortages()])


def _select(setting: profile.Setting) -> None:
    try:
        profile.select(setting)
    except LabError as error:
        notify("warning", error.problem)
    themes.follow_profile()


def _is_selected(setting: profile.Setting) -> bool:
    return profile.selected() == setting
