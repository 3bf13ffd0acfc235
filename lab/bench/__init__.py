"""The benchmarks behind `lm-lab bench`: ratios in one run, interleaved, with their spread."""
