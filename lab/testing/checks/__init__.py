"""The checks of the conformance suite, by what they examine."""
