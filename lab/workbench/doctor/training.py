"""The checks of torch, of the devices and of a short training, from what a process of its own answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lab.base.system import profile
from lab.base.units import short
from lab.workbench.doctor.child import Answer
from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.subject import Subject

WITHOUT = ("DEFAULT", "NO AVX")
"""What torch calls a processor without vector instructions that it knows."""
REINSTALL = "Install torch again: pip install --force-reinstall torch"
REPORT = "Install the lab again; if that does not help, send a report"
OLD = "The processor may be too old for this torch. " + REINSTALL
INCOMPLETE = (
    "ImportError", "ModuleNotFoundError", "OSError", "FileNotFoundError", "NotADirectoryError", "PermissionError",
    "SyntaxError", "IndentationError", "EOFError",
)  # fmt: skip
"""The errors of Python that come of missing or damaged files of a package; others are errors of a program."""
LEARNED = 0.3
"""Nats per token by which the loss must have fallen below that of a model that knows nothing."""
SLOW = 20
"""Steps of the training below which the machine is slow."""


def torch(subject: Subject) -> Iterator[Finding]:
    """Report torch's version, its threads and its vector instructions, or how its import ended."""
    answer = subject.computing
    if "torch" not in answer.parts:
        yield _broken("torch cannot be loaded", answer, OLD if "SIGILL" in answer.ended else REINSTALL)
        return
    threads, cores = int(answer.parts["threads"]), profile.usable_cores()
    instructions = answer.parts["instructions"]
    yield Finding(f"torch {answer.parts['torch']}, {instructions}, threads: {threads}")
    if instructions in WITHOUT:
        remedy = "Nothing is broken; small models train all the same"
        yield Finding("torch uses no vector instructions of this processor, so it is slow", Level.NOTE, remedy=remedy)
    if threads > cores:
        remedy = "Unset the variable OMP_NUM_THREADS, or set it to the number of cores"
        yield Finding(
            f"torch has more threads than cores ({threads} for {cores}), which slows it down",
            Level.WRONG,
            remedy=remedy,
        )
    elif threads < cores:
        remedy = "Unset the variable OMP_NUM_THREADS if trainings shall use all cores"
        yield Finding(f"torch has fewer threads than cores ({threads} for {cores})", Level.NOTE, remedy=remedy)


def devices(subject: Subject) -> Iterator[Finding]:
    """Report each device, and those that fail."""
    answer = subject.computing
    if "torch" not in answer.parts:
        return
    found: dict[str, dict[str, Any]] | None = answer.parts.get("devices")
    if found is None:
        yield _broken("the devices could not be tried", answer, "Install the driver of the graphics card again")
        return
    for name, facts in found.items():
        if "failure" in facts:
            yield Finding(
                f"{name} does not compute: {facts['failure']}",
                Level.WRONG,
                remedy="Install its driver, and a torch for it; until then choose the device cpu",
                detail=str(facts.get("message", "")),
            )
        elif "title" in facts:
            yield Finding(f"{name} computes: {facts['title']}, {short(facts['bytes'])}B")
        else:
            yield Finding(f"{name} computes")
    if len(found) == 1:
        if answer.parts.get("cuda"):
            remedy = "If the machine has a card by NVIDIA, install its driver"
            yield Finding("torch is made for CUDA, and finds no card", Level.NOTE, remedy=remedy)
        else:
            yield Finding("there is no graphics card that torch can use; small models need none")


def training(subject: Subject) -> Iterator[Finding]:
    """Report how many steps a small model made in two seconds, and whether it learned."""
    answer = subject.computing
    if "torch" not in answer.parts:
        return
    facts: dict[str, Any] | None = answer.parts.get("training")
    if facts is None:
        yield _broken("a short training could not be made", answer, REINSTALL)
        return
    if facts.get("failure"):
        yield Finding("a short training failed", Level.WRONG, remedy=REPORT, detail=str(facts["failure"]))
        return
    steps, seconds, last, start = facts["steps"], facts["seconds"], facts["last"], facts["start"]
    speed = short(facts["tokens"] / max(seconds, 1e-9))
    if not steps or last is None or start is None or not last < start - LEARNED:
        yield Finding(
            f"a small model did not learn in {steps} steps",
            Level.WRONG if steps >= SLOW else Level.NOTE,
            remedy="Close other programs and check again; if that does not help, send a report",
        )
    else:
        yield Finding(
            f"a small model learned in {steps} steps: its loss fell from {start:.2f} to {last:.2f} nats per token"
        )
    yield Finding(f"{speed} tokens per second in training")


def _broken(what: str, answer: Answer, remedy: str) -> Finding:
    """Return the finding about a part without an answer; the remedy holds unless a program has an error."""
    if answer.ended == "cancelled":
        return Finding("it was cancelled", Level.NOTE)
    ended = answer.ended or "no answer"
    is_own_error = "Error: " in answer.errors and not any(name in answer.errors for name in INCOMPLETE)
    made = Finding(f"{what} (its process: {ended})", Level.WRONG, remedy=remedy, detail=answer.errors)
    return replace(made, remedy=REPORT) if is_own_error else made
