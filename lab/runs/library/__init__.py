"""Many runs: names, labels, columns, queries, the bin."""
