"""Texts that can be downloaded: a list with checksums, and downloads that continue where they stopped."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import socket
import threading
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin, urlsplit

from lab.api import BadInput, LabError, LongText, ModelConfig, Text, setting
from lab.base.files.writing import make_folder, write_atomically, write_errors_as_problems, write_file
from lab.base.folders import downloads_folder, resources
from lab.base.jobs import Cancelled
from lab.base.locks import file_lock
from lab.base.settings import change_section, read_section
from lab.base.system.folders import shared_folder
from lab.base.system.policy import policy
from lab.base.system.room import check_room
from lab.text.corpora.files import FileConfig, read_file

if TYPE_CHECKING:
    import httpx2

SECTION = "downloads"
"""The section of the settings: {"proxy": address}."""
CONNECTING, SILENCE = 15.0, 30.0
"""Timeouts in seconds: to connect, and to wait for data."""

_REDIRECTS = 5
_PATIENCE = 0.1  # seconds between two checks for cancellation
_HERE = "127.0.0.1"


@dataclass(frozen=True)
class Download:
    """One text of the list.

    Args:
        name: Its name in commands and recipes.
        title: Its name for the user.
        url: Its address.
        licence: Its licence.
        sha256: The hash of the file, in hex.
        bytes: The size of the file.
    """

    name: str
    title: str
    url: str
    licence: str
    sha256: str
    bytes: int

    @property
    def own_path(self) -> Path:
        """The path to which it is fetched."""
        return downloads_folder() / f"{self.name}.txt"

    @property
    def path(self) -> Path:
        """The path of the file: of the one that is shared on this machine, if any, else of the fetched one."""
        shared = shared_folder("corpora") / self.own_path.name
        return shared if shared.is_file() else self.own_path

    @property
    def here(self) -> bool:
        """True if it was fetched, or is shared on this machine."""
        return self.path.is_file()


class DownloadConfig(ModelConfig):
    """A text of the list."""

    download: Literal["tiny-shakespeare", "alice", "as-you-like-it", "paradise-lost", "opticks"] = setting(
        "tiny-shakespeare", help="The text; it must have been fetched: lm-lab download NAME."
    )


def catalogue() -> list[Download]:
    """Return the texts of the list."""
    table = tomllib.loads((resources() / "downloads.toml").read_text(encoding="utf-8"))
    return [Download(**one) for one in table["download"]]


def listed(name: str) -> Download:
    """Return the text with this name.

    Raises:
        BadInput: There is no such text.
    """
    every = {one.name: one for one in catalogue()}
    if name not in every:
        raise BadInput("there is no such download", field="name", value=name, allowed=", ".join(every))
    return every[name]


def read_download(config: DownloadConfig) -> Text | LongText:
    """Return the text of a download that was fetched.

    Raises:
        BadInput: It was not fetched, or is damaged; about "corpus.download".
    """
    download = listed(config.download)
    if not download.here:
        raise _unusable(download, "was not fetched yet", f"lm-lab download {download.name}")
    if _sha256(download.path) != download.sha256:
        raise _unusable(download, "is damaged", f"Remove {download.path}, then: lm-lab download {download.name}")
    text = read_file(FileConfig(path=str(download.path)))
    facts = {**text.facts, "url": download.url, "licence": download.licence}
    return replace(text, name=download.title, facts=facts)


def set_proxy(address: str | None) -> None:
    """Store the proxy for downloads in the settings; None uses that of the environment, if any.

    Raises:
        BadInput: It is not the address of a proxy.
        LabError: The settings cannot be written.
    """

    def with_this(section: dict[str, Any]) -> dict[str, Any]:
        others = {name: value for name, value in section.items() if name != "proxy"}
        return others if address is None else {**others, "proxy": address}

    if address is not None:
        _client(address).close()
    change_section(SECTION, with_this)


def fetch(
    download: Download,
    *,
    progress: Callable[[int, int], None] = lambda _, __: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """Fetch a text unless it is here and intact. An interrupted download is stored, and the next call continues it.

    It uses the proxy of the settings, or else that of the environment (HTTPS_PROXY, ALL_PROXY, NO_PROXY).

    Args:
        download: The text.
        progress: Called with the bytes received, and their total.
        cancelled: Called ten times a second once connected; True ends the download, and the received part is stored.

    Returns:
        The file.

    Raises:
        BadInput: Its address, or one it redirects to, is not safe, that of the proxy cannot be used, or the policy of
            this machine forbids it.
        LabError: The server cannot be reached, refuses or sends something else, the file cannot be written, another
            process is fetching it, or, as Cancelled, it was cancelled.
    """
    path = download.own_path
    if download.path != path and _sha256(download.path) == download.sha256:
        return download.path
    make_folder(path.parent)
    partial = path.with_name(f".{download.name}-{download.sha256[:12]}.part")
    with file_lock(partial.with_suffix(".lock"), functools.partial(_fetched_elsewhere, download)):
        if _sha256(path) == download.sha256:
            return path
        if _size(partial) != download.bytes:
            remedy = f"Copy {download.url} from another machine, and give the path of the copy as the corpus"
            policy().refuse_network("download", download.name, remedy)
            check_room(download.bytes - _size(partial))
            with _Watch(cancelled) as watch, _client(read_section(SECTION).get("proxy")) as client:
                _transfer(client, watch, download, partial, progress)
        _check(cancelled)
        if _sha256(partial) != download.sha256:
            _forget(partial)
            raise _refused(download, "the received file does not have the listed checksum, and was removed")
        write_atomically(path, functools.partial(_move, partial))
        _forget(partial)
    progress(download.bytes, download.bytes)
    return path


def _transfer(
    client: httpx2.Client, watch: _Watch, download: Download, partial: Path, progress: Callable[[int, int], None]
) -> None:
    """Append the missing part, or start again if the server cannot continue or now has another file."""
    import httpx2

    have = _size(partial)
    headers = {"accept-encoding": "identity", **_conditions(partial)}
    try:
        with _answer(client, watch, download, headers) as response:
            continues = response.headers.get("content-range", "").startswith(f"bytes {have}-")
            if have and (response.status_code == 416 or (response.status_code == 206 and not continues)):
                _forget(partial)
            elif response.status_code in (200, 206):
                _write(response, watch, download, partial, progress)
                return
            else:
                raise _refused(download, f"the server answers {response.status_code} {response.reason_phrase}".rstrip())
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
        _check(watch.cancelled)
        what = f"{urlsplit(download.url).hostname} cannot be reached: {error}"
        remedy = "Connect to a network, or name its proxy with `lm-lab download --proxy` or HTTPS_PROXY. "
        raise _refused(download, what, remedy) from None
    except httpx2.HTTPError as error:
        _check(watch.cancelled)
        why = "no data came for too long" if isinstance(error, httpx2.TimeoutException) else str(error)
        raise _broken(download, partial, why) from None
    _transfer(client, watch, download, partial, progress)


def _write(
    response: httpx2.Response, watch: _Watch, download: Download, partial: Path, progress: Callable[[int, int], None]
) -> None:
    have = _size(partial) if response.status_code == 206 else 0
    coming = response.headers.get("content-length", "")
    if coming.isdecimal() and have + int(coming) != download.bytes:
        _forget(partial)
        raise _refused(
            download, f"the server's file has {have + int(coming):,} bytes, not the listed {download.bytes:,}"
        )
    if not have:
        _forget(partial)
        tag = response.headers.get("etag", "")
        if tag.startswith('"'):  # a weak tag does not guarantee the same bytes
            write_file(_tag(partial), tag)
    with write_errors_as_problems(partial), partial.open("ab") as out:
        for chunk in response.iter_raw():
            _check(watch.cancelled)
            have += len(chunk)
            if have > download.bytes:
                break
            out.write(chunk)
            progress(have, download.bytes)
        out.flush()
        os.fsync(out.fileno())
    if have > download.bytes:
        _forget(partial)
        raise _refused(download, f"the server sent more than the listed {download.bytes:,} bytes")
    if have < download.bytes:
        raise _broken(download, partial, "the server closed the connection")


@contextlib.contextmanager
def _answer(
    client: httpx2.Client, watch: _Watch, download: Download, headers: dict[str, str]
) -> Iterator[httpx2.Response]:
    """Yield the response to a request after redirects, each of which must lead to a safe address."""
    url = download.url
    for _ in range(_REDIRECTS):
        if not _is_safe(url, download):
            what = "does not start with https://" if url == download.url else f"leads to {url}, which is not https"
            raise BadInput(what, field="url", value=download.url, remedy="Get the file elsewhere and give its path")
        with client.stream("GET", url, headers=headers, extensions={"trace": watch.traced}) as response:
            if not response.has_redirect_location:
                yield response
                return
            url = urljoin(url, response.headers["location"])
    raise _refused(download, f"more than {_REDIRECTS} redirects")


def _is_safe(url: str, download: Download) -> bool:
    """Return True if an address is encrypted, or if it and the one in the list are on this machine."""
    addresses = [urlsplit(each) for each in (url, download.url)]
    return addresses[0].scheme == "https" or all((each.scheme, each.hostname) == ("http", _HERE) for each in addresses)


class _Watch:
    """A thread that closes the connection on cancellation, so that reading from a silent server ends.

    Args:
        cancelled: Returns True on cancellation.
    """

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        self.cancelled = cancelled
        self._stream: Any = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lab: watching a download", daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def traced(self, event: str, facts: dict[str, Any]) -> None:
        """Remember the connection; called by the client for every event."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._stream = facts["return_value"]

    def _run(self) -> None:
        while not self._over.wait(_PATIENCE):
            if self.cancelled() and self._stream is not None:
                with contextlib.suppress(OSError):
                    self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
                return


