"""Readers of file formats: plain text, documents, tables."""

__all__ = ["base", "encodings", "table", "tables"]
