"""The selection of a corpus: own texts, downloads and synthetic sources, each with a sample."""

import functools
import hashlib
import http.server
import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from lab.api import LabError, Pairs, Text
from lab.base.jobs import running_jobs
from lab.base.notices import listen
from lab.host import Plugins
from lab.shell.corpus.picker.sample import sample_of
from lab.shell.corpus.picker.tab import PickerTab
from lab.shell.recipe.panel import DraftPanel
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.shell.session.draft import Draft
from lab.shell.session.live_settings import live_parts
from lab.shell.session.session import Session
from lab.text.corpora.downloads import Download
from lab.text.readers.table import READERS
from lab.widgets.core.theme import themes

PLUGINS = Plugins(safe_mode=True)
TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 40
NO_BUTTON, NO_KEY = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
BROKEN = """
import threading
from typing import Literal
from lab.api import Corpus, ModelConfig, Text, hookimpl, setting

waits = threading.Event()


class HowConfig(ModelConfig):
    how: Literal["raises", "waits", "works"] = setting("raises", help="What it does.")


def read(config):
    if config.how == "raises":
        raise RuntimeError("no such luck")
    if config.how == "waits":
        waits.wait(20)
    return Text(f"it {config.how}", config.how)


@hookimpl
def lab_register_corpora(register):
    register(Corpus(name="odd", title="An odd one", build=read, config=HowConfig, summary="A plugin's corpus."))
"""


@pytest.fixture
def reported():
    received = []
    silence = listen(lambda notice: received.append(notice.problem.what))
    yield received
    silence()


@pytest.fixture
def make_tab(qtbot, until, monkeypatch):
    monkeypatch.setattr("lab.shell.corpus.picker.tab.AFTER_EDIT", 5)
    backgrounds = []

    def make_tab(enable=()):
        plugins = Plugins.from_environment(enable=enable, later=True)
        if enable:
            plugins.load()
        background = Background()
        backgrounds.append(background)
        draft = Draft(plugins, background)
        draft.apply({"corpus": {"name": "text", "text": TEXT}})
        session = SimpleNamespace(plugins=plugins, background=background, draft=draft, opened=[], pasted=[])
        session.open_paths, session.opener = session.opened.extend, SimpleNamespace(paste=session.pasted.append)
        trained = []
        made = PickerTab(session, DraftCorpus(draft, background, background), lambda: trained.append(True))
        qtbot.addWidget(made)
        made.resize(1340, 640)
        with qtbot.waitExposed(made):
            made.show()
        until(lambda: made.sample.sample)
        return SimpleNamespace(widget=made, draft=draft, session=session, trained=trained)

    yield make_tab
    for background in backgrounds:
        background.close()


@pytest.fixture
def tab(make_tab):
    return make_tab()


@pytest.fixture
def session(qapp):
    made = Session(Plugins.from_environment(later=True))
    yield made
    made.close()


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Add a text of a local server to the downloads; its facts are changed by name."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "alice.txt").write_text(TEXT)
    handler = functools.partial(QuietHandler, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()

    def served(**others):
        size, digest = len(TEXT), hashlib.sha256(TEXT.encode()).hexdigest()
        url = f"http://127.0.0.1:{server.server_port}/alice.txt"
        facts = {"url": url, "licence": "public domain", "sha256": digest, "bytes": size, **others}
        download = Download(name="alice", title="Alice, by Lewis Carroll", **facts)
        monkeypatch.setattr("lab.text.corpora.downloads.catalogue", lambda: [download])
        return download

    yield served
    server.shutdown()
    server.server_close()
    thread.join()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def words(inside):
    shown = " ".join(one.text() for one in inside.findChildren(QLabel) if one.isVisible())
    return shown.replace("\u200b", "")


def row(tab, title):
    return next(one for one in tab.widget.list.rows() if one.title == title)


def pick(tab, qtbot, title):
    """Click a row of the list."""
    view = tab.widget.list
    number = next(at for at, one in enumerate(view.rows()) if one.title == title)
    index = view.model().index(number)
    view.scrollTo(index)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())


