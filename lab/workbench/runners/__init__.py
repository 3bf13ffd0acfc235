"""Runners: a run trains in a thread of this process, or in its own process, followed through the run folder."""

__all__ = ["commands", "process_run", "runner", "thread_run", "together", "worker"]
