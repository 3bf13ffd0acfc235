"""The pages for which nothing is trained, as they are added to the place Learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QWidget

from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.shell.runtime.background import Background


class PagesOfLearn(Protocol):
    """A place to which pages are added."""

    def add_page(self, key: str, title: str, make: Callable[[], QWidget]) -> None:
        """Add a page, which is made when it is first opened."""

    def open_page(self, key: str) -> QWidget:
        """Open a page, and return it."""


def add_example_pages(place: PagesOfLearn, background: Background) -> None:
    """Add the pages to the place Learn, and let the examples open their graphs.

    Args:
        place: The place.
        background: Runs work in threads.
    """
    from lab.shell.examples.graph.page import GraphPage

    def show_graph(program: str, inputs: object) -> None:
        page = place.open_page("graph")
        assert isinstance(page, GraphPage)
        page.show_program(program, inputs)

    def make_examples() -> QWidget:
        from lab.shell.examples.page import WorkedExamplesPage

        page = WorkedExamplesPage(background)
        page.graph_requested.connect(show_graph)
        return page

    def make_explorables() -> QWidget:
        from lab.shell.examples.explorables.page import ExplorablesPage

        return ExplorablesPage()

    place.add_page("examples", tr("Worked examples"), make_examples)
    place.add_page("graph", tr("Computation graph"), GraphPage)
    place.add_page("explorables", tr("Explorables"), make_explorables)
