"""Downloads: complete, resumed, checked, through a proxy, and refused with a clear problem; from a local server."""

import errno
import hashlib
import http.server
import itertools
import os
import socket
import threading
from dataclasses import replace

import pytest

from lab.api import BadInput, LabError
from lab.base.folders import downloads_folder
from lab.base.jobs import Cancelled
from lab.base.settings import read_section
from lab.text.corpora import downloads
from lab.text.corpora.downloads import Download, DownloadConfig, catalogue, fetch, listed, read_download, set_proxy

NOVEL = "".join(f"line {number}: the cat sat on the mat\n" for number in range(8000)).encode()


class Server(http.server.ThreadingHTTPServer):
    """A server of one book, whose manners a test sets.

    Attributes:
        tag: The ETag, if any.
        ranges: Whether it can go on in the middle.
        status: What it answers instead of the book.
        ends_after: Bytes behind which it hangs up.
        silent_after: Bytes behind which it says nothing more.
        leads_to: Where it redirects to.
        asked: The path and headers of each request.
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.novel, self.tag, self.ranges, self.sized = NOVEL, '"1"', True, True
        self.waited_in_vain = False
        self.status = self.ends_after = self.silent_after = self.leads_to = None
        self.requested, self.over = [], threading.Event()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        server.requested.append((self.path, self.headers))
        if server.leads_to and self.path.endswith("/book"):
            self.send_response(302)
            self.send_header("Location", server.leads_to)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if server.status:
            self.send_error(server.status)
            return
        start, wanted = 0, self.headers.get("Range", "")
        if wanted and server.ranges and self.headers.get("If-Range", server.tag) == server.tag:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(server.novel):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(server.novel) - 1}/{len(server.novel)}")
        else:
            self.send_response(200)
        if server.tag:
            self.send_header("ETag", server.tag)
        if server.sized:
            self.send_header("Content-Length", str(len(server.novel) - start))
        self.end_headers()
        end = len(server.novel)
        for limit in (server.ends_after, server.silent_after):
            end = end if limit is None else start + limit
        self.wfile.write(server.novel[start:end])
        self.wfile.flush()
        if server.silent_after is not None:
            server.waited_in_vain = not server.over.wait(10)
        self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture(autouse=True)
def no_proxy_of_this_machine(monkeypatch):
    """Forget the proxies of the environment."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def servers():
    """Begin servers."""
    started = []

    def start():
        server = Server()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        started.append((server, thread))
        return server

    yield start
    for server, thread in started:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def server(servers):
    """A server with good manners."""
    return servers()


@pytest.fixture
def novel(server):
    """The book of that server, as the list would have it."""
    sha256 = hashlib.sha256(NOVEL).hexdigest()
    return Download("book", "A book", f"{server.address}/book", "public domain", sha256, len(NOVEL))


def left():
    """List the files in the folder of downloads, except locks."""
    return sorted(file.name for file in downloads_folder().iterdir() if file.suffix != ".lock")


def test_a_text_is_fetched_whole_with_progress(novel):
    reported = []
    path = fetch(novel, progress=lambda done, whole: reported.append((done, whole)))
    assert path.read_bytes() == NOVEL
    assert path.parent == downloads_folder()
    assert left() == ["book.txt"]
    assert len(reported) > 3
    assert reported == sorted(reported)
    assert reported[-1] == (len(NOVEL), len(NOVEL))


def test_what_is_here_is_not_fetched_again(novel, server):
    fetch(novel)
    fetch(novel)
    assert len(server.requested) == 1


def test_what_is_here_but_damaged_is_fetched_again(novel):
    novel_file = fetch(novel)
    novel_file.write_bytes(NOVEL[:-1] + b"?")
    assert fetch(novel).read_bytes() == NOVEL


def test_a_broken_connection_is_reported_and_the_next_call_continues_there(novel, server):
    server.ends_after = 100_000
    with pytest.raises(LabError, match=r"the connection ended after 100,000 of [\d,]+ bytes") as refused:
        fetch(novel)
    assert refused.value.problem.remedy == "lm-lab download book continues where it stopped"
    assert not novel.path.exists()
    server.ends_after = None
    assert fetch(novel).read_bytes() == NOVEL
    assert server.requested[1][1]["Range"] == "bytes=100000-"
    assert server.requested[1][1]["If-Range"] == '"1"'
    assert left() == ["book.txt"]


def test_it_continues_without_a_tag_too(novel, server):
    server.tag, server.ends_after = None, 50_000
    with pytest.raises(LabError):
        fetch(novel)
    server.ends_after = None
    assert fetch(novel).read_bytes() == NOVEL
    assert "If-Range" not in server.requested[1][1]


def test_a_server_that_ends_early_and_gave_no_length_is_not_believed(novel, server):
    server.sized, server.ends_after = False, 1000
    with pytest.raises(LabError, match="the connection ended after 1,000 of"):
        fetch(novel)


