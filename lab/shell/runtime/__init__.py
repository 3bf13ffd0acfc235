"""Services of a running window: background work, warm-up, watchdog, garbage collection, stored state, files."""

__all__ = [
    "background", "export_files", "feature_check", "file_dialogs", "folders", "formulas", "garbage", "geometry",
    "gradually", "single_instance", "sound", "stalls", "warm_up", "watchdog", "window_state",
]  # fmt: skip
