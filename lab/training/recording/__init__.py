"""What a training run records: the ring, the run writer, checkpoints."""
