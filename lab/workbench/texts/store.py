"""The file of the texts that were written with a run, in its folder: bounded, and put aside if it is damaged."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from lab.base.files.reading import parse_json, read_text
from lab.base.files.writing import write_file
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.decoding.stops import End, Reason
from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import ROOT, Node, TextTree, is_typed, typed

FILE = "texts.json"
FORMAT = 1
LARGEST = 4 * 2**20
"""Most bytes of the file; texts of the prompts that were not used for the longest time are left out."""
MOST_NODES = 10_000
"""Most nodes of one tree."""
ALTERNATIVES = 5
"""Alternatives of each token that are stored."""


def write_trees(run: Path, trees: Sequence[TextTree]) -> None:
    """Write the trees, the one used last at the end, into the folder of a run; as many as there is room for.

    Raises:
        LabError: The file cannot be written.
    """
    room, stored = LARGEST - 100, []
    for tree in reversed(trees):
        text = json.dumps(_stored(tree), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        room -= len(text.encode(errors="surrogatepass")) + 2
        if room < 0:
            break
        stored.append(text)
    lines = ",\n".join(reversed(stored))
    write_file(run / FILE, f'{{"format":{FORMAT},"trees":[\n{lines}\n]}}\n')


def read_trees(run: Path) -> list[TextTree]:
    """Return the trees in the folder of a run; [] if there are none, or the file is damaged (it is put aside)."""
    file = run / FILE
    try:
        content = parse_json(read_text(file, LARGEST))
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"it has not format {FORMAT}")  # noqa: TRY301
        return [_tree(one) for one in content["trees"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError, LookupError) as error:
        _rename_damaged(file, error)
        return []


def _rename_damaged(file: Path, error: Exception) -> None:
    damaged = file.with_name(f"{file.name}.damaged")
    try:
        file.replace(damaged)
        remedy = f"It was renamed to {damaged.name}; new texts are kept in a new file"
    except OSError:
        remedy = "New texts are kept where it can be replaced"
    reason = str(error) if isinstance(error, OSError | ValueError) else "its entries are not those of texts"
    what = f"the texts that were written with this run cannot be read: {reason}"
    notify("warning", Problem(what, field="run", value=file.parent.name, remedy=remedy))


def _stored(tree: TextTree) -> dict[str, Any]:
    return {
        "prompt": tree.prompt,
        "nodes": [
            {
                "number": node.number, "parent": node.parent, "author": node.author,
                "pieces": [_stored_piece(piece) for piece in node.pieces],
            }
            for node in tree.nodes.values() if node.number != ROOT
        ],
    }  # fmt: skip


def _stored_piece(piece: Piece) -> Any:
    if is_typed(piece):
        return piece.text
    others = [[label, text, _short(share)] for label, text, share in piece.alternatives[:ALTERNATIVES]]
    stored = [piece.text, piece.label, _short(piece.probability), _short(piece.entropy), piece.rank, piece.step, others]
    drawn = piece.drawn if piece.drawn is not None and piece.drawn < len(others) else None
    end = None if piece.end is None else [piece.end.reason, piece.end.what]
    return [*stored, drawn, piece.reread, end]


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _tree(stored: Any) -> TextTree:
    """Return a tree, every part of which has its type.

    Raises:
        ValueError: A part is something else, or the parents are no tree.
        LookupError: A part is missing.
    """
    tree = TextTree(_checked(stored["prompt"], str))
    nodes = _checked(stored["nodes"], list)
    if len(nodes) > MOST_NODES:
        raise ValueError(f"a tree has more than {MOST_NODES:,} nodes")
    for one in nodes:
        number, parent = _checked(one["number"], int), _checked(one["parent"], int)
        if number <= ROOT or number in tree.nodes:
            raise ValueError("two nodes have one number")
        pieces = [_piece(piece) for piece in _checked(one["pieces"], list)]
        if not pieces:
            raise ValueError("a node has no token")
        tree.nodes[number] = Node(number, parent, pieces, _checked(one["author"], str))
    reached = {ROOT, *(node.number for node, _ in tree.rows())}
    if reached != set(tree.nodes):
        raise ValueError("a node continues none that there is")
    return tree


def _piece(stored: Any) -> Piece:
    if isinstance(stored, str):
        return typed(stored)
    text, label, share, entropy, rank, step, others, drawn, reread, end = _checked(stored, list)
    probability, bits = _checked(share, float, int), _checked(entropy, float, int)
    if not 0 <= probability <= 1 or not 0 <= bits <= math.inf:
        raise ValueError("a probability is not between 0 and 1")
    alternatives = tuple(
        (_checked(name, str), _checked(its, str), float(_checked(one, float, int))) for name, its, one in others
    )
    if drawn is not None and not 0 <= _checked(drawn, int) < len(alternatives):
        raise ValueError("a token is none of its alternatives")
    return Piece(
        _checked(text, str), _checked(label, str), float(probability), alternatives, _checked(reread, bool),
        _checked(step, int), drawn, None if end is None else _end(*end), float(bits), _checked(rank, int),
    )  # fmt: skip


def _end(reason: Any, what: Any) -> End:
    if reason not in get_args(Reason):
        raise ValueError(f"{reason!r} is no end of a text")
    return End(reason, _checked(what, str))


def _checked(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise ValueError(f"{str(value)[:40]!r} is not a {kinds[0].__name__}")
    return value
