"""Recurrences in linear time: scans, chunked products, short convolutions."""
