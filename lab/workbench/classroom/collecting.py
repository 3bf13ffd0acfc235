"""The page on which students hand in: a small server for the local network, off until somebody starts it.

It is built on http.server, since a server that gathers whole requests before it calls the application would store two
gigabytes of a stranger before it looks at the token. Here the token is compared first, the size that is stated is
checked next, and bytes are counted while they arrive, into a temporary file that becomes a file of the folder only
after the bundle in it was checked as an import checks it.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import io
import ipaddress
import os
import re
import secrets
import shutil
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, BinaryIO

import psutil  # type: ignore[import-untyped]

from lab.base import BadInput, LabError, Problem
from lab.base.files.temporary import sweep, temporary_path
from lab.base.files.writing import make_folder, place_file, write_errors_as_problems
from lab.base.problems import problem_of
from lab.base.system.policy import policy
from lab.base.units import short
from lab.interop.report.markup import Markup, element, page
from lab.interop.report.words import ENGLISH, Words, tr, words, written_in
from lab.runs.bundle import open_records, write_signed
from lab.runs.bundle_file import LONGEST_STUDENT, student_name
from lab.runs.library.labels import read_label
from lab.workbench.classroom.form import boundary_of, read_form
from lab.workbench.classroom.hand_in import answer_of, checked_name, file_name, refusal_of

LARGEST = 2**29
"""Most bytes of a bundle that is handed in over the network."""
LARGEST_UNPACKED = 2 * 2**30
"""Most bytes that it may unpack to."""
MOST_FILES = 1000
"""Files in the folder from which on no more are taken."""
FREE_BYTES = 2**28
"""Bytes of the disk that stay free."""
MOST_CONNECTIONS, CHECKED_AT_ONCE = 64, 2
HEAD_SECONDS, IDLE_SECONDS = 20.0, 20.0
"""Seconds for the head of a request, and between two pieces of its body."""
GRACE_SECONDS, SLOWEST = 60.0, 8192
"""Seconds for any body, and the bytes per second that a longer one must have on average."""
LONGEST_HEAD = 2**16
FORM_HEADS = 2**14
"""Bytes that a form may have around the file."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of a token, without those that look like others on a projector."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{6,64}")
DRAINED = 2**23
"""Bytes of a refused request that are still read, so that the sender gets the answer."""


def take(upload: Path, folder: Path, student: str = "") -> Path:
    """Check a bundle that arrived, and make it a file of the folder.

    Args:
        upload: The file, in the same folder.
        folder: The folder.
        student: The name that was given with it; "" for the name in the bundle.

    Returns:
        Its path; nothing is overwritten.

    Raises:
        BadInput: The bundle is refused, or has no name.
        LabError: It could not be written.
    """
    with open_records(upload, check_all=True, limit=LARGEST_UNPACKED) as (bundle, run):
        try:
            run.read_recipe()
            run.status()
        except LabError as error:
            raise bundle.refusal(f"the run in it does not open: {error.problem.what}") from None
        run_name = read_label(run.path).name or run.assigned_name or bundle.run_name
        name = checked_name(student_name(student) or bundle.student)
        is_signed = name == bundle.student
    path = folder / file_name(name, run_name)
    with write_errors_as_problems(path):
        if is_signed:
            return place_file(upload, path)
        with temporary_path(path) as signed:
            write_signed(upload, signed, name)
            return place_file(signed, path)


