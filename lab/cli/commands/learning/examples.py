"""`lm-lab examples`: the worked examples of the lectures, computed step by step."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.files.reading import read_json
from lab.base.files.writing import check_output, write_file
from lab.cli.options import named_by_option
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_pairs, print_table
from lab.worked import Computed, WorkedExample, examples, find_example, search
from lab.worked.expressions.values import show, show_number
from lab.worked.reading import read_value
from lab.worked.sheet import sheet, verdict_text
from lab.worked.snippet import example_as_python

if TYPE_CHECKING:
    from lab.worked.check import ExampleCheck

DOINGS = ("list", "show", "check")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab examples`."""
    parser.add_argument("doing", metavar="list|show|check", nargs="?", default="list", choices=DOINGS)
    parser.add_argument("name", metavar="NAME", nargs="*", help="examples to show or check; words to list")
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], help="show: another value of an input"
    )
    parser.add_argument("--digits", metavar="N", type=int, default=6, help="show: significant digits (6)")
    parser.add_argument("--python", action="store_true", help="show: the arithmetic as Python with numpy")
    parser.add_argument("--sheet", metavar="FILE.html", help="show: write a page to print")
    parser.add_argument("--overwrite", action="store_true", help="show: replace a page that exists")
    parser.add_argument("--against", metavar="FILE.json", help="check: compare every figure with a file of references")
    parser.add_argument(
        "--without-parts", action="store_true", help="check: do not compute with the lab's own layers, which need torch"
    )


@named_by_option({"name": "NAME", "digits": "--digits"})
def run(arguments: argparse.Namespace, progress: Progress) -> int:
    """List, show or check worked examples."""
    if arguments.doing == "list":
        return _list(" ".join(arguments.name), arguments.json)
    if arguments.doing == "check":
        return _check(arguments, progress)
    if len(arguments.name) != 1:
        raise BadInput("is missing", field="NAME", remedy="Name one example; lm-lab examples list shows them")
    return _show(find_example(arguments.name[0]), arguments)


def _list(words: str, as_json: bool) -> int:
    found = search(words)
    if as_json:
        print_json(
            {
                "examples": [
                    {"name": each.name, "title": each.title, "topic": each.topic, "lecture": each.lecture,
                     "where": each.where, "errs": each.errs}
                    for each in found
                ]
            }
        )  # fmt: skip
        return 0
    rows = [[each.name, each.lecture, "errs" if each.errs else "", each.title] for each in found]
    if rows:
        print_table(["name", "lecture", "", "title"], rows, right=[False] * 4)
    print_text(f"{len(found)} of {len(examples())} worked examples")
    return 0


def _changed(given: Sequence[str], example: WorkedExample) -> dict[str, Any]:
    changed = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not equals:
            raise BadInput("is not allowed", field="--set", value=each, allowed="NAME=VALUE, such as x=2")
        changed[name.strip()] = read_value(text, name.strip(), example.inputs.get(name.strip()))
    return changed


def _show(example: WorkedExample, arguments: argparse.Namespace) -> int:
    if not 1 <= arguments.digits <= 17:
        raise BadInput("is not allowed", field="digits", value=arguments.digits, allowed="1 ≤ x ≤ 17")
    computed = example.compute(_changed(arguments.set, example))
    if arguments.sheet is not None:
        file = Path(arguments.sheet)
        check_output(file, overwrite=arguments.overwrite, field="--sheet")
        write_file(file, sheet(computed, arguments.digits))
    if arguments.python:
        program = example_as_python(example, computed.inputs)
        if arguments.json:
            print_json({"python": program})
        else:
            print_text(program.rstrip())
        return 0
    if arguments.json:
        print_json(computed.as_dict())
        return 0
    _print_example(computed, arguments.digits)
    return 0


def _print_example(computed: Computed, digits: int) -> None:
    example = computed.example
    print_text(example.title)
    print_text(f"Lecture {example.lecture}, {example.where}")
    print_text()
    print_pairs([(name, show(value, digits)) for name, value in computed.inputs.items()])
    print_text()
    rows = [
        ["*" if step.key in example.results else "", step.label,
         show(computed.values[step.key], digits), step.formula]
        for step in example.steps
    ]  # fmt: skip
    print_table(["", "step", "value", "formula"], rows, right=[False] * 4)
    verdicts = computed.verdicts()
    if verdicts:
        print_text()
        figures = [
            [each.name, each.text, show_number(number, digits), verdict_text(agrees, each.kind)]
            for each, number, agrees in verdicts
        ]
        print_table(["lecture", "printed", "computed", ""], figures, right=[False, True, True, False])
    if example.note:
        print_text()
        print_text(example.note)


def _check(arguments: argparse.Namespace, progress: Progress) -> int:
    from lab.worked.check import check, references_in

    selected = [find_example(name) for name in arguments.name] if arguments.name else list(examples().values())
    references: dict[str, Any] = {}
    if arguments.against is not None:
        try:
            data = read_json(Path(arguments.against), largest=1e300)
        except (OSError, ValueError) as error:
            raise BadInput(f"cannot be read: {error}", field="--against", value=arguments.against) from None
        references = references_in(data, arguments.against)
    found: list[ExampleCheck] = []
    for number, example in enumerate(selected):
        progress.show(f"checking: {number / len(selected):.0%}")
        reference = references.get(example.name)
        found.append(check(example, parts=not arguments.without_parts, reference=reference))
    progress.clear()
    failed = [each for each in found if each.problems]
    if arguments.json:
        print_json({"checked": len(found), "failed": len(failed), "examples": [_as_dict(each) for each in found]})
        return 1 if failed else 0
    rows = [
        [each.name, str(each.agrees), str(each.differs), _gap(each.part_difference), _gap(each.reference_difference),
         "; ".join(each.problems)]
        for each in found
    ]  # fmt: skip
    titles = ["name", "agree", "differ", "part", "reference", "problems"]
    print_table(titles, rows, right=[False, True, True, True, True, False])
    figures = sum(each.agrees + each.differs for each in found)
    print_text(
        f"{len(found)} examples, {figures} printed figures: {sum(each.agrees for each in found)} agree, "
        f"{sum(each.wrong for each in found)} are wrong; {len(failed)} checks failed"
    )
    return 1 if failed else 0


def _gap(difference: float | None) -> str:
    return "" if difference is None else f"{difference:.0e}"


def _as_dict(found: ExampleCheck) -> dict[str, Any]:
    return {
        "name": found.name, "agrees": found.agrees, "differs": found.differs, "wrong": found.wrong,
        "part": found.part or None, "part_difference": found.part_difference,
        "reference_difference": found.reference_difference, "problems": list(found.problems),
    }  # fmt: skip
