"""The gallery of Inspect: readings and probes below the questions they answer, with a search field and their cost."""

__all__ = ["collect", "entries", "probe_selection", "question_bar", "view"]