class Collection:
    """The page while it is served; it ends with the process, or with `stop`.

    Args:
        folder: The folder into which bundles are taken; it is made.
        port: The port; 0 for any that is free.
        token: The last part of the address, without which nothing is answered; None for a random one.
        host: The address of this machine at which it answers; "" for all.
        language: The language of the page.
        taken: Called in a thread with the path of each new file.

    Attributes:
        token: The last part of the address.
        port: The port.

    Raises:
        BadInput: The policy allows no network, the folder cannot be written to, the token is not allowed, or the port
            is taken.
    """

    def __init__(
        self,
        folder: Path,
        *,
        port: int = 0,
        token: str | None = None,
        host: str = "",
        language: Words = ENGLISH,
        taken: Callable[[Path], object] = lambda _: None,
    ) -> None:
        remedy = "Let the class hand in to a folder on a shared drive, or on a stick"
        policy().refuse_handing_in("folder", str(folder), remedy)
        if token is not None and not TOKEN.fullmatch(token):
            raise BadInput("is not allowed", field="--token", value=token, allowed="6 to 64 letters, digits, - and _")
        self.folder = make_folder(folder)
        sweep(self.folder)
        self.token = token or "".join(secrets.choice(LETTERS) for _ in range(8))
        self.language, self.taken = language, taken
        self.checking = threading.BoundedSemaphore(CHECKED_AT_ONCE)
        try:
            self._server = _Server((host, port), self)
        except (OSError, OverflowError) as error:
            what = f"cannot be used: {getattr(error, 'strerror', None) or error}"
            raise BadInput(what, field="--port", value=str(port), remedy="Choose another port, or none") from None
        self.port: int = self._server.server_address[1]
        self._host = host
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="lab class", daemon=True)

    @property
    def addresses(self) -> list[str]:
        """The addresses of the page on the local network, the likeliest first."""
        hosts = [self._host] if self._host else [str(one.ip) for one in local_networks()]
        return [f"http://{host}:{self.port}/{self.token}" for host in hosts]

    def start(self) -> None:
        """Begin to answer, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop to answer; what has not arrived is dropped."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._server.close_connections()
            self._thread.join()
        self._server.server_close()


def local_networks() -> list[ipaddress.IPv4Interface]:
    """Return the addresses of this machine with their networks, the likeliest first; its own if there is no other."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found = [
        ipaddress.IPv4Interface(f"{one.address}/{one.netmask or 32}")
        for name, addresses in psutil.net_if_addrs().items()
        for one in addresses
        if name in up and one.family == socket.AF_INET
    ]
    near = [one for one in found if not one.is_loopback]
    near.sort(key=lambda one: (one.is_link_local, not str(one).startswith("192.168."), one.is_global, int(one)))
    return near or [ipaddress.IPv4Interface("127.0.0.1/8")]


class _Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """A server of one thread for each connection; http.server's asks for the machine's name, which may take long."""

    allow_reuse_address = os.name != "nt"
    daemon_threads = True
    block_on_close = False
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, address: tuple[str, int], collection: Collection) -> None:
        self.collection = collection
        self._open: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        self._networks = [one.network for one in local_networks()]
        super().__init__(address, _Handler)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Return True for a client of the local network while there are not too many."""
        del request
        client = ipaddress.IPv4Address(client_address[0])
        is_near = not client.is_global or any(client in network for network in self._networks)
        return is_near and len(self._open) < MOST_CONNECTIONS

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer one connection."""
        with self._lock:
            self._open[request] = threading.current_thread()
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                del self._open[request]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report nothing: a client that goes away is no error of the lab."""

    def close_connections(self) -> None:
        """End the connections that are open, and wait for their threads."""
        with self._lock:
            connections = list(self._open.items())
        for connection, _ in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for _, thread in connections:
            thread.join(5.0)


class _Refused(Exception):
    def __init__(self, status: HTTPStatus, problem: Problem) -> None:
        super().__init__(problem.what)
        self.status, self.problem = status, problem


class _Timed(io.RawIOBase):
    """The bytes that a client sends, each of them before a deadline, and no more than a limit."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.deadline, self.left = time.monotonic() + HEAD_SECONDS, LONGEST_HEAD

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        seconds = self.deadline - time.monotonic()
        if seconds <= 0 or self.left <= 0:
            raise TimeoutError
        self._connection.settimeout(min(seconds, IDLE_SECONDS))
        view = memoryview(buffer)[: self.left]
        count = self._connection.recv_into(view)
        self.left -= count
        return count


