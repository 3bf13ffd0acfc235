"""Texts that can be fetched: a list with checksums, and one way to fetch them that goes on where it stopped."""

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
from lab.base.folders import downloads_folder, resources
from lab.base.jobs import Cancelled
from lab.base.locks import file_lock
from lab.base.settings import change_section, read_section
from lab.base.writing import make_folder, write_atomically, write_errors_as_problems, write_file
from lab.text.corpora.files import FileConfig, read_file

if TYPE_CHECKING:
    import httpx2

SECTION = "downloads"
"""Of the settings: {"proxy": address}."""
CONNECTING, SILENCE = 15.0, 30.0
"""Seconds after which a server that does not answer, or goes silent, is given up."""

_REDIRECTS = 5
_PATIENCE = 0.1  # seconds between two looks whether it was cancelled
_HERE = "127.0.0.1"


@dataclass(frozen=True)
class Download:
    """One text of the list.

    Args:
        name: What it is asked for by.
        title: What people call it.
        url: Where it lies.
        licence: Under which it may be used.
        sha256: Of the file, in hex.
        bytes: Of the file.
    """

    name: str
    title: str
    url: str
    licence: str
    sha256: str
    bytes: int

    @property
    def place(self) -> Path:
        """The file it becomes."""
        return downloads_folder() / f"{self.name}.txt"

    @property
    def here(self) -> bool:
        """Whether it was fetched."""
        return self.place.is_file()


class DownloadConfig(ModelConfig):
    """Which of the texts of the list."""

    download: Literal["tiny-shakespeare", "alice", "as-you-like-it", "paradise-lost", "opticks"] = setting(
        "tiny-shakespeare", help="The text; it must have been fetched: lm-lab download NAME."
    )


def catalogue() -> list[Download]:
    """The texts of the list."""
    table = tomllib.loads((resources() / "downloads.toml").read_text(encoding="utf-8"))
    return [Download(**one) for one in table["download"]]


def listed(name: str) -> Download:
    """The text of that name.

    Raises:
        BadInput: There is none.
    """
    every = {one.name: one for one in catalogue()}
    if name not in every:
        raise BadInput("there is no such download", field="name", value=name, allowed=", ".join(every))
    return every[name]


def read_download(config: DownloadConfig) -> Text | LongText:
    """The text of a download that was fetched.

    Raises:
        BadInput: It was not, or is damaged; about "corpus.download".
    """
    download = listed(config.download)
    if not download.here:
        raise _unusable(download, "was not fetched yet", f"lm-lab download {download.name}")
    if _sha256(download.place) != download.sha256:
        raise _unusable(download, "is damaged", f"Remove {download.place}, then: lm-lab download {download.name}")
    text = read_file(FileConfig(path=str(download.place)))
    facts = {**text.facts, "url": download.url, "licence": download.licence}
    return replace(text, name=download.title, facts=facts)