def enter(tab, qtbot, setting, entry):
    field = tab.widget.settings.form._knobs[setting].control
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, entry)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def sample(tab):
    return tab.widget.sample.view.toPlainText()


def folder_of_texts(folder):
    (folder / "texts").mkdir()
    (folder / "texts" / "good.txt").write_text(TEXT)
    return folder / "texts"


def format_at(tab, place):
    cursor = QTextCursor(tab.widget.sample.view.document())
    cursor.setPosition(place)
    return cursor.charFormat()


# --------------------------------------------------------------------------------------------------------- the list


def test_every_corpus_is_listed_in_its_group(tab):
    groups, now = {}, ""
    for one in tab.widget.list.rows():
        now = now if one.key else one.title
        groups.setdefault(now, []).extend([one.key] if one.key else [])
    assert groups["Your text"] == ["file", "text"]
    assert set(groups["On this machine"]) >= {"python-manual", "dataset"}
    assert "download tiny-shakespeare" in groups["Downloads"]
    assert set(groups["Synthetic sources"]) == {
        "markov", "hidden-markov", "grammar", "dyck", "copy", "reverse", "sort", "induction", "selective-copying",
        "mqar", "parity", "modular-addition", "addition", "even-pairs", "cycle-navigation", "temporal-order",
        "reversal", "dates", "phrases", "polarity", "topics", "parts-of-speech", "points", "sine", "linear-rule",
        "digits", "shapes",
    }  # fmt: skip


def test_the_parts_of_a_mixture_and_their_weights_are_settings(tab, qtbot, until):
    pick(tab, qtbot, "A mixture")
    until(lambda: "Python manual + sentences" in words(tab.widget) or tab.widget.sample.sample)
    form = tab.widget.settings.form
    assert {"first.weight", "second.path", "third.corpus"} <= set(form._knobs)
    assert "fourth.corpus" not in form._knobs  # the next part appears when the one before it is named
    enter(tab, qtbot, "third.corpus", "python-manual")
    assert "fourth.corpus" in form._knobs
    assert "fifth.corpus" not in form._knobs
    enter(tab, qtbot, "first.weight", "3")
    tab.widget.settings.use.click()
    assert tab.draft.recipe.corpus.name == "mixture"
    assert tab.draft.recipe.corpus.settings["first"]["weight"] == 3.0
    live = {part.path: [one.name for one in part.settings] for part in live_parts(tab.draft.recipe, PLUGINS)}
    assert live["corpus.first"] == live["corpus.second"] == ["weight"]


def test_the_corpus_of_the_draft_is_marked_and_selected_when_the_tab_opens(tab):
    assert [one.key for one in tab.widget.list.rows() if one.mark] == ["text"]
    assert tab.widget.list.currentIndex().data() == "Pasted text"
    assert sample(tab).startswith("the cat sat")
    assert not tab.widget.settings.use.isVisible()


def test_the_corpus_of_the_draft_is_trained_on_with_one_click(tab, click):
    assert tab.widget.settings.train.text() == "Train on Pasted text"
    click(tab.widget.settings.train)
    assert tab.trained == [True]


def test_the_second_click_of_a_double_click_on_the_use_of_a_corpus_does_not_start_a_run(tab, until, click):
    tab.widget.choose("markov")
    use, train = tab.widget.settings.use, tab.widget.settings.train
    until(lambda: use.isEnabled() and use.isVisible())
    tab.widget.settings.layout().activate()
    pointer = use.mapTo(tab.widget, use.rect().center())
    click(use)
    assert tab.draft.recipe.corpus.name == "markov"
    until(lambda: train.isVisible() and train.rect().contains(train.mapFrom(tab.widget, pointer)))
    at, left = QPointF(train.mapFrom(tab.widget, pointer)), Qt.MouseButton.LeftButton
    for kind, held in ((QEvent.Type.MouseButtonDblClick, left), (QEvent.Type.MouseButtonRelease, NO_BUTTON)):
        QApplication.sendEvent(train, QMouseEvent(kind, at, train.mapToGlobal(at), left, held, NO_KEY))
    assert tab.trained == []
    click(train)
    assert tab.trained == [True]


