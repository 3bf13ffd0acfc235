"""From logits to text: samplers, and token streams with their alternatives."""

from lab.decoding.stream import Alternative, Token, generate

__all__ = ["Alternative", "Token", "generate"]
