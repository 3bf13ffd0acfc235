"""The sights of the place Data in each of its tabs and states, and of the card of losses by length."""

from collections import deque
from types import SimpleNamespace
from unittest.mock import patch

from checks import SMALLEST
from resting import settle

from lab.base.folders import runs_folder
from lab.base.problems import Problem
from lab.recipes import QUICK_START, Recipe
from lab.runs import RunFolder
from lab.shell.corpus.merges_tab import MergesTab
from lab.shell.corpus.picker.tab import PickerTab
from lab.shell.corpus.statistics.tab import CARDS, StatisticsTab
from lab.shell.corpus.tokens_tab import TokensTab
from lab.shell.inspect.inspection_view import LENGTHS
from lab.shell.inspect.lengths_card import Measured
from lab.shell.session.draft import quick_start
from lab.text.corpora.downloads import catalogue
from lab.workbench.analysis.lengths import LengthPoint, tried

DESK = (1600, 1000)
TABS = ("choose", "statistics", "tokens", "merges")
LINES = [f"the cat sat on mat {7 * number % 60}, and a dog ran to the hat: word, word. " for number in range(60)]
TEXT = "\n".join(LINES + LINES)
"""All of its validation part stands in its training part too."""
LONG = "/home/somebody/a rather long folder/with_a_long_name_that_has_no_end/shakespeare_and_all_of_the_others.txt"
TRACE = "Traceback (most recent call last):\n" + '  File "somewhere.py", line 12, in read\n' * 12 + "ValueError: no"


def of_short_text(scene):
    """Show the tabs of Data for a short text, which is read at once; gathering the manual takes seconds."""
    assert scene.session.draft.apply({"corpus": None}, {"corpus": {"name": "text", "text": TEXT}}) is None
    scene.place("data")
    yield from of_tabs(scene, "a text that was pasted", name="text", text=TEXT)
    scene.place("train")


def of_text(scene):
    """Show Data: several texts in every tab, then all states of each tab."""
    page, draft = scene.window.data, scene.session.draft
    assert draft.apply({"corpus": {"name": "file", "path": LONG}}) is None  # gathering the manual takes seconds
    scene.place("data")
    yield from of_tabs(scene, "a file that is not there", name="file", path=LONG)
    yield from of_tabs(scene, "a source of examples", name="copy", length=30)
    yield from of_tabs(scene, "a text that was pasted", (SMALLEST, DESK), name="text", text=TEXT)
    yield from of_rows(scene)
    yield from of_choices(page, draft)
    yield from of_statistics(page, draft)
    yield from of_tokens(page)
    yield from of_merges(page, draft)
    yield from of_reading(page)
    scene.place("train")
    assert draft.take(quick_start(), QUICK_START) is None
    settle()


def of_tabs(scene, what, sizes=(SMALLEST,), **corpus):
    """Show one text in every tab."""
    page = scene.window.data
    for size in sizes:
        scene.resize(size)
        for key in TABS:
            turn(page, scene.session.draft, key, **corpus)
            yield f"{what} in {key} at {size[0]} × {size[1]}", scene.window
    scene.resize(SMALLEST)


def turn(page, draft, key, **corpus):
    """Open a tab, with another text if one is named, and wait until it shows everything."""
    if corpus:
        assert draft.apply({"corpus": None}, {"corpus": corpus}) is None
    page.open_tab(key)
    settle(lambda: page.corpus._choice == draft.recipe.corpus and not page.corpus.is_reading)
    statistics = page.findChild(StatisticsTab)
    settle(lambda: key != "statistics" or (statistics._counting is None and len(statistics.cards) > len(CARDS)))


