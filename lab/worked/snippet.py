"""The arithmetic of an example, or of a program, as Python with numpy that runs by itself."""

from __future__ import annotations

import inspect
import keyword
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from lab.worked.examples import WorkedExample
from lab.worked.expressions.operations import OPERATIONS
from lab.worked.expressions.parsing import parse, parse_expression
from lab.worked.expressions.syntax import INFIX, POWER, PRODUCT, SIGN, SUM, Apply, Expression, Name, Number, index_text
from lab.worked.expressions.values import Value, typed
from lab.worked.procedures import PROCEDURES, whole

HELPERS = {
    "sigmoid": """
        def sigmoid(x):
            return 1 / (1 + np.exp(-x))
        """,
    "silu": """
        def silu(x):
            return x / (1 + np.exp(-x))
        """,
    "gelu": """
        def gelu(x):
            return x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
        """,
    "causal": """
        def causal(x):
            return np.where(np.tri(*np.shape(x), dtype=bool), x, -np.inf)
        """,
    "softmax": """
        def softmax(x):
            e = np.exp(x - np.max(x, axis=-1, keepdims=True))
            return e / e.sum(axis=-1, keepdims=True)
        """,
    "logsumexp": """
        def logsumexp(x):
            top = np.max(x)
            return top + np.log(np.sum(np.exp(x - top)))
        """,
    "order": """
        def order(x):
            return np.argsort(-np.asarray(x), kind="stable") + 1
        """,
    "pick": """
        def pick(texts, positions):
            return [texts[int(position) - 1] for position in np.atleast_1d(positions)]
        """,
    "largest": """
        def largest(*x):
            return np.max(x[0]) if len(x) == 1 else np.maximum.reduce(np.broadcast_arrays(*x))
        """,
    "smallest": """
        def smallest(*x):
            return np.min(x[0]) if len(x) == 1 else np.minimum.reduce(np.broadcast_arrays(*x))
        """,
}
"""Functions that the templates of operations call, and numpy does not have."""
BINDINGS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "@": PRODUCT}


def python_name(name: str) -> str:
    """Return a name as Python takes it: mean' becomes mean_, lambda lambda_."""
    plain = name.replace("'", "_")
    return f"{plain}_" if keyword.iskeyword(plain) or plain in HELPERS or plain in ("np", "math") else plain


def python_of(expression: Expression) -> str:
    """Write an expression as Python with numpy as np."""
    return _python(expression)[0]


def _python(expression: Expression) -> tuple[str, int]:
    match expression:
        case Number(value):
            text = (
                "np.pi"
                if value == np.pi
                else str(int(value))
                if value == int(value) and abs(value) < 1e15
                else repr(value)
            )
            text = f"{text}.0" if text.isdigit() or text[1:].isdigit() else text
            return text, SIGN if value < 0 else 9
        case Name(name):
            return python_name(name), 9
        case Apply("index", (inner,), indices):
            return f"{_bracketed(inner, 9)}[{', '.join(map(index_text, indices))}]", 9
        case Apply("negate", (inner,)):
            return f"-{_bracketed(inner, POWER)}", SIGN
        case Apply("power", (base, exponent)):
            return f"{_bracketed(base, POWER + 1)} ** {_bracketed(exponent, POWER)}", POWER
        case Apply(operation, (left, right)) if operation in INFIX:
            sign = OPERATIONS[operation].python.split()[1]
            binding = BINDINGS[sign]
            return f"{_bracketed(left, binding)} {sign} {_bracketed(right, binding + 1)}", binding
        case Apply(operation, arguments):
            template = OPERATIONS[operation].python
            written = [_python(argument) for argument in arguments]
            text = template.replace("{all}", ", ".join(plain for plain, _ in written))
            for number, (plain, own) in enumerate(written):
                is_alone = re.search(rf"(\(|, )\{{{number}\}}[),]", template)  # an argument of a call
                text = text.replace(f"{{{number}}}", plain if is_alone or own >= 9 else f"({plain})")
            is_call = template.startswith(("np.", *HELPERS)) and template.endswith(")")
            return text, 9 if is_call else SUM


def _bracketed(expression: Expression, binding: int) -> str:
    text, own = _python(expression)
    return text if own >= binding else f"({text})"


def python_value(value: Value) -> str:
    """Write a value as Python."""
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, tuple):
        return repr(list(value))
    text = re.sub(r"\b(inf|nan)\b", r"np.\1", typed(value))
    return f"np.array({text}, float)" if value.ndim else f"float({text!r})" if "np." in text else text


def example_as_python(example: WorkedExample, inputs: Mapping[str, Value] | None = None) -> str:
    """Return a Python program that computes and prints every step of an example.

    Args:
        example: The example.
        inputs: Values of the inputs; None takes those of the lecture.
    """
    given = dict(example.inputs if inputs is None else inputs)
    lines = [f"{python_name(name)} = {python_value(value)}" for name, value in given.items()]
    own = ""
    if example.procedure:
        own = inspect.getsource(PROCEDURES[example.procedure])
        if "whole(" in own:
            own = f"{inspect.getsource(whole)}\n\n{own}"
        arguments = ", ".join(f'"{name}": {python_name(name)}' for name in given)
        lines.append(f"given = {example.procedure}(**{{{arguments}}})")
    for step in example.steps:
        name = python_name(step.name)
        if step.is_given:
            lines.append(f'{name} = np.array(given["{step.key}"])  # {step.formula}')
        else:
            lines.append(f"{name} = {python_of(parse_expression(step.formula))}")
        lines.append(f'print("{step.key} =", {name})')
    body = "\n".join(lines)
    title = f"# {example.title}: lecture {example.lecture}, {example.where}"
    return _complete(title, own, body)


def program_as_python(program: str, inputs: Mapping[str, Value]) -> str:
    """Return a Python program that computes and prints the statements of a typed program.

    Raises:
        BadInput: The program cannot be parsed.
    """
    statements = parse(program)
    lines = [f"{python_name(name)} = {python_value(value)}" for name, value in inputs.items()]
    lines += [f"{python_name(each.name or 'result')} = {python_of(each.expression)}" for each in statements]
    lines.append(f"print({python_name(statements[-1].name or 'result')})")
    return _complete("# A program of the computation graph", "", "\n".join(lines))


def _complete(title: str, own: str, body: str) -> str:
    helpers = [textwrap.dedent(source).strip() for name, source in HELPERS.items() if re.search(rf"\b{name}\(", body)]
    modules = _imports("".join([*helpers, own, body]), ("itertools", "math"))
    parts = [title, "\n".join([*modules, *([""] if modules else []), "import numpy as np"])]
    typing = "from collections.abc import Callable\nfrom typing import Any" if own else ""
    if typing:
        parts[-1] = f"{typing}\n\n{parts[-1]}"
    functions: Sequence[str] = [*helpers, *([own.strip()] if own else [])]
    return (
        "\n\n".join([*parts, *("\n" + function for function in functions), ("\n" if functions else "") + body]) + "\n"
    )


def _imports(text: str, modules: Iterable[str]) -> list[str]:
    return [f"import {module}" for module in modules if f"{module}." in text]
