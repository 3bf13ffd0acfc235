"""From a request to a run that can start: origin, resume, preflight, corpora on this machine."""

__all__ = ["baselines", "known_corpora", "live_edits", "origins", "preflight", "request", "resume"]
