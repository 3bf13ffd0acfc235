"""Runs side by side: writing in lockstep, and the blind test of who wrote what."""

__all__ = ["blind_page", "page"]
