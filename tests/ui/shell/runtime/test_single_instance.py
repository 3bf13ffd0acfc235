"""A second start passes its files to the first."""

import json
import os
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest
from PySide6.QtCore import QDir
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lab.shell.runtime.single_instance import (
    HEAD,
    LONGEST,
    Instance,
    instance_name,
    offer,
    paths_of,
    remove_stale_sockets,
)

SECOND = "import sys; from lab.shell.runtime.single_instance import offer; sys.exit(0 if offer(sys.argv[1:]) else 3)"
CRASHED = """
import os
from PySide6.QtCore import QCoreApplication
from lab.shell.runtime.single_instance import Instance
application = QCoreApplication([])
instance = Instance()
os._exit(1)
"""
LISTENING = """
import sys
from PySide6.QtCore import QCoreApplication
from lab.shell.runtime.single_instance import Instance
application = QCoreApplication([])
instance = Instance()
sys.stdout.write("listening\\n")
sys.stdout.flush()
application.exec()
"""
NAMED = "from lab.shell.runtime.single_instance import instance_name; import sys; sys.stdout.write(instance_name())"


@pytest.fixture
def first(qtbot):
    made = Instance()
    yield made
    made.close()


def start_second(*paths, cwd=None, code=SECOND, **environment):
    return subprocess.Popen([sys.executable, "-c", code, *paths], cwd=cwd, env={**os.environ, **environment})


def wait_for(process, qtbot):
    qtbot.waitUntil(lambda: process.poll() is not None)
    return process.returncode


def offered(qtbot):
    """Offer no files in a thread, as a second start does in its process; return True if they were received."""
    answers = []
    second = threading.Thread(target=lambda: answers.append(offer([])))
    second.start()
    qtbot.waitUntil(lambda: bool(answers))
    second.join()
    return answers[0]


def send(message, qtbot):
    """Write bytes to the first instance, and return its answer."""
    socket = QLocalSocket()
    socket.connectToServer(instance_name())
    assert socket.waitForConnected(1000)
    socket.write(message)
    qtbot.waitUntil(lambda: socket.state() == QLocalSocket.LocalSocketState.UnconnectedState)
    answer = socket.readAll().data()
    socket.abort()
    return answer


def test_files_of_a_second_start_reach_the_first(first, qtbot, tmp_path):
    received = []
    first.files.connect(received.append)
    process = start_second("a text.txt", str(tmp_path / "b.toml"), cwd=tmp_path)
    assert wait_for(process, qtbot) == 0
    assert received == [[str(tmp_path / "a text.txt"), str(tmp_path / "b.toml")]]


def test_a_second_start_without_files_is_received_too(first, qtbot):
    received = []
    first.files.connect(received.append)
    assert offered(qtbot)
    assert received == [[]]


def test_another_home_folder_is_another_lab(first, tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "other"))
    assert offer(["a"]) is False


def test_without_a_first_instance_nothing_is_accepted(qtbot):
    assert offer(["a"]) is False


def test_after_the_first_instance_closed_nothing_is_accepted(first, qtbot):
    first.close()
    assert offer(["a"]) is False


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows end with their process")
def test_a_start_removes_the_sockets_of_killed_instances_of_other_homes(first, qtbot, tmp_path):
    def socket_in(name):
        home = {**os.environ, "LAB_HOME": str(tmp_path / name)}
        named = subprocess.run([sys.executable, "-c", NAMED], env=home, capture_output=True, text=True, check=True)
        return Path(QDir.tempPath()) / named.stdout

    killed, alive = map(socket_in, ("killed", "alive"))
    assert wait_for(start_second(code=CRASHED, LAB_HOME=str(tmp_path / "killed")), qtbot) == 1
    assert killed.exists()
    no_socket = Path(QDir.tempPath()) / f"lm-lab-{uuid.uuid4().hex[:20]}"
    no_socket.write_text("a file")
    environment = {**os.environ, "LAB_HOME": str(tmp_path / "alive")}
    with subprocess.Popen([sys.executable, "-c", LISTENING], env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"listening\n"
        assert not killed.exists()
        remove_stale_sockets()
        assert alive.exists()
        assert (Path(QDir.tempPath()) / instance_name()).exists()
        assert no_socket.read_text() == "a file"
        no_socket.unlink()
        process.kill()
    remove_stale_sockets()
    assert not alive.exists()


def test_an_instance_that_closes_leaves_no_socket(qtbot):
    instance = Instance()
    socket = Path(QDir.tempPath()) / instance_name()
    assert sys.platform == "win32" or socket.exists()
    instance.close()
    assert not socket.exists()


def test_the_socket_left_by_a_crash_is_replaced(qtbot):
    assert wait_for(start_second(code=CRASHED), qtbot) == 1
    assert offer([]) is False
    instance = Instance()
    received = []
    instance.files.connect(received.append)
    assert offered(qtbot)
    assert received == [[]]
    instance.close()


def test_a_second_instance_does_not_take_the_name_of_the_first(first, qtbot):
    second = Instance()
    received, wrong = [], []
    first.files.connect(received.append)
    second.files.connect(wrong.append)
    assert offered(qtbot)
    second.close()
    assert (received, wrong) == ([[]], [])


def test_a_first_instance_that_does_not_answer_is_ignored(qtbot, monkeypatch):
    monkeypatch.setattr("lab.shell.runtime.single_instance.TO_ANSWER", 150)
    deaf = QLocalServer()
    deaf.listen(instance_name())
    assert offer(["a"]) is False
    deaf.close()


def framed(content):
    return len(content).to_bytes(HEAD, "big") + content


@pytest.mark.parametrize(
    "message",
    [
        framed(b"no json"),
        framed(b'{"a": 1}'),
        framed(json.dumps(["relative.txt"]).encode()),
        framed(json.dumps([3]).encode()),
        framed(json.dumps(["/a\0b"]).encode()),
        (LONGEST + 1).to_bytes(HEAD, "big") + b"[",
        framed(b"[]") + b"more",
    ],
)
def test_a_message_that_is_not_a_list_of_paths_is_refused(first, qtbot, message):
    received = []
    first.files.connect(received.append)
    assert send(message, qtbot) == b""
    assert received == []
    assert send(framed(json.dumps([str(Path("texts").absolute())]).encode()), qtbot) == b"+"
    assert len(received) == 1


def test_an_incomplete_message_times_out(first, qtbot, monkeypatch):
    monkeypatch.setattr("lab.shell.runtime.single_instance.TO_ANSWER", 100)
    assert send(b"\0\0", qtbot) == b""


def test_a_deeply_nested_message_is_refused(qtbot):
    assert paths_of(b"[" * 100_000) is None
