"""The report to send: all findings without details, so that it holds no name, no path and no text of an error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lab.workbench.doctor.checkup import Result

VERSION = 1
MARKS = {"good": "   ", "note": " i ", "wrong": " ! "}


def report_text(results: Sequence[Result]) -> str:
    """Return a report as text, in English."""
    lines = ["Report of lm-lab doctor: no names, no paths, nothing of your texts.", ""]
    for result in results:
        lines.append(f"{result.title} ({result.seconds:.1f} s)")
        lines += [f"{MARKS[finding.level]}{finding.what}" for finding in result.findings]
        lines.append("")
    return "\n".join(lines)


def report_json(results: Sequence[Result]) -> str:
    """Return a report as JSON."""
    return json.dumps({"format": VERSION, "checks": as_data(results, details=False)}, indent=1) + "\n"


def as_data(results: Sequence[Result], *, details: bool) -> list[dict[str, Any]]:
    """Return results as plain data.

    Args:
        results: The results.
        details: Whether names and paths are included.
    """
    fields = ("level", "what", "remedy", "detail") if details else ("level", "what", "remedy")
    return [
        {
            "title": result.title,
            "level": str(result.level),
            "seconds": round(result.seconds, 3),
            "findings": [
                {name: str(value) for name in fields if (value := getattr(finding, name))}
                for finding in result.findings
            ],
        }
        for result in results
    ]
