"""Play: generation of text from a prompt, token by token."""

__all__ = ["filter_list", "panel", "place"]
