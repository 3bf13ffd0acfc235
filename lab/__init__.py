"""LM Lab: train, look into and compare language-model architectures."""
