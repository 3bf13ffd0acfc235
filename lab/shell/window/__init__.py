"""The main window: it puts the rooms together; its bars, notices, log, help and shutdown."""

__all__ = ["main_window", "pictures"]
