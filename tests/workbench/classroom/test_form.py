"""The form of a browser, whatever pieces it comes in."""

import io

import pytest

from lab.workbench.classroom.form import LONGEST_TEXT, boundary_of, read_form

CONTENT = b"a\r\n--Xb\r\n--\r\n\0" * 50
NAMED = b'--X\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n'
FILE = b'--X\r\nContent-Disposition: form-data; name="run"; filename="r.lmlab"\r\nContent-Type: x\r\n\r\n'
FORM = NAMED + FILE + CONTENT.replace(b"--X", b"--Y") + b"\r\n--X--\r\n"


def parsed(form, size=10**6):
    target, source = io.BytesIO(), io.BytesIO(form)
    return read_form(lambda count: source.read(min(count, size)), b"X", "run", target), target.getvalue()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10**6])
def test_pieces_of_any_size_give_the_same(size):
    assert parsed(FORM, size) == ({"name": "Ada"}, CONTENT.replace(b"--X", b"--Y"))


@pytest.mark.parametrize("length", [0, 1, 3, 60, len(FORM) - 9, len(FORM) - 5])
def test_a_form_that_ends_early_is_refused(length):
    with pytest.raises(ValueError, match="ends too early"):
        parsed(FORM[:length])


def test_a_form_is_bounded():
    with pytest.raises(ValueError, match="too long"):
        parsed(NAMED.replace(b"Ada", b"A" * (LONGEST_TEXT + 100)))
    with pytest.raises(ValueError, match="too long"):
        parsed(b"--X\r\n" + b"x: y\r\n" * 10_000 + b"\r\n")
    with pytest.raises(ValueError, match="too many parts"):
        parsed(NAMED * 20)


@pytest.mark.parametrize(
    ("kind", "boundary"),
    [
        ("multipart/form-data; boundary=abc", b"abc"),
        ('Multipart/Form-Data; charset=x; boundary="a b"', b"a b"),
        ("application/octet-stream", None),
        ("multipart/form-data", None),
    ],
)
def test_the_boundary_is_in_the_type(kind, boundary):
    assert boundary_of(kind) == boundary
