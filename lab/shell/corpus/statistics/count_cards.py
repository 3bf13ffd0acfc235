"""The statistics cards of counts: Zipf's law, n-grams, entropies, compressors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QWheelEvent

from lab.api import ENTROPY_RATE
from lab.shell.corpus.statistics.card import PartsCard
from lab.shell.corpus.statistics.text_cards import with_margins
from lab.widgets.charts.chart import Chart, Flag, Floor, Line
from lab.widgets.core.controls import MenuButton, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.theme import INSIDE, px, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.bar_list import Bar, BarList
from lab.widgets.tokens.next_tokens import percent

if TYPE_CHECKING:
    from lab.text.statistics.entropy import Entropy
    from lab.text.statistics.grams import Grams
    from lab.text.statistics.zipf import Zipf

POINTS = 400
"""Number of ranks that are drawn, evenly spaced on the logarithmic axis."""
LOWEST = 120
"""The least height of a chart in pixels, at a size of the type of 100 percent."""
ORDERS = 5
"""The largest n of n-grams that can be selected."""


class PageChart(Chart):
    """A chart that reacts to the mouse wheel only if it has the focus, so that the page can scroll."""

    def __init__(self) -> None:
        super().__init__()
        follow_type(self, lambda chart: chart.setMinimumHeight(px(LOWEST)))

    def sizeHint(self) -> QSize:
        """Return the minimum size; the page sets the height."""
        return self.minimumSize()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom if the chart has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ZipfCard(PartsCard):
    """The card of counts by rank, with fitted power laws."""

    parts = ("zipf_words", "zipf_tokens")

    def __init__(self) -> None:
        sentence = tr(
            "Zipf's law: a word of rank r is about 1/rˢ times as frequent as the first one. Dashed lines are fits."
        )
        super().__init__(tr("Counts by rank"), sentence)
        self.chart = PageChart()
        self.chart.set_axes(tr("rank"), tr("count"), x_log=True, y_log=True)
        self.rows.addWidget(self.chart, 1)
        self.add_control(ExportButton(self.chart))
        themes.changed.connect(self._draw_chart)

    def fill(self) -> list[str]:
        """Draw a line and a fit for words and for tokens."""
        self._draw_chart()
        names = {"zipf_words": tr("words"), "zipf_tokens": tr("tokens")}
        return [_zipf_summary(names[part], self.found[part]) for part in names if part in self.found]

    def _draw_chart(self) -> None:
        kinds = (("zipf_words", tr("words"), 0), ("zipf_tokens", tr("tokens"), 1))
        lines: list[Line] = []
        for part, name, colour in kinds:
            if part in self.found:
                lines += _zipf_lines(name, self.found[part], themes.now.runs[colour])
        self.chart.set_lines(lines)
        self.chart.draw()


def _zipf_lines(name: str, found: Zipf, colour: str) -> list[Line]:
    """Return a line of the counts, and one of the fit over the fitted ranks."""
    shown = _some_ranks(len(found.counts))
    exponent = found.exponent
    end_label = tr("no fit") if exponent is None else tr("s = {s}", s=number_text(exponent, ".2f"))
    counts = found.counts[shown - 1].astype(np.float64)
    lines = [Line(name, name, colour, shown.astype(np.float64), counts, "main", value_text=end_label)]
    if exponent is not None:
        ranks = np.geomspace(1, found.last, 50)
        lines.append(Line(f"{name} fit", "", colour, ranks, found.level * ranks**-exponent, dashes=1))
    return lines


def _some_ranks(count: int) -> np.ndarray:
    return np.unique(np.geomspace(1, count, POINTS).astype(np.int64)) if count else np.zeros(0, np.int64)


def _zipf_summary(name: str, found: Zipf) -> str:
    first = " ".join(glyphs(one) for one in found.top[:10])
    if found.exponent is None:
        return tr("{name}: too few to fit; most frequent: {first}", name=name, first=first)
    return tr(
        "{name}: exponent {s}, ranks 1 to {last}; most frequent: {first}",
        name=name, s=number_text(found.exponent, ".3f"), last=number_text(found.last), first=first,
    )  # fmt: skip


class GramsCard(PartsCard):
    """The card of the most frequent n-grams of one length."""

    parts = ("grams_words", "grams_characters")

    def __init__(self) -> None:
        sentence = tr("The most frequent sequences. A model cannot learn much from those that occur only once.")
        super().__init__(tr("Frequent n-grams"), sentence)
        kinds = [("grams_characters", tr("characters")), ("grams_words", tr("words"))]
        self.kind = MenuButton(tr("n-grams of"), kinds, self._choose)
        orders = [(str(order), tr("n = {n}", n=order)) for order in range(1, ORDERS + 1)]
        self.order = MenuButton(tr("length of the n-grams"), orders, self._choose)
        self.order.show_value("3")
        self.menus = {"n-grams of": self.kind, "length of the n-grams": self.order}
        self.add_control(self.kind)
        self.add_control(self.order)
        self.bars = BarList(tr("Most frequent n-grams"), tokens=True)
        self._footnote = label("", "note")
        self._footnote.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self.rows.addLayout(with_margins(self.bars), 1)
        self.rows.addWidget(self._footnote)

    def fill(self) -> list[str]:
        """Show the n-grams of the selected kind and length; return those of all lengths as text."""
        self._choose("")
        names = {"grams_characters": tr("characters"), "grams_words": tr("words")}
        return [
            tr("{n}-grams of {kind}: {top}", n=one.order, kind=names[part], top=_first(one, part))
            for part in names
            for one in self.found.get(part, ())
        ]

    def _choose(self, _: str) -> None:
        order = int(self.order.value)
        orders: tuple[Grams, ...] | None = self.found.get(self.kind.value)
        found = next((one for one in orders or () if one.order == order), None)
        most = found.top[0][1] if found is not None and found.top else 1
        bars = [
            Bar(
                _shown(gram, self.kind.value),
                count / most,
                (number_text(count), percent(count / found.total)),
                tr_n("{gram}: once", "{gram}: {n} times", count, gram=_shown(gram, self.kind.value)),
            )
            for gram, count in (found.top if found is not None else ())
            if found is not None
        ]
        self.bars.set_bars((tr("n-gram"), tr("count"), tr("of all")), bars)
        if found is not None:
            once = percent(found.once / max(1, found.distinct))
            note = tr("{n} different, {once} occurring once", n=number_text(found.distinct), once=once)
        else:
            note = tr("The text is too short for these.") if orders is not None else tr("Not counted yet.")
        self._footnote.setText(note)


def _first(found: Grams, part: str) -> str:
    return ", ".join(f"{_shown(gram, part)} {number_text(count)}" for gram, count in found.top[:10])


def _shown(gram: str, part: str) -> str:
    """Return the label of an n-gram; spaces between words stay spaces."""
    return glyphs(gram) if part == "grams_characters" else gram


class EntropyCard(PartsCard):
    """The card of entropies of orders 0 to 5, as counted and on held-out text."""

    parts = ("entropies",)
    extra = ("size", ENTROPY_RATE)

    def __init__(self) -> None:
        sentence = tr(
            "The uncertainty of a character after the n − 1 before it (Shannon 1951): as counted, and on held-out "
            "validation text."
        )
        super().__init__(tr("Entropy by order"), sentence)
        self.chart = PageChart()
        self.chart.set_axes(tr("order n"), tr("bits per character"))
        self._footnote = label("", "note")
        self._footnote.setWordWrap(True)
        self._footnote.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self.rows.addWidget(self.chart, 1)
        self.rows.addWidget(self._footnote)
        self.add_control(ExportButton(self.chart))
        themes.changed.connect(self._draw_chart)

    def fill(self) -> list[str]:
        """Draw both lines; the line as counted is dashed where the counts are too few."""
        found = self.found["entropies"]
        self.show_read(found.read if "size" in self.found and found.read < self.found["size"].characters else 0)
        note = reliability_note(found.orders)
        self._footnote.setText(note)
        self._draw_chart()
        return [*map(_entropy_summary, found.orders), note]

    def _draw_chart(self) -> None:
        if "entropies" not in self.found:
            return
        orders: tuple[Entropy, ...] = self.found["entropies"].orders
        colours = themes.now.runs
        sparse = next((index for index, one in enumerate(orders) if one.sparse), len(orders))
        x = np.array([one.order for one in orders], np.float64)
        counted = np.array([one.bits for one in orders])
        held_out = np.array([np.nan if one.held_out is None else one.held_out for one in orders])
        lines = [Line("held out", tr("held out"), colours[1], x, held_out, "main")]
        few = sparse < len(orders)
        dense = Line("counted", "" if few else tr("as counted"), colours[0], x[:sparse], counted[:sparse], "main")
        lines.append(dense)
        if few:
            rest = max(0, sparse - 1)
            lines.append(Line("few", tr("as counted"), colours[0], x[rest:], counted[rest:], dashes=1))
        self.chart.set_lines(lines)
        self.chart.set_flags([Flag(float(orders[sparse].order), tr("few counts"))] if few else [])
        rate, meaning = (
            self.found.get(ENTROPY_RATE),
            tr("The source's entropy: no model has a lower loss on average"),
        )
        self.chart.set_floors([] if rate is None else [Floor(tr("entropy rate"), rate, meaning)])
        self.chart.draw()


def reliability_note(orders: Sequence[Entropy]) -> str:
    """Return a sentence on how reliable the entropies are, in the language of the window."""
    sparse = next((entropy for entropy in orders if entropy.sparse), None)
    if sparse is None:
        return tr("The counts of every order are enough for these figures.")
    once, last = round(100 * orders[-1].once), orders[-1].order
    if once:
        few = tr("From order {n} on the counts are too few ({once} % of the contexts of order {last} occur only once)",
                 n=sparse.order, once=once, last=last)  # fmt: skip
    else:
        few = tr("From order {n} on the counts are too few", n=sparse.order)
    if sparse.held_out is None:
        return f"{few}: {tr('the entropy as counted is too low.')}"
    return f"{few}: {tr('the entropy as counted is too low, the held-out bits are too high.')}"


def _entropy_summary(one: Entropy) -> str:
    held_out = "–" if one.held_out is None else number_text(one.held_out, ".3f")
    text = tr(
        "order {n}: {bits} bits per character as counted, {held_out} held out",
        n=one.order, bits=number_text(one.bits, ".3f"), held_out=held_out,
    )  # fmt: skip
    return text + (tr(" (too few counts)") if one.sparse else "")


class CompressedCard(PartsCard):
    """The card of bits per byte of compressors, and of held-out entropies."""

    parts = ("compressed",)
    extra = ("entropies", "size")

    def __init__(self) -> None:
        sentence = tr(
            "Bits per byte of the validation text after the training text, and of the full text. Orders: the held-out "
            "entropies."
        )
        super().__init__(tr("Compressors"), sentence)
        self.bars = BarList(tr("Bits per byte of compressors and of counts"))
        self.rows.addLayout(with_margins(self.bars))
        self.rows.addStretch()

    def fill(self) -> list[str]:
        """Show the compressors, then the counts of each order."""
        found, size = self.found["compressed"], self.found.get("size")
        self.show_read(found.read if size is not None and found.read < size.characters else 0)
        rows = [(name, found.validation[name], bits, False) for name, bits in found.whole.items()]
        if size is not None and "entropies" in self.found:
            per_byte = size.characters / max(1, size.bytes)
            rows += [
                (tr("order {n}", n=one.order), one.held_out * per_byte, None, True)
                for one in self.found["entropies"].orders[1:]
                if one.held_out is not None
            ]
        most = max((bits for _, validation, full, _ in rows for bits in (validation, full) if bits), default=1.0)
        bars = []
        for name, validation, full, counts in rows:
            figures = _bits(validation), _bits(full)
            description = tr("{name}: {a} bits per byte of validation", name=name, a=figures[0])
            if full is not None:
                description += tr(", {b} of the full text", b=figures[1])
            length = validation if validation is not None else full
            bars.append(Bar(name, (length or 0.0) / most, figures, description, counts))
        self.bars.fit(len(bars))
        self.bars.set_bars((tr("bits per byte"), tr("validation"), tr("all")), bars)
        return [bar.description for bar in bars]


def _bits(bits: float | None) -> str:
    return "" if bits is None else number_text(bits, ".3f")
