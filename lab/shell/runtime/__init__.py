"""What keeps the window responsive, and its state: background work, warm-up, watchdog, garbage collection, files."""

__all__ = [
    "background",
    "export_files",
    "file_dialogs",
    "garbage",
    "single_instance",
    "warm_up",
    "watchdog",
    "window_state",
]
