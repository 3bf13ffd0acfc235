"""What is found out about a run: floors, lengths, reproducibility, curves, recorded steps."""
