"""The runs in the window: list, table, search, columns, details, dialogs and commands."""

__all__ = ["columns", "commands", "controller", "panel", "pretrained_dialog", "table"]
