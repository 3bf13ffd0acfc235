"""The page of one run, as `lm-lab runs show` prints it and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from lab.api.text import ENTROPY_RATE
from lab.base import LabError
from lab.base.notices import notify
from lab.base.units import duration, finite, short
from lab.cli.output import BELOW_ENTROPY, READS_LATER, part_label
from lab.cli.table import print_pairs
from lab.runs import RunFolder, reading_steps
from lab.runs.checkpoint_list import Checkpoint
from lab.runs.fitting import FITTED_TO, fitting_message
from lab.runs.library.columns import Row
from lab.workbench.analysis.verify import stored_verification
from lab.workbench.launch.summary import below_entropy

EVENTS = 10
"""Number of last events that are printed; the JSON has all."""


def run_page(run: RunFolder, others: Sequence[RunFolder]) -> dict[str, Any]:
    """Return all data about a run, JSON-safe.

    Args:
        run: The run.
        others: The runs among which branches of it are searched.
    """
    row, verification = Row(run), stored_verification(run)
    branches = [other for other in others if other.parent is not None and other.parent.get("id") == run.id]
    return {
        "run": str(run.path.absolute()),
        "id": run.id,
        "name": row.label.name or run.name,
        "shown_name": row.label.name or run.assigned_name,
        "folder": run.name,
        "label": asdict(row.label),
        "created": run.created,
        "state": row.state,
        "step": row.status.step if row.status else None,
        "problem": row.status.problem if row.status else None,
        "summary": dict(row.status.summary) if row.status else {},
        "parent": run.parent,
        "branches": [
            {"id": each.id, "name": each.name, **dict(each.parent or {}), "run": each.name} for each in branches
        ],
        "checkpoints": [_checkpoint(each) for each in run.checkpoints()],
        "readings": reading_steps(run.path),
        "series": _series(run),
        "events": _events(run),
        "verification": None if verification is None else asdict(verification),
        "bytes": row.bytes,
        "settings": row.settings,
        "facts": {name: value for name, value in run.facts.items() if name != "vocabulary"},
    }


def print_page(page: dict[str, Any]) -> None:
    """Print a page as text."""
    label, summary = page["label"], page["summary"]
    name = page["name"] + (" *" if label["star"] else "")
    state = f"{page['state'] or 'unknown'}, step {page['step'] or 0:,}"
    problem = page["problem"]
    pairs = [
        ("name", name),
        ("shown as", page["shown_name"]),
        ("tags", ", ".join(label["tags"])),
        ("note", label["note"]),
        ("state", state),
    ]
    pairs.append(("problem", str((problem or {}).get("what", ""))))
    pairs += [("created", page["created"][:19].replace("T", " ") + " UTC"), ("branched off", _lineage(page["parent"]))]
    pairs.append(("pretrained", _pretrained(page["facts"].get("pretrained"))))
    pairs.append(("branches", "\n".join(f"{each['run']} from step {each['step']:,}" for each in page["branches"])))
    pairs += [("architecture", _architecture(page)), ("corpus", _corpus(page["facts"].get("corpus")))]
    pairs.append(("tokenizer", _tokenizer(page)))
    pairs += [("validation loss", _loss(summary)), ("train loss", _number(summary, "train_loss"))]
    pairs.append(("time", _time(summary)))
    pairs.append(("cost", "\n".join(_costs(page["facts"].get("cost") or {}, summary))))
    pairs.append(("checkpoints", "\n".join(_checkpoint_line(each) for each in page["checkpoints"])))
    pairs.append(("readings", _counted(len(page["readings"]), "snapshot") if page["readings"] else ""))
    pairs.append(
        ("series", "\n".join(f"{each}, {_counted(about['count'], 'point')}" for each, about in page["series"].items()))
    )
    events = page["events"]
    left_out = [f"… {len(events) - EVENTS:,} earlier ones; --json prints all"] if len(events) > EVENTS else []
    pairs.append(("events", "\n".join([*left_out, *map(_event_line, events[-EVENTS:])])))
    pairs.append(("verified", verification_line(page["verification"])))
    pairs += [("on disk", size(page["bytes"])), ("id", page["id"]), ("folder", page["run"])]
    print_pairs([(name, value) for name, value in pairs if value])


def verification_line(verification: dict[str, Any] | None) -> str:
    """Return the result of a verification in one line."""
    if verification is None:
        return "not yet (lm-lab runs verify RUN)"
    line = f"{verification['kind']}, steps {verification['first']:,} to {verification['last']:,}"
    if verification["kind"] == "close" and verification["largest"] is not None:
        line += f", largest difference {verification['largest']:.3g}"
    return f"{line}: {verification['why']}" if verification["why"] else line


def size(count: int) -> str:
    """Return a number of bytes as text: "12 KiB", "3.4 MiB"."""
    value, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1000:
            break
        value, unit = value / 1024, larger
    return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"


def _series(run: RunFolder) -> dict[str, Any]:
    try:
        found = run.metrics().series()
    except LabError as error:
        notify("warning", error.problem)
        return {}
    return {
        name: {"unit": info.unit, "count": info.count, "last_step": info.last_step, "last": finite(info.last)}
        for name, info in found.items()
    }


def _events(run: RunFolder) -> list[dict[str, Any]]:
    try:
        return run.events()
    except LabError as error:
        notify("warning", error.problem)
        return []


def _checkpoint(each: Checkpoint) -> dict[str, Any]:
    return {"step": each.step, "reason": each.reason, "loss": each.loss, "whole": each.complete, "bytes": each.bytes}


def _checkpoint_line(each: dict[str, Any]) -> str:
    loss = f", validation loss {each['loss']:.4f}" if each["loss"] is not None else ""
    lacking = "" if each["whole"] else ", without the state of the training"
    return f"step {each['step']:,} ({each['reason']}{loss}{lacking}), {size(each['bytes'])}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _lineage(parent: Any) -> str:
    if not parent:
        return ""
    changes = ", ".join(map(str, parent.get("changes") or ()))
    return f"{parent.get('name')} at step {parent['step']:,}" + (f", with {changes}" if changes else "")


def _pretrained(origin: Any) -> str:
    """Return the pretrained model that the weights came from."""
    if not isinstance(origin, dict):
        return ""
    return f"{origin.get('name')} ({origin.get('model_type')}), SHA-256 {str(origin.get('sha256'))[:12]}…"


def _architecture(page: dict[str, Any]) -> str:
    count = page["summary"].get("parameters")
    name = str(page["summary"].get("architecture") or page["settings"].get("architecture.name", ""))
    return f"{name}, {short(count)} parameters" if isinstance(count, int) else name


def _costs(cost: dict[str, Any], summary: dict[str, Any]) -> list[str]:
    """Return lines with the costs counted before the run and measured in it."""
    lines, flops, active = [], cost.get("flops_per_token"), cost.get("active_parameters")
    if flops and active:
        rate = summary.get("tokens_per_second")
        reached = f", {short(rate * flops)}FLOP/s reached" if rate else ""
        lines.append(f"{short(flops)}FLOP per token (6 N = {short(6 * active)}){reached}")
    for name, title in (
        ("activation_bytes", "stored per token for the backward pass"),
        ("state_bytes", "decoding state"),
    ):
        figures = [(summary.get(name), "measured"), (cost.get(name), "counted before")]
        known = [f"{size(round(value))} {how}" for value, how in figures if value is not None]
        if known:
            lines.append(f"{title}: {', '.join(known)}")
    return lines


def _corpus(facts: Any) -> str:
    if not isinstance(facts, dict):
        return ""
    sha256 = facts.get("sha256")
    return f"{facts.get('name', '')}" + (f", SHA-256 {sha256[:12]}…" if isinstance(sha256, str) else "")


def _tokenizer(page: dict[str, Any]) -> str:
    name, corpus = page["settings"].get("tokenizer.name"), page["facts"].get("corpus")
    if not isinstance(name, str) or not isinstance(corpus, dict) or "symbols" in corpus:
        return ""
    return f"{name}, {fitting_message(name, corpus.get(FITTED_TO))}"


def _loss(summary: dict[str, Any]) -> str:
    loss = _number(summary, "validation_loss")
    later = f"\n{READS_LATER}" if summary.get("reads_later_tokens") else ""
    floors = summary.get("floors") or {}
    below = below_entropy(summary.get("validation_loss"), summary.get("standard_error"), floors.get(ENTROPY_RATE))
    later += "" if below is None else f"\n{BELOW_ENTROPY.format(below)}"
    return f"{loss} (protocol {summary.get('protocol')}, {part_label(summary.get('part'))}){later}" if loss else ""


def _number(summary: dict[str, Any], name: str) -> str:
    value = summary.get(name)
    return f"{value:.4f} {summary.get('loss_unit', 'nats per token')}" if isinstance(value, int | float) else ""


def _time(summary: dict[str, Any]) -> str:
    seconds, speed = summary.get("seconds"), summary.get("tokens_per_second")
    if not isinstance(seconds, int | float):
        return ""
    return duration(seconds) + (f", {short(speed)} tokens/s" if isinstance(speed, int | float) else "")


def _event_line(event: dict[str, Any]) -> str:
    """Return an event as "2026-01-31 12:30:05  step 120  set training.clip = 0.5 (was 1.0)"."""
    fields = {name: value for name, value in event.items() if name not in ("time", "step")}
    when = event.get("time")
    stamp = f"{datetime.fromtimestamp(when, UTC):%Y-%m-%d %H:%M:%S}" if isinstance(when, int | float) else ""
    step = f"step {event['step']:,}" if isinstance(event.get("step"), int) else ""
    if fields.get("event") == "set":
        by = ", by the schedule" if fields.get("scheduled") else ""
        text = f"set {fields.get('path')} = {fields.get('value')} (was {fields.get('before')}{by})"
    else:
        text = " ".join(str(value) for value in fields.values() if isinstance(value, str | int | float))
    return "  ".join(filter(None, (stamp, step, text)))
