"""Formatted documents: which part of them is text, and the problems of those that cannot be read."""

import io
import logging
import sys
import zipfile

import docx
import pypdf
import pytest

from lab.api import BadInput
from lab.text.corpora.files import FileConfig, read_file
from lab.text.readers import documents as readers_documents


def read(path):
    return read_file(FileConfig(path=str(path)))


def problem(path):
    with pytest.raises(BadInput) as caught:
        read(path)
    reported = caught.value.problem
    assert (reported.field, reported.value) == ("corpus.path", str(path))
    assert reported.remedy
    return reported


# ---- HTML


@pytest.fixture
def page(tmp_path):
    def write(markup):
        file = tmp_path / "page.html"
        file.write_bytes(markup if isinstance(markup, bytes) else markup.encode())
        return file

    return write


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<h1>Head</h1><p>One <b>bo</b>ld\n word.<p>Two.", "Head\nOne bold word.\nTwo.\n"),
        ("<html><head><title>T</title><style>a{}</style><body>Seen<script>var a = '<p>';</script>", "Seen\n"),
        ("<!-- no --><!DOCTYPE html>Fish &amp; chips &eacute;&#233;", "Fish & chips éé\n"),
        ("<ul><li>a<li>b</ul>line<br>break", "a\nb\nline\nbreak\n"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td> <td>2</td></tr></table>", "a\tb\n1\t2\n"),
        ("<pre>def f():\n    return 1</pre>", "def f():\n    return 1\n"),
        ('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>x</p></html>', "x\n"),
        ("plain words", "plain words\n"),
        ("<pre>\n\na\n\n  b</pre>c  <i> d</i>", "a\n  b\nc d\n"),
        ("a<textarea>b</textarea>&nbsp;<svg><text>c</text></svg>", "ab\u00a0c\n"),
        ('<p>in<iframe src="file:///etc/passwd"></iframe>side', "inside\n"),
    ],
)
def test_a_page_is_the_lines_it_shows(page, markup, text):
    assert read(page(markup)).text == text