def test_arrow_keys_select_entries_and_skip_headings(tab, qtbot):
    tab.widget.list.setFocus()
    qtbot.keyClick(tab.widget.list, Qt.Key.Key_Down)
    assert tab.widget.list.currentIndex().data() == "A data set"
    qtbot.keyClick(tab.widget.list, Qt.Key.Key_Up)
    assert tab.widget.list.currentIndex().data() == "Pasted text"


def test_the_mark_follows_the_draft(tab, until):
    tab.draft.apply({"corpus": None}, {"corpus": {"name": "copy", "length": 5}})
    assert row(tab, "Copy").mark
    assert tab.widget.list.currentIndex().data() == "Copy"
    assert tab.widget.settings.form.values()["length"] == 5
    tab.draft.undo()
    assert row(tab, "Pasted text").mark


# ------------------------------------------------------------------------------------------------ sources and samples


def test_a_source_shows_what_it_tests_what_should_do_well_and_its_papers(tab, qtbot):
    pick(tab, qtbot, "Copy")
    reported = words(tab.widget.about)
    assert "stores a complete string" in reported
    assert "Attention looks up each token" in reported
    assert "Neural Turing Machines" in reported
    pick(tab, qtbot, "A data set")
    assert not tab.widget.about.isVisible()


def test_examples_are_shown_with_their_scored_tokens_and_the_best_possible_loss(tab, qtbot, until):
    pick(tab, qtbot, "Copy")
    until(lambda: tab.widget.sample.sample)
    lines = sample(tab).splitlines()
    assert 6 <= len(lines) <= 8
    assert all(line.partition("|")[0] + "." == line.partition("|")[2] for line in lines)
    assert "0.000 nats per scored token" in words(tab.widget.sample)
    assert "V = 10 symbols" in words(tab.widget.sample)
    first = tab.widget.sample.sample.examples[0]
    assert [scored for _, scored in first] == [False, True]
    assert first[0][0].endswith("|")


def test_the_scored_tokens_stand_out_in_both_themes(tab, qtbot, until):
    pick(tab, qtbot, "Copy")
    until(lambda: tab.widget.sample.sample)
    for mode in ("dark", "light"):
        themes.choose(mode)
        quiet, scored = (format_at(tab, place) for place in (1, sample(tab).index("|") + 2))
        assert quiet.foreground().color().name() == themes.now.dim
        assert scored.fontWeight() > quiet.fontWeight()
        assert scored.background().color().name() != themes.now.panel


def test_a_text_source_shows_its_entropy_rate_in_nats_and_bits(tab, qtbot, until):
    pick(tab, qtbot, "Markov chain")
    until(lambda: tab.widget.sample.sample)
    assert "1.456 nats = 2.101 bits per character" in words(tab.widget.sample)
    assert "200,000 characters" in words(tab.widget.sample)
    assert 600 <= len(sample(tab)) <= 610


def test_a_changed_setting_gives_another_sample_and_is_kept_when_another_entry_is_shown(tab, qtbot, until):
    pick(tab, qtbot, "Copy")
    enter(tab, qtbot, "alphabet", "2")
    until(lambda: tab.widget.sample.sample and "V = 4 symbols" in words(tab.widget.sample))
    assert set(sample(tab)) <= set("ab|.\n")
    pick(tab, qtbot, "Parity")
    pick(tab, qtbot, "Copy")
    assert tab.widget.settings.form.values()["alphabet"] == 2


@pytest.mark.long
def test_every_source_has_a_sample_and_its_best_possible_loss(tab, qtbot, until):
    cards = Plugins(safe_mode=True).load().cards("corpora")
    unknown = ("digits", "shapes")  # theirs is close to 0
    for one in [one for one in tab.widget.list.rows() if one.key in cards and cards[one.key].tests]:
        pick(tab, qtbot, one.title)
        until(lambda: tab.widget.sample.sample)
        reported = words(tab.widget.sample)
        assert one.key in unknown or "Entropy rate" in reported or "Best possible loss" in reported
        assert len(sample(tab)) > 20


