"""The gallery of Inspect: readings and probes below the questions they answer, with a search field and their cost."""

__all__ = ["collect", "entries", "labels", "probe_selection", "question_bar", "reading_selection", "view"]
