"""What the window works on: runs, draft, queue, corpus. No widgets."""

__all__ = [
    "corpus",
    "corpus_labels",
    "draft",
    "model_provider",
    "queue_commands",
    "requests",
    "runs",
    "scales",
    "session",
    "snapshots",
]
