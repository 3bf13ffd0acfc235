"""The file of a run with the findings of the doctor, and the facts about data and model that the rules read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lab.api.runs.rules import Evidence, Finding, Remedy
from lab.base.files.writing import write_json
from lab.runs.records import plain, read_record

FILE = "findings.json"
FORMAT = 1


@dataclass(frozen=True)
class RuleFinding:
    """A finding, and the rule that made it.

    Args:
        rule: The name of the rule.
        finding: The finding.
    """

    rule: str
    finding: Finding

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        stored: dict[str, Any] = plain({"rule": self.rule, **asdict(self.finding)})
        return stored


def write_findings(run: Path, found: Sequence[RuleFinding], facts: Mapping[str, Any]) -> None:
    """Write the findings and facts of a run into its folder, in place of earlier ones.

    Raises:
        LabError: The file cannot be written.
    """
    stored = [one.as_dict() for one in found]
    write_json(run / FILE, {"format": FORMAT, "facts": plain(dict(facts)), "findings": stored})


def read_findings(run: Path) -> tuple[list[RuleFinding], dict[str, Any]]:
    """Return the findings and facts of a run; none if it has none. What is not a finding is left out.

    Raises:
        LabError: The file is damaged.
    """
    if not (run / FILE).exists():
        return [], {}
    record = read_record(run / FILE)
    findings, facts = record.get("findings"), record.get("facts")
    rows = findings if isinstance(findings, list) else []
    known = [found for one in rows if (found := _finding(one)) is not None]
    return known, facts if isinstance(facts, dict) else {}


def _finding(stored: Any) -> RuleFinding | None:
    if not isinstance(stored, Mapping):
        return None
    rule, what, step = stored.get("rule"), stored.get("what"), stored.get("step")
    if not isinstance(rule, str) or not isinstance(what, str) or type(step) is not int or step < 0:
        return None
    evidence, remedies = stored.get("evidence"), stored.get("remedies")
    several = remedies if isinstance(remedies, list) else []
    made = tuple(remedy for one in several if (remedy := _remedy(one)) is not None)
    texts = {name: str(stored.get(name) or "") for name in ("remedy", "layer")}
    return RuleFinding(rule, Finding(what, step, **texts, evidence=_evidence(evidence), remedies=made))


def _remedy(stored: Any) -> Remedy | None:
    if not isinstance(stored, Mapping) or not isinstance(stored.get("changes"), Mapping):
        return None
    start = stored.get("start")
    known: Any = start if start in ("before", "beginning", "now") else "before"
    return Remedy(str(stored.get("what") or ""), {str(k): v for k, v in stored["changes"].items()}, known)


def _evidence(stored: Any) -> Evidence | None:
    series = stored.get("series") if isinstance(stored, Mapping) else None
    if not isinstance(series, list) or not all(isinstance(name, str) for name in series):
        return None
    limit = stored.get("limit")
    return Evidence(tuple(series), float(limit) if isinstance(limit, int | float) else None, stored.get("log") is True)
