"""The tree of the texts that were written from one prompt; without Qt."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lab.workbench.access.generation import Piece

ROOT = 0
"""The number of the node of the prompt."""


def typed(text: str) -> Piece:
    """Return what the user wrote into a text, as a piece without a probability."""
    return Piece(text, text, math.nan, (), False, 0)


def is_typed(piece: Piece) -> bool:
    """Return True if the user wrote a piece, and no model."""
    return math.isnan(piece.probability)


def log_probability(pieces: Sequence[Piece]) -> float:
    """Return the sum of ln p of the tokens of a model, in nats; what the user wrote adds nothing."""
    return math.fsum(math.log(max(piece.probability, 1e-300)) for piece in pieces if not is_typed(piece))


@dataclass(eq=False)
class Node:
    """A part of a text that has no branches inside.

    Args:
        number: Its number in its tree.
        parent: The number of the node that it continues; None for the prompt.
        pieces: Its tokens; a piece that the user wrote stands alone.
        author: The name of the run that wrote it, and its step; "" for what is written by hand.
    """

    number: int
    parent: int | None
    pieces: list[Piece] = field(default_factory=list)
    author: str = ""

    @property
    def text(self) -> str:
        """What it adds to the text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def tokens(self) -> int:
        """The number of its tokens that a model wrote."""
        return sum(not is_typed(piece) for piece in self.pieces)


class TextTree:
    """The texts that begin with a prompt; two texts share the nodes up to where they differ.

    The number of a node stands for the text up to its end, also after a branch inside was made.

    Args:
        prompt: The prompt.

    Attributes:
        prompt: The prompt.
        nodes: All nodes by their numbers; ROOT is that of the prompt.
    """

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self.nodes = {ROOT: Node(ROOT, None)}

    @property
    def tokens(self) -> int:
        """The number of all pieces."""
        return sum(len(node.pieces) for node in self.nodes.values())

    def add(self, parent: int, pieces: Sequence[Piece] = (), author: str = "") -> int:
        """Continue the text of a node by another one, and return its number."""
        number = max(self.nodes) + 1
        self.nodes[number] = Node(number, self.nodes[parent].number, list(pieces), author)
        return number

    def path(self, number: int) -> list[Node]:
        """Return the nodes from the prompt to a node."""
        found = []
        at: int | None = number
        while at is not None:
            found.append(self.nodes[at])
            at = self.nodes[at].parent
        return found[::-1]

    def pieces(self, number: int) -> list[Piece]:
        """Return the pieces of the text up to the end of a node, without the prompt."""
        return [piece for node in self.path(number) for piece in node.pieces]

    def text(self, number: int) -> str:
        """Return the text up to the end of a node, with the prompt."""
        return self.prompt + "".join(piece.text for piece in self.pieces(number))

    def children(self, number: int) -> list[Node]:
        """Return the nodes that continue the text of a node, the oldest first."""
        return [node for node in self.nodes.values() if node.parent == number]

    def cut(self, number: int, length: int) -> int:
        """Return the number of the node whose text has the first pieces of another one.

        A node is split if the text ends inside; its number goes on with what comes after.

        Args:
            number: The node whose text is cut.
            length: The number of pieces, after the prompt.
        """
        before = 0
        for node in self.path(number):
            if before + len(node.pieces) == length:
                return node.number
            if before + len(node.pieces) > length:
                at = length - before
                head = Node(max(self.nodes) + 1, node.parent, node.pieces[:at], node.author)
                node.parent, node.pieces = head.number, node.pieces[at:]
                listed = list(self.nodes.values())
                listed.insert(listed.index(node), head)  # among its siblings it stays where it was
                self.nodes = {one.number: one for one in listed}
                return head.number
            before += len(node.pieces)
        return number

    def insert(self, number: int, pieces: Sequence[Piece], author: str) -> None:
        """Continue the text of a node by tokens, along the nodes that begin with the same ones."""
        at, length = self.follow(number, pieces)
        if length < len(pieces):
            self.add(at, pieces[length:], author)

    def follow(self, number: int, pieces: Sequence[Piece]) -> tuple[int, int]:
        """Follow tokens from the end of a node, as far as its continuations have the same ones; split where they end.

        Returns:
            The number of the node at whose end they differ, and the number of tokens up to there.
        """
        at, rest = number, list(pieces)
        while rest:
            child = next((one for one in self.children(at) if one.pieces[0].label == rest[0].label), None)
            if child is None:
                break
            pairs = zip(child.pieces, rest, strict=False)
            same = next((place for place, (a, b) in enumerate(pairs) if a.label != b.label), None)
            common = min(len(child.pieces), len(rest)) if same is None else same
            at = self.cut(child.number, len(self.pieces(child.number)) - len(child.pieces) + common)
            rest = rest[common:]
        return at, len(pieces) - len(rest)

    def delete(self, number: int) -> set[int]:
        """Delete a node and all that continues it; the prompt stays.

        Returns:
            The numbers of the deleted nodes.
        """
        gone: set[int] = set()
        waiting = [node.number for node in self.children(ROOT)] if number == ROOT else [number]
        while waiting:
            one = waiting.pop()
            gone.add(one)
            waiting += [node.number for node in self.children(one)]
        for one in gone:
            del self.nodes[one]
        return gone

    def rows(self) -> Iterator[tuple[Node, int]]:
        """Yield (node, depth) of all nodes but the prompt's, each before what continues it, the oldest first."""
        children: dict[int | None, list[Node]] = {}
        for node in self.nodes.values():
            children.setdefault(node.parent, []).append(node)
        waiting = [(node, 0) for node in reversed(children.get(ROOT, []))]
        while waiting:
            node, depth = waiting.pop()
            yield node, depth
            waiting += [(child, depth + 1) for child in reversed(children.get(node.number, []))]


def copy_of(tree: TextTree) -> TextTree:
    """Return a copy that a thread can read while the tree grows."""
    copied = TextTree(tree.prompt)
    copied.nodes = {
        number: Node(number, node.parent, list(node.pieces), node.author) for number, node in tree.nodes.items()
    }
    return copied
