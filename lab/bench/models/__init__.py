"""Benchmarks of models: training, decoding, scans, counting, recall."""