def of_rows(scene):
    """Show the statistics of a corpus of each kind of rows."""
    page, draft = scene.window.data, scene.session.draft
    for corpus in ("reversal", "polarity", "parts-of-speech", "points", "sine", "digits"):
        assert draft.apply({"corpus": None}, {"corpus": {"name": corpus}}) is None
        page.open_tab("statistics")
        tab = page.findChild(StatisticsTab)
        settle(lambda: page.corpus._choice == draft.recipe.corpus and not page.corpus.is_reading)
        settle(lambda tab=tab: tab.rows_page is not None and tab.rows_page.figures.state == "content")
        yield f"statistics of {corpus}", scene.window
    assert draft.take(quick_start(), QUICK_START) is None


def of_choices(page, draft):
    """Select every corpus, and show the problems that each can have."""
    turn(page, draft, "choose")
    tab = page.findChild(PickerTab)
    for row in tab.list.rows():
        if row.key not in ("", "python-manual"):  # gathering the manual takes seconds
            tab.choose(row.key)
            settle()
            yield f"“{row.title}” among the texts", page
    yield from of_downloads(tab, page)
    tab._values["dataset"] = {"path": "somebody/a-data-set-that-is-not-here"}
    tab.choose("dataset")
    settle()
    yield "a data set that is elsewhere", page
    assert draft.edit("training.context_length", 16) is None
    tab.choose("copy")
    settle()
    yield "a source that needs a longer context", page
    assert draft.edit("training.context_length", None) is None
    for problem in (
        Problem("has fewer letters than it needs", field="corpus.alphabet", value="1", allowed="2 to 62"),
        Problem(f"{LONG} cannot be read", remedy="Choose another file"),
        Problem("the source raised ValueError", plugin="lab_other", trace=TRACE, remedy="Ask its author"),
    ):
        tab._show_problem(problem)
        tab.settings.show_problem(problem)
        settle()
        yield f"a sample that cannot be made: {problem.what[:30]}", page
    tab.choose("text")
    settle()


def of_downloads(tab, page):
    """Show a download while it runs, after it failed, and with a damaged file."""
    download = catalogue()[0]
    refused = Problem(
        f"the server answers 503 Service Unavailable for {download.url}",
        field="download",
        value=download.name,
        remedy=f"Copy {download.url} from another machine to {LONG}",
    )
    tab.choose(f"download {download.name}")
    for name, found in (("share", 0.42), ("problem", refused)):
        with patch.object(tab.downloads, name, lambda _, found=found: found):
            tab.downloads.changed.emit(download.name)
            settle()
            yield f"a download and its {name}", page
    download.path.parent.mkdir(parents=True, exist_ok=True)
    download.path.write_text(TEXT)
    tab.downloads.changed.emit(download.name)
    settle()
    yield "a download that is damaged", page
    download.path.unlink()


def of_statistics(page, draft):
    """Show the sources with the longest descriptions, and counts that run, were cancelled, or failed."""
    sources = [(name, card) for name, card in draft._plugins.cards("corpora").items() if card.tokenizer is not None]
    for name, _ in sorted(sources, key=lambda one: len(one[1].tests + one[1].expected))[-3:]:
        turn(page, draft, "statistics", name=name)
        yield f"what is told of {name}", page
    turn(page, draft, "statistics", name="markov", length=5000)
    yield "the statistics of a source of known entropy", page
    turn(page, draft, "statistics", name="text", text=TEXT)
    tab = page.findChild(StatisticsTab)
    for name in ("duplicates", "overlap"):
        del tab.found[name]
    tab._counting = SimpleNamespace(doing="overlap", done=0.4, found=deque(), stopped=False)
    tab._show_all()
    tab._show_state()
    settle()
    yield "statistics that are being counted", page
    tab._stop()
    settle()
    yield "statistics whose count was ended", page
    tab._show_problem(
        Problem("the text cannot be cut", field="tokenizer", remedy="Choose another tokenizer", trace=TRACE)
    )
    settle()
    yield "statistics that cannot be counted", page


