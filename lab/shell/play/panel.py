"""The side panel of Play: the strategy, the filters, the number of tokens to write, what ends a text, and the seed."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import Decoding
from lab.shell.play.filter_list import FilterList
from lab.shell.play.presets_menu import PresetsMenu
from lab.shell.play.writing import WritingConfig
from lab.widgets.core.controls import ChoiceBox, follow_in_tab_order
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.forms.browse import PickRun
from lab.widgets.forms.form import Form, HelpStrip

SEEDS = 10_000
"""Seeds are drawn below this number: short enough to read out and to type."""


class PlayPanel(SidePanel):
    """The side panel of Play: the strategy and the filters with their settings, the length of the text and the seed.

    Args:
        plugins: The plugins that provide strategies.
        filters: The list of filters, with the draft of the decoding.
    """

    changed = Signal()
    """Strategy, filters or a setting were changed."""

    def __init__(self, plugins: Plugins, filters: FilterList) -> None:
        super().__init__(tr("Decoding"))
        self._plugins, self.filters = plugins, filters
        self._draft = filters.draft
        self._strategies = ChoiceBox()
        self._strategies.setAccessibleName(tr("Strategy"))
        self._list_strategies()
        self._strategies.currentIndexChanged.connect(self._choose_strategy)
        self.presets = PresetsMenu(self._draft)
        self.presets.picked.connect(self._take_preset)
        self.changed.connect(self.presets.refresh)
        self._form: Form | None = None
        self._pick_run: PickRun | None = None
        self._writing = Form(WritingConfig, prefix="writing")
        self._length = WritingConfig()
        self._used_seed: int | None = None
        self._writing.edited.connect(self._edit_length)
        self._help = HelpStrip(of_runs=False)
        self.filters.focused.connect(self._help.show_setting)
        self.filters.changed.connect(self.changed)
        self._writing.focused.connect(self._help.show_setting)
        self.rows.addWidget(self.presets)
        self.rows.addWidget(self._strategies)
        self.rows.addWidget(self.filters)
        self.rows.addWidget(self._writing)
        self.rows.addStretch()
        self.foot.addWidget(self._help)
        self._make_form()
        self._show_length()

    def refresh(self) -> None:
        """Offer the strategies and filters of the plugins that run now, and drop those that are gone."""
        before, is_other = self._draft.strategy, self._draft.drop_missing()
        with QSignalBlocker(self._strategies):
            self._list_strategies()
        if self._draft.strategy != before:
            self._make_form()
        self.filters.show_draft()
        if is_other:
            self.changed.emit()

    def _list_strategies(self) -> None:
        self._strategies.clear()
        for name, card in self._plugins.cards("strategies").items():
            self._strategies.addItem(tr_registered(card.title), name)
        self._strategies.setCurrentIndex(max(0, self._strategies.findData(self._draft.strategy)))

    def _choose_strategy(self) -> None:
        self._draft.strategy = str(self._strategies.currentData())
        self._make_form()
        self.changed.emit()

    def _make_form(self) -> None:
        if self._form is not None:
            self.rows.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
        config = self._plugins.card("strategies", self._draft.strategy).config
        self._form = Form(config, prefix="strategy", pick_run=self._pick_run)
        self._form.edited.connect(self._edit)
        self._form.focused.connect(self._help.show_setting)
        self.rows.insertWidget(self.rows.indexOf(self._strategies) + 1, self._form)
        follow_in_tab_order(self._strategies, self._form)
        self._show()

    def offer_runs(self, pick_run: PickRun) -> None:
        """Offer a list of runs beside each setting that names one.

        Args:
            pick_run: Makes the button that opens it.
        """
        self._pick_run = pick_run
        self.filters.offer_runs(pick_run)
        self._make_form()

    def _show(self) -> None:
        if self._form is not None:
            config = self._draft.config("strategies", self._draft.strategy)
            self._form.show_values(config.stored(), type(config)().stored())

    def _show_length(self) -> None:
        self._writing.show_values(self._length.stored(), WritingConfig().stored())

    def _edit(self, path: str, value: object) -> None:
        self._draft.edit("strategies", self._draft.strategy, path, value)
        self._show()
        self.changed.emit()

    def _edit_length(self, path: str, value: object) -> None:
        self._length = WritingConfig.read({**self._length.stored(), path: value})
        self._show_length()
        self.changed.emit()

    @property
    def problems(self) -> dict[str, Problem]:
        """The problems of invalid entries, by setting."""
        own = self._form.problems if self._form is not None else {}
        return {**own, **self.filters.problems, **self._writing.problems}

    def renew_seed(self) -> None:
        """Draw another seed if this one has written a text before, unless it is to stay; call this before each text."""
        if not self._length.fixed_seed and self._length.seed == self._used_seed:
            self._edit_length("seed", secrets.randbelow(SEEDS))
        self._used_seed = self._length.seed

    def draw_seed(self) -> None:
        """Draw another seed, also if this one is to stay."""
        self._edit_length("seed", secrets.randbelow(SEEDS))

    def state_dict(self) -> dict[str, Any]:
        """Return strategy and filters with their settings, the length of the text and the seed."""
        return {**self._draft.state_dict(), "writing": self._length.stored()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; what is not allowed any more is left out."""
        self._draft.load_state_dict(state)
        self._strategies.setCurrentIndex(self._strategies.findData(self._draft.strategy))
        with contextlib.suppress(LabError, TypeError):
            self._length = WritingConfig.read(state.get("writing", {}))
        self._show()
        self.filters.show_draft()
        self._show_length()
        self.presets.read()

    def _take_preset(self, preset: Mapping[str, Any]) -> None:
        missing = self._draft.take_preset(preset)
        with QSignalBlocker(self._strategies):
            self._strategies.setCurrentIndex(self._strategies.findData(self._draft.strategy))
        self._make_form()
        self.filters.show_draft()
        self.changed.emit()
        if missing:
            names = ", ".join(missing)
            notify(
                "warning", tr("No plugin provides these parts of the preset, which are left out: {names}", names=names)
            )

    def take(self, decoding: Decoding) -> None:
        """Show the decoding of a recipe; length and seed stay."""
        stored = decoding.stored()
        stops = {name: stored[name] for name in ("stop", "stop_symbols", "end_of_text")}
        self.load_state_dict({**stored, "writing": {**self._length.stored(), **stops}})
        self.changed.emit()

    def options(self) -> dict[str, Any]:
        """Return the arguments of the model's `generate`."""
        length = self._length
        decoding = self._draft.decoding(
            stop=length.stop, stop_symbols=length.stop_symbols, end_of_text=length.end_of_text
        )
        return {"decoding": decoding, "seed": length.seed, "count": length.tokens}

    def stage_options(self) -> dict[str, Any]:
        """Return the arguments of the model's `stages`: the token is the first one of the text of the same seed."""
        return {name: value for name, value in self.options().items() if name != "count"}

    def title_of(self, name: str) -> str:
        """Return the title of a filter."""
        return tr_registered(self._plugins.card("filters", name).title)
