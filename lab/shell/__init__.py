"""The window: its places, panels, pages and dialogs, on top of the workbench and the kit of widgets."""

__all__ = ["app", "runtime", "session", "window"]
