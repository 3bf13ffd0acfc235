"""Runs in progress: in a thread, or in a process that is followed through the run folder."""
