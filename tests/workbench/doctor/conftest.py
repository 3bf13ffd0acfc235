"""A subject whose plugins are built in, and whose processes answer what a test says."""

import pytest

from lab.host import Plugins
from lab.workbench.doctor import Answer, Subject


@pytest.fixture(scope="session")
def built_ins():
    return Plugins(safe_mode=True)


@pytest.fixture
def subject(built_ins):
    """Make a subject."""

    def subject(plugins=built_ins, display=None, computing=None, **options):
        return Subject(plugins, lambda: display, compute=lambda: computing or Answer(), **options)

    return subject


@pytest.fixture
def levels():
    """Return the sentences of findings by level."""

    def levels(findings):
        found = {}
        for finding in findings:
            found.setdefault(str(finding.level), []).append(finding.what)
        return found

    return levels
