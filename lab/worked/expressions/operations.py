"""The table of all operations that an expression can call."""

from __future__ import annotations

from lab.worked.expressions.arrays import ARRAY_OPERATIONS
from lab.worked.expressions.elementwise import ELEMENTWISE
from lab.worked.expressions.operation import Operation
from lab.worked.expressions.selections import SELECTIONS

OPERATIONS: dict[str, Operation] = {one.name: one for one in (*ELEMENTWISE, *ARRAY_OPERATIONS, *SELECTIONS)}
"""All operations by name."""
