"""The check of this machine: a page with what is there, what is wrong and what to do about it, and a report."""

__all__ = ["display", "page"]
