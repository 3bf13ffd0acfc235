"""Runs on disk: the folder, its metrics, its readings, and the list of them. No torch, no Qt, plain data in and out."""

from lab.runs.folder import RunFolder, Status
from lab.runs.metric_reader import MetricReader, SeriesInfo
from lab.runs.metric_writer import MetricWriter
from lab.runs.names import list_runs, new_run_folder, resolve_run
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
    "resolve_run",
    "write_readings",
]