def test_a_value_out_of_range_is_reported_at_its_field_and_cannot_be_used(tab, qtbot, until):
    pick(tab, qtbot, "Copy")
    until(lambda: tab.widget.sample.sample)
    enter(tab, qtbot, "alphabet", "0")
    assert not tab.widget.settings.use.isEnabled()
    assert "1 ≤ x" in tab.widget.settings.problems["corpus.alphabet"].allowed


def test_incompatible_settings_are_reported_at_their_field(tab, qtbot, until):
    pick(tab, qtbot, "Markov chain")
    enter(tab, qtbot, "chain.letters", "62")
    enter(tab, qtbot, "order", "8")
    until(lambda: "fewer letters" in words(tab.widget.settings))
    assert not tab.widget.settings.use.isEnabled()
    enter(tab, qtbot, "order", "1")
    until(lambda: tab.widget.sample.sample)
    assert "fewer letters" not in words(tab.widget.settings)
    assert tab.widget.settings.use.isEnabled()


# ---------------------------------------------------------------------------------------------------------- using one


def test_using_a_source_raises_the_context_length_to_its_longest_example(tab, qtbot, until, click, reported):
    tab.draft.edit("training.context_length", 16)
    pick(tab, qtbot, "Copy")
    enter(tab, qtbot, "length", "30")
    until(lambda: "62 tokens" in words(tab.widget.sample))
    assert "from 16 to 61 tokens" in words(tab.widget.settings)
    click(tab.widget.settings.use)
    assert tab.draft.recipe.corpus.name == "copy"
    assert tab.draft.card("corpus").config.length == 30
    assert tab.draft.recipe.training.context_length == 61
    assert "61 tokens" in reported[-1]
    assert "its own symbols" in reported[-1]
    assert row(tab, "Copy").mark
    assert tab.widget.sample.sample is not None
    tab.draft.undo()
    assert (tab.draft.recipe.corpus.name, tab.draft.recipe.training.context_length) == ("text", 16)


def test_a_sufficient_context_length_is_not_changed(tab, qtbot, until, click):
    before = tab.draft.recipe.training.context_length
    pick(tab, qtbot, "Parity")
    until(lambda: tab.widget.sample.sample)
    click(tab.widget.settings.use)
    assert tab.draft.recipe.training.context_length == before


def test_return_on_a_row_uses_its_corpus(tab, qtbot, until):
    pick(tab, qtbot, "Sentences of a grammar")
    until(lambda: tab.widget.sample.sample)
    qtbot.keyClick(tab.widget.list, Qt.Key.Key_Return)
    assert tab.draft.recipe.corpus.name == "grammar"


def test_another_corpus_drops_the_settings_of_the_previous_one(tab, qtbot, until, click, tmp_path):
    (tmp_path / "fit.txt").write_text(TEXT)
    chain = {"kind": "fitted", "path": str(tmp_path / "fit.txt")}
    tab.draft.apply({"corpus": None}, {"corpus": {"name": "markov", "chain": chain}})
    until(lambda: tab.widget.sample.sample)
    tab.widget.settings.form._take("chain.kind", {"kind": "random"})
    tab.widget._values["markov"] = {"chain": {"kind": "random"}}
    tab.widget.choose("markov")
    until(lambda: tab.widget.sample.sample)
    click(tab.widget.settings.use)
    assert tab.draft.card("corpus").config.chain.kind == "random"


def test_the_tokenizer_cannot_be_selected_if_the_corpus_has_its_own_symbols(session, qtbot, until):
    panel = DraftPanel(session.draft, session.plugins, session.start)
    qtbot.addWidget(panel)
    panel.show()
    section = panel.sections.choices["tokenizer"]
    session.draft.apply({"corpus": None}, {"corpus": {"name": "parity"}})
    until(lambda: not section._box.isEnabled())
    assert section._box.currentText() == "Symbols of the source"
    assert "comes with its own symbols" in section._box.toolTip()
    session.draft.undo()
    until(lambda: section._box.isEnabled())
    assert section._box.currentText() == "Characters"


