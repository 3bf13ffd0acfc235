"""The text on show: a path in the tree of its prompt, which is branched, edited, undone and redone; without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import ROOT, TextTree, typed

MOST_STEPS = 200
"""Most steps that can be undone."""


class Document:
    """The text on show and the trees of the prompts from which one run wrote.

    Attributes:
        trees: The trees, the one used last at the end.
        tree: The tree of the text on show.
        shown: The number of the node at whose end the text ends.
        tokens: The pieces of the text, without the prompt.
        authors: The name of the run that wrote each of them; "" of the untrained model, and of what is typed.
        changed: True if the trees differ from those in the run's folder.
        is_loaded: True once the trees in the run's folder are among these.
    """

    def __init__(self, trees: Sequence[TextTree] = ()) -> None:
        self.trees = list(trees)
        self.tree = TextTree("")
        self.shown = ROOT
        self.tokens: list[Piece] = []
        self.authors: list[str] = []
        self.changed = self.is_loaded = False
        self._past: list[tuple[TextTree, int]] = []
        self._future: list[tuple[TextTree, int]] = []
        self._is_growing = False

    @property
    def prompt(self) -> str:
        """The prompt of the text."""
        return self.tree.prompt

    @property
    def text(self) -> str:
        """The text with its prompt."""
        return self.prompt + "".join(piece.text for piece in self.tokens)

    @property
    def shown_last(self) -> int:
        """The number of the node on show in the tree used last; ROOT if the text is in another one."""
        return self.shown if self.trees and self.trees[-1] is self.tree else ROOT

    def begin(self, prompt: str) -> None:
        """Show the prompt alone; a text that grows then begins with it."""
        self._leave()
        tree = next((one for one in self.trees if one.prompt == prompt), None)
        self._show(tree if tree is not None else TextTree(prompt), ROOT)

    def branch(self, index: int, piece: Piece) -> str:
        """Show the text before one of its tokens, and another token there.

        Args:
            index: The index of the token in `tokens`.
            piece: The other one.

        Returns:
            The text on show, which a model is to continue.
        """
        self._leave()
        author = self.authors[index]
        node = self.tree.cut(self.shown, index)
        same = next((one for one in self.tree.children(node) if one.pieces[0].label == piece.label), None)
        if same is None:
            self._show(self.tree, self.tree.add(node, [piece], author))
            self._is_growing = True  # the token and what its author writes after it are one node
        else:
            self._show(self.tree, self.tree.cut(same.number, index + 1))
        self.changed = True
        return self.text

    def adopt(self, other: Document) -> None:
        """Show the text of another run's document, so that this run continues it; what this one has too is shared."""
        if other is self:
            return
        path = other.tree.path(other.shown)
        self.begin(other.prompt)
        number, known = self.tree.follow(ROOT, other.tokens)
        self._show(self.tree, number)
        for node in path:
            self.grow(node.pieces[known:], node.author)
            self.end()
            known = max(known - len(node.pieces), 0)

    def go_on(self) -> str:
        """Let a text that grows continue the one on show; return that."""
        if not self._is_growing:  # a new branch grows on as one
            self._leave()
        return self.text

    def edit(self, text: str) -> str:
        """Show an edited text: the tokens before the first change stay, and the rest is what the user wrote.

        An edited prompt begins another tree.

        Returns:
            The text.
        """
        if text == self.text:
            return text
        if not text.startswith(self.prompt) or not self.prompt:
            self.begin(text)
            self._use_tree()
            self.changed = True
            return text
        self._leave()
        length, at = 0, len(self.prompt)
        while length < len(self.tokens) and text.startswith(self.tokens[length].text, at):
            at += len(self.tokens[length].text)
            length += 1
        node = self.tree.cut(self.shown, length)
        self._show(self.tree, self.tree.add(node, [typed(text[at:])]) if at < len(text) else node)
        self.changed = True
        return text

    def grow(self, pieces: Sequence[Piece], author: str) -> None:
        """Append tokens of a model to the text; those of another author are another node."""
        if not pieces:
            return
        self._use_tree()
        if not self._is_growing or self.author != author:
            self.shown = self.tree.add(self.shown, [], author)
            self._is_growing = True
        self.tree.nodes[self.shown].pieces += pieces
        self.tokens += pieces
        self.authors += [author] * len(pieces)
        self.changed = True

    def add_beams(self, beams: Sequence[Sequence[Piece]], written: int, author: str) -> None:
        """Add other hypotheses of the text that has grown to the tree.

        Args:
            beams: The tokens of each.
            written: The number of tokens that have grown, after which they begin.
            author: Who wrote them.
        """
        for beam in beams:
            self.tree.insert(self.tree.cut(self.shown, len(self.tokens) - written), beam, author)
            self.changed = True

    def end(self) -> None:
        """End a text that grows: what comes next is another node."""
        self._is_growing = False

    @property
    def author(self) -> str:
        """Who wrote the end of the text."""
        return self.tree.nodes[self.shown].author

    def delete(self, tree: TextTree, number: int) -> None:
        """Delete a node of a tree with all that continues it, or a tree by the node of its prompt.

        A text on show that is gone gives way to the one before the node.
        """
        parent = tree.nodes[number].parent
        gone = tree.delete(number) | ({ROOT} if number == ROOT else set())
        if number == ROOT:
            self.trees.remove(tree)
        self.changed = True
        self._past = [one for one in self._past if one[0] is not tree or one[1] not in gone]
        self._future = [one for one in self._future if one[0] is not tree or one[1] not in gone]
        if self.tree is tree and self.shown in gone:
            self._show(tree, ROOT if parent is None else parent)

    def show_tree(self, tree: TextTree, number: int) -> None:
        """Show the text of a node of any of the trees."""
        if (tree, number) != (self.tree, self.shown):
            self._leave()
            self._show(tree, number)

    @property
    def can_undo(self) -> bool:
        """True if another text was on show before."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """True if the last change was undone."""
        return bool(self._future)

    def undo(self) -> None:
        """Show the text before again."""
        self._future.append((self.tree, self.shown))
        self._show(*self._past.pop())

    def redo(self) -> None:
        """Show the text that was undone."""
        self._past.append((self.tree, self.shown))
        self._show(*self._future.pop())

    def add_trees(self, trees: Sequence[TextTree]) -> None:
        """Add the trees that are stored with the run, before those that were made since."""
        self.trees = [*trees, *self.trees]
        self.is_loaded = True

    def _use_tree(self) -> None:
        """Put the tree of the text on show at the end of the trees, as the one used last."""
        self.trees = [*(tree for tree in self.trees if tree is not self.tree), self.tree]

    def _leave(self) -> None:
        """Note the text on show as one to which `undo` leads."""
        if self.tokens and (not self._past or self._past[-1] != (self.tree, self.shown)):
            self._past = [*self._past, (self.tree, self.shown)][-MOST_STEPS:]
        self._future = []

    def _show(self, tree: TextTree, number: int) -> None:
        self._is_growing = False
        self.tree, self.shown = tree, number
        self.tokens = tree.pieces(number)
        self.authors = [node.author for node in tree.path(number) for _ in node.pieces]
