"""Readers of file formats: plain text, documents, tables."""