# ------------------------------------------------------------------------------------------------------- own texts


def test_files_folders_and_the_clipboard_are_passed_to_the_session(tab, click, monkeypatch):
    requested = []

    def files(parent, title, folder, kinds):
        requested.append(kinds)
        return ["one.csv", "other.pdf"], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", files)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "texts")
    QApplication.clipboard().setText("pasted words")
    for button in (tab.widget.open_file, tab.widget.open_folder, tab.widget.paste):
        click(button)
    assert tab.session.opened == ["one.csv", "other.pdf", "texts"]
    assert tab.session.pasted == ["pasted words"]
    first = requested[0].split(";;")[0]
    assert all(f"*{end}" in first for end in [*READERS, ".toml", ".lmlab"])


def test_a_cancelled_dialog_changes_nothing(tab, click, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    click(tab.widget.open_file)
    click(tab.widget.open_folder)
    assert tab.session.opened == []


def test_a_file_needs_a_path_and_then_shows_a_sample(tab, qtbot, until, tmp_path):
    (tmp_path / "latin.txt").write_bytes("Käse und Brot\n".encode("latin-1") * 50)
    pick(tab, qtbot, "A file or folder")
    assert "Enter the path" in words(tab.widget.sample)
    assert not tab.widget.settings.use.isEnabled()
    enter(tab, qtbot, "path", str(tmp_path / "latin.txt"))
    until(lambda: tab.widget.sample.sample)
    assert sample(tab).startswith("Käse und Brot")
    assert "text, " in words(tab.widget.sample)
    enter(tab, qtbot, "path", str(tmp_path / "gone.txt"))
    until(lambda: "no such file" in words(tab.widget.sample))
    assert "no such file" in words(tab.widget.settings)


def write_pictures(folder):
    image = pytest.importorskip("PIL.Image")
    for label in ("dark", "light"):
        (folder / label).mkdir(parents=True)
        for number in range(4):
            image.new("L", (8, 8), 20 * number).save(folder / label / f"{number}.png")


TURNS = '{"messages": [{"role": "user", "content": "why"}, {"role": "assistant", "content": "because"}]}'
ROW_FILES = {  # the name of a corpus: its file, what is in it, a setting and its value, a part of the sample
    "pairs-file": ("a.tsv", "source\tn\tgerman\n" + "red\t1\trot\n" * 4, ("target", "german"), "red → rot"),
    "labels-file": ("a.csv", "text,mood,n\nfine,good,1\nbad luck,poor,2\n", ("label", "mood"), "bad luck → poor"),
    "conversations-file": ("a.jsonl", f"{TURNS}\n" * 4, ("messages", "messages"), "user: why assistant: because"),
    "vectors-file": ("a.csv", "x,y,n\n1,2,a\n3,4,b\n5,6,a\n", ("target", "n"), " → a"),
    "images-folder": ("a", None, ("size", "4"), "a picture of 4 × 4 pixels → dark"),
}


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("labels-file", "images-folder") else pytest.param(name, marks=pytest.mark.long)
        for name in ROW_FILES
    ],
)
def test_the_form_of_a_file_of_rows_shows_its_rows_and_makes_it_the_corpus(tab, qtbot, until, click, tmp_path, name):
    file, content, (setting, value), shown = ROW_FILES[name]
    path = tmp_path / file
    write_pictures(path) if content is None else path.write_text(content)
    pick(tab, qtbot, PLUGINS.load().card("corpora", name).title)
    enter(tab, qtbot, "path", str(path))
    enter(tab, qtbot, setting, value)
    until(lambda: tab.widget.sample.sample and shown in sample(tab))
    click(tab.widget.settings.use)
    chosen = tab.draft.recipe.corpus
    assert (chosen.name, chosen.settings["path"], str(chosen.settings[setting])) == (name, str(path), value)


