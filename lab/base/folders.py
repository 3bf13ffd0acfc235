"""The folders of the lab: settings, runs, plugins, downloads and caches. `LAB_HOME` moves them all."""

from __future__ import annotations

import importlib.resources
import os
from importlib.resources.abc import Traversable
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return the folder that holds all files of the lab; it may not exist yet."""
    moved = os.environ.get("LAB_HOME")
    return Path(moved).expanduser().absolute() if moved else Path(platformdirs.user_data_dir("lm-lab", appauthor=False))


def settings_file() -> Path:
    """Return the path of the settings file."""
    return home() / "settings.json"


def draft_file() -> Path:
    """Return the path of the stored configuration of the next run, if it is too large for the settings file."""
    return home() / "draft.json"


def runs_folder() -> Path:
    """Return the folder in which new runs are made."""
    return home() / "runs"


def plugins_folder() -> Path:
    """Return the folder whose .py files and packages are offered as plugins."""
    return home() / "plugins"


def downloads_folder() -> Path:
    """Return the folder of texts that were downloaded on request."""
    return home() / "downloads"


def cache_folder() -> Path:
    """Return the folder of data that can be computed again."""
    return home() / "cache"


def resources() -> Traversable:
    """Return the data the lab ships, docs and recipes: `lab.resources` once installed, a folder in a checkout."""
    package = importlib.resources.files("lab")
    inside = package / "resources"
    return inside if inside.is_dir() else Path(str(package)).parent / "resources"
