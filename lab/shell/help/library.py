"""The pages of the help, without widgets: the docs in a language, in the order of their index, settings, links, search.

Pages and headings are linked by their English names in every language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources.abc import Traversable

from lab.workbench.settings_pages import SettingsPage

INDEX = "index"
"""The page that lists all others."""
ENGLISH = "en"
"""The language of the pages that have no translation."""
SETTINGS = "settings/"
"""The prefix of the names of pages about settings."""
SNIPPET = 72
"""Most characters of text shown for a hit."""
STEM = 5
"""Most letters of a word that is searched with its last letter in any case."""
LEAD = 20
"""Most characters of text shown before the first word found."""

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_LISTED = re.compile(r"^- \[([^\]]+)\]\(([\w/.-]+)\.md\)", re.MULTILINE)
_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_SETTINGS_COMMAND = re.compile(r"`(lm-lab settings ([\w-]+))`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"^#+ |^\|[-| :]+\|$|^ *```\w*$|[`*\\]", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """One page.

    Args:
        name: Its path below the docs, without suffix ("using/window").
        title: Its title.
        section: The section of the index that lists it; "" for the index itself.
        text: The page in Markdown.
        language: The code of its language.
        original: The English page of which it is a translation; "" for an English page.
    """

    name: str
    title: str
    section: str
    text: str
    language: str = ENGLISH
    original: str = ""

    @cached_property
    def plain(self) -> str:
        """The text without markup, on one line."""
        return _plain(self.text)

    @cached_property
    def small(self) -> str:
        """The plain text in lower case."""
        return self.plain.lower()

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The headings below the title."""
        return _headings(self.text)

    def anchor(self, english: str) -> str:
        """Return the anchor of a heading of this page, given that of the heading on the English page."""
        pairs = zip(_headings(self.original), self.headings, strict=False)
        return next((anchor_of(own) for heading, own in pairs if anchor_of(heading) == english), english)


