"""Play: generation from a prompt, token by token."""

__all__ = ["panel", "place"]