def test_a_server_that_cannot_go_on_sends_all_of_it_again(novel, server):
    server.ends_after = 100_000
    with pytest.raises(LabError):
        fetch(novel)
    server.ends_after, server.ranges = None, False
    assert fetch(novel).read_bytes() == NOVEL


def test_a_file_that_changed_on_the_server_is_fetched_again_from_the_start(novel, server):
    server.novel, server.ends_after = NOVEL.upper(), 100_000
    with pytest.raises(LabError):
        fetch(novel)
    server.novel, server.tag, server.ends_after = NOVEL, '"2"', None
    assert fetch(novel).read_bytes() == NOVEL


def test_a_partial_file_as_long_as_the_server_s_is_fetched_again_from_the_start(novel, server):
    downloads_folder().mkdir(parents=True)
    part = downloads_folder() / f".book-{novel.sha256[:12]}.part"
    part.write_bytes(NOVEL + b"too long")
    assert fetch(novel).read_bytes() == NOVEL
    assert "Range" in server.requested[0][1]
    assert "Range" not in server.requested[1][1]


def test_a_wrong_checksum_is_refused_and_removed(novel, server):
    server.novel = NOVEL[:-1] + b"?"
    with pytest.raises(LabError, match="does not have the listed checksum"):
        fetch(novel)
    assert left() == []


@pytest.mark.parametrize("sized", [True, False])
def test_another_size_than_that_of_the_list_is_refused(novel, server, sized):
    server.novel, server.sized = NOVEL * 3, sized
    with pytest.raises(LabError, match=r"the server.s file has [\d,]+ bytes|sent more than"):
        fetch(novel)
    assert left() == []


def test_a_refusal_of_the_server_is_reported_with_a_remedy(novel, server):
    server.status = 404
    with pytest.raises(LabError, match="the server answers 404 Not Found") as refused:
        fetch(novel)
    assert novel.url in refused.value.problem.remedy
    assert str(novel.path) in refused.value.problem.remedy


def test_a_missing_network_is_reported_with_a_remedy(novel):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/book"
        with pytest.raises(LabError, match=r"127\.0\.0\.1 cannot be reached: .*refused") as refused:
            fetch(replace(novel, url=url))
    assert refused.value.problem.remedy == (
        "Connect to a network, or name its proxy with `lm-lab download --proxy` or HTTPS_PROXY. "
        f"Copy {url} from another machine to {novel.path}, or give the path of the copy as the corpus"
    )


def test_a_policy_without_a_network_forbids_it_before_any_request(novel, server, with_policy):
    file = with_policy("network = false")
    with pytest.raises(BadInput, match="downloads are not allowed by") as caught:
        fetch(novel)
    assert f"{file} (network)" in caught.value.problem.what
    assert server.requested == []


def test_a_download_is_refused_if_the_policy_leaves_no_room_for_it(novel, server, with_policy, lab_home):
    with_policy("disk_gb = 0.1")
    lab_home.mkdir()
    with (lab_home / "large").open("wb") as large:
        large.truncate(10**8)
    with pytest.raises(BadInput, match="disk_gb"):
        fetch(novel)
    assert server.requested == []


def test_a_copy_that_was_put_in_its_place_by_hand_is_taken(novel, server):
    downloads_folder().mkdir(parents=True)
    novel.path.write_bytes(NOVEL)
    assert fetch(novel) == novel.path
    assert server.requested == []


def test_a_silent_server_is_given_up(novel, server, monkeypatch):
    monkeypatch.setattr(downloads, "SILENCE", 0.2)
    server.silent_after = 70_000
    with pytest.raises(LabError, match="no data came for too long"):
        fetch(novel)


def test_a_download_can_be_cancelled_between_pieces_and_keeps_what_has_arrived(novel, server):
    done = []
    with pytest.raises(Cancelled):
        fetch(novel, progress=lambda *reported: done.append(reported), cancelled=lambda: len(done) >= 2)
    assert not novel.path.exists()
    assert fetch(novel).read_bytes() == NOVEL
    assert "Range" in server.requested[1][1]


@pytest.mark.parametrize("after", [0, 70_000])
def test_a_download_can_be_cancelled_while_the_server_is_silent(novel, server, after):
    server.silent_after = after
    asked = itertools.count()
    with pytest.raises(Cancelled):
        fetch(novel, cancelled=lambda: next(asked) >= 5)
    assert not server.waited_in_vain  # the download ended while the server was still silent


def test_a_safe_redirect_is_followed(novel, server):
    server.leads_to = f"{server.address}/elsewhere"
    assert fetch(novel).read_bytes() == NOVEL
    assert [path for path, _ in server.requested] == ["/book", "/elsewhere"]


def test_a_redirect_out_of_encryption_is_refused(novel, server):
    server.leads_to = f"http://localhost:{server.server_address[1]}/elsewhere"
    with pytest.raises(BadInput, match=r"leads to http://localhost:.*, which is not https"):
        fetch(novel)
    assert len(server.requested) == 1


