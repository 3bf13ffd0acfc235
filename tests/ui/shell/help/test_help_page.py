"""The help in the window: an index, pages with links to other pages and to their own headings, history, and search."""

import operator
import threading

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QShortcut, QTextDocument
from PySide6.QtWidgets import QApplication

from lab.shell.help.library import anchor_of
from lab.shell.help.page import HelpPage
from lab.shell.runtime.background import Background
from lab.workbench.settings_pages import SettingsPage

SETTINGS = [
    SettingsPage("transformer", "Transformer", "# Transformer\n\n### `architecture.kv_heads` = `0`\n\nShared heads."),
    SettingsPage("samplers", "Samplers", "# Samplers\n\n## sampling\n\nHow tokens are drawn."),
]


@pytest.fixture
def page(plain_window, background, qtbot):
    """The help over a window, complete, with the page about the window."""
    page = HelpPage(plain_window, background, lambda: SETTINGS)
    page.show_page("using/window")
    qtbot.waitUntil(lambda: "settings/samplers" in page._library.pages)
    return page


@pytest.fixture
def background(qtbot):
    """Run work in threads, and wait for it at the end."""
    made = Background()
    yield made
    made.close()


def title(page):
    return page._pages.document().begin().text()


def heading_at_top(page):
    view = page._pages
    block = view.cursorForPosition(view.viewport().rect().topLeft()).block()
    while block.isValid() and not block.blockFormat().headingLevel():
        block = block.next()
    return block.text()


def scroll(page):
    return page._pages.verticalScrollBar().value()


def hits(page):
    return [page.index.hits.item(row).text().partition("\n")[0] for row in range(page.index.hits.count())]


def index_of(page):
    tree = page.index.tree
    sections = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    return {section.text(0): [section.child(row) for row in range(section.childCount())] for section in sections}


def test_a_link_to_a_heading_scrolls_to_it(page):
    page._pages.anchorClicked.emit(QUrl("#several-runs"))
    assert heading_at_top(page) == "Several runs"
    assert scroll(page) > 0


def test_a_link_to_a_heading_of_another_page_shows_that_page_there(page):
    page._pages.anchorClicked.emit(QUrl("../using/texts.md#the-place-data"))
    assert title(page) == "Texts"
    assert heading_at_top(page) == "The place Data"


def test_a_heading_is_at_the_top_when_the_help_opens_there(page):
    page.shut()
    page.show_page("using/window", "several-runs")
    assert heading_at_top(page) == "Several runs"


@pytest.mark.parametrize("place", ["several-runs", "shortcuts"])
def test_a_heading_is_at_the_top_when_the_help_was_never_open_before(plain_window, background, qtbot, place):
    plain_window.resize(1366, 768)
    page = HelpPage(plain_window, background, lambda: SETTINGS)
    page.prepare()
    qtbot.waitUntil(lambda: "settings/samplers" in page._library.pages)
    page.show_page("using/window", place)
    qtbot.waitUntil(lambda: page._pages.verticalScrollBar().maximum() > 0)
    is_last = scroll(page) == page._pages.verticalScrollBar().maximum()
    assert is_last or anchor_of(heading_at_top(page)) == place


def test_long_lines_of_code_wrap(page, plain_window):
    page._pages.setFixedWidth(360)
    page.show_page("using/figures")
    assert page._pages.horizontalScrollBar().maximum() == 0


def test_a_link_to_nothing_changes_nothing(page):
    page._pages.anchorClicked.emit(QUrl("nowhere.md#at-all"))
    assert title(page) == "The window"


def test_a_command_that_explains_settings_is_a_link_to_their_page(page):
    page.show_page("using/generating")
    (link,) = [link for link in links(page) if "settings" in link]
    page._pages.anchorClicked.emit(QUrl(link))
    assert link.endswith("#sampling")
    assert title(page) == "Samplers"


def links(page):
    block = page._pages.document().begin()
    while block.isValid():
        for piece in block:
            form = piece.fragment().charFormat()
            if form.isAnchor():
                yield form.anchorHref()
        block = block.next()


