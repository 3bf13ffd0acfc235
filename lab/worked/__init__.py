"""Worked examples of the lectures, and computation graphs of typed expressions with their derivatives."""

from lab.worked.derivatives import count, descended, forward, gradient, reverse
from lab.worked.examples import Computed, WorkedExample, examples, find_example, search
from lab.worked.expressions.operations import OPERATIONS
from lab.worked.expressions.parsing import parse, parse_expression
from lab.worked.formats import FORMATS, in_formats
from lab.worked.graph import Graph, Node

__all__ = [
    "FORMATS",
    "OPERATIONS",
    "Computed",
    "Graph",
    "Node",
    "WorkedExample",
    "count",
    "descended",
    "examples",
    "find_example",
    "forward",
    "gradient",
    "in_formats",
    "parse",
    "parse_expression",
    "reverse",
    "search",
]
