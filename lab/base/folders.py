"""Where the lab keeps its files: settings, runs, plugins, downloads and caches. `LAB_HOME` moves them all."""

from __future__ import annotations

import importlib.resources
import os
from importlib.resources.abc import Traversable
from pathlib import Path

import platformdirs


def home() -> Path:
    """The folder that holds everything the lab keeps; not made here."""
    moved = os.environ.get("LAB_HOME")
    return Path(moved).expanduser().absolute() if moved else Path(platformdirs.user_data_dir("lm-lab", appauthor=False))


def settings_file() -> Path:
    """The file of the person's settings."""
    return home() / "settings.json"


def runs_folder() -> Path:
    """The folder in which new runs are made."""
    return home() / "runs"


def plugins_folder() -> Path:
    """The folder whose .py files and packages are offered as plugins."""
    return home() / "plugins"


def downloads_folder() -> Path:
    """The folder of texts that were fetched because somebody asked for them."""
    return home() / "downloads"


def cache_folder() -> Path:
    """The folder of what can be made again."""
    return home() / "cache"


def resources() -> Traversable:
    """The data the lab ships: docs and recipes. `lab.resources` once installed, the folder beside lab in a checkout."""
    package = importlib.resources.files("lab")
    inside = package / "resources"
    return inside if inside.is_dir() else Path(str(package)).parent / "resources"