def _check_port(address: str) -> None:
    """Raise ValueError if there is no such port."""
    if urlsplit(address).port == 0:  # others raise by themselves
        raise ValueError("Port 0 is reserved")


def _client(proxy: str | None) -> httpx2.Client:
    import httpx2

    try:
        _check_port(proxy or "")
        return httpx2.Client(proxy=proxy, timeout=httpx2.Timeout(SILENCE, connect=CONNECTING))
    except ImportError:
        what, remedy = "is a SOCKS proxy, which needs the package socksio", "Install it: pip install socksio"
        raise BadInput(what, field="proxy", value=proxy, remedy=remedy) from None
    except (ValueError, TypeError, httpx2.InvalidURL) as error:
        allowed, remedy = "an address like http://proxy.example:3128", "lm-lab download --proxy none forgets it"
        what = f"cannot be used: {error}"
        raise BadInput(what, field="proxy", value=proxy, allowed=allowed, remedy=remedy) from None


def _conditions(partial: Path) -> dict[str, str]:
    """Return the headers that request the missing part if the file is still the same."""
    have = _size(partial)
    if not have:
        return {}
    try:
        return {"range": f"bytes={have}-", "if-range": _tag(partial).read_text(encoding="utf-8")}
    except (OSError, ValueError):
        return {"range": f"bytes={have}-"}


def _tag(partial: Path) -> Path:
    return partial.with_suffix(".etag")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _sha256(file: Path) -> str | None:
    """Return the hash of a file, in hex; None if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


def _move(file: Path, path: Path) -> None:
    file.replace(path)


def _forget(partial: Path) -> None:
    for file in (partial, _tag(partial)):
        with contextlib.suppress(OSError):
            file.unlink()


def _check(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled


def _fetched_elsewhere(download: Download) -> None:
    raise LabError("is already being downloaded", field="download", value=download.name, remedy="Wait for it")


def _broken(download: Download, partial: Path, why: str) -> LabError:
    what = f"the connection ended after {_size(partial):,} of {download.bytes:,} bytes: {why}"
    remedy = f"lm-lab download {download.name} continues where it stopped"
    return LabError(what, field="download", value=download.name, remedy=remedy)


def _refused(download: Download, what: str, remedy: str = "") -> LabError:
    remedy += (
        f"Copy {download.url} from another machine to {download.own_path}, or give the path of the copy as the corpus"
    )
    return LabError(what, field="download", value=download.name, remedy=remedy)


def _unusable(download: Download, what: str, remedy: str) -> BadInput:
    return BadInput(what, field="corpus.download", value=download.name, remedy=remedy)
