"""The card that shows log-sum-exp overflow and its cure in four number formats, side by side."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from lab.base.problems import BadInput
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import token_font
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.lists.number_table import NumberTable
from lab.worked import FORMATS, in_formats
from lab.worked.expressions.values import as_value, show
from lab.worked.formats import LOG_SUM_EXP, SHIFTED
from lab.worked.reading import read_value

FIRST = "12, 11, 10"
"""The numbers that are shown first: they overflow in float16 alone."""


class FormatsCard(Card):
    """Log-sum-exp of typed numbers in float16, bfloat16, float32 and float64, as defined and less the largest."""

    def __init__(self, _typeset: Typeset | None = None, _marks: SymbolMarks | None = None) -> None:
        super().__init__(tr("Log-sum-exp in four number formats"))
        self.set_caption(
            tr("Every value is rounded as soon as it is computed. exp overflows early; less the largest, never.")
        )
        self.field = QLineEdit(FIRST)
        self.field.setAccessibleName(tr("Numbers"))
        self.field.setProperty("role", "value")
        follow_type(self.field, lambda field: field.setFont(token_font("note")))
        self.field.textChanged.connect(self._compute)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self.table = NumberTable(tr("Log-sum-exp in four number formats"))
        inside = QWidget()
        head = QHBoxLayout()
        title = label("z =", "")
        title.setBuddy(self.field)
        head.addWidget(title)
        head.addWidget(self.field, 1)
        head.addWidget(self._problem, 2)
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addLayout(head)
        rows.addWidget(self.table, 1)
        self.set_content(inside)
        self._compute()

    def _compute(self) -> None:
        try:
            z = read_value(self.field.text(), "z")
            vector = as_value([float(z)], "z") if not isinstance(z, str | tuple) and z.ndim == 0 else z
            plain, shifted = in_formats(LOG_SUM_EXP, {"z": vector}), in_formats(SHIFTED, {"z": vector})
        except BadInput as error:
            self._problem.setText(problem_line(error.problem))
            refresh_style(self.field, "state", "bad")
            return
        self._problem.setText("")
        refresh_style(self.field, "state", "")
        heads = [
            tr("format"),
            LOG_SUM_EXP,
            "m + log(sum(exp(z − m)))",
            tr("largest number"),
            tr("exp overflows above"),
            tr("step at 1"),
        ]
        rows = [
            [
                each.name,
                show(plain[each.name], 9),
                show(shifted[each.name], 9),
                f"{each.largest:.4g}",
                f"{each.exp_limit:.4g}",
                f"{each.epsilon:.2g}",
            ]
            for each in FORMATS
        ]
        marked = [(at, 2) for at, each in enumerate(FORMATS) if show(plain[each.name]) in ("∞", "NaN")]
        self.table.show_rows(heads, rows, marked=marked)
