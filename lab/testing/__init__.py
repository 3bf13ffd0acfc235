"""The conformance suite: the requirements on every plugin, as tests whose failures name what to change.

In a test file of the plugin::

    from lab.testing import conformance

    test_average = conformance("average", plugin="average.py")

or without a test file: `pytest --conformance average.py`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lab.testing.check import Check, Failure
    from lab.testing.checks.registrations import check_registration
    from lab.testing.suite import check_architecture, conformance, list_checks, trials

__all__ = ["Check", "Failure", "check_architecture", "check_registration", "conformance", "list_checks", "trials"]


def __getattr__(name: str) -> Any:  # lazy, so that pytest starts without torch in every project
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lab.testing import suite
    from lab.testing.checks import registrations as registration_checks

    return getattr(registration_checks if name == "check_registration" else suite, name)
