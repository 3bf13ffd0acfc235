"""Checks of worked examples: against what lectures print, other computations of the same, and the lab's parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lab.base import BadInput
from lab.worked.examples import Computed, WorkedExample, largest_difference
from lab.worked.expressions.values import plain
from lab.worked.parts.table import PARTS, compare_with_part

TOLERANCE = 1e-9
"""Largest relative difference that counts as the same figure."""


@dataclass(frozen=True)
class ExampleCheck:
    """What was found about one example.

    Args:
        name: The name of the example.
        agrees: Printed figures to which ours round.
        differs: Printed figures to which they do not.
        wrong: Of these the wrong ones.
        part: The part of the lab that computes the example too; "" for none.
        part_difference: The largest relative difference to that part's figures; None if there is none.
        reference_difference: The largest relative difference to the reference; None without one.
        problems: What is not as it should be.
    """

    name: str
    agrees: int
    differs: int
    wrong: int
    part: str = ""
    part_difference: float | None = None
    reference_difference: float | None = None
    problems: tuple[str, ...] = ()


def check(example: WorkedExample, *, parts: bool = True, reference: Mapping[str, Any] | None = None) -> ExampleCheck:
    """Compute an example and check it.

    Args:
        example: The example.
        parts: Whether the lab's own part is compared, which imports torch.
        reference: Its entry in a file of references: `steps`, a list of names and values, and `result`, by name.
    """
    computed = example.compute()
    problems = []
    verdicts = computed.verdicts()
    if len(verdicts) < len(example.printed):
        problems.append("a printed figure belongs to no step")
    for printed, number, agrees in verdicts:
        if agrees == bool(printed.kind):
            problems.append(f"{printed.name}: printed {printed.text}, computed {number!r}")
    part_difference = None
    if parts and example.part:
        part_difference = compare_with_part(computed).difference
        if part_difference > PARTS[example.part].tolerance:
            problems.append(f"the part of the lab differs by {part_difference:.1e}")
    reference_difference = None
    if reference is not None:
        reference_difference, worst = _difference(computed, reference)
        if reference_difference > TOLERANCE:
            problems.append(f"{worst} differs from the reference by {reference_difference:.1e}")
    wrong = sum(printed.kind == "wrong" for printed, *_ in verdicts)
    agreeing = sum(agrees for *_, agrees in verdicts)
    return ExampleCheck(
        example.name, agreeing, len(verdicts) - agreeing, wrong, example.part, part_difference, reference_difference,
        tuple(problems),
    )  # fmt: skip


def _difference(computed: Computed, reference: Mapping[str, Any]) -> tuple[float, str]:
    """Return the largest difference to a reference, and the name of the step where it is."""
    wanted = {**{each["name"]: each["value"] for each in reference["steps"]}, **reference["result"]}
    worst, where = 0.0, ""
    for name, value in wanted.items():
        ours = computed.find(name)
        if ours is None:
            if isinstance(value, str):  # a formula in words, which ours is
                continue
            return float("inf"), name
        difference = largest_difference([plain(ours)], [value])
        if difference > worst:
            worst, where = difference, name
    return worst, where


def references_in(data: object, source: str) -> dict[str, Mapping[str, Any]]:
    """Return the entries of a file of references by name.

    Raises:
        BadInput: It is not such a file.
    """
    examples = data.get("examples") if isinstance(data, dict) else None
    if not isinstance(examples, list) or not all(
        isinstance(each, dict) and {"id", "steps", "result"} <= set(each) for each in examples
    ):
        raise BadInput(
            "holds no references", field="--against", value=source,
            allowed="JSON with a list `examples`, each with id, steps and result",
        )  # fmt: skip
    return {str(each["id"]): each for each in examples}
