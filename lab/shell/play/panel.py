"""The right dock of Play: how the next token is drawn, how much is written, and from which seed."""

from __future__ import annotations

from typing import Any

from lab.api import ModelConfig, setting
from lab.base.problems import Problem
from lab.host import Plugins
from lab.widgets.core.controls import ChoiceBox, follow_in_tab_order
from lab.widgets.core.i18n import tr
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.forms.form import Form, HelpStrip


class WritingConfig(ModelConfig):
    """How much is written, and from which seed."""

    tokens: int = setting(300, ge=1, le=100_000, log=True, unit="tokens", help="Tokens that are written.")
    seed: int = setting(0, ge=0, lt=2**31, help="Decides the draws: the same seed and model write the same text.")


class PlayPanel(SidePanel):
    """The right dock of Play: how the next token is drawn.

    Args:
        plugins: Where samplers are found.
    """

    def __init__(self, plugins: Plugins) -> None:
        super().__init__(tr("Sampling"))
        self._plugins = plugins
        self._samplers = ChoiceBox()
        self._samplers.setAccessibleName(tr("Sampler"))
        for name, card in plugins.cards("samplers").items():
            self._samplers.addItem(card.title, name)
        self._samplers.setCurrentIndex(max(0, self._samplers.findData("sampling")))
        self._samplers.currentIndexChanged.connect(self._make_form)
        self._form: Form | None = None
        self._writing = Form(WritingConfig, prefix="writing")
        self._amount = WritingConfig()
        self._writing.edited.connect(self._edit_amount)
        self._help = HelpStrip()
        self._writing.focused.connect(self._help.show_setting)
        self.rows.addWidget(self._samplers)
        self.rows.addWidget(self._writing)
        self.rows.addStretch()
        self.foot.addWidget(self._help)
        self._make_form()
        self._show_amount()

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

    def _show_amount(self) -> None:
        self._writing.show_values(self._amount.stored(), WritingConfig().stored())

    def _edit(self, path: str, value: object) -> None:
        self._config = type(self._config).read({**self._config.stored(), path: value})
        self._show()

    def _edit_amount(self, path: str, value: object) -> None:
        self._amount = WritingConfig.read({**self._amount.stored(), path: value})
        self._show_amount()

    @property
    def problems(self) -> dict[str, Problem]:
        """Entries that are invalid right now."""
        own = self._form.problems if self._form is not None else {}
        return {**own, **self._writing.problems}

    def options(self) -> dict[str, Any]:
        """What Subject.generate is given."""
        settings = self._config.stored()
        amount = self._amount
        sampler = str(self._samplers.currentData())
        return {"sampler": sampler, "settings": settings, "seed": amount.seed, "count": amount.tokens}
