"""The fact of a run that names the text to which its tokenizer was fitted, and its wording for display."""

from __future__ import annotations

from typing import Any

FITTED_TO = "tokenizer_fitted_to"
"""The fact of a run's corpus that names it: "training", "all", "nothing" or ANOTHER; runs of older versions lack it."""
ANOTHER = "another"
"""Value of that fact in a branch whose parent has another text, or another share of it for training."""

_MESSAGES = {
    "training": "fitted to the training part of the text",
    "all": "fitted to all of the text, the validation part included",
    "nothing": "not fitted to the text",
    ANOTHER: "fitted to another text or part, that of the run it branched off",
}
_UNFITTED = ("byte", "none", "pretrained", "symbol")


def fitting_message(tokenizer: str, fact: Any) -> str:
    """Return what the tokenizer of a run was fitted to, for display.

    Args:
        tokenizer: Its name.
        fact: The fact FITTED_TO of the run's corpus; None in runs of older versions.
    """
    known = fact if isinstance(fact, str) else "nothing" if tokenizer in _UNFITTED else "all"
    return _MESSAGES.get(known, _MESSAGES["all"])
