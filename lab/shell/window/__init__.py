"""The main window, which combines all rooms: its bars, notices, log, files and shutdown."""

__all__ = ["main_window", "pictures"]