def of_tokens(page):
    """Show the two classroom examples, token ids, an untokenizable text, and a single column."""
    page.open_tab("tokens")
    tab = page.findChild(TokensTab)
    tab.ids.click()
    for button in (tab.letters, tab.colon):
        button.click()
        settle()
        yield f"tokens: {button.text()}", page
    next(one for one in tab.columns[0]._kind.menu().actions() if one.data() == "character").trigger()
    tab.field.setPlainText("the Z ☃ " * 60)
    settle()
    yield "a text that a tokenizer cannot cut", page
    for column in tab.columns[1:]:
        column.remove.click()
    settle()
    yield "tokens of one tokenizer alone", page


def of_merges(page, draft):
    """Show merges while they are learned, made and played, and a text without any."""
    page.open_tab("merges")
    tab = page.findChild(MergesTab)
    settle(lambda: tab._merges is not None)
    for made in (5, tab.slider.maximum()):
        tab.slider.setValue(made)
        settle()
        yield f"{made} merges", page
    tab.slider.setValue(0)
    tab.toggle()
    tab._learning_row.show()
    settle()
    yield "merges that are played, while others are learned", page
    tab._learning_row.hide()
    turn(page, draft, "merges", name="text", text="a b")
    yield "a text without merges", page


def of_reading(page):
    """Show every tab while the corpus is read, and after reading was cancelled."""
    corpus = page.corpus
    for what in ("that is being read", "whose reading was cancelled"):
        corpus.source, corpus.beginning, corpus.problem, corpus.is_reading = None, "", None, True
        corpus.changed.emit()
        if what.endswith("cancelled"):
            corpus.cancel()
        for key in TABS:
            button = page._tabs.button(TABS.index(key))
            button.setFocus()
            button.click()
            settle()
            yield f"a text {what} in {key}", page


def of_lengths(scene):
    """Show losses on longer windows of a text and on longer examples: of one run, of several, and of none."""
    window, registry = scene.window, scene.session.registry
    known = window.inspect._lengths._known
    recipe = Recipe().with_assignments("corpus.name=copy", "tokenizer.name=symbol")
    for name in ("copies", "copies more", "copies at length"):
        titled = recipe.with_values({"title": name}).to_toml()
        RunFolder.create(runs_folder() / name.replace(" ", "-"), titled, {}).update(state="finished", step=9)
    scene.list_runs()
    views = {run.name: run for run in registry.runs}
    assert {run.recipe.tokenizer.name for name, run in views.items() if "copies" in name} == {"symbol"}
    rope, *copies = (views[name] for name in ("rope", "copies", "copies more", "copies at length"))
    known[rope] = Measured(400, points(256, of_text=True))
    registry.select(rope.key)
    window.inspect.panel.want_readings([LENGTHS])
    scene.place("inspect")
    yield from of_inspect(scene, "the loss over the window")
    for run, measured in zip(
        copies,
        (Measured(9, points(8)), Measured(9, points(16, reads=30)), Measured(9, problem=Problem(LONG))),
        strict=True,
    ):
        known[run] = measured
        registry.select(run.key)
        yield from of_inspect(scene, f"the accuracy over the length of {run.name}")
    registry.select(copies[0].key)
    for run in copies[1:]:
        registry.show(run.key, True)
    yield from of_inspect(scene, "the accuracy over the length of several runs", (SMALLEST, DESK))
    for run in copies[1:]:
        registry.show(run.key, False)
    registry.select(rope.key)
    settle()


def of_inspect(scene, what, sizes=(SMALLEST,)):
    """Show Inspect with results of losses by length."""
    scene.window.inspect._lengths.changed.emit()
    for size in sizes:
        scene.resize(size)
        yield f"{what} at {size[0]} × {size[1]}", scene.window
    scene.resize(SMALLEST)


def points(trained, reads=1e9, of_text=False):
    """Return results of a model that was trained up to one length and can read up to another."""
    found = []
    for length in tried(trained):
        loss = 0.1 * length / trained if length <= reads else None
        share = None if of_text or loss is None else 1 / (1 + (length > trained))
        found.append(LengthPoint(length, 2 * length + 2, loss, share, share, length <= trained))
    return tuple(found)
