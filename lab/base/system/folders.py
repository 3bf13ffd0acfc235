"""The system folders, which an administrator fills: shared plugins, corpora, recipes, models, lessons; policy.toml."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

import platformdirs

from lab.base.notices import notify
from lab.base.problems import Problem

Kind = Literal["plugins", "corpora", "recipes", "models", "lessons"]
"""A kind of shared files, and the name of their folder."""

_POLICY = "policy.toml"
_unreadable: dict[Path, Problem] = {}  # what was reported


def policy_file() -> Path:
    """Return the path of the policy, which need not exist.

    `LAB_SYSTEM` names another folder, unless the machine itself has a policy: nobody leaves it behind with a variable.
    """
    return (_moved() or _configuration()) / _POLICY


def shared_folder(kind: Kind) -> Path:
    """Return the folder of one kind of shared files, which need not exist."""
    return (_moved() or _data()) / kind


def shared_files(kind: Kind, suffix: str = "") -> list[Path]:
    """Return the shared files and folders of one kind, sorted, without hidden ones; [] if there are none.

    A folder that cannot be read is reported once.

    Args:
        kind: Their kind.
        suffix: The ending of their names; "" for any.
    """
    folder = shared_folder(kind)
    try:
        paths = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        report_unreadable(folder, error)
        return []
    return [path for path in paths if path.name.endswith(suffix) and path.name[0] != "." and path.name.isprintable()]


def report_unreadable(path: Path, error: Exception) -> None:
    """Report that shared files cannot be read, once for each path."""
    if path not in _unreadable:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        remedy = "The lab starts without it. Let everybody read it, or remove it"
        what = f"what is shared on this machine cannot be read: {why}"
        _unreadable[path] = Problem(what, str(path), remedy=remedy)
        notify("warning", _unreadable[path])


def unreadable() -> tuple[Problem, ...]:
    """Return the problems of the shared files that could not be read so far, which were reported."""
    return tuple(_unreadable.values())


def _moved() -> Path | None:
    """Return the folder that `LAB_SYSTEM` names, if the machine has no policy of its own."""
    moved = os.environ.get("LAB_SYSTEM")
    return Path(moved).expanduser().absolute() if moved and not _has_own_policy() else None


def _has_own_policy() -> bool:
    try:
        (_configuration() / _POLICY).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:  # a folder that cannot be entered may hold one
        return True
    return True


def _configuration() -> Path:
    """Return the folder of the policy: on Linux, where configuration and data are apart, that of the configuration."""
    return Path("/etc/lm-lab") if sys.platform not in ("win32", "darwin") else _data()


def _data() -> Path:
    """Return the folder of the shared files. No variable of the user's environment has a say in it."""
    if sys.platform == "win32":
        return Path(platformdirs.site_data_dir("lm-lab", appauthor=False))
    return Path("/Library/Application Support/lm-lab" if sys.platform == "darwin" else "/usr/local/share/lm-lab")
