"""A figure as a Python script that holds its data and draws it with numpy and matplotlib, without the lab."""

from __future__ import annotations

import ast
import inspect
import sys
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import numpy as np

from lab.widgets.core.i18n import tr
from lab.widgets.figures.csv_table import number_texts

SCRIPT = '''"""{head}"""

from __future__ import annotations

import io
import sys
from pathlib import Path
{imports}

{source}


def numbers(words: str) -> NDArray[np.float64]:
    """The rows of a table of numbers, one a line."""
    return np.loadtxt(io.StringIO(words), ndmin=2)


FIGURE = {figure}

if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name(Path(__file__).stem + "-redrawn.png")
    FIGURE.draw().savefig(target, dpi=200)
    print(target)
'''


def script_of(figure: Any) -> str:
    """Return the script of a figure.

    Args:
        figure: A figure that draws itself, from a module that needs only numpy and matplotlib.

    Raises:
        OSError: The lab was installed without its source.
    """
    module = sys.modules[type(figure).__module__]
    sources = [_source_of(one) for one in [*_needed(module), module]]
    imports = sorted({line for lines, _ in sources for line in lines} - {"from __future__ import annotations"})
    head = tr(
        "{title}\n\n"
        "Draws this figure from the numbers at the end of this file. It needs numpy and matplotlib:\n\n"
        "    python {file} [{example}]\n\n"
        "The suffix of the picture sets its format: png, svg or pdf.\n",
        title=_commented(figure.title), file="FILE.py", example="PICTURE.png",
    )  # fmt: skip
    source = "\n\n\n".join(body for _, body in sources)
    return SCRIPT.format(head=head, imports="\n".join(imports), source=source, figure=_literal(figure, ""))


def _needed(module: ModuleType) -> list[ModuleType]:
    """Return the modules of the lab that a module imports from, in the order of their dependencies."""
    found: dict[str, ModuleType] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lab."):
            needed = sys.modules[node.module or ""]
            found |= {one.__name__: one for one in (*_needed(needed), needed)}
    return list(found.values())


def _source_of(module: ModuleType) -> tuple[list[str], str]:
    """Return the import statements of a module without those of the lab, and the source after its imports."""
    source = inspect.getsource(module)
    head = [node for node in ast.parse(source).body[1:] if isinstance(node, ast.Import | ast.ImportFrom)]
    statements = [
        node for node in head if not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lab."))
    ]
    body = source.splitlines()[head[-1].end_lineno or 0 :]
    return [ast.unparse(node) for node in statements], "\n".join(body).strip()


def _literal(value: Any, indent: str) -> str:
    """Return a value as Python source: dataclasses field by field, arrays as tables."""
    deeper = indent + "    "
    if is_dataclass(value):
        given = [(one.name, getattr(value, one.name)) for one in fields(value)]
        inside = [f"{deeper}{name}={_literal(value_part, deeper)},\n" for name, value_part in given]
        return f"{type(value).__name__}(\n{''.join(inside)}{indent})"
    if isinstance(value, np.ndarray):
        rows = value if value.ndim == 2 else value[:, None]
        table = "\n".join(map(" ".join, zip(*(number_texts(column) for column in rows.T), strict=True)))
        return f'numbers("""\n{table}\n"""){"" if value.ndim == 2 else "[:, 0]"}'
    if isinstance(value, list | tuple) and any(is_dataclass(value_part) for value_part in value):
        inside = [f"{deeper}{_literal(value_part, deeper)},\n" for value_part in value]
        return f"[\n{''.join(inside)}{indent}]"
    return ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)


def _commented(text: str) -> str:
    """Return a text that is safe in the docstring of a script."""
    return "".join(sign if sign.isprintable() and sign not in '\\"' else "'" for sign in text)