def test_an_opened_corpus_is_reported_with_reader_encoding_length_and_skipped_files(session, reported, until, tmp_path):
    folder = folder_of_texts(tmp_path)
    (folder / "bad.txt").write_bytes(bytes(range(256)) * 9)
    session.open_paths([str(folder)])
    until(lambda: reported)
    assert session.draft.recipe.corpus.settings["path"] == str(folder)
    assert "The next run trains on texts: text, UTF-8, 1 file" in reported[0]
    assert f"{len(TEXT):,} characters" in reported[0]
    assert "1 file skipped (bad.txt" in reported[0]


def test_pasted_text_is_reported_with_its_length(session, reported, until):
    session.opener.paste(TEXT)
    until(lambda: reported)
    assert reported == [f"The next run trains on the pasted text: {len(TEXT):,} characters"]


@pytest.mark.long
def test_a_dropped_folder_becomes_the_corpus(open_window, until, tmp_path):
    window = open_window(ready=False)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder_of_texts(tmp_path)))])
    middle, copy = window.rect().center(), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(middle, copy, data, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(middle), copy, data, left, none))
    until(lambda: window.session.draft.recipe.corpus.settings.get("path") == str(tmp_path / "texts"))


def test_another_file_drops_the_column_of_the_previous_one(session, until, tmp_path):
    (tmp_path / "plain.txt").write_text(TEXT)
    session.draft.apply({"corpus": None}, {"corpus": {"name": "file", "path": "table.csv", "column": "body"}})
    session.open_path(str(tmp_path / "plain.txt"))
    until(lambda: session.draft.card("corpus").config.path == str(tmp_path / "plain.txt"))
    assert session.draft.card("corpus").config.column == ""


@pytest.mark.long
def test_a_command_opens_a_folder(open_window, until, tmp_path, monkeypatch):
    window = open_window(ready=False)
    folder = folder_of_texts(tmp_path)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    window.findChild(QAction, "file.folder").trigger()
    until(lambda: window.session.draft.recipe.corpus.settings.get("path") == str(folder))


def test_a_dataset_on_the_hub_is_downloaded_for_a_sample_only_on_request(tab, qtbot, click, button, until, monkeypatch):
    fetched = []

    def fetch(corpus, job):
        fetched.append(corpus.config.path)
        return sample_of(Text("once upon a time", corpus.config.path))

    monkeypatch.setattr("lab.shell.corpus.picker.tab.make_sample", fetch)
    pick(tab, qtbot, "A data set")
    enter(tab, qtbot, "path", "somebody/stories")
    until(lambda: "Hugging Face hub" in words(tab.widget.sample))
    assert not tab.widget._later.isActive()
    assert not tab.session.background._tasks
    assert fetched == []
    click(button(tab.widget, "Download and show a sample"))
    until(lambda: sample(tab) == "once upon a time")
    assert fetched == ["somebody/stories"]


# ------------------------------------------------------------------------------------------------------- downloads


def test_a_download_is_fetched_on_request_and_can_then_be_used(served, make_tab, qtbot, until, click):
    download = served()
    tab = make_tab()
    pick(tab, qtbot, "Alice")
    assert not download.here
    assert "public domain" in words(tab.widget.settings)
    assert not tab.widget.settings.use.isEnabled()
    click(tab.widget.settings.download.start)
    until(lambda: tab.widget.sample.sample)
    assert row(tab, "Alice").note == "downloaded"
    click(tab.widget.settings.use)
    assert tab.draft.card("corpus").config.download == "alice"
    assert row(tab, "Alice").mark


def test_a_failed_download_leaves_the_focus_on_the_download_button(served, make_tab, qtbot, until, click, monkeypatch):
    def fails(download, *, progress, cancelled):
        raise LabError("example.org cannot be reached", field="download", value=download.name, remedy="Copy it")

    served()
    monkeypatch.setattr("lab.text.corpora.downloads.fetch", fails)
    tab = make_tab()
    pick(tab, qtbot, "Alice")
    click(tab.widget.settings.download.start)
    until(lambda: "example.org cannot be reached. Copy it." in words(tab.widget.settings))
    assert tab.widget.settings.download.start.hasFocus()


