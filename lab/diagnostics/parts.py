"""Diagnostics: the probes of the lab."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Probe, hookimpl

LAB_API_VERSION = 1


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """What a model reports, and how surprised it is."""
    register(
        Probe(
            name="reports",
            title="Reports",
            build="lab.diagnostics.probes:reports",
            summary="Everything the model itself reports in one forward pass over the probe text.",
        )
    )
    register(
        Probe(
            name="surprise",
            title="Surprise",
            build="lab.diagnostics.probes:surprise",
            summary="Nats each token of the probe text costs after those before it.",
        )
    )
