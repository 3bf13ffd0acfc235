"""Sources with a known distribution: generated sequences, with the loss of the best predictor."""
