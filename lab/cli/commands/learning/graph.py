"""`lm-lab graph`: the computation graph of an expression or a training step, with derivatives and operation counts."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from lab.base import BadInput
from lab.cli.options import named_by_option
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_pairs, print_table
from lab.host import Plugins
from lab.worked import FORMATS, OPERATIONS, Graph, count, descended, forward, in_formats, reverse
from lab.worked.derivatives import adjoint_name, tangent_name
from lab.worked.expressions.parsing import HIDDEN
from lab.worked.expressions.values import Value, plain, show
from lab.worked.formats import LOG_SUM_EXP, SHIFTED
from lab.worked.reading import read_entry, read_value
from lab.worked.snippet import program_as_python

EXAMPLE = "(x + y)·x"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab graph`."""
    parser.add_argument(
        "expression", metavar="EXPR", nargs="?",
        help=f'an expression such as "{EXAMPLE}"; statements "h = tanh(W @ x); sum(h)" with semicolons',
    )  # fmt: skip
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[],
        help="value of an input: x=2, z=[1, 2], W=[[1, 2], [3, 4]]; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--run", metavar="RUN", help="the next training step of a small network of a run, or of RUN@STEP, a checkpoint"
    )
    parser.add_argument(
        "--examples", metavar="N", type=int, help="with --run: so many examples of the batch of that step (4)"
    )
    parser.add_argument(
        "--forward", metavar="NAME", help="tangents in the direction of one number, such as x or W[0,1], not adjoints"
    )
    parser.add_argument(
        "--descend", metavar="NAMES", help="also the inputs W1,b1 after a step of gradient descent on the result"
    )
    parser.add_argument("--rate", metavar="R", type=float, default=0.1, help="the learning rate of that step (0.1)")
    parser.add_argument("--values", action="store_true", help="values alone, without derivatives")
    parser.add_argument("--formats", action="store_true", help="the result in float16, bfloat16, float32 and float64")
    parser.add_argument(
        "--log-sum-exp", metavar="NUMBERS",
        help="log(sum(exp(z))) of numbers such as 1000,999 in the four formats, and less the largest number",
    )  # fmt: skip
    parser.add_argument("--python", action="store_true", help="the expression as Python with numpy")
    parser.add_argument("--functions", action="store_true", help="list what an expression may call")


