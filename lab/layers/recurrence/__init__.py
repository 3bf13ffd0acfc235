"""Recurrences in linear time: scans, chunked products, short convolutions."""

__all__ = ["both_ways", "chunks", "decay", "kernels", "scan", "selective", "short_convolution"]
