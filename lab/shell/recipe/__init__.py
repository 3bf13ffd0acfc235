"""The form of the draft: settings, sizes, baselines, costs."""
