"""The pages in the place Learn of the window."""

from lab.shell.examples.graph.page import GraphPage
from lab.shell.examples.page import WorkedExamplesPage


def test_an_example_opens_its_graph(window, until, click):
    window.show_place("learn")
    page = window.learn.open_page("examples")
    assert isinstance(page, WorkedExamplesPage)
    until(lambda: page._computed is not None)
    page.show_example("graph-adjoints")
    click(page.graph)
    graph = window.learn.open_page("graph")
    assert isinstance(graph, GraphPage)
    assert graph.isVisible()
    assert graph.field.toPlainText() == page.shown.graph
    assert graph.fields.field("x1").text() == "2"
