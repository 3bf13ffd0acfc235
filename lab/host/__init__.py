"""The plugin host: finds plugins, runs those that are trusted one by one, and isolates those that fail."""

from lab.host.discovery import BUILT_INS
from lab.host.info import PluginInfo, PluginState
from lab.host.plugins import Plugins

__all__ = ["BUILT_INS", "PluginInfo", "PluginState", "Plugins"]
