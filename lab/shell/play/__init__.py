"""Play: generation of text from a prompt, token by token, and pages that score, measure, test and guess."""

__all__ = ["filter_list", "pages", "panel", "place", "plane", "text"]
