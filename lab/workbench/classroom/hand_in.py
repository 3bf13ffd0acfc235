"""Runs that are handed in: a bundle with a name, written to a folder or a stick, or sent to the teacher's lab."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lab.base import BadInput, LabError, Problem
from lab.base.files.reading import open_regular
from lab.base.files.temporary import temporary_path
from lab.base.files.writing import make_folder, place_file, write_errors_as_problems
from lab.base.folders import home
from lab.base.system.policy import policy
from lab.runs import RunFolder
from lab.runs.bundle import plain_name, write_bundle
from lab.runs.bundle_file import PIECE, student_name
from lab.runs.library.labels import read_label
from lab.runs.records import BUNDLE, parse_record

PATIENCE = 60.0
"""Seconds without an answer after which the teacher's lab counts as gone."""
_LONGEST_PART, _LONGEST_ANSWER = 60, 2**16


def hand_in(
    run: RunFolder,
    student: str,
    to: str,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda _: None,
) -> str:
    """Hand in a run. No file of anybody is overwritten.

    Args:
        run: The run.
        student: The name of the student, which is stored in the bundle's manifest.
        to: A folder, or the address of the page of the teacher's lab.
        cancelled: Called about once per MiB; returning True ends the work.
        progress: Called with the share that is done, 0 to 1.

    Returns:
        The name of the file that it is there.

    Raises:
        BadInput: The name is empty, the folder cannot be written to, the teacher's lab refuses it, or the policy allows
            no network.
        LabError: The run cannot be read, the teacher's lab is not there, or it was cancelled.
    """
    name = checked_name(student)
    if is_address(to):
        policy().refuse_handing_in("to", to, "Hand in to a folder on a shared drive, or on a stick")
        make_folder(home())
        with temporary_path(home() / "hand-in", recorded=True) as new, write_errors_as_problems(new):
            write_bundle(run, new, student=name, cancelled=cancelled, progress=lambda share: progress(share / 2))
            return _send(new, to, cancelled, lambda share: progress((1 + share) / 2))
    folder = make_folder(Path(to).expanduser().absolute())
    path = folder / file_name(name, read_label(run.path).name or run.assigned_name or run.name)
    with temporary_path(path, recorded=True) as new, write_errors_as_problems(path):
        write_bundle(run, new, student=name, cancelled=cancelled, progress=progress)
        return place_file(new, path).name


def is_address(to: str) -> bool:
    """Return True for the address of a page, False for a folder."""
    return to.lower().startswith(("http://", "https://"))


def checked_name(student: str) -> str:
    """Return the name of a student as one line.

    Raises:
        BadInput: It is empty.
    """
    name = student_name(student)
    if not name:
        raise BadInput("is empty", field="name", remedy="Enter the name under which the run is handed in")
    return name


def file_name(student: str, run: str) -> str:
    """Return the name of the file in which a run of a student is handed in."""
    parts = (" ".join(plain_name(part)[:_LONGEST_PART].strip(". ").split()) for part in (student, run))
    return f"{' - '.join(parts)}{BUNDLE}"


def _send(file: Path, address: str, cancelled: Callable[[], bool], progress: Callable[[float], None]) -> str:
    """Send a bundle to the page of the teacher's lab, and return its name there."""
    size = file.stat().st_size
    try:
        parts = urlsplit(address)
        secure, port = parts.scheme.lower() == "https", parts.port
    except ValueError as error:
        raise _wrong(address, str(error)) from None
    if not parts.hostname:
        raise _wrong(address, "it names no machine")
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(parts.hostname, port, timeout=PATIENCE)
    headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size), "Accept": "application/json"}
    with contextlib.closing(connection):
        try:
            connection.putrequest("POST", parts.path or "/", skip_accept_encoding=True)
            for key, value in headers.items():
                connection.putheader(key, value)
            connection.endheaders()
            _send_pieces(connection, file, size, cancelled, progress)
            answer = connection.getresponse()
            content = answer.read(_LONGEST_ANSWER)
        except (OSError, http.client.HTTPException, ValueError) as error:
            what = f"the teacher's lab does not answer: {_reason(error)}"
            remedy = "Check the address, or hand in to a folder"
            raise LabError(Problem(what, field="to", value=address, remedy=remedy)) from None
    return _answered(answer.status, content, address)


def _send_pieces(
    connection: http.client.HTTPConnection,
    file: Path,
    size: int,
    cancelled: Callable[[], bool],
    progress: Callable[[float], None],
) -> None:
    """Send the content of a file, until the other side stops to read, as when it refuses the file."""
    sent = 0
    with open_regular(file) as source:
        while piece := source.read(PIECE):
            if cancelled():
                raise LabError("handing in was cancelled", remedy="Nothing was handed in")
            try:
                connection.send(piece)
            except (BrokenPipeError, ConnectionResetError):
                return
            sent += len(piece)
            progress(sent / size)


def _answered(status: int, content: bytes, address: str) -> str:
    """Return the name that the teacher's lab answered, or raise what it said instead."""
    try:
        answer: dict[str, Any] = parse_record(content.decode())
    except ValueError:
        answer = {}
    name, problem = answer.get("file"), answer.get("problem")
    if status == http.client.CREATED and isinstance(name, str):
        return name
    if isinstance(problem, dict) and isinstance(problem.get("what"), str):
        given = {key: value for key, value in problem.items() if key in ("what", "remedy") and isinstance(value, str)}
        raise BadInput(Problem(given["what"], field="to", value=address, remedy=given.get("remedy")))
    raise _wrong(address, f"the page there is none of a lab (status {status})")


def _wrong(address: str, why: str) -> BadInput:
    remedy = "Copy the address that the teacher's lab shows, with its last part"
    return BadInput(f"runs cannot be handed in there: {why}", field="to", value=address, remedy=remedy)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def answer_of(name: str) -> bytes:
    """Return the answer to a run that was taken under a name."""
    return json.dumps({"file": name}).encode()


def refusal_of(problem: Problem) -> bytes:
    """Return the answer to a run that was refused."""
    return json.dumps({"problem": {"what": problem.what, "remedy": problem.remedy}}).encode()
