"""Runs in and out: pretrained models and plain scripts."""
