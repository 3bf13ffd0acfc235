"""The page on which a class hands in: what is whole is taken under its name, and everything else is answered."""

import collections
import concurrent.futures
import errno
import http.client
import json
import os
import shutil
import socket
import time
import zipfile

import pytest

from lab.base.problems import BadInput
from lab.runs.bundle_file import Bundle
from lab.workbench.classroom import collecting
from lab.workbench.classroom.collecting import LARGEST, Collection
from lab.workbench.classroom.hand_in import hand_in


@pytest.fixture
def collection(tmp_path):
    collection = Collection(tmp_path / "class", host="127.0.0.1")
    collection.start()
    yield collection
    collection.stop()


def request(collection, method="POST", body=b"", *, token=None, length=None, **headers):
    """Return status and text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", collection.port, timeout=20)
    try:
        connection.putrequest(method, f"/{token or collection.token}")
        headers = {"Content-Length": str(len(body) if length is None else length), **headers}
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def form(name, content, file="a.lmlab"):
    parts = f'--B\r\nContent-Disposition: form-data; name="name"\r\n\r\n{name}\r\n'
    parts += f'--B\r\nContent-Disposition: form-data; name="run"; filename="{file}"\r\n\r\n'
    return parts.encode() + content + b"\r\n--B--\r\n"


def files(collection):
    return sorted(path.name for path in collection.folder.iterdir())


def test_the_page_has_a_form_and_no_script(collection):
    status, text = request(collection, "GET")
    assert status == 200
    assert '<form method="post" enctype="multipart/form-data">' in text
    assert "<script" not in text


def test_a_policy_without_network_refuses_the_page_and_names_itself(tmp_path, with_policy):
    file = with_policy("network = false")
    with pytest.raises(BadInput) as raised:
        Collection(tmp_path / "class", host="127.0.0.1")
    assert raised.value.problem.what == f"handing in over the network is not allowed by {file} (network)"
    assert "on a stick" in raised.value.problem.remedy
    assert not (tmp_path / "class").exists()


def test_a_run_is_handed_in_by_the_command(collection, finished):
    name = hand_in(finished("small", 2.0), "Ada", collection.addresses[0])
    assert files(collection) == [name] == ["Ada - small.lmlab"]


def test_a_bundle_without_a_name_gets_that_of_the_form(collection, bundle):
    browser = {"Content_Type": "multipart/form-data; boundary=B", "Accept": "text/html"}
    body = form("Grace <b>Hopper</b>", bundle("").read_bytes())
    status, text = request(collection, body=body, **browser)
    assert status == 201
    assert "<b>" not in text
    (file,) = files(collection)
    with Bundle.open(collection.folder / file) as taken:
        assert taken.student == "Grace <b>Hopper</b>"
        assert all(sum(map(len, taken.pieces(entry))) == entry.size for entry in taken.files)
    assert request(collection, body=form(" ", b""), **browser)[0] == 422
    assert request(collection, body=form("Ada", b"")[:-9], **browser)[0] == 400


def test_many_at_once_are_all_taken_and_the_damaged_and_hostile_refused(
    collection, bundle, forged, tmp_path, monkeypatch
):
    monkeypatch.setattr("lab.runs.bundle.RECORDS", 2**20)
    whole = [bundle(f"student {number}", folder=tmp_path).read_bytes() for number in range(8)]
    cut = [content[: len(content) * share // 4] for content, share in zip(whole, (1, 2, 3), strict=False)]
    run = {"id": "0" * 32, "name": "x"}
    evil = [
        forged("up.lmlab", {"../../out": b"x"}, run=run, student="Eve"),
        forged("bomb.lmlab", {"recipe.toml": b"", "samples.jsonl": bytes(2**21)}, run=run, student="Eve"),
    ]
    bodies = whole + cut + [file.read_bytes() for file in evil]
    with concurrent.futures.ThreadPoolExecutor(len(bodies)) as pool:
        answers = list(pool.map(lambda body: request(collection, body=body), bodies))
    assert collections.Counter(status for status, _ in answers) == {201: 8, 422: 5}
    assert all(json.loads(text)["problem"]["what"] for status, text in answers if status == 422)
    assert files(collection) == sorted(f"student {n} - run of student {n}.lmlab" for n in range(8))
    assert not (tmp_path / "out").exists()


def test_what_the_table_does_not_read_is_checked_too(collection, bundle, forged):
    with zipfile.ZipFile(bundle("Ada")) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(contents.pop("manifest.json"))
    listed = [*manifest["files"], {"name": "readings/5.safetensors", "bytes": 1, "sha256": "0" * 64}]
    contents["readings/5.safetensors"] = b"x"
    body = forged("lie.lmlab", contents, run=manifest["run"], student="Ada", files=listed).read_bytes()
    status, text = request(collection, body=body)
    assert (status, "is not the file that was packed" in text) == (422, True)
    assert files(collection) == []


def test_one_name_in_two_bundles_overwrites_nothing(collection, bundle):
    body = bundle("Ada").read_bytes()
    assert [request(collection, body=body)[0] for _ in range(2)] == [201, 201]
    assert files(collection) == ["Ada - run of Ada-2.lmlab", "Ada - run of Ada.lmlab"]


@pytest.mark.parametrize(
    ("status", "given"),
    [
        (403, {"token": "wrong"}),
        (403, {"token": "../secrets"}),
        (413, {"length": LARGEST * 4}),
        (411, {"Transfer_Encoding": "chunked"}),
        (400, {"length": "-1"}),
        (400, {"length": "x"}),
        (501, {"method": "PUT"}),
    ],
)
def test_what_is_wrong_is_refused_before_it_is_read(collection, status, given):
    assert request(collection, **{"body": b"x" * 100, **given})[0] == status
    assert files(collection) == []


def test_a_body_shorter_than_its_stated_length_is_dropped(collection, bundle):
    body = bundle("Ada").read_bytes()
    with socket.create_connection(("127.0.0.1", collection.port)) as client:
        client.sendall(f"POST /{collection.token} HTTP/1.0\r\nContent-Length: {len(body) + 1}\r\n\r\n".encode() + body)
        client.shutdown(socket.SHUT_WR)
        assert b" 400 " in client.recv(100)
    assert files(collection) == []


def test_what_follows_the_stated_length_is_not_read(collection, bundle):
    body = bundle("Ada").read_bytes()
    assert request(collection, body=body + b"more", length=len(body))[0] == 201


def test_a_slow_client_is_dropped(collection, monkeypatch):
    monkeypatch.setattr(collecting, "GRACE_SECONDS", 0.05)
    with socket.create_connection(("127.0.0.1", collection.port)) as client:
        client.sendall(f"POST /{collection.token} HTTP/1.0\r\nContent-Length: 1000\r\n\r\nx".encode())
        assert b" 408 " in client.recv(100)
    assert files(collection) == []


def test_a_client_that_sends_no_head_is_dropped(collection, monkeypatch):
    monkeypatch.setattr(collecting, "HEAD_SECONDS", 0.05)
    with socket.create_connection(("127.0.0.1", collection.port)) as client:
        client.sendall(b"POST /")
        assert client.recv(100) == b""


def test_a_full_disk_is_answered_and_nothing_is_left(collection, bundle, monkeypatch):
    body = bundle("Ada").read_bytes()
    usage = shutil.disk_usage(collection.folder)
    monkeypatch.setattr(collecting.shutil, "disk_usage", lambda path: usage._replace(free=1000))
    assert request(collection, body=body)[0] == 507
    monkeypatch.undo()

    def full(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(collecting.os, "fsync", full)
    status, text = request(collection, body=body)
    assert (status, "full" in text) == (507, True)
    assert files(collection) == []


def test_stopping_ends_open_connections(tmp_path):
    collection = Collection(tmp_path, host="127.0.0.1")
    collection.start()
    with socket.create_connection(("127.0.0.1", collection.port)) as client:
        client.sendall(b"POST /")
        deadline = time.monotonic() + 5
        while not collection._server._open and time.monotonic() < deadline:
            time.sleep(0.01)
        collection.stop()
        assert client.recv(100) == b""


def test_clients_from_elsewhere_are_not_answered(collection):
    server = collection._server
    assert [server.verify_request(None, (one, 1)) for one in ("8.8.8.8", "192.168.3.4", "127.0.0.1")] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(("option", "value"), [("token", "a b"), ("token", "x"), ("port", 10**6)])
def test_a_token_or_port_that_cannot_be_is_refused(tmp_path, option, value):
    with pytest.raises(BadInput, match=option):
        Collection(tmp_path, **{option: value})


def test_an_address_where_nobody_answers_is_reported(finished, collection):
    run = finished("r", 2.0)
    for address in (f"http://127.0.0.1:{collection.port}/wrong", "http://", "http://[", "ftp:x"):
        if address.startswith("http"):
            with pytest.raises(BadInput):
                hand_in(run, "Ada", address)
