"""The file of the texts that were written with a run, in its folder: bounded, and put aside if it is damaged."""

from __future__ import annotations

import heapq
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

from lab.base.files.reading import parse_json, read_text
from lab.base.files.writing import write_file
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
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


def write_trees(run: Path, trees: Sequence[TextTree], shown: int = ROOT) -> None:
    """Write the trees, the one used last at the end, into the folder of a run; as much as there is room for.

    A tree that is larger than the file may be loses the alternatives of its tokens, then its oldest branches. What is
    left out is reported.

    Args:
        run: The folder.
        trees: The trees.
        shown: The number of the node on show in the last tree, whose text is retained.

    Raises:
        LabError: The file cannot be written.
    """
    room, stored, is_whole = LARGEST - 100, list[str](), True
    for tree in reversed(trees):
        retained = shown if tree is trees[-1] and shown != ROOT else max(tree.nodes)
        nodes = _fitting(tree, room, retained)
        text = _joined(tree, nodes.values())
        is_whole &= len(nodes) == len(tree.nodes) - 1
        size = _size(text) + 2
        if size > room or (not nodes and len(tree.nodes) > 1):
            is_whole = False
            continue
        room -= size
        stored.append(text)
    lines = ",\n".join(reversed(stored))
    write_file(run / FILE, f'{{"format":{FORMAT},"trees":[\n{lines}\n]}}\n')
    if not is_whole:
        what = f"the texts that were written with this run do not all fit into {LARGEST / 2**20:.3g} MiB"
        remedy = "The oldest are not stored; export those that you need, and delete others"
        notify("warning", Problem(what, field="run", value=run.name, remedy=remedy))


def read_trees(run: Path) -> list[TextTree]:
    """Return the trees in the folder of a run; [] if there are none, or the file is damaged (it is put aside).

    Raises:
        LabError: The file cannot be read, or is damaged and cannot be put aside; it must not be replaced.
    """
    file = run / FILE
    try:
        content = parse_json(read_text(file, LARGEST))
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"it has not format {FORMAT}")  # noqa: TRY301
        return [_tree(one) for one in content["trees"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unreadable(file, error, "Texts are not stored until it can be read") from error
    except (ValueError, TypeError, LookupError) as error:
        _rename_damaged(file, error)
        return []


def _unreadable(file: Path, error: Exception, remedy: str) -> LabError:
    reason = str(error) if isinstance(error, OSError | ValueError) else "its entries are not those of texts"
    what = f"the texts that were written with this run cannot be read: {reason}"
    return LabError(Problem(what, field="run", value=file.parent.name, remedy=remedy))


def _rename_damaged(file: Path, error: Exception) -> None:
    """Give a damaged file a name that no other has.

    Raises:
        LabError: It cannot be renamed.
    """
    names = (f"{file.name}.damaged{'' if count == 1 else f'-{count}'}" for count in itertools.count(1))
    damaged = next(path for path in map(file.with_name, names) if not path.exists())
    try:
        file.rename(damaged)
    except OSError as refused:
        raise _unreadable(file, error, "Move the file elsewhere; texts are not stored while it is there") from refused
    remedy = f"It was renamed to {damaged.name}; new texts are kept in a new file"
    notify("warning", _unreadable(file, error, remedy).problem)


def _fitting(tree: TextTree, room: int, retained: int) -> dict[int, str]:
    """Return the nodes as JSON, by their numbers; of a tree that is too large alone, those for which there is room.

    Args:
        tree: The tree.
        room: Most bytes of all.
        retained: The number of the node whose text stays.
    """
    nodes = _stored_nodes(tree, ALTERNATIVES)
    if _size(_joined(tree, nodes.values())) <= LARGEST - 102:
        if len(nodes) <= MOST_NODES:
            return nodes
    else:
        nodes = _stored_nodes(tree, 0)
    size = _size(_joined(tree, nodes.values())) + 2
    path = {node.number for node in tree.path(retained)}
    children = Counter(node.parent for node in tree.nodes.values())
    leaves = [number for number in nodes if not children[number] and number not in path]
    heapq.heapify(leaves)
    while leaves and (size > room or len(nodes) > MOST_NODES):
        number = heapq.heappop(leaves)
        size -= _size(nodes.pop(number)) + 1
        parent = tree.nodes[number].parent
        children[parent] -= 1
        if parent in nodes and parent not in path and not children[parent]:
            heapq.heappush(leaves, parent)
    return nodes if size <= room and len(nodes) <= MOST_NODES else {}


def _size(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _joined(tree: TextTree, nodes: Iterable[str]) -> str:
    return f'{{"prompt":{_json(tree.prompt)},"nodes":[{",".join(nodes)}]}}'


def _stored_nodes(tree: TextTree, alternatives: int) -> dict[int, str]:
    return {
        node.number: _json(
            {
                "number": node.number, "parent": node.parent, "author": node.author,
                "pieces": [_stored_piece(piece, alternatives) for piece in node.pieces],
            }
        )
        for node in tree.nodes.values() if node.number != ROOT
    }  # fmt: skip


def _stored_piece(piece: Piece, alternatives: int) -> Any:
    if is_typed(piece):
        return piece.text
    others = [[label, text, _short(share)] for label, text, share in piece.alternatives[:alternatives]]
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
