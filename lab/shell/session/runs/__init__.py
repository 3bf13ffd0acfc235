"""The runs of the session: one model per run, the registry of all, and their commands."""

__all__ = ["commands", "formatting", "model", "registry", "transfers"]
