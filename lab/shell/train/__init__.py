"""Train: loss, gauges and samples of the shown runs."""
