"""Readings in the views with which plugins replace those of the lab."""

import pytest

from lab.host import Plugins
from lab.shell.inspect.inspection_view import replacement


@pytest.fixture
def text():
    """Return the tokens of the text that readings are shown with."""
    return tuple("KING: I have the grace\nto speak")


@pytest.fixture(scope="session")
def views():
    return Plugins(safe_mode=True).cards("views")


@pytest.fixture
def replacing(qtbot, views, text):
    """Show readings in the view that replaces that of the lab."""

    def show(readings):
        view = views[replacement((readings[0].name, readings[0].axes), views)].make()
        qtbot.addWidget(view)
        view.resize(1000, 600)
        view.show_readings(readings, text)
        with qtbot.waitExposed(view):
            view.show()
        return view

    return show


@pytest.fixture
def loads_of():
    """Return the loads beside the rows of a view."""
    return lambda view: view.row_bars(view._values).values.tolist()