class _Handler(BaseHTTPRequestHandler):
    """One request: the page, or a run."""

    server: _Server
    server_version, sys_version = "LM-Lab", ""

    def setup(self) -> None:
        super().setup()
        self._timed = _Timed(self.connection)
        self._body = self.rfile = io.BufferedReader(self._timed, 2**16)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of http.server
        """Write no log."""

    def do_GET(self) -> None:
        """Answer with the page."""
        with self._answering():
            self._check_token()
            self._answer(HTTPStatus.OK, _form_page())

    def do_POST(self) -> None:
        """Take a run."""
        with self._answering():
            self._check_token()
            length = self._length()
            collection = self.server.collection
            self._check_room(length)
            with temporary_path(collection.folder / "upload") as upload:
                student = self._receive(upload, length)
                with collection.checking:
                    path = take(upload, collection.folder, student)
            collection.taken(path)
            self._answer(HTTPStatus.CREATED, answer_of(path.name) if self._wants_json else _taken_page(path.name))

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        """Answer what goes wrong with a status and a sentence."""
        self.close_connection = True
        status, problem = HTTPStatus.OK, Problem("")
        with written_in(self.server.collection.language):
            try:
                yield
            except _Refused as error:
                status, problem = error.status, error.problem
            except TimeoutError:
                status, problem = HTTPStatus.REQUEST_TIMEOUT, Problem("the file came too slowly")
            except BadInput as error:
                status, problem = HTTPStatus.UNPROCESSABLE_ENTITY, error.problem
            except LabError as error:
                status, problem = HTTPStatus.INSUFFICIENT_STORAGE, error.problem
            except ConnectionError:
                return
            except Exception as error:  # noqa: BLE001 - whoever hands in gets an answer
                status, problem = HTTPStatus.INTERNAL_SERVER_ERROR, problem_of(error, doing="handing in")
            if status != HTTPStatus.OK:
                with contextlib.suppress(OSError):
                    self._answer(status, refusal_of(problem) if self._wants_json else _refusal_page(problem))
                    self._drain()

    @property
    def _wants_json(self) -> bool:
        return "text/html" not in self.headers.get("Accept", "")

    def _check_token(self) -> None:
        given = self.path.partition("?")[0].strip("/").encode(errors="replace")
        if not hmac.compare_digest(given, self.server.collection.token.encode()):
            remedy = "Copy the address that the teacher's lab shows, with its last part"
            raise _Refused(HTTPStatus.FORBIDDEN, Problem("this is not the address of the class", remedy=remedy))

    def _length(self) -> int:
        stated = self.headers.get_all("Content-Length") or []
        if self.headers.get("Transfer-Encoding") is not None or len(stated) != 1:
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, Problem("the request does not state its length"))
        if not re.fullmatch("[0-9]{1,18}", stated[0].strip()):
            raise _Refused(HTTPStatus.BAD_REQUEST, Problem("the length that the request states is no number"))
        length = int(stated[0])
        if length > LARGEST + FORM_HEADS:
            what = f"the file is larger than {short(LARGEST)}B"
            remedy = "Hand in to a folder or a stick, or a run with fewer checkpoints"
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, Problem(what, remedy=remedy))
        return length

    def _check_room(self, length: int) -> None:
        folder = self.server.collection.folder
        with write_errors_as_problems(folder / "upload"):
            is_full = shutil.disk_usage(folder).free < length + FREE_BYTES
            count = sum(1 for _ in folder.iterdir())
        if is_full:
            raise _no_room()
        if count >= MOST_FILES:
            what = f"the teacher's folder has {MOST_FILES:,} files already"
            raise _Refused(HTTPStatus.INSUFFICIENT_STORAGE, Problem(what, remedy="Tell your teacher"))

    def _receive(self, upload: Path, length: int) -> str:
        """Write the file of a request, and return the name that was given with it; "" for none."""
        body = _Body(self._body, self._timed, length)
        boundary = boundary_of(self.headers.get("Content-Type", ""))
        student = ""
        try:
            with upload.open("xb") as target:
                if boundary is None:
                    while piece := body.read(2**16):
                        target.write(piece)
                else:
                    student = self._received_form(body, boundary, target)
                target.flush()
                os.fsync(target.fileno())
        except TimeoutError:
            raise
        except ConnectionError:
            raise
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise _no_room() from None
            raise
        return student

    def _received_form(self, body: _Body, boundary: bytes, target: BinaryIO) -> str:
        try:
            texts = read_form(body.read, boundary, "run", target)
        except ValueError as error:
            raise _Refused(HTTPStatus.BAD_REQUEST, Problem(f"the form cannot be read: {error}")) from None
        return checked_name(texts.get("name", ""))

    def _answer(self, status: HTTPStatus, content: bytes | Markup) -> None:
        is_page = isinstance(content, Markup)
        data = content.encode() if isinstance(content, str) else content
        self.connection.settimeout(IDLE_SECONDS)
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8" if is_page else "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def _drain(self) -> None:
        """Read the rest of a refused request for a while: closing at once would reset it before the answer is read."""
        self.connection.shutdown(socket.SHUT_WR)
        self._timed.deadline, self._timed.left = time.monotonic() + 2.0, DRAINED
        with contextlib.suppress(OSError):
            while self._body.read1(2**16):
                pass


