"""Probes of the state that a recurrent layer carries from token to token: its size, its eigenvalues, its memory."""

__all__ = ["eigenvalues", "memory", "spectrum"]
