"""Files of rows, written and read in a few words."""

import pytest

from lab.api import BadInput


@pytest.fixture
def write(tmp_path):
    """Write a file of lines, or of bytes, and return its path."""

    def to(name, *lines):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        if lines and isinstance(lines[0], bytes):
            path.write_bytes(b"".join(lines))
        else:
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return to


@pytest.fixture
def problem():
    """Return the problem that a reader raises, which has a field and a remedy."""

    def of(read, config):
        with pytest.raises(BadInput) as caught:
            read(config)
        found = caught.value.problem
        assert found.field
        assert found.remedy
        return found

    return of
