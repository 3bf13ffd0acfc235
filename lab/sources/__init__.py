"""Sources whose truth is known: generated sequences, with the loss of the best predictor."""
