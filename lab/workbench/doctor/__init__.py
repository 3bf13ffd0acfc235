"""The checks of a machine: each finds out alone what is there and what is wrong, and says what to do about it."""

from lab.workbench.doctor.checkup import Result, examine
from lab.workbench.doctor.child import Answer, ask_child
from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.report import as_data, report_json, report_text
from lab.workbench.doctor.subject import Subject

__all__ = [
    "Answer",
    "Finding",
    "Level",
    "Result",
    "Subject",
    "as_data",
    "ask_child",
    "examine",
    "report_json",
    "report_text",
]
