"""The runs of the session: one model per run, the registry of all, and their commands."""
