"""Probes that turn a model into readings, and what a model costs."""
