"""Single instance for each user and home folder: a second start passes its files to the first one and ends."""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import json
import os
import re
import socket
import stat
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDir, QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lab.base.folders import home
from lab.recipes import is_link

LONGEST = 256 * 1024
"""Most bytes of a message."""
HEAD = 4
"""Bytes of the length at the start of a message."""
NAME = re.compile("lm-lab-[0-9a-f]{20}")
"""The name of a socket."""
TAKEN = b"+"
"""The answer of the first instance."""
TO_CONNECT, TO_ANSWER = 300, 3000
"""Milliseconds that a second start waits for a connection, and that either side waits for the other."""


def instance_name() -> str:
    """Return the name of the socket for this user and this home folder."""
    identity = f"{getpass.getuser()}\n{home()}"
    return f"lm-lab-{hashlib.sha256(identity.encode()).hexdigest()[:20]}"


def remove_stale_sockets() -> None:
    """Remove the sockets of this user's instances that ended without closing them, such as killed ones.

    Only Unix has sockets that outlive their process: one that refuses a connection has no process any more.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError), os.scandir(QDir.tempPath()) as entries:
        for entry in entries:
            if NAME.fullmatch(entry.name) and not _is_alive(entry.path):
                Path(entry.path).unlink(missing_ok=True)


def _is_alive(path: str) -> bool:
    """Return False if a path is a socket of a process that has ended."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
        probe.setblocking(False)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            return not stat.S_ISSOCK(Path(path).lstat().st_mode)
        except OSError:  # it is busy, or another user's
            return True
    return True


def offer(paths: Sequence[str]) -> bool:
    """Pass files to the instance that is already running.

    Args:
        paths: The files of the second start, made absolute here, and links; if there are none, the window is
            only raised.

    Returns:
        True if a running instance accepted them; this process should then end.
    """
    connection = _connected()
    if connection is None:
        return False
    message = json.dumps([path if is_link(path) else str(Path(path).absolute()) for path in paths]).encode()
    connection.write(len(message).to_bytes(HEAD, "big") + message)
    deadline = time.monotonic() + TO_ANSWER / 1000
    while connection.state() == QLocalSocket.LocalSocketState.ConnectedState and time.monotonic() < deadline:
        if connection.bytesToWrite():
            connection.waitForBytesWritten(100)
        elif connection.bytesAvailable() or connection.waitForReadyRead(100):
            break
    taken = bool(connection.read(1).data() == TAKEN)
    connection.abort()
    return taken


def _connected() -> QLocalSocket | None:
    """Return a connection to the running instance; None if there is none, even if a crash left its socket behind."""
    connection = QLocalSocket()
    connection.connectToServer(instance_name())
    return connection if connection.waitForConnected(TO_CONNECT) else None


class Instance(QObject):
    """The first instance, which receives the files of later ones. If another instance is running, it receives nothing.

    Signals: `files` (list of absolute paths, which may be empty); the receiver also raises the window.

    Args:
        parent: Its parent.
    """

    files = Signal(list)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._welcome)
        if _connected() is None:
            QLocalServer.removeServer(instance_name())
            self._server.listen(instance_name())
            remove_stale_sockets()

    def close(self) -> None:
        """Stop receiving."""
        self._server.close()

    @Slot()
    def _welcome(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            _Connection(socket, self)


class _Connection(QObject):
    """One connection: it reads the message, validates it and answers. It is deleted with its socket."""

    def __init__(self, socket: QLocalSocket, instance: Instance) -> None:
        super().__init__(socket)
        self._socket, self._instance = socket, instance
        self._received = b""
        socket.readyRead.connect(self._read)
        socket.disconnected.connect(socket.deleteLater)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._give_up)
        self._patience.start(TO_ANSWER)
        self._read()

    @Slot()
    def _read(self) -> None:
        self._received += self._socket.read(HEAD + LONGEST - len(self._received)).data()
        length = int.from_bytes(self._received[:HEAD], "big")
        if len(self._received) < HEAD or len(self._received) < HEAD + length <= HEAD + LONGEST:
            return
        paths = paths_of(self._received[HEAD:]) if length == len(self._received) - HEAD else None
        self._patience.stop()
        if paths is None:
            self._give_up()
            return
        self._socket.write(TAKEN)
        self._socket.flush()
        self._socket.disconnectFromServer()
        self._instance.files.emit(paths)

    @Slot()
    def _give_up(self) -> None:
        self._socket.abort()


def paths_of(message: bytes) -> list[str] | None:
    """Return the paths and links of a message; None if it is invalid, since any program may write to the socket."""
    try:
        paths = json.loads(message)
    except (ValueError, RecursionError):
        return None
    if not isinstance(paths, list):
        return None
    return paths if all(isinstance(path, str) and _is_usable(path) for path in paths) else None


def _is_usable(path: str) -> bool:
    return "\0" not in path and (os.path.isabs(path) or is_link(path))  # noqa: PTH117 - a text
