"""The side panel of Play: the sampler, the number of tokens to write, and the seed."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping
from typing import Any

from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.shell.play.writing import WritingConfig
from lab.widgets.core.controls import ChoiceBox, follow_in_tab_order
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.forms.form import Form, HelpStrip

SEEDS = 10_000
"""Seeds are drawn below this number: short enough to read out and to type."""


class PlayPanel(SidePanel):
    """The side panel of Play: the sampler, its settings, the length of the text and the seed.

    Args:
        plugins: The plugins that provide samplers.
    """

    def __init__(self, plugins: Plugins) -> None:
        super().__init__(tr("Sampling"))
        self._plugins = plugins
        self._samplers = ChoiceBox()
        self._samplers.setAccessibleName(tr("Sampler"))
        for name, card in plugins.cards("samplers").items():
            self._samplers.addItem(tr_registered(card.title), name)
        self._samplers.setCurrentIndex(max(0, self._samplers.findData("sampling")))
        self._samplers.currentIndexChanged.connect(self._make_form)
        self._form: Form | None = None
        self._writing = Form(WritingConfig, prefix="writing")
        self._length = WritingConfig()
        self._used_seed: int | None = None
        self._writing.edited.connect(self._edit_length)
        self._help = HelpStrip(of_runs=False)
        self._writing.focused.connect(self._help.show_setting)
        self.rows.addWidget(self._samplers)
        self.rows.addWidget(self._writing)
        self.rows.addStretch()
        self.foot.addWidget(self._help)
        self._make_form()
        self._show_length()

    def _make_form(self) -> None:
        if self._form is not None:
            self.rows.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
        card = self._plugins.card("samplers", str(self._samplers.currentData()))
        self._config = card.config()
        self._form = Form(card.config, prefix=card.name)
        self._form.edited.connect(self._edit)
        self._form.focused.connect(self._help.show_setting)
        self.rows.insertWidget(1, self._form)
        follow_in_tab_order(self._samplers, self._form)
        self._show()

    def _show(self) -> None:
        if self._form is not None:
            self._form.show_values(self._config.stored(), type(self._config)().stored())

    def _show_length(self) -> None:
        self._writing.show_values(self._length.stored(), WritingConfig().stored())

    def _edit(self, path: str, value: object) -> None:
        self._config = type(self._config).read({**self._config.stored(), path: value})
        self._show()

    def _edit_length(self, path: str, value: object) -> None:
        self._length = WritingConfig.read({**self._length.stored(), path: value})
        self._show_length()

    @property
    def problems(self) -> dict[str, Problem]:
        """The problems of invalid entries, by setting."""
        own = self._form.problems if self._form is not None else {}
        return {**own, **self._writing.problems}

    def renew_seed(self) -> None:
        """Draw another seed if this one has written a text before, unless it is to stay; call this before each text."""
        if not self._length.fixed_seed and self._length.seed == self._used_seed:
            self._edit_length("seed", secrets.randbelow(SEEDS))
        self._used_seed = self._length.seed

    def state_dict(self) -> dict[str, Any]:
        """Return the sampler with its settings, the length of the text and the seed."""
        sampler = str(self._samplers.currentData())
        return {"sampler": sampler, "settings": self._config.stored(), "writing": self._length.stored()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; settings that are not allowed any more are left out."""
        index = self._samplers.findData(state.get("sampler"))
        if index < 0:
            return
        self._samplers.setCurrentIndex(index)
        with contextlib.suppress(LabError, TypeError):
            self._config = type(self._config).read(state.get("settings", {}))
        with contextlib.suppress(LabError, TypeError):
            self._length = WritingConfig.read(state.get("writing", {}))
        self._show()
        self._show_length()

    def options(self) -> dict[str, Any]:
        """Return the arguments of the model's `generate`."""
        settings = self._config.stored()
        length = self._length
        sampler = str(self._samplers.currentData())
        return {"sampler": sampler, "settings": settings, "seed": length.seed, "count": length.tokens}