def test_back_and_forward_return_to_pages_where_they_were_scrolled_to(page, qtbot):
    page._pages.verticalScrollBar().setValue(300)
    page._pages.anchorClicked.emit(QUrl("runs.md"))
    qtbot.keyClick(page._pages, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert (title(page), scroll(page)) == ("The window", 300)
    qtbot.mouseClick(page._forward, Qt.MouseButton.LeftButton)
    assert title(page) == "Runs"
    assert not page._forward.isEnabled()


def test_a_new_page_drops_the_pages_ahead(page):
    for name in ("using/runs", "using/costs"):
        page.show_page(name)
    page._go_back()
    page._go_back()
    page.show_page("using/floors")
    page._go_forward()
    assert title(page) == "Floors"


def test_the_index_lists_all_pages_by_section_and_marks_the_current_one(page):
    index = index_of(page)
    assert next(iter(index)) == "Start"
    assert [item.text(0) for item in index["Settings"]] == ["Transformer", "Samplers"]
    assert page.index.tree.currentItem().text(0) == "The window"
    assert page.index.tree.currentItem().parent().isExpanded()


def test_a_click_in_the_index_opens_a_page_and_a_section(page, qtbot):
    tree = page.index.tree
    section = index_of(page)["Data"][0].parent()
    assert not section.isExpanded()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(section).center())
    assert section.isExpanded()
    item = section.child(1)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center())
    assert title(page) == "Documents and mixtures"


def test_the_page_of_all_pages_lists_the_settings_too(page):
    page.show_index()
    assert {"using/window.md", "settings/samplers.md"} <= set(links(page))
    assert QApplication.focusWidget() is page.index.field


def test_a_search_finds_titles_first_then_headings_then_text(page, qtbot):
    qtbot.keyClicks(page.index.field, "floors")
    assert hits(page)[0] == "Floors"
    assert hits(page).index("Corpora") < hits(page).index("Train: the form and the charts")


def test_a_search_needs_all_words_and_reports_when_no_page_has_them(page, qtbot):
    qtbot.keyClicks(page.index.field, "kv_heads")
    assert "Transformer" in hits(page)
    qtbot.keyClicks(page.index.field, " qqq")
    assert not hits(page)
    assert page.index._found.text() == "No page has all of these words."


