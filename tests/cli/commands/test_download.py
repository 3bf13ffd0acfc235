"""`lm-lab download`: the list, and what it says and does when a text is asked for."""

import hashlib
import http.server
import threading

import pytest

from lab.base.settings import read_section
from lab.text.corpora import downloads
from lab.text.corpora.downloads import Download

BOOK = b"the cat sat on the mat. a dog ran to the hat.\n" * 60


@pytest.fixture(autouse=True)
def no_proxy_of_this_machine(monkeypatch):
    """Forget the proxies of the environment."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def alice(tmp_path, monkeypatch):
    """A list of one book, which a server here has."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=tmp_path / "served")

        def log_message(self, *_):
            pass

    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "book").write_bytes(BOOK)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_address[1]}/book"
    sha256 = hashlib.sha256(BOOK).hexdigest()
    alice = Download("alice", "Alice, by somebody", url, "public domain", sha256, len(BOOK))
    monkeypatch.setattr(downloads, "catalogue", lambda: [alice])
    yield alice
    server.shutdown()
    server.server_close()
    thread.join()


def test_without_a_name_the_texts_are_listed_and_nothing_is_fetched(lm_lab, lab_home):
    ended = lm_lab("download")
    assert ended.code == 0
    assert "tiny-shakespeare" in ended.out
    assert "1.1 MB" in ended.out
    assert "public domain" in ended.out
    assert not (lab_home / "downloads").exists()


def test_the_list_says_which_are_here(lm_lab, alice):
    assert lm_lab("download", "--json").json["downloads"][0]["here"] is False
    assert lm_lab("download", "alice").code == 0
    assert lm_lab("download", "--json").json["downloads"][0]["here"] is True
    assert lm_lab("download").out.splitlines()[1].endswith("here")


def test_a_text_is_fetched_and_its_path_reported(lm_lab, alice):
    ended = lm_lab("download", "alice", "--json")
    assert ended.code == 0
    assert ended.json == {"name": "alice", "path": str(alice.path), "bytes": len(BOOK), "sha256": alice.sha256}
    assert alice.path.read_bytes() == BOOK


def test_a_text_that_is_shared_on_the_machine_is_here_and_not_fetched(lm_lab, alice, lab_system, lab_home, with_policy):
    with_policy("network = false")
    assert lm_lab("download", "alice").code == 2
    (lab_system / "corpora").mkdir()
    shared = lab_system / "corpora" / "alice.txt"
    shared.write_bytes(BOOK)
    assert lm_lab("download", "--json").json["downloads"][0]["here"] is True
    assert lm_lab("download", "alice", "--json").json["path"] == str(shared)
    assert not (lab_home / "downloads" / "alice.txt").exists()


def test_a_fetched_text_can_be_trained_on(lm_lab, alice):
    assert lm_lab("download", "alice").code == 0
    settings = ("training.context_length=8", "training.batch_size=4", "training.sample_tokens=4", "training.threads=1")
    options = [part for setting in settings for part in ("--set", setting)]
    chosen = ("--corpus", "download", "--set", "corpus.download=alice", "--architecture", "n-gram")
    ended = lm_lab("train", *chosen, *options, "--steps", 2, "--out", "run", "--json")
    assert ended.code == 0, ended.err


def test_training_on_a_missing_text_is_refused_with_how_to_fetch_it(lm_lab):
    ended = lm_lab("train", "--corpus", "download", "--set", "corpus.download=opticks", "--steps", 2)
    assert ended.code == 2
    assert "lm-lab download opticks" in ended.problem


def test_an_unknown_name_is_refused_with_those_there_are(lm_lab):
    ended = lm_lab("download", "bible")
    assert ended.code == 2
    assert "there is no such download" in ended.problem
    assert "opticks" in ended.problem


def test_what_cannot_be_fetched_ends_with_status_1_and_one_sentence(lm_lab, alice, tmp_path):
    (tmp_path / "served" / "book").unlink()
    ended = lm_lab("download", "alice")
    assert ended.code == 1
    assert "404" in ended.problem


def test_a_proxy_that_is_named_is_kept_until_it_is_forgotten(lm_lab, alice):
    ended = lm_lab("download", "alice", "--proxy", "http://127.0.0.1:1")
    assert ended.code == 1
    assert "cannot be reached" in ended.problem
    assert read_section("downloads") == {"proxy": "http://127.0.0.1:1"}
    assert lm_lab("download", "alice").code == 1
    assert lm_lab("download", "alice", "--proxy", "none").code == 0
    assert read_section("downloads") == {}
