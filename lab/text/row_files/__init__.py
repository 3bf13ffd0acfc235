"""Rows from files and data sets: tables of pairs, labelled texts, conversations or numbers, and folders of pictures."""

__all__ = ["conversations", "images", "labels", "pairs", "vectors"]