def test_redirects_without_end_are_refused(novel, server):
    server.leads_to = "/book"
    with pytest.raises(LabError, match="more than 5 redirects"):
        fetch(novel)


@pytest.mark.parametrize("url", ["http://example.com/book", "file:///etc/passwd", "ftp://127.0.0.1/book"])
def test_an_address_without_encryption_is_never_asked(novel, url):
    with pytest.raises(BadInput, match="does not start with https://"):
        fetch(replace(novel, url=url))


def test_the_proxy_of_the_environment_is_taken(novel, servers, server, monkeypatch):
    proxy = servers()
    monkeypatch.setenv("http_proxy", proxy.address)
    assert fetch(novel).read_bytes() == NOVEL
    assert [path for path, _ in proxy.requested] == [novel.url]
    assert server.requested == []


def test_the_proxy_of_the_settings_comes_before_that_of_the_environment(novel, servers, server, monkeypatch):
    proxy = servers()
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    set_proxy(proxy.address)
    assert fetch(novel).read_bytes() == NOVEL
    assert [path for path, _ in proxy.requested] == [novel.url]
    set_proxy(None)
    assert read_section("downloads") == {}


@pytest.mark.parametrize("proxy", ["proxy", "gopher://proxy:1", "http://proxy:port"])
def test_an_address_that_is_no_proxys_is_refused_and_not_kept(proxy):
    with pytest.raises(BadInput, match="cannot be used") as refused:
        set_proxy(proxy)
    assert refused.value.problem.value == proxy
    assert read_section("downloads") == {}


def test_two_do_not_fetch_the_same_text_at_once(novel, server):
    server.silent_after = 70_000
    refusals = []

    def second(*_):
        with pytest.raises(LabError, match="is already being downloaded") as refused:
            fetch(novel)
        refusals.append(refused)

    with pytest.raises(Cancelled):
        fetch(novel, progress=second, cancelled=lambda: bool(refusals))
    assert refusals


def test_a_full_disk_is_reported_with_a_remedy(novel, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(downloads.os, "fsync", full)
    with pytest.raises(LabError, match="No space left on device") as refused:
        fetch(novel)
    assert "Free some space" in refused.value.problem.remedy


def test_the_list_names_each_text_once_with_address_licence_size_and_checksum():
    every = catalogue()
    assert len({one.name for one in every}) == len({one.path for one in every}) == len(every) >= 5
    for one in every:
        assert one.url.startswith("https://raw.githubusercontent.com/")
        assert "/master/" not in one.url
        assert one.title
        assert one.licence.startswith("public domain")
        assert len(bytes.fromhex(one.sha256)) == 32
        assert 10**5 < one.bytes < 10**7


def test_the_list_has_the_tiny_shakespeare_that_everybody_has(shared_data):
    data = (shared_data / "tinyshakespeare.txt").read_bytes()
    one = listed("tiny-shakespeare")
    assert (one.bytes, one.sha256) == (len(data), hashlib.sha256(data).hexdigest())


def test_the_corpus_offers_what_the_list_has():
    choices = DownloadConfig.model_json_schema()["properties"]["download"]["enum"]
    assert choices == [one.name for one in catalogue()]


def test_a_name_that_is_not_in_the_list_is_refused_with_those_that_are():
    with pytest.raises(BadInput, match="there is no such download") as refused:
        listed("bible")
    assert "alice" in refused.value.problem.allowed


@pytest.fixture
def alice(novel, monkeypatch):
    """The book under a name of the list."""
    alice = replace(novel, name="alice", title="Alice, by somebody")
    monkeypatch.setattr(downloads, "catalogue", lambda: [alice])
    return alice


def test_the_corpus_reads_what_was_fetched(alice):
    fetch(alice)
    text = read_download(DownloadConfig(download="alice"))
    assert text.text == NOVEL.decode()
    assert text.name == "Alice, by somebody"
    assert text.facts["url"] == alice.url
    assert text.facts["licence"] == "public domain"


def test_the_corpus_reports_how_to_fetch_a_missing_text_and_fetches_nothing(alice, server):
    with pytest.raises(BadInput, match="was not fetched yet") as refused:
        read_download(DownloadConfig(download="alice"))
    assert refused.value.problem.remedy == "lm-lab download alice"
    assert server.requested == []


def test_the_corpus_refuses_a_damaged_file(alice):
    fetch(alice).write_bytes(NOVEL[:-5])
    with pytest.raises(BadInput, match="is damaged"):
        read_download(DownloadConfig(download="alice"))


def test_interruptions_anywhere_come_to_the_same_file(novel, server):
    for ends_after in itertools.chain([0, 1, 65_536, 65_537, 100_000], [None]):
        server.ends_after = ends_after
        if ends_after is None:
            assert fetch(novel).read_bytes() == NOVEL
        else:
            with pytest.raises(LabError, match="the connection ended after"):
                fetch(novel)
