"""The pages of the help without widgets: their order, links and search."""

import pytest

from lab.base.folders import resources
from lab.host import Plugins
from lab.shell.help.library import INDEX, Library, Page, anchor_of, docs_pages, settings_section
from lab.workbench.settings_pages import settings_pages


@pytest.fixture(scope="module")
def library():
    """The docs and the settings of the lab's own cards."""
    settings = settings_pages(Plugins(safe_mode=True))
    return Library([*docs_pages(resources() / "docs"), *settings_section(settings, "Settings")])


def of(*texts):
    return Library([Page(f"a/p{number}", text.partition("\n")[0], "A", text) for number, text in enumerate(texts)])


def test_pages_come_in_the_order_of_the_index(library):
    sections = library.sections()
    assert next(iter(sections)) == "Start"
    assert [*sections][-1] == "Settings"
    assert sections["Start"][0].name == "using/first-steps"
    assert {"settings/transformer", "settings/corpora"} <= set(library.pages)


def test_every_command_about_settings_on_a_page_links_to_a_page_that_exists(library):
    for name in library.pages:
        for target in [part.partition(")")[0] for part in library.text(name).split("](/settings/")[1:]]:
            assert library.resolve("", f"settings/{target}") is not None, f"{name}: {target}"
    assert "](/settings/transformer.md#)" in library.text("using/transformers")


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("runs.md", ("using/runs", "")),
        ("../plugins/views.md#views", ("plugins/views", "views")),
        ("#files", ("using/window", "files")),
        ("../nowhere.md", None),
    ],
)
def test_a_link_is_relative_to_its_page(library, link, target):
    assert library.resolve("using/window", link) == target


def test_a_search_shows_text_around_the_words(library):
    hit = next(hit for hit in library.search("rounding grows") if hit.page.name == "using/checkpoints")
    assert "Rounding grows" in hit.snippet


def test_a_search_for_a_setting_finds_its_heading_in_the_reference(library):
    hits = {hit.page.name: hit for hit in library.search("architecture.kv_heads")}
    assert hits["settings/transformer"].anchor == anchor_of("architecture.kv_heads = 0")


def test_a_search_shows_no_mark_up():
    (hit,) = of("# One\n\n| a | b |\n|---|---|\n| **bold** `code` | [a link](x.md) |").search("bold")
    assert hit.snippet == "One a b bold code a link"


def test_an_empty_search_finds_nothing(library):
    assert library.search(" ") == []


def test_the_index_is_not_found_itself(library):
    assert INDEX not in {hit.page.name for hit in library.search("the")}


def test_the_anchor_of_a_heading_is_that_used_by_links():
    assert anchor_of("Where a change belongs: `lab`") == "where-a-change-belongs-lab"


def test_the_first_hit_for_perplexity_explains_it_with_a_number(library):
    first = library.search("perplexity")[0]
    assert (first.page.name, first.anchor) == ("using/figures", "perplexity")
    section = first.page.text.partition("## Perplexity\n\n")[2]
    assert "choose among 4.4 equally likely tokens" in section.partition(". A ")[0]


@pytest.mark.parametrize("query", ["seed", "how sure", "compare"])
def test_how_to_tell_a_real_difference_is_found(library, query):
    assert "using/comparing" in [hit.page.name for hit in library.search(query)][:12]


def test_the_page_about_comparing_is_the_first_hit_for_compare(library):
    assert library.search("compare")[0].page.name == "using/comparing"


def test_of_equal_hits_that_with_the_most_occurrences_comes_first():
    found = of("# Rare\n\nIt has noise.", "# Often\n\nNoise, noise and noise.").search("noise")
    assert [hit.page.title for hit in found] == ["# Often", "# Rare"]


@pytest.fixture
def folder(tmp_path):
    """Docs with three pages, of which the index and one other are translated."""
    pages = {
        "index.md": "# Index\n\n## Use\n\n- [Train](using/train.md)\n- [Costs](using/costs.md)\n",
        "using/train.md": "# Train\n\n## The form\n\n## The chart\n\nSee [costs](costs.md).",
        "using/costs.md": "# Costs\n\n## Memory\n\nSee [the chart](train.md#the-chart).",
        "de/index.md": "# Inhalt\n\n## Benutzen\n\n- [Trainieren](using/train.md)\n- [Kosten](using/costs.md)\n",
        "de/using/train.md": "# Trainieren\n\n## Das Formular\n\n## Das Diagramm\n\nSiehe [Kosten](costs.md).",
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_pages_of_another_language_replace_the_english_ones_and_the_others_stay(folder):
    pages = {page.name: page for page in docs_pages(folder, "de")}
    assert pages["using/train"].text.startswith("# Trainieren")
    assert pages["using/costs"].text.startswith("# Costs")
    assert {name: page.language for name, page in pages.items()} == {
        "index": "de", "using/train": "de", "using/costs": "en",
    }  # fmt: skip


def test_contents_and_search_are_in_the_language(folder):
    library = Library(docs_pages(folder, "de"))
    listed = {section: [page.title for page in pages] for section, pages in library.sections().items()}
    assert listed == {"Benutzen": ["Trainieren", "Kosten"]}
    assert [(hit.page.name, hit.anchor) for hit in library.search("formular")] == [("using/train", "das-formular")]


def test_a_language_without_pages_has_the_english_ones(folder):
    assert docs_pages(folder, "fr") == docs_pages(folder)


@pytest.mark.parametrize(
    ("anchor", "own"), [("the-chart", "das-diagramm"), ("das-formular", "das-formular"), ("", ""), ("none", "none")]
)
def test_a_heading_of_a_translated_page_is_found_by_its_english_anchor_too(folder, anchor, own):
    library = Library(docs_pages(folder, "de"))
    assert library.resolve("using/costs", f"train.md#{anchor}") == ("using/train", anchor)
    assert library.pages["using/train"].anchor(anchor) == own


def test_links_of_german_pages_lead_to_pages_whether_these_are_translated_or_not():
    library = Library(docs_pages(resources() / "docs", "de"))
    assert library.pages["using/first-steps"].language == "de"
    assert library.resolve("using/first-steps", "train.md") == ("using/train", "")
    assert library.resolve("using/first-steps", "../plugins/views.md") == ("plugins/views", "")
    assert library.pages["plugins/views"].language == "en"
