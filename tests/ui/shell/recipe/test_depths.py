"""The three depths of the form: basic rows, and headings of groups that are made when they open and are remembered."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QScrollArea

from lab.base.settings import read_section
from lab.shell.recipe.card_box import NAME
from lab.shell.recipe.outline import CARDS
from lab.shell.recipe.panel import LOW, STRIP
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.i18n import language, sort_key
from lab.widgets.core.theme import themes
from lab.widgets.forms.row_parts import Caption, WayBack

BASIC = ("training.steps", "training.optimizer.learning_rate", "training.batch_size", "training.context_length")


def below(panel):
    """Return the pixels of the form that are below its visible part."""
    return panel.findChild(QScrollArea).verticalScrollBar().maximum()


def test_the_basic_rows_fit_a_screen_of_768_pixels_without_scrolling(configuration, row):
    assert below(configuration) == 0
    assert all(row(path).isVisible() for path in BASIC)
    assert [heading.is_open for heading in configuration.groups.headings.values()] == [False] * 3


def test_the_title_says_that_the_form_is_that_of_the_next_run(configuration):
    assert configuration.title.text() == "Next run"
    assert configuration.accessibleName() == "Configuration of the next run; runs that exist keep theirs"


def test_rows_of_closed_groups_are_not_made(configuration, row):
    assert row("architecture.heads") is None
    configuration.groups.open("Model/Attention")
    assert row("architecture.heads").isVisible()
    assert row("training.clip") is None


def test_the_button_counts_the_changes_of_a_recipe_which_are_the_rows_with_a_dot(configuration, refreshed):
    draft = configuration._draft
    assert draft.apply({"architecture": {"window": 32, "layers": 1}, "training": {"steps": 7, "clip": 2.0}}) is None
    refreshed()
    for path in ("architecture.window", "training.clip", "architecture.layers"):
        configuration.sections.reveal(path)
        refreshed()
    dots = [dot for dot in configuration.findChildren(WayBack) if dot.isVisible()]
    assert len(dots) == 4
    assert configuration.start_button.text() == "Start new run (4 changes)"
    assert draft.edit("architecture.name", "lstm") is None
    refreshed()
    dots = [dot for dot in configuration.findChildren(WayBack) if dot.isVisible()]
    assert configuration.start_button.text() == f"Start new run ({len(dots)} changes)"


def test_the_tool_tip_of_start_has_the_titles_of_the_changed_settings(configuration, refreshed):
    changes = {"tokenizer": {"name": "word"}, "architecture": {"kv_heads": 2}, "training": {"steps": 7}}
    assert configuration._draft.apply(changes) is None
    refreshed()
    tip = configuration.start_button.toolTip()
    assert "(Tokenizer, Key/value heads, Steps)" in tip


def test_headings_and_groups_sum_up_their_values(configuration, qtbot, refreshed):
    model, training = configuration.groups.headings["Model"], configuration.groups.headings["Training"]
    assert (model.head.summary, training.head.summary) == ("4 blocks × 128, 4 heads", "AdamW, warm-up and cosine")
    configuration._draft.apply({"architecture": {"layers": 1, "window": 32}})
    refreshed()
    assert model.head.summary == "1 block × 128, 4 heads"
    assert model.head.accessibleName() == "Model, 2 differ"


def test_open_groups_are_open_again_in_the_next_session(configuration, make_panel, qtbot):
    qtbot.mouseClick(configuration.groups.headings["Model"].head, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(configuration.groups.groups["Model/Attention"].head, Qt.MouseButton.LeftButton)
    assert read_section("form")["open"] == ["Model", "Model/Attention"]
    again = make_panel().groups
    assert (again.headings["Model"].is_open, again.headings["Training"].is_open) == (True, False)
    assert (again.groups["Model/Attention"].is_open, again.groups["Model/Size"].is_open) == (True, False)


def test_revealing_a_setting_opens_its_heading_and_group(configuration, row):
    configuration.reveal("architecture.qk_norm")
    assert row("architecture.qk_norm").control.hasFocus()
    configuration.reveal("training.schedule.warmup")
    field = row("training.schedule.warmup").control
    assert field.hasFocus()
    seen = configuration.findChild(QScrollArea).viewport()
    assert seen.rect().contains(field.mapTo(seen, field.rect().center()))


def test_a_problem_of_the_engine_opens_the_group_of_its_field(configuration, row):
    from lab.api import Problem

    configuration.show_problem(Problem("is too long for this corpus", field="architecture.window"))
    assert row("architecture.window").isVisible()


def test_the_filter_shows_matching_settings_of_closed_groups(configuration, row, refreshed):
    configuration.filter.setText("weight decay")
    refreshed()
    assert row("training.optimizer.weight_decay").isVisible()
    assert not row("training.steps").isVisible()
    configuration.filter.setText("nothing of the kind")
    refreshed()
    assert configuration._nothing.isVisible()
    configuration.filter.clear()
    refreshed()
    assert row("training.steps").isVisible()
    assert not configuration.groups.headings["Training"].is_open


@pytest.mark.parametrize("typed", ["mamba", "unigram", "lstm"])
def test_the_filter_finds_a_choice_by_each_card_that_it_offers(configuration, refreshed, typed):
    configuration.filter.setText(typed)
    refreshed()
    assert configuration._nothing.isHidden()


@pytest.mark.parametrize("typed", ["preset", "quick start"])
def test_the_filter_finds_the_row_of_presets_by_its_title_and_by_what_it_offers(configuration, refreshed, typed):
    configuration.filter.setText(typed)
    refreshed()
    assert configuration.presets.isVisible()
    assert configuration._nothing.isHidden()


def test_presets_are_not_among_what_differs(configuration, refreshed):
    configuration.only.setChecked(True)
    configuration.filter.setText("preset")
    refreshed()
    assert configuration.presets.isHidden()


def test_a_filter_that_passes_many_settings_opens_their_groups_one_after_the_other(configuration, qtbot, monkeypatch):
    monkeypatch.setattr("lab.shell.recipe.groups_view.BUDGET", 0)
    filled = []
    configuration.groups.filled.connect(
        lambda: filled.append(sum(one.rows.count() > 0 for one in configuration.groups.groups.values()))
    )
    configuration.filter.setText("l")
    configuration.refresh()
    assert filled == [0]
    qtbot.waitUntil(lambda: len(filled) > 1)
    assert filled[1] > 10
    assert all(one.is_open == one.isVisible() for one in configuration.groups.groups.values())


def test_only_what_differs_is_shown_on_request(configuration, row, refreshed):
    configuration._draft.apply({"training": {"clip": 0.5}})
    configuration.only.setChecked(True)
    refreshed()
    assert row("training.clip").isVisible()
    assert not any(row(path).isVisible() for path in BASIC)


def test_revealing_a_setting_that_the_filter_hides_ends_the_filter(configuration, row, refreshed):
    configuration.filter.setText("dropout")
    refreshed()
    configuration.reveal("training.steps")
    assert configuration.filter.text() == ""
    assert row("training.steps").control.hasFocus()


def test_architectures_are_listed_by_family_with_a_line_about_each(configuration):
    box = configuration.sections.choices["architecture"]._box
    titles = [box.itemText(place) for place in range(box.count())]
    headings = [text for place, text in enumerate(titles) if box.itemData(place, NAME) is None]
    assert headings == sorted(headings, key=str.lower)
    recurrent = titles.index("Recurrent")
    assert titles[recurrent : recurrent + 4] == ["Recurrent", "GRU", "LSTM", "Recurrent encoder-decoder"]
    assert "gate" in box.model().item(recurrent + 1).toolTip()
    assert not box.model().item(recurrent).isEnabled()


def test_the_strip_describes_the_architecture_in_the_focus(configuration):
    configuration.reveal("architecture.name")
    assert configuration.sections.choices["architecture"]._box.hasFocus()
    assert configuration.help._sentence.text().startswith("Transformer. Every token reads")


def test_another_architecture_moves_nothing_below_it(configuration, row, refreshed):
    def heights():
        rows = [row(path) for path in BASIC]
        return [each.mapTo(configuration, QPoint()).y() for each in rows]

    before = heights()
    configuration._draft.edit("architecture.name", "moe")
    refreshed()
    assert heights() == before


def test_a_model_that_counts_has_no_learning_rate_and_no_optimizer(configuration, row, refreshed):
    configuration._draft.edit("architecture.name", "n-gram")
    refreshed()
    assert not row("training.optimizer.learning_rate").isVisible()
    configuration.groups.open("Training")
    assert not {"Training/Optimizer", "Training/Schedule"} & set(configuration.groups.groups)
    configuration._draft.undo()
    refreshed()
    assert row("training.optimizer.learning_rate").isVisible()


def test_an_automatic_value_is_shown_and_can_be_entered(configuration, row, refreshed, qtbot):
    configuration.reveal("architecture.kv_heads")
    field = row("architecture.kv_heads").control
    assert field.text() == "auto (4)"
    configuration._draft.edit("architecture.heads", 8)
    refreshed()
    assert field.text() == "auto (8)"
    for typed, stored, shown in (("2", 2, "2"), ("auto", 0, "auto (8)")):
        field.selectAll()
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert configuration._draft.card("architecture").config.kv_heads == stored
        refreshed()
        assert field.text() == shown


def test_settings_without_effect_are_hidden_and_keep_their_values(configuration, row, refreshed):
    draft = configuration._draft
    draft.apply({"architecture": {"positions": "rotary", "rotary_base": 5e5}})
    refreshed()
    configuration.groups.open("Model/Positions")
    assert row("architecture.rotary_base").isVisible()
    assert not row("architecture.relative_buckets").isVisible()
    draft.edit("architecture.positions", "alibi")
    refreshed()
    assert not row("architecture.rotary_base").isVisible()
    assert "architecture.rotary_base" not in draft.changes()
    draft.edit("architecture.positions", "rotary")
    refreshed()
    assert row("architecture.rotary_base").control.text() == "500000"


def test_the_schedule_is_drawn(configuration, refreshed):
    configuration.groups.open("Training/Schedule")
    rates = configuration.schedule_editor.rate.rates
    assert max(rates) == pytest.approx(configuration._draft.card("training.optimizer").config.learning_rate, rel=0.02)
    assert rates[0] < rates[-1] < max(rates)
    configuration._draft.edit("training.schedule.name", "constant")
    refreshed()
    assert configuration.schedule_editor.rate.rates[-1] == max(configuration.schedule_editor.rate.rates)


@pytest.fixture(params=["de", pytest.param("en", marks=pytest.mark.long)])
def localized(request):
    """Use each language in turn."""
    language.use(request.param)
    yield
    language.use("en")


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_no_name_of_a_shipped_setting_is_cut(localized, configuration, refreshed, every):
    cut = {}
    for name in list(configuration._plugins.cards("architectures"))[::every]:
        assert configuration._draft.edit("architecture.name", name) is None
        refreshed()
        for heading in configuration.groups.headings:
            configuration.groups.open(heading)
        for key in configuration.groups.groups:
            configuration.groups.open(key)
        configuration.findChild(QScrollArea).widget().layout().activate()
        names = [one for one in configuration.findChildren(Caption) if one.isVisible()]
        cut |= {one.text: one.width() for one in names if one._needed() > one.width()}
    assert cut == {}


def test_the_path_of_a_corpus_has_the_whole_width_and_a_button_that_browses(configuration, row, refreshed, tmp_path):
    (tmp_path / "poems.txt").write_text("All in the golden afternoon full leisurely we glide. " * 20)
    configuration._draft.apply({"corpus": None}, {"corpus": {"name": "file", "path": str(tmp_path / "poems.txt")}})
    refreshed()
    assert configuration.groups.headings["Data"].head.summary == "poems.txt"
    configuration.reveal("corpus.path")
    knob = row("corpus.path")
    assert knob.control.width() > 180
    assert knob._browse.isVisible()
    knob._browse.picked.emit(str(tmp_path))
    assert configuration._draft.recipe.corpus.settings["path"] == str(tmp_path)


# ------------------------------------------------------------------------------------------ cards that need a path


@pytest.fixture
def choose_corpus(configuration):
    """Select a corpus in the list."""

    def choose_corpus(name):
        box = configuration.sections.choices["corpus"]._box
        box.setCurrentIndex(box.findData(name, NAME))
        box.activated.emit(box.currentIndex())

    return choose_corpus


def question(configuration):
    """Return the field that asks for the path of a corpus; None if there is none."""
    return configuration.sections.choices["corpus"]._question


@pytest.mark.parametrize("name", ["file", "dataset"])
def test_a_corpus_that_needs_a_path_asks_for_it_instead_of_being_refused(
    configuration, choose_corpus, tmp_path, monkeypatch, refreshed, qtbot, name
):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "text.txt"), ""))
    before = configuration._draft.recipe
    choose_corpus(name)
    assert configuration._problem.isHidden()
    assert configuration._draft.recipe is before
    browse = question(configuration)._browse
    assert browse.hasFocus()
    browse.menu().actions()[0].trigger()
    refreshed()
    assert configuration._draft.recipe.corpus.name == name
    assert configuration._draft.recipe.corpus.settings["path"] == str(tmp_path / "text.txt")
    assert question(configuration) is None


def test_a_typed_path_is_taken_too(configuration, choose_corpus, qtbot, refreshed):
    choose_corpus("file")
    qtbot.keyClicks(question(configuration).control, "somewhere.txt")
    qtbot.keyClick(question(configuration).control, Qt.Key.Key_Return)
    refreshed()
    assert configuration._draft.recipe.corpus.settings["path"] == "somewhere.txt"


def test_another_choice_ends_the_question_for_a_path(configuration, choose_corpus, refreshed):
    choose_corpus("file")
    choose_corpus("python-manual")
    refreshed()
    assert question(configuration) is None
    assert configuration._draft.recipe.corpus.name == "python-manual"


def test_esc_ends_the_question_for_a_path(configuration, choose_corpus, qtbot):
    before = configuration._draft.recipe
    choose_corpus("file")
    qtbot.keyClick(question(configuration)._browse, Qt.Key.Key_Escape)
    assert question(configuration) is None
    assert configuration._draft.recipe is before


def test_the_automatic_value_of_a_mixer_in_a_pattern_follows_the_width_of_its_stack(configuration, row, refreshed):
    configuration._draft.apply({"architecture": {"name": "hybrid", "width": 96, "pattern": "attention+mlp"}})
    refreshed()
    configuration.reveal("architecture.mlp.hidden")
    configuration.reveal("architecture.attention.head_width")
    texts = {path: row(f"architecture.{path}").control for path in ("mlp.hidden", "attention.head_width")}
    assert {path: field.text() for path, field in texts.items()} == {
        "mlp.hidden": "auto (256)", "attention.head_width": "auto (24)",
    }  # fmt: skip
    configuration._draft.edit("architecture.width", 192)
    refreshed()
    assert {path: field.text() for path, field in texts.items()} == {
        "mlp.hidden": "auto (512)", "attention.head_width": "auto (48)",
    }  # fmt: skip


@pytest.fixture
def appearance():
    """Change the appearance; the usual one comes back at the end."""
    yield themes.change
    themes.apply(Appearance())


@pytest.mark.long
def test_a_projected_window_leaves_the_strip_out_whatever_the_height_of_the_panel(configuration, appearance):
    appearance(projector=True)
    configuration.resize(configuration.width(), configuration.height() + 40)
    assert configuration.help.isHidden()


def test_another_theme_does_not_show_the_strip_in_a_low_panel(configuration, appearance):
    configuration.resize(configuration.width(), LOW - 40)
    appearance(theme="light")
    assert configuration.help.isHidden()


@pytest.mark.long
def test_the_strip_keeps_the_lines_of_large_type_at_another_height_of_the_panel(configuration, appearance):
    appearance(type_size=150)
    before = configuration.help.height()
    configuration.resize(configuration.width(), configuration.height() + 40)
    assert configuration.help.height() == before > STRIP


def test_the_choices_of_the_basic_rows_start_at_one_edge_at_every_size_of_the_type(configuration, appearance, qtbot):
    boxes = [configuration.sections.choices[field]._box for field in CARDS] + [configuration.presets.box]
    for size in (100, 150):
        appearance(type_size=size)
        qtbot.waitUntil(lambda: len({box.mapTo(configuration, QPoint()).x() for box in boxes}) == 1)


def test_architectures_and_families_are_listed_by_their_german_titles(german, make_panel):
    box = make_panel().sections.choices["architecture"]._box
    families = []
    for place in range(box.count()):
        families += [[]] if box.itemData(place, NAME) is None else []
        families[-1].append(box.itemText(place))
    headings = [family[0] for family in families]
    assert headings == sorted(headings, key=sort_key)
    assert all(family[1:] == sorted(family[1:], key=sort_key) for family in families)
