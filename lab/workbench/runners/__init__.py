"""Running runs: in a thread, or in a process that is followed through the run folder."""

__all__ = ["commands", "process_run", "runner", "summary", "thread_run", "worker"]
