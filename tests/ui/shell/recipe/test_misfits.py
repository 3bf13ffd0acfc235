"""The form lists what does not fit the data of the corpus, with the reason, and does not offer it."""

import pytest

from lab.host import Plugins
from lab.shell.recipe.card_box import NAME, REASON
from lab.shell.recipe.panel import DraftPanel
from lab.shell.session.draft import Draft


def listed(panel, field):
    box = panel.sections.choices[field]._box
    box.showPopup()
    model = box.model()
    items = [model.item(number) for number in range(model.rowCount())]
    box.hidePopup()
    return {item.data(NAME): (item.isEnabled(), item.data(REASON)) for item in items if item.data(NAME)}


@pytest.mark.qt_log_ignore("This plugin does not support")  # a platform without a screen, of menus
def test_only_what_reads_vectors_can_be_chosen(plain_window):
    plugins = Plugins.from_environment(later=True)
    draft = Draft(plugins, plain_window)
    draft.apply({"corpus": None}, {"corpus": {"name": "points"}})
    panel = DraftPanel(draft, plugins, lambda: None)
    plain_window.setCentralWidget(panel)
    panel.show()
    panel.refresh()
    reason = "Does not read vectors, which the corpus gives"
    objectives = listed(panel, "objective")
    assert objectives["causal"] == (False, reason)
    assert objectives["classification"] == (True, "")
    architectures = listed(panel, "architecture")
    assert architectures["rnn"] == (False, reason)
    assert architectures["transformer"] == (True, "")