def test_enter_opens_the_selected_hit_and_marks_the_words_there(page, qtbot):
    qtbot.keyClick(page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is page.index.field
    qtbot.keyClicks(page.index.field, "rounding grows")
    qtbot.keyClick(page.index.field, Qt.Key.Key_Return)
    assert title(page) == "Checkpoints, resuming and branching"
    selections = page._pages.extraSelections()  # the cursors live as long as the list
    marked = [selection.cursor for selection in selections]
    assert {cursor.selectedText().lower() for cursor in marked} == {"rounding", "grows"}
    assert page._pages.viewport().rect().contains(page._pages.cursorRect(marked[0]))


def test_the_first_hit_is_shown_at_once_and_the_page_before_returns_with_an_empty_search(page, qtbot):
    qtbot.keyClicks(page.index.field, "floors")
    qtbot.waitUntil(lambda: title(page) == "Floors")
    page.index.field.clear()
    assert page._name == "using/window"


def test_further_letters_replace_the_hit_that_is_shown(page, qtbot):
    page.index.field.setText("floors")
    qtbot.waitUntil(lambda: title(page) == "Floors")
    page.index.field.setText("hybrids")
    qtbot.waitUntil(lambda: title(page) == "Hybrids")
    assert len(page._history) == 2


def test_the_arrow_keys_move_through_the_hits(page, qtbot):
    qtbot.keyClicks(page.index.field, "floors")
    qtbot.keyClick(page.index.field, Qt.Key.Key_Down)
    second = hits(page)[1]
    qtbot.keyClick(page.index.field, Qt.Key.Key_Return)
    assert title(page) == second


def test_escape_clears_the_search_and_then_closes_the_help(page, qtbot):
    qtbot.keyClicks(page.index.field, "floors")
    qtbot.keyClick(page.index.field, Qt.Key.Key_Escape)
    assert page.index.field.text() == ""
    assert page.index.tree.isVisible()
    qtbot.keyClick(page.index.field, Qt.Key.Key_Escape)
    assert page.isHidden()


def test_the_palette_offers_every_page(page):
    entries = {entry.title: (entry.detail, entry.do) for entry in page.entries()}
    section, do = entries["Floors"]
    assert section == "Help · Experiments"
    do()
    assert title(page) == "Floors"


def test_every_picture_of_a_page_is_shown_in_its_own_size(page):
    page.show_page("using/readings")
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


def test_the_headings_of_a_long_page_stand_beside_it_and_lead_there(page, qtbot):
    listed = [page.headings.list.item(row).text().strip() for row in range(page.headings.list.count())]
    assert page.headings.isVisible()
    assert "Several runs" in listed
    item = page.headings.list.item(listed.index("Several runs"))
    target = page.headings.list.visualItemRect(item).center()
    qtbot.mouseClick(page.headings.list.viewport(), Qt.MouseButton.LeftButton, pos=target)
    assert heading_at_top(page) == "Several runs"


def test_a_page_with_few_headings_has_none_beside_it(page):
    page.show_page("settings/samplers")
    assert not page.headings.isVisible()


def test_the_pages_about_settings_are_made_in_a_thread_and_one_that_is_wanted_is_shown_then(
    plain_window, background, qtbot
):
    ready, threads = threading.Event(), []

    def make():
        threads.append(threading.current_thread())
        ready.wait()
        return SETTINGS

    page = HelpPage(plain_window, background, make)
    page.show_page("settings/transformer")
    assert title(page) == "Welcome to LM Lab"
    ready.set()
    qtbot.waitUntil(lambda: title(page) == "Transformer")
    assert threading.main_thread() not in threads


@pytest.mark.parametrize("focused", ["_pages", "index.tree", "headings.list"])
def test_ctrl_f_searches_the_help_and_not_the_runs_below_it(page, plain_window, qtbot, focused):
    found = []
    QShortcut("Ctrl+F", plain_window).activated.connect(lambda: found.append(True))
    operator.attrgetter(focused)(page).setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is page.index.field
    assert found == []


def test_the_space_bar_in_the_help_reaches_no_command_and_escape_closes_it_afterwards(page, plain_window, qtbot):
    started = []
    QShortcut("Space", plain_window).activated.connect(lambda: started.append(True))
    page._pages.setFocus()
    qtbot.keyClick(page._pages, Qt.Key.Key_Space)
    assert started == []
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert page.isHidden()


@pytest.fixture
def german_page(plain_window, background, qtbot, german):
    """The help in German, complete, with its index."""
    page = HelpPage(plain_window, background, lambda: SETTINGS)
    page.show_index()
    qtbot.waitUntil(lambda: "settings/samplers" in page._library.pages)
    return page


def test_in_german_contents_pages_headings_and_search_are_german(german_page, qtbot):
    assert title(german_page) == "Willkommen bei LM Lab"
    assert index_of(german_page)["Start"][0].text(0) == "Erste Schritte"
    german_page._pages.anchorClicked.emit(QUrl("using/first-steps.md"))
    assert title(german_page) == "Erste Schritte"
    assert german_page._headings()[0] == (2, "Die erste Minute")
    german_page.index.field.setText("kommandozeile")
    assert "Erste Schritte" in hits(german_page)


def test_a_link_to_an_english_heading_leads_to_its_german_one(german_page):
    german_page._pages.setFixedHeight(200)
    german_page._pages.anchorClicked.emit(QUrl("using/first-steps.md#the-same-on-the-command-line"))
    assert heading_at_top(german_page) == "Dasselbe auf der Kommandozeile"


def test_a_page_without_a_translation_says_so_and_a_german_one_does_not(german_page):
    german_page.show_page("plugins/views")
    assert title(german_page) == "Views"
    assert german_page.language_note.isVisible()
    german_page._go_back()
    assert not german_page.language_note.isVisible()


def test_in_english_no_page_says_in_which_language_it_is(page):
    page.show_page("plugins/views")
    assert not page.language_note.isVisible()
