"""The German pages follow the English ones: the same headings, code, links and pictures, in German words."""

import itertools
import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "docs"
GERMAN = FOLDER / "de"
PAGES = sorted(path.relative_to(GERMAN).as_posix() for path in GERMAN.rglob("*.md"))
LONGEST = 1700
"""Words that a page has at most, without its code: German takes some more than English."""
BLOCK = re.compile(r"^( *)```\w*\n.*?^ *```", re.MULTILINE | re.DOTALL)
LISTED = re.compile(r"^- \[([^\]]+)\]\(([^)]+)\)", re.MULTILINE)


def text(folder, name):
    return (folder / name).read_text(encoding="utf-8")


def prose(folder, name):
    """Return a page without its blocks of code."""
    return BLOCK.sub("", text(folder, name))


def title(folder, name):
    return text(folder, name).partition("\n")[0].removeprefix("# ")


def blocks(folder, name):
    return [block[0] for block in BLOCK.finditer(text(folder, name))]


def headings(folder, name):
    """Return the levels of the headings, in their order."""
    return [len(marks) for marks in re.findall(r"^(#+) ", prose(folder, name), re.MULTILINE)]


def links(folder, name):
    """Return the targets of links and pictures; another language may need them in another order."""
    return sorted(re.findall(r"\]\(([^)]+)\)", prose(folder, name)))


def code(folder, name):
    """Return the code within the sentences: commands, settings, files."""
    return {" ".join(found.split()) for found in re.findall(r"`([^`]+)`", prose(folder, name))}


def test_a_german_page_translates_an_english_page_for_people_who_use_the_lab():
    for name in PAGES:
        assert (FOLDER / name).is_file(), name
        assert name == "index.md" or name.startswith("using/"), name


def test_a_german_page_has_the_headings_code_links_and_pictures_of_the_english_one():
    for name, part in itertools.product(PAGES, [headings, blocks, links, code]):
        assert part(GERMAN, name) == part(FOLDER, name), (name, part)


def test_a_german_page_is_short():
    for name in PAGES:
        assert len(prose(GERMAN, name).split()) <= LONGEST, name


def test_the_german_index_lists_the_english_pages_in_their_order():
    german, english = ([name for _, name in LISTED.findall(text(folder, "index.md"))] for folder in (GERMAN, FOLDER))
    assert german == english


def test_the_german_index_has_the_titles_of_the_pages():
    """A page that is not translated yet is listed by its German title; those that stay English by their own."""
    titles = {name: listed for listed, name in LISTED.findall(text(GERMAN, "index.md"))}
    own = {name: title(GERMAN, name) for name in PAGES if name != "index.md"}
    own |= {name: title(FOLDER, name) for name in titles if not name.startswith("using/")}
    assert {name: titles[name] for name in own} == own
