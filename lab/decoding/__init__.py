"""From logits to text: samplers, and token streams with their alternatives."""
