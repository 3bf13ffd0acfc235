"""The window: its places, panels, pages and dialogs, built on the workbench and the widgets."""

__all__ = ["app", "compare", "doctor", "learn", "play", "plugins", "runtime", "session", "window"]
