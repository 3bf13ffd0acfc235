"""The session of the window, without widgets: runs, draft, queue and corpus."""

__all__ = [
    "comparison",
    "corpus",
    "draft",
    "draft_changes",
    "findings",
    "live_settings",
    "model_provider",
    "queue_commands",
    "requests",
    "runs",
    "scales",
    "session",
    "setting_labels",
    "snapshots",
    "studies",
]