@named_by_option({"expression": "EXPR", "forward": "--forward", "descend": "--descend"})
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Print the graph of an expression, or of a training step.

    Raises:
        BadInput: An option cannot be used, or there is no such run.
        LabError: The run is damaged, or a plugin's code raised.
    """
    if arguments.functions:
        return _print_functions(arguments.json)
    if arguments.log_sum_exp is not None:
        return _print_log_sum_exp(arguments.log_sum_exp, arguments.json)
    if arguments.run is not None:
        _take_step(arguments, plugins, progress)
    elif arguments.examples is not None:
        raise BadInput("goes with --run", field="--examples", remedy="Name a run: --run RUN")
    if arguments.expression is None:
        raise BadInput("is missing", field="EXPR", remedy=f'Give an expression: lm-lab graph "{EXAMPLE}" --set x=2')
    inputs = arguments.set if isinstance(arguments.set, dict) else _inputs(arguments.set)
    if arguments.python:
        program = program_as_python(arguments.expression, inputs)
        if arguments.json:
            print_json({"python": program})
        else:
            print_text(program.rstrip())
        return 0
    if arguments.formats:
        return _print_formats({arguments.expression: "result"}, inputs, arguments.json)
    graph = Graph(arguments.expression, inputs)
    unused = sorted(set(inputs) - {node.name for node in graph.inputs})
    if unused:
        raise BadInput("is not in the expression", field="--set", value=", ".join(unused))
    if arguments.values:
        return _print_values(graph, arguments.json)
    if arguments.forward is not None:
        return _print_forward(graph, arguments.forward, arguments.json)
    names = [name.strip() for name in arguments.descend.split(",")] if arguments.descend is not None else []
    return _print_reverse(graph, names, arguments.rate, arguments.json)


def _take_step(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> None:
    """Make the training step of a run the expression, and its batch and weights the inputs."""
    from lab.cli.commands.measuring.gauges import checkpoint_named
    from lab.workbench.analysis.measurements import Measurer

    if arguments.expression is not None or arguments.set:
        raise BadInput(
            "is an expression of its own", field="--run", value=arguments.run, remedy="Leave out EXPR and --set"
        )
    folder, step = checkpoint_named(arguments.run, "--run")
    measurer = Measurer(folder, step, plugins.load(), lambda share, doing: progress.show(f"{doing} … {share:.0%}"))
    found = measurer.step_graph(arguments.examples)
    progress.clear()
    arguments.expression, arguments.set = found.program, dict(found.inputs)
    if arguments.descend is None and found.rate is not None:
        arguments.descend, arguments.rate = ",".join(found.weights), found.rate
    if not arguments.json:
        print_text(f"step {found.step:,}, {found.examples} of the {found.batch} examples of its batch")


def _inputs(given: list[str]) -> dict[str, Value]:
    inputs: dict[str, Value] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not equals or not name.strip():
            raise BadInput("is not allowed", field="--set", value=each, allowed="NAME=VALUE, such as x=2")
        inputs[name.strip()] = read_value(text, name.strip())
    return inputs


def _node_rows(graph: Graph) -> list[list[str]]:
    return [
        [node.name, "" if node.kind != "operation" else node.formula, show(node.value)]
        for node in graph.nodes
        if node.kind != "constant"
    ]


def _nodes(graph: Graph) -> list[dict[str, Any]]:
    return [
        {"name": node.name, "kind": node.kind, "formula": node.formula if node.kind == "operation" else None,
         "operation": None if node.operation is None else node.operation.name,
         "arguments": [graph.nodes[parent].name for parent in node.parents], "value": plain(node.value)}
        for node in graph.nodes
    ]  # fmt: skip


def _print_values(graph: Graph, as_json: bool) -> int:
    if as_json:
        print_json({"result": plain(graph.result.value), "nodes": _nodes(graph)})
    else:
        print_table(["node", "formula", "value"], _node_rows(graph), right=[False] * 3)
    return 0


def _counts(graph: Graph) -> dict[str, int]:
    counts = count(graph)
    return {"value": counts.value, "reverse": counts.reverse, "forward": counts.forward, "passes": counts.passes}


def _print_reverse(graph: Graph, names: list[str], rate: float, as_json: bool) -> int:
    adjoints = reverse(graph)
    after = descended(graph, names, rate)
    gradient = {node.name: adjoints.totals.get(node.number) for node in graph.inputs}
    if as_json:
        print_json(
            {
                "result": plain(graph.result.value),
                "nodes": _nodes(graph),
                "adjoints": [
                    {"node": graph.nodes[each.node].name, "argument": graph.nodes[each.argument].name,
                     "formula": each.formula, "value": plain(each.value), "total": plain(each.total)}
                    for each in adjoints.contributions
                ],
                "gradient": {name: None if value is None else plain(value) for name, value in gradient.items()},
                "operations": _counts(graph),
                **({"after_step": {name: plain(value) for name, value in after.items()}} if names else {}),
            }
        )  # fmt: skip
        return 0
    print_table(["node", "formula", "value"], _node_rows(graph), right=[False] * 3)
    print_text()
    rows = [[adjoint_name(graph.result.name), "1" if graph.result.array.ndim == 0 else "ones", show(adjoints.seed), ""]]
    rows += [
        [f"{adjoint_name(graph.nodes[each.argument].name)} +=", each.formula, show(each.value), show(each.total)]
        for each in adjoints.contributions
    ]
    print_table(["adjoint", "formula", "value", "so far"], rows, right=[False] * 4)
    print_text()
    _print_counts(graph)
    if names:
        print_text()
        steps = [[name, f"{name} − {rate:g}·{adjoint_name(name)}", show(value)] for name, value in after.items()]
        print_table(["after a step", "formula", "value"], steps, right=[False] * 3)
    return 0


def _print_forward(graph: Graph, direction: str, as_json: bool) -> int:
    name, entry = read_entry(direction, "forward")
    tangents = forward(graph, name, entry)
    result = next((each.value for each in tangents if each.node == graph.output), None)
    if as_json:
        print_json(
            {
                "result": plain(graph.result.value),
                "direction": direction,
                "tangents": [
                    {"node": graph.nodes[each.node].name, "formula": each.formula, "value": plain(each.value)}
                    for each in tangents
                ],
                "derivative": 0.0 if result is None else plain(result),
                "operations": _counts(graph),
            }
        )
        return 0
    rows = [
        [graph.nodes[each.node].name, show(graph.nodes[each.node].value), tangent_name(graph.nodes[each.node].name),
         each.formula, show(each.value)]
        for each in tangents
    ]  # fmt: skip
    print_table(["node", "value", "tangent", "formula", "value"], rows, right=[False] * 5)
    print_text()
    _print_counts(graph)
    return 0


def _print_counts(graph: Graph) -> None:
    counts = count(graph)
    print_pairs(
        [
            ("operations", f"{counts.value:,} for the value"),
            (
                "reverse mode",
                f"{counts.reverse:,} with the derivatives for all {counts.passes:,} numbers of the inputs",
            ),
            ("forward mode", f"{counts.forward:,} in {counts.passes:,} passes, one for each number"),
        ]
    )


def _print_formats(programs: Mapping[str, str], inputs: Mapping[str, Value], as_json: bool) -> int:
    found = {program: in_formats(program, inputs) for program in programs}
    if as_json:
        results = {
            title: {name: plain(value) for name, value in found[program].items()} for program, title in programs.items()
        }
        print_json({**results, "exp_overflows_above": {each.name: each.exp_limit for each in FORMATS}})
        return 0
    rows = [
        [each.name, *(show(found[program][each.name], 8) for program in programs), f"{each.exp_limit:.4g}"]
        for each in FORMATS
    ]
    print_table(
        ["format", *programs.values(), "exp(x) overflows above"], rows, right=[False] * (1 + len(programs)) + [True]
    )
    return 0


def _print_log_sum_exp(numbers: str, as_json: bool) -> int:
    z = read_value(numbers if numbers.strip().startswith("[") else f"[{numbers}]", "--log-sum-exp")
    return _print_formats({LOG_SUM_EXP: "as defined", SHIFTED: "less the largest"}, {"z": z}, as_json)


def _print_functions(as_json: bool) -> int:
    found = {name: each for name, each in OPERATIONS.items() if name not in HIDDEN}
    if as_json:
        print_json({name: {"summary": each.summary, "derivative": each.differentiable} for name, each in found.items()})
        return 0
    rows = [[name, each.summary, "yes" if each.differentiable else "no"] for name, each in found.items()]
    print_table(["function", "what it is", "derivative"], rows, right=[False] * 3)
    print_text("Signs: + - * / ^ @ (product of matrices), xᵀ or x.T, x[0], x[1:3], [1, 2], [[1, 2], [3, 4]], π.")
    return 0
