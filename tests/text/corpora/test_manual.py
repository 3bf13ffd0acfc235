"""The corpus that every installed Python carries."""

import contextlib
import importlib
import json
import platform
import sys
import sysconfig
from types import SimpleNamespace

import pytest

from lab.api import BadInput, NoSettings
from lab.text.corpora import manual
from lab.text.corpora.manual import read_manual

TOPIC = "This topic of the manual is about the statements that are there for a choice."
PROSE = "This is what the function does for you, and it is all that there is to know of it."


def read():
    return read_manual(NoSettings())


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A standard library of four files and a manual of one topic, so that tests need not read all of it."""
    root = tmp_path / "python"
    for path, source in {
        "abc.py": f'"""{PROSE}"""\ndef f():\n    """{PROSE}\n\n    Only here it is said that this is the abc."""\n',
        "json/tool.py": 'class A:\n    async def g(self):\n        """This is the way in which it is called."""\n',
        "json/tests/test_a.py": '"""This is only a test, and it is not for you to read."""\n',
        "site-packages/other.py": '"""This is of other people, and it is not for you to read."""\n',
        "glob.py": 'raise SystemExit("imported")\n',
        "heapq.py": "this is no Python (\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(source)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(root))
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", SimpleNamespace(topics={"if": TOPIC}))
    return root


def test_another_process_prepares_the_cache_once(library, lab_home, monkeypatch):
    codes = []

    def run(code, cancelled):
        codes.append(code)
        assert not cancelled()
        monkeypatch.setattr(manual, "_sifting", contextlib.nullcontext())  # the process has a lock of its own
        exec(code, {})

    monkeypatch.setattr(manual, "run_python", run)
    manual.prepare_manual(lambda: False)
    (cached,) = (lab_home / "cache").glob("python-manual-*")
    assert PROSE in json.loads(cached.read_text())["text"]
    manual.prepare_manual(lambda: False)
    assert len(codes) == 1


def test_a_packaged_app_prepares_nothing(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(manual, "run_python", lambda *_: pytest.fail("a process was started"))
    manual.prepare_manual(lambda: False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAB_HOME", str(tmp_path_factory.mktemp("home")))
        return read()


def cache_file(lab_home):
    (file,) = (lab_home / "cache").iterdir()
    return file


@pytest.mark.long  # in short: a library of a few files
def test_it_is_about_a_megabyte_of_english_in_a_small_vocabulary(whole):
    assert len(whole.text) > 900_000
    assert 70 <= len(set(whole.text)) <= 95
    words = whole.text.lower().split()
    assert 0.05 < words.count("the") / len(words) < 0.10


@pytest.mark.long
def test_it_names_its_sources(whole):
    assert whole.facts["python"] == platform.python_version()
    assert whole.facts["paragraphs"] == whole.text.count("\n")
    assert min(whole.facts["sources"].values()) > 50
    assert whole.dropped > 0


@pytest.mark.long
def test_no_paragraph_comes_twice(whole):
    lines = whole.text.splitlines()
    assert len(set(lines)) == len(lines)


@pytest.mark.long  # in short: a library of a few files
def test_it_is_short_of_code(whole):
    assert ">>>" not in whole.text
    assert whole.text.count("self.") < 300


@pytest.mark.long
def test_the_last_tenth_is_of_the_same_kind_as_the_rest(whole):
    border = len(whole.text) * 9 // 10
    known, new = (set(part.split()) for part in (whole.text[:border], whole.text[border:]))
    assert len(new & known) > 0.6 * len(new)


@pytest.mark.long
def test_reference_manual_and_docstrings_are_mixed(whole):
    half = len(whole.text) // 2
    assert min(whole.text.count("Changed in version", *part) for part in ((0, half), (half, 2 * half))) > 10


def test_the_library_is_read_and_never_imported(library):
    text = read()
    assert PROSE in text.text
    assert "this is the abc." in text.text
    assert TOPIC in text.text
    assert "it is called." in text.text


def test_tests_and_other_peoples_packages_are_left_out(library):
    assert "not for you to read" not in read().text


def test_a_repeated_paragraph_is_taken_once(library):
    assert read().text.count(PROSE) == 1


def test_the_second_reading_comes_from_the_cache(library, lab_home):
    first = read()
    (library / "abc.py").unlink()
    assert platform.python_version() in cache_file(lab_home).name
    assert read() == first


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", "null"])
def test_a_damaged_cache_is_made_again(library, lab_home, damage):
    first = read()
    cache_file(lab_home).write_text(damage)
    assert read() == first
    assert json.loads(cache_file(lab_home).read_text())["sha256"] == first.sha256


def test_a_cache_whose_text_was_changed_is_made_again(library, lab_home):
    first = read()
    file = cache_file(lab_home)
    file.write_text(file.read_text().replace("the function", "no function"))
    assert read() == first


def test_a_home_that_cannot_be_written_to_costs_only_time(library, lab_home):
    lab_home.write_text("a file stands where the home should be")
    assert PROSE in read().text


def test_without_sources_the_manual_alone_is_the_corpus(tmp_path, lab_home, monkeypatch):
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path / "python311.zip"))
    text = read()
    assert text.facts["sources"] == {
        "reference manual topics": pytest.approx(80, abs=20),
        "standard library modules": 0,
    }
    assert len(text.text) > 100_000
    assert not lab_home.exists()


def test_without_sources_and_manual_the_problem_names_another_corpus(tmp_path, monkeypatch):
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path / "python311.zip"))
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)
    with pytest.raises(ImportError):
        importlib.import_module("pydoc_data.topics")
    with pytest.raises(BadInput) as caught:
        read()
    assert (caught.value.problem.field, caught.value.problem.value) == ("corpus.name", "python-manual")
    assert caught.value.problem.remedy
