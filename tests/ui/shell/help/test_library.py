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
