"""The page about the lab: its version, and the licences of what was shipped with it."""

from importlib import metadata

import pytest

from lab.shell.help.about import about_page
from lab.shell.help.page import HelpPage
from lab.shell.runtime.background import Background

TABLE = "| | version | licence |\n|---|---|---|\n| expat | 2.5 | MIT |\n"


@pytest.fixture
def shipped(tmp_path):
    """Return the prefix of a Python that was shipped with the lab."""
    folder = tmp_path / "share" / "lm-lab"
    folder.mkdir(parents=True)
    (folder / "licences.md").write_text(TABLE)
    return tmp_path


def test_the_page_names_the_versions(tmp_path):
    page = about_page(tmp_path)
    assert f"Version {metadata.version('lm-lab')}" in page.text
    assert f"PyTorch {metadata.version('torch')}" in page.text


def test_licences_are_listed_only_where_they_were_shipped(shipped, tmp_path):
    assert TABLE in about_page(shipped).text
    assert str(shipped / "share" / "lm-lab" / "licences.txt") in about_page(shipped).text
    assert about_page(tmp_path / "elsewhere").headings == ()


def test_the_help_shows_it(plain_window, qtbot):
    background = Background()
    help_page = HelpPage(plain_window, background, list)
    help_page.show_page("about")
    assert help_page._pages.document().begin().text() == "About LM Lab"
    assert "about" not in [page.name for pages in help_page._library.sections().values() for page in pages]
    background.close()
