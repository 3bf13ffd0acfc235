"""Sources with a known distribution: generated texts, sequences and rows, with the loss of the best predictor."""