class _Body:
    """The body of a request, which has to keep a pace.

    Args:
        stream: The bytes of the client.
        timed: Their source.
        length: The length that the request states.
    """

    def __init__(self, stream: io.BufferedIOBase, timed: _Timed, length: int) -> None:
        self._stream, self._timed, self._left, self._received = stream, timed, length, 0
        self._start = time.monotonic()
        timed.left = length

    def read(self, count: int) -> bytes:
        """Return at most so many bytes; b"" at the end.

        Raises:
            TimeoutError: They come too slowly.
        """
        if not self._left:
            return b""
        self._timed.deadline = self._start + GRACE_SECONDS + self._received / SLOWEST
        piece = self._stream.read1(min(count, self._left))
        if not piece:
            raise _Refused(HTTPStatus.BAD_REQUEST, Problem("the file did not arrive whole", remedy="Send it again"))
        self._left -= len(piece)
        self._received += len(piece)
        return piece


def _no_room() -> _Refused:
    problem = Problem("the disk of the teacher's machine is full", remedy="Tell your teacher")
    return _Refused(HTTPStatus.INSUFFICIENT_STORAGE, problem)


_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def _page(title: str, *content: Markup) -> Markup:
    return page(title, element("header", element("h1", title)), *content, lang=words().code)


def _form_page() -> Markup:
    name = element("input", name="name", required="", maxlength=LONGEST_STUDENT, autocomplete="name")
    file = element("input", name="run", type="file", required="", accept=".lmlab")
    form = element(
        "form",
        element("label", tr("Your name"), name),
        element("label", tr("The run, exported as a bundle (.lmlab)"), file),
        element("button", tr("Hand in")),
        method="post",
        enctype="multipart/form-data",
    )
    note = tr("The file and your name go to the machine of your teacher, and nowhere else.")
    return _page(tr("Hand in a run"), element("section", form, element("p", note, class_="dim")))


def _taken_page(name: str) -> Markup:
    taken = element("p", tr("It is there as {file}.", file=name))
    return _page(tr("Handed in"), element("section", taken, _back(tr("Hand in another run"))))


def _refusal_page(problem: Problem) -> Markup:
    sentence = problem.line(words().message)
    why = element("p", f"{sentence[:1].upper()}{sentence[1:]}.".replace("..", "."))
    return _page(tr("Not handed in"), element("section", why, _back(tr("Try again")), class_="lacking"))


def _back(text: str) -> Markup:
    return element("p", element("a", text, href=""))
