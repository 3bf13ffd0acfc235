"""Probes, which turn a model into readings; interventions; and the cost of a model."""
