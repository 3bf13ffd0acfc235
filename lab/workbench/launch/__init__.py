"""From a request to a run that can start: origin, resume, preflight, corpora on this machine."""
