"""The panel of the configuration alone, at the width and height that it has in a window of 1366×768."""

import pytest

from lab.host import Plugins
from lab.shell.recipe.panel import DraftPanel
from lab.shell.session.draft import Draft
from lab.widgets.forms.form import Form

WIDTH, HEIGHT = 272, 675


@pytest.fixture
def make_panel(qtbot):
    """Make a panel of the quick start."""

    def make_panel(start=lambda: None):
        plugins = Plugins.from_environment()
        made = DraftPanel(Draft(plugins), plugins, start)
        made.resize(WIDTH, HEIGHT)
        qtbot.addWidget(made)
        made.show()
        qtbot.waitExposed(made)
        return made

    return make_panel


@pytest.fixture
def configuration(make_panel):
    """The panel."""
    return make_panel()


@pytest.fixture
def refreshed(configuration, qtbot):
    """Wait until the panel shows the draft."""
    timers = configuration._later, configuration.groups._opening
    return lambda: qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))


@pytest.fixture
def row(configuration):
    """Return the row of a setting by its path; None while it is not made."""

    def row(path):
        for form in configuration.findChildren(Form):
            if path.startswith(f"{form._prefix}.") and path.removeprefix(f"{form._prefix}.") in form._knobs:
                return form._knobs[path.removeprefix(f"{form._prefix}.")]
        return None

    return row
