"""The command line: `lm-lab …`."""