def test_a_download_shows_its_progress_and_can_be_cancelled(served, make_tab, qtbot, until, click, monkeypatch):
    from lab.base.jobs import Cancelled

    def slow(download, *, progress, cancelled):
        progress(download.bytes // 2, download.bytes)
        while not cancelled():
            threading.Event().wait(0.01)
        raise Cancelled

    served()
    monkeypatch.setattr("lab.text.corpora.downloads.fetch", slow)
    tab = make_tab()
    pick(tab, qtbot, "Alice")
    click(tab.widget.settings.download.start)
    until(lambda: row(tab, "Alice").note == "50 %")
    pick(tab, qtbot, "Copy")
    pick(tab, qtbot, "Alice")
    click(tab.widget.settings.download.stop)
    until(lambda: "continues from there" in words(tab.widget.settings))
    assert tab.widget.settings.download.start.isVisible()
    assert not tab.widget.downloads._polling.isActive()


def test_a_missing_network_is_reported_clearly(served, make_tab, qtbot, until, click):
    served(url="http://127.0.0.1:1/alice.txt")
    tab = make_tab()
    pick(tab, qtbot, "Alice")
    click(tab.widget.settings.download.start)
    until(lambda: "cannot be reached" in words(tab.widget.settings))
    assert "from another machine" in words(tab.widget.settings)
    assert tab.widget.settings.download.start.isVisible()


def test_a_download_with_a_wrong_checksum_is_refused_and_reported(served, make_tab, qtbot, until, click):
    download = served(sha256="0" * 64)
    tab = make_tab()
    pick(tab, qtbot, "Alice")
    click(tab.widget.settings.download.start)
    until(lambda: "listed checksum" in words(tab.widget.settings))
    assert not download.here
    assert not tab.widget.settings.use.isEnabled()


# --------------------------------------------------------------------------------------------------------- garbage


def test_a_corpus_of_a_plugin_that_raises_is_reported_with_its_trace(make_tab, plugin, qtbot, until):
    tab = make_tab([plugin("oddities", BROKEN)])
    pick(tab, qtbot, "An odd one")
    until(lambda: tab.widget.sample.state == "broken")
    assert "no such luck" in words(tab.widget.sample)
    pick(tab, qtbot, "Copy")
    until(lambda: tab.widget.sample.sample)


def test_a_slow_sample_is_dropped_for_the_next_one(make_tab, plugin, qtbot, until):
    tab = make_tab([plugin("oddities", BROKEN)])
    pick(tab, qtbot, "An odd one")
    tab.widget._values["odd"] = {"how": "waits"}
    tab.widget.choose("odd")
    until(lambda: tab.session.background._tasks)
    tab.widget._values["odd"] = {"how": "works"}
    tab.widget.choose("odd")
    until(lambda: sample(tab) == "it works")
    tab.session.plugins.card("corpora", "odd").build.__globals__["waits"].set()
    until(lambda: not running_jobs() and not tab.session.background._outcomes)
    assert sample(tab) == "it works"


def test_an_unknown_card_leaves_the_page_usable(tab, qtbot, until, monkeypatch):
    broken = tab.draft.recipe.with_values({"corpus": None}, {"corpus": {"name": "gone"}})
    tab.draft.recipe = broken
    tab.draft.changed.emit()
    assert "gone" in words(tab.widget)
    pick(tab, qtbot, "Copy")
    until(lambda: tab.widget.settings.use.isEnabled())


def test_a_sample_of_rows_is_their_number_and_the_text_of_the_first():
    sample = sample_of(Pairs("Letters", ["a", "b", "c"], ["x", "y", "z"]))
    assert sample.figures == (("Length", "3 rows"),)
    assert sample.examples[0] == (("a → ", False), ("x", True))
