"""What a plugin learns of a run: its observers and the rules of the doctor."""
