"""The checks of the conformance suite, one module for each subject."""

__all__ = ["build", "decoding", "learning", "registrations", "reports", "tasks"]
