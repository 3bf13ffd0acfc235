"""A run as one plain PyTorch script."""