@cache
def _plain(text: str) -> str:
    """Return Markdown without markup; the docs and settings are the same each time a library is made of them."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).replace("|", " ").split())


@cache
def _headings(text: str) -> tuple[str, ...]:
    found = re.findall(r"^##+ (.+)$", _FENCE.sub("", text), re.MULTILINE)
    return tuple(heading.replace("`", "") for heading in found)


@dataclass(frozen=True)
class Hit:
    """A page that a search found.

    Args:
        page: The page.
        snippet: Some text around the first hit, or the heading that was found.
        anchor: The anchor of the heading that was found; "" for the start of the page.
    """

    page: Page
    snippet: str
    anchor: str = ""


def docs_pages(folder: Traversable, language: str = ENGLISH) -> list[Page]:
    """Return the docs in a folder: the index, and the pages that it lists, in its order.

    Args:
        folder: The folder of the English pages; those of another language have the same names in a folder of its code.
        language: The code of the language; what is not translated into it is English.
    """
    index = _read(folder, INDEX, language)
    pages = [index]
    starts = [*_SECTION.finditer(index.text)]
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        part = index.text[start.end() : following.start() if following else len(index.text)]
        listed = _LISTED.findall(part)
        pages += [replace(_read(folder, name, language), title=title, section=start[1]) for title, name in listed]
    return pages


def settings_section(settings: Sequence[SettingsPage], title: str) -> list[Page]:
    """Return the pages about settings as a section with this title."""
    return [Page(SETTINGS + made.name, made.title, title, made.text) for made in settings]


class Library:
    """The collection of all pages.

    Args:
        pages: The pages in the order of the index.

    Attributes:
        pages: The pages by name.
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = {page.name: page for page in pages}
        self._cards: dict[str, tuple[str, str]] = {}  # page and anchor by name of a card
        settings = [page for page in pages if page.name.startswith(SETTINGS)]
        for page in settings:
            for heading in page.headings:
                self._cards.setdefault(heading, (page.name, anchor_of(heading)))
        for page in settings:
            self._cards[page.name.removeprefix(SETTINGS)] = (page.name, "")

    def sections(self) -> dict[str, list[Page]]:
        """Return the pages by section, in the order of the index."""
        found: dict[str, list[Page]] = {}
        for page in self.pages.values():
            if page.section:
                found.setdefault(page.section, []).append(page)
        return found

    def text(self, name: str) -> str:
        """Return a page in Markdown; commands that show settings become links to the pages about them."""
        parts, last, text = [], 0, self.pages[name].text
        if name == INDEX:
            text += self._list_of_settings()
        for fence in _FENCE.finditer(text):
            parts += [self._linked(text[last : fence.start()]), fence[0]]
            last = fence.end()
        return "".join([*parts, self._linked(text[last:])])

    def resolve(self, name: str, link: str) -> tuple[str, str] | None:
        """Return the page and the anchor to which a link on a page leads; None if there is no such page.

        Args:
            name: The page with the link.
            link: The link: "train.md#the-form", "../plugins/views.md", "#the-form".
        """
        path, _, anchor = link.partition("#")
        if not path:
            return name, anchor
        steps = name.split("/")[:-1]
        for step in path.removesuffix(".md").split("/"):
            if step == "..":
                steps = steps[:-1]
            elif step != ".":
                steps.append(step)
        target = "/".join(steps)
        return (target, anchor) if target in self.pages else None

    def search(self, query: str) -> list[Hit]:
        """Return the pages with all words of a query: in the title first, then in a heading, then in the text.

        Of equals that with the most occurrences comes first. A page's file has a part in its title, and a word is found
        in other forms of it, too, so that "compare" finds "comparing".
        """
        words = [_stem(word) for word in query.lower().split()]
        titles, headings, texts = [], [], []
        for page in self.pages.values():
            if not words or page.name == INDEX:
                continue
            heading = next((heading for heading in page.headings if _has_all(heading, words)), None)
            if _has_all(f"{page.title} {page.name.rpartition('/')[2]}", words):
                titles.append(Hit(page, _snippet(page.plain.removeprefix(page.title).strip(), words)))
            elif heading is not None:
                headings.append(Hit(page, heading, anchor_of(heading)))
            elif _has_all(page.plain, words):
                texts.append(Hit(page, _snippet(page.plain, words)))
        return [hit for found in (titles, headings, texts) for hit in _by_occurrences(found, words)]

    def _list_of_settings(self) -> str:
        """Return the part of the index that lists the pages about settings, which the docs cannot list."""
        pages = [page for page in self.pages.values() if page.name.startswith(SETTINGS)]
        heading = [f"\n## {pages[0].section}\n"] if pages else []
        return "\n".join([*heading, *(f"- [{page.title}]({page.name}.md)" for page in pages)])

    def _linked(self, text: str) -> str:
        return _SETTINGS_COMMAND.sub(self._link_to_settings, text)

    def _link_to_settings(self, command: re.Match[str]) -> str:
        if command[2] not in self._cards:
            return command[0]
        page, anchor = self._cards[command[2]]
        return f"[`{command[1]}`](/{page}.md#{anchor})"


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading as GitHub makes it: in lower case, with hyphens for spaces."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _read(folder: Traversable, name: str, language: str) -> Page:
    """Return a page in a language, or in English where it has no translation; its title is that of the page."""
    path = f"{name}.md".split("/")
    original = folder.joinpath(*path).read_text(encoding="utf-8")
    translated = folder.joinpath(language, *path)
    if language == ENGLISH or not translated.is_file():
        return Page(name, _title(original), "", original)
    text = translated.read_text(encoding="utf-8")
    return Page(name, _title(text), "", text, language, original)


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def _has_all(text: str, words: Sequence[str]) -> bool:
    text = text.lower()
    return all(word in text for word in words)


def _stem(word: str) -> str:
    """Return a word without the e at its end, which other forms of it drop: "compare" and "comparing"."""
    return word[:-1] if len(word) > STEM and word.endswith("e") else word


def _by_occurrences(hits: Sequence[Hit], words: Sequence[str]) -> list[Hit]:
    return sorted(hits, key=lambda hit: -sum(hit.page.small.count(word) for word in words))


def _snippet(text: str, words: Sequence[str]) -> str:
    """Return some text around the words where they are adjacent, or around the first one found."""
    small = text.lower()
    found = [small.find(each) for each in (" ".join(words), *words)]
    at = next((position for position in found if position >= 0), 0)
    start = small.rfind(" ", 0, max(0, at - LEAD)) + 1 if at > LEAD else 0
    shown = text[start : start + SNIPPET]
    return ("… " if start else "") + shown.strip() + (" …" if start + SNIPPET < len(text) else "")
