"""The docs in the window: a page over it, whose links lead to other pages and to their own headings."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from lab.shell.window.help_page import HelpPage, anchor_of


@pytest.fixture
def page(plain_window):
    """The users' page, shown over a window."""
    page = HelpPage(plain_window)
    page.show_page("users")
    return page


def heading_at_top(page):
    view = page._pages
    cursor = view.cursorForPosition(view.viewport().rect().topLeft())
    block = cursor.block()
    while block.isValid() and not block.blockFormat().headingLevel():
        block = block.next()
    return block.text()


def test_a_link_to_a_heading_scrolls_to_it(page):
    page._pages.anchorClicked.emit(QUrl("#finding-runs"))
    assert heading_at_top(page) == "Finding runs"
    assert page._pages.verticalScrollBar().value() > 0


def test_a_link_to_a_heading_of_another_page_shows_that_page_there(page):
    page._pages.anchorClicked.emit(QUrl("internals.md#how-a-run-survives"))
    assert heading_at_top(page) == "How a run survives"


def test_a_link_to_nothing_stays_where_it_is(page):
    page._pages.anchorClicked.emit(QUrl("nowhere.md#at-all"))
    assert heading_at_top(page) == "Using LM Lab"


def test_a_heading_is_called_as_links_call_it():
    assert anchor_of("Where a change belongs: `lab`") == "where-a-change-belongs-lab"


def test_every_picture_of_a_page_is_shown_as_large_as_it_is(page):
    document, shown = page._pages.document(), []
    block = document.begin()
    while block.isValid():
        for piece in block:
            form = piece.fragment().charFormat()
            if form.isImageFormat():
                picture = document.resource(QTextDocument.ResourceType.ImageResource, QUrl(form.toImageFormat().name()))
                height = document.documentLayout().blockBoundingRect(block).height()
                shown.append((picture.height(), height - picture.height()))
        block = block.next()
    assert shown
    assert all(height > 0 and 0 <= room < 30 for height, room in shown)
