"""The plugin host: finds plugins, asks before it runs them, loads them one by one, and keeps the failing ones apart."""

from lab.host.discovery import BUILT_INS
from lab.host.info import PluginInfo, State
from lab.host.plugins import Plugins

__all__ = ["BUILT_INS", "PluginInfo", "Plugins", "State"]