def test_nothing_that_a_page_names_is_read(page, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    entity = f'<!DOCTYPE a [<!ENTITY b SYSTEM "{secret.as_uri()}">]><p>&b; seen'
    linked = f'<iframe src="{secret.as_uri()}"></iframe><link rel="import" href="{secret.as_uri()}">'
    shown = read(page(entity + linked)).text
    assert "seen" in shown
    assert "secret\n" not in shown


def test_the_facts_of_a_page_name_reader_and_encoding(page):
    facts = read(page('<meta charset="iso-8859-1"><p>na\u00efve'.encode("latin-1"))).facts
    assert (facts["reader"], facts["encoding"]) == ("html", "Windows-1252 (Latin-1)")


def test_a_page_that_is_nested_without_end_is_read(page):
    assert read(page("<div>" * 5000 + "deep")).text == "deep\n"


def test_a_page_without_words_is_refused(page):
    problem(page("<script>alert(1)</script>"))


def test_a_page_too_large_for_its_tree_is_refused(page, monkeypatch):
    monkeypatch.setattr(readers_documents, "HTML_BYTES", 10)
    assert "too large" in problem(page("<p>more than ten")).what


# ---- PDF


def pdf(*pages):
    """A PDF file with a line of text on each page."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b""]
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    kids = []
    for text in pages:
        stream = b"BT /F1 12 Tf 72 700 Td (%s) Tj ET" % text.encode("cp1252") if text else b""
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        contents = len(objects)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
            % contents
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    data, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def locked(data, user, owner="owner", algorithm="AES-256"):
    writer, out = pypdf.PdfWriter(clone_from=io.BytesIO(data)), io.BytesIO()
    writer.encrypt(user, owner, algorithm=algorithm)
    writer.write(out)
    return out.getvalue()


@pytest.fixture
def paper(tmp_path):
    def write(data):
        file = tmp_path / "paper.pdf"
        file.write_bytes(data)
        return file

    return write


def test_the_pages_of_a_pdf_follow_each_other(paper):
    text = read(paper(pdf("First caf\u00e9.", "", "Third.")))
    assert text.text == "First caf\u00e9.\nThird.\n"
    assert text.facts == {"reader": "pdf", "pages": 3}


def test_a_pdf_with_a_password_is_refused(paper):
    assert "password" in problem(paper(locked(pdf("Secret."), "word"))).what


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_that_asks_for_no_password_to_be_read_is_read(paper, algorithm):
    assert read(paper(locked(pdf("Open."), "", algorithm=algorithm))).text == "Open.\n"


def test_a_pdf_of_pictures_is_refused_and_text_recognition_named(paper):
    reported = problem(paper(pdf("", "")))
    assert "2 pages" in reported.what
    assert "OCR" in reported.remedy


@pytest.fixture
def logged():
    """Collect what is logged by anybody."""
    records = []
    handler = logging.Handler()
    handler.emit = records.append
    logging.getLogger().addHandler(handler)
    yield records
    logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7 torn", pdf("Whole.")[:150], b"\0" * 100, pdf()])
def test_a_damaged_pdf_is_refused_and_its_reader_writes_no_line_of_its_own(paper, data, logged):
    problem(paper(data))
    assert not logged


# ---- Word


@pytest.fixture
def letter(tmp_path):
    return tmp_path / "letter.docx"


def test_paragraphs_and_rows_of_tables_are_lines_in_their_order(letter):
    document = docx.Document()
    document.add_heading("Head")
    document.add_paragraph("One ").add_run("bold").bold = True
    table = document.add_table(2, 3)
    for cell, words in zip(table._cells, "abcdef", strict=True):
        cell.text = words
    table.cell(1, 0).merge(table.cell(1, 1)).text = "merged"
    document.add_paragraph("End \u00e9")
    document.save(letter)
    text = read(letter)
    assert text.text == "Head\nOne bold\na\tb\tc\nmerged\tf\nEnd \u00e9\n"
    assert text.facts == {"reader": "docx"}


def repacked(letter, name, change):
    """The Word file with one of its parts changed."""
    document = docx.Document()
    document.add_paragraph("Seen.")
    document.save(letter)
    with zipfile.ZipFile(letter) as packed:
        parts = {one: packed.read(one) for one in packed.namelist()}
    parts[name] = change(parts.get(name, b""))
    with zipfile.ZipFile(letter, "w", zipfile.ZIP_DEFLATED) as packed:
        for one, data in parts.items():
            packed.writestr(one, data)
    return letter


def test_nothing_outside_of_a_word_file_is_read(letter, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")

    def with_entity(data):
        head, _, body = data.partition(b"?>")
        entity = b'?><!DOCTYPE d [<!ENTITY e SYSTEM "%s">]>' % secret.as_uri().encode()
        return head + entity + body.replace(b"Seen.", b"Seen.&e;")

    assert "secret" not in read(repacked(letter, "word/document.xml", with_entity)).text


def test_entities_that_grow_without_end_are_refused(letter):
    def bomb(data):
        head, _, body = data.partition(b"?>")
        grown = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 12))
        return head + b'?><!DOCTYPE d [<!ENTITY e0 "ten">' + grown + b"]>" + body.replace(b"Seen.", b"Seen.&e11;")

    assert "damaged" in problem(repacked(letter, "word/document.xml", bomb)).what


def test_a_word_file_that_unpacks_to_too_much_is_refused_before_it_is(letter, monkeypatch):
    monkeypatch.setattr(readers_documents, "WORD_BYTES", 1_000_000)
    assert "too large" in problem(repacked(letter, "word/media/big.bin", lambda _: b"\0" * 2_000_000)).what


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 torn", b"no zip at all"])
def test_a_damaged_word_file_is_refused(letter, data):
    letter.write_bytes(data)
    assert "damaged" in problem(letter).what


@pytest.mark.parametrize("part", ["word/document.xml", "[Content_Types].xml", "_rels/.rels"])
def test_a_word_file_with_a_broken_part_is_refused(letter, part):
    assert "damaged" in problem(repacked(letter, part, lambda data: data[: len(data) // 2])).what


def test_a_word_file_with_a_password_is_refused(letter):
    letter.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    assert "password" in problem(letter).what


def test_a_missing_library_is_reported_with_what_to_install(letter, monkeypatch):
    letter.write_bytes(b"PK")
    monkeypatch.setitem(sys.modules, "docx", None)
    assert 'pip install "lm-lab[documents]"' in problem(letter).remedy
