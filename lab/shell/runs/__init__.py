"""The list and the table of runs: search, columns, details, dialogs and commands."""

__all__ = ["commands", "controller", "pretrained_dialog"]