def keep_proxy(address: str | None) -> None:
    """Keeps in the settings the proxy by which downloads go; None: the one of the environment, if any.

    Raises:
        BadInput: It is no address of a proxy.
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
    """Fetches a text unless it is here, whole and right. What has come is kept, and the next call goes on behind it.

    It goes by the proxy of the settings, or else that of the environment (HTTPS_PROXY, ALL_PROXY, NO_PROXY).

    Args:
        download: The text.
        progress: Told the bytes that have come, and of how many.
        cancelled: Asked ten times a second once there is a connection; True ends it, and what has come is kept.

    Returns:
        The file.

    Raises:
        BadInput: Its address, or one it leads to, is not safe, or the proxy's cannot be used.
        LabError: The server cannot be reached, refuses or sends something else, the file cannot be written, somebody
            else fetches it at this moment, or, as Cancelled, it was cancelled.
    """
    place = download.place
    make_folder(place.parent)
    part = place.with_name(f".{download.name}-{download.sha256[:12]}.part")
    with file_lock(part.with_suffix(".lock"), functools.partial(_fetched_elsewhere, download)):
        if download.here and _sha256(place) == download.sha256:
            return place
        if _size(part) != download.bytes:
            with _Watch(cancelled) as watch, _client(read_section(SECTION).get("proxy")) as client:
                _transfer(client, watch, download, part, progress)
        _check(cancelled)
        if _sha256(part) != download.sha256:
            _forget(part)
            raise _refused(download, "what came has another checksum than the list says, and was removed")
        write_atomically(place, functools.partial(_move, part))
        _forget(part)
    progress(download.bytes, download.bytes)
    return place


def _transfer(
    client: httpx2.Client, watch: _Watch, download: Download, part: Path, progress: Callable[[int, int], None]
) -> None:
    """Adds to the part what is missing, or begins anew where the server cannot go on or has another file by now."""
    import httpx2

    have = _size(part)
    headers = {"accept-encoding": "identity", **_conditions(part)}
    try:
        with _answer(client, watch, download, headers) as response:
            goes_on = response.headers.get("content-range", "").startswith(f"bytes {have}-")
            if have and (response.status_code == 416 or (response.status_code == 206 and not goes_on)):
                _forget(part)
            elif response.status_code in (200, 206):
                _write(response, watch, download, part, progress)
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
        why = "nothing came for too long" if isinstance(error, httpx2.TimeoutException) else str(error)
        raise _broken(download, part, why) from None
    _transfer(client, watch, download, part, progress)


def _write(
    response: httpx2.Response, watch: _Watch, download: Download, part: Path, progress: Callable[[int, int], None]
) -> None:
    have = _size(part) if response.status_code == 206 else 0
    coming = response.headers.get("content-length", "")
    if coming.isdecimal() and have + int(coming) != download.bytes:
        _forget(part)
        raise _refused(
            download, f"the file has {have + int(coming):,} bytes there, not the {download.bytes:,} of the list"
        )
    if not have:
        _forget(part)
        tag = response.headers.get("etag", "")
        if tag.startswith('"'):  # a weak one does not promise the same bytes
            write_file(_tag(part), tag)
    with write_errors_as_problems(part), part.open("ab") as out:
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
        _forget(part)
        raise _refused(download, f"more came than the {download.bytes:,} bytes of the list")
    if have < download.bytes:
        raise _broken(download, part, "the server ended it")


@contextlib.contextmanager
def _answer(
    client: httpx2.Client, watch: _Watch, download: Download, headers: dict[str, str]
) -> Iterator[httpx2.Response]:
    """The answer to a request, behind redirects, of which each must lead to a safe address."""
    url = download.url
    for _ in range(_REDIRECTS):
        if not _is_safe(url, download):
            what = "does not begin with https://" if url == download.url else f"leads to {url}, which is no https"
            raise BadInput(what, field="url", value=download.url, remedy="Get the file elsewhere and give its path")
        with client.stream("GET", url, headers=headers, extensions={"trace": watch.traced}) as response:
            if not response.has_redirect_location:
                yield response
                return
            url = urljoin(url, response.headers["location"])
    raise _refused(download, f"more than {_REDIRECTS} redirects")


def _is_safe(url: str, download: Download) -> bool:
    """Whether an address is encrypted, or that of this machine and so is the one in the list."""
    ways = [urlsplit(each) for each in (url, download.url)]
    return ways[0].scheme == "https" or all((way.scheme, way.hostname) == ("http", _HERE) for way in ways)


class _Watch:
    """Shuts the connection when it is cancelled, so that reading from a silent server ends.

    Args:
        cancelled: Whether it is.
    """

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        self.cancelled = cancelled
        self._stream: Any = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="lab: watching a download", daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def traced(self, event: str, facts: dict[str, Any]) -> None:
        """Takes note of the connection; called by the client for all that it does."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._stream = facts["return_value"]

    def _look(self) -> None:
        while not self._over.wait(_PATIENCE):
            if self.cancelled() and self._stream is not None:
                with contextlib.suppress(OSError):
                    self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
                return


def _client(proxy: str | None) -> httpx2.Client:
    import httpx2

    try:
        return httpx2.Client(proxy=proxy, timeout=httpx2.Timeout(SILENCE, connect=CONNECTING))
    except ImportError:
        what, remedy = "is a SOCKS proxy, which needs the package socksio", "Install it: pip install socksio"
        raise BadInput(what, field="proxy", value=proxy, remedy=remedy) from None
    except (ValueError, TypeError, httpx2.InvalidURL) as error:
        allowed, remedy = "an address like http://proxy.example:3128", "lm-lab download --proxy none forgets it"
        what = f"cannot be used: {error}"
        raise BadInput(what, field="proxy", value=proxy, allowed=allowed, remedy=remedy) from None


def _conditions(part: Path) -> dict[str, str]:
    """The headers that ask for what is missing, as long as the file there is still the same."""
    have = _size(part)
    if not have:
        return {}
    try:
        return {"range": f"bytes={have}-", "if-range": _tag(part).read_text(encoding="utf-8")}
    except (OSError, ValueError):
        return {"range": f"bytes={have}-"}


def _tag(part: Path) -> Path:
    return part.with_suffix(".etag")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _sha256(file: Path) -> str | None:
    """Of a file, in hex; None where it cannot be read."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


def _move(file: Path, place: Path) -> None:
    file.replace(place)


def _forget(part: Path) -> None:
    for file in (part, _tag(part)):
        with contextlib.suppress(OSError):
            file.unlink()


def _check(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled


def _fetched_elsewhere(download: Download) -> None:
    raise LabError("is being fetched already", field="download", value=download.name, remedy="Wait for it")


def _broken(download: Download, part: Path, why: str) -> LabError:
    what = f"the connection ended after {_size(part):,} of {download.bytes:,} bytes: {why}"
    remedy = f"lm-lab download {download.name} goes on where it stopped"
    return LabError(what, field="download", value=download.name, remedy=remedy)


def _refused(download: Download, what: str, remedy: str = "") -> LabError:
    remedy += (
        f"Copy {download.url} from another machine to {download.place}, or give the path of the copy as the corpus"
    )
    return LabError(what, field="download", value=download.name, remedy=remedy)


def _unusable(download: Download, what: str, remedy: str) -> BadInput:
    return BadInput(what, field="corpus.download", value=download.name, remedy=remedy)
