"""The commands of `lm-lab`, one module each."""
