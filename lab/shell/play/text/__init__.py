"""The text of Play as data: the tree of what was written from a prompt, its file, its table, and its exports."""

__all__ = ["controller", "difference", "document", "pages", "shown"]
