"""The pages for which nothing is trained, as they are added to the place Learn."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QWidget

from lab.shell.runtime.formulas import typeset_formulas
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.shell.runtime.background import Background
    from lab.shell.session.session import Session
    from lab.widgets.core.card import Card
    from lab.widgets.formulas.marks import SymbolMarks

_cards = itertools.count(1)  # each typesets its formulas on its own


class PagesOfLearn(Protocol):
    """A place to which pages are added.

    Attributes:
        make_explorable: Makes the explorables that its texts name.
    """

    make_explorable: Callable[[str, SymbolMarks], QWidget | None] | None

    def add_page(self, key: str, title: str, make: Callable[[], QWidget]) -> None:
        """Add a page, which is made when it is first opened."""

    def open_page(self, key: str) -> QWidget:
        """Open a page, and return it."""


def add_example_pages(place: PagesOfLearn, session: Session) -> None:
    """Add the pages to the place Learn, and let the examples open their graphs.

    Args:
        place: The place.
        session: What the window works on.
    """
    from lab.shell.examples.graph.page import GraphPage

    def show_graph(program: str, inputs: object) -> None:
        page = place.open_page("graph")
        assert isinstance(page, GraphPage)
        page.show_program(program, inputs)

    def make_examples() -> QWidget:
        from lab.shell.examples.page import WorkedExamplesPage

        page = WorkedExamplesPage(session.background)
        page.graph_requested.connect(show_graph)
        return page

    place.make_explorable = partial(make_explorable, session.background)

    def make_explorables() -> QWidget:
        from lab.shell.examples.explorables.page import ExplorablesPage

        return ExplorablesPage(partial(make_explorable, session.background))

    place.add_page("examples", tr("Worked examples"), make_examples)

    def make_graph() -> QWidget:
        return GraphPage(session.registry, session.plugins, session.background)

    place.add_page("graph", tr("Computation graph"), make_graph)
    place.add_page("explorables", tr("Explorables"), make_explorables)


def make_explorable(background: Background, key: str, marks: SymbolMarks | None = None) -> Card | None:
    """Make the card of an explorable, for its page or for a text.

    Args:
        background: Typesets its formulas.
        key: Its key.
        marks: The symbol that is pointed at on the page of the text; None if the page has none.

    Returns:
        The card; None if there is no such explorable.
    """
    from lab.shell.examples.explorables.page import MAKERS

    typeset = partial(typeset_formulas, background, replaces=f"explorable {next(_cards)}")
    return MAKERS[key](typeset, marks) if key in MAKERS else None
