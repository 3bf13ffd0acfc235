"""Decoding of text from logits: samplers, and streams of tokens with their alternatives."""
