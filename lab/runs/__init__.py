"""Runs on disk: the folder, its metrics, its readings, and the list of runs. No torch, no Qt, plain data in and out."""

from lab.runs.folder import RunFolder, Status
from lab.runs.library.names import list_runs, new_run_folder, resolve_checkpoint, resolve_run
from lab.runs.metrics.reader import MetricReader, SeriesInfo
from lab.runs.metrics.writer import MetricWriter
from lab.runs.origin import provenance
from lab.runs.readings import read_readings, reading_steps, write_readings

__all__ = [
    "MetricReader",
    "MetricWriter",
    "RunFolder",
    "SeriesInfo",
    "Status",
    "list_runs",
    "new_run_folder",
    "provenance",
    "read_readings",
    "reading_steps",
    "resolve_checkpoint",
    "resolve_run",
    "write_readings",
]
