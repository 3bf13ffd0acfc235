"""Runs of a study on the workers of a Dask cluster, whose files arrive in their folders here while they train.

Dask connects the machines and starts functions on its workers; it decides nothing about a study. Each worker trains one
run at a time. Its files are fetched every second, so that a worker that is lost costs its run the steps since its last
checkpoint: the run continues from there on another worker.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import logging
import os
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from lab.base import BadInput, LabError
from lab.base.extras import need
from lab.base.files.reading import load_json
from lab.base.files.writing import write_atomically, write_errors_as_problems, write_file
from lab.base.problems import problem_of
from lab.base.processes import start_of
from lab.base.run_state import RESUMABLE, RunState
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.bundle_file import is_run_file
from lab.runs.commands import CommandReader
from lab.text.corpora.downloads import listed
from lab.workbench.launch import known_corpora
from lab.workbench.studies import cluster_worker as worker

POLL = 1.0
"""Seconds between two looks at the files of a run."""
CONNECTING = 15.0
"""Seconds to connect to the scheduler."""
STARTING = 120.0
"""Seconds for which a run waits for a worker before that is an error."""
OWN = ("label.json", "texts.json")
"""Files of a run that are written here alone."""


class WorkerLost(Exception):
    """The worker that trained a run is not there any more; the run can continue on another one."""


class NoWorker(WorkerLost):
    """No worker is free for a run, which has not begun to train on one."""


class SchedulerLost(LabError):
    """The scheduler of the cluster does not answer any more."""


def _wait(future: Any, seconds: float) -> None:
    """Wait until a task has ended, however it ends, or the time is over."""
    with contextlib.suppress(Exception, asyncio.CancelledError):
        future.result(timeout=seconds)


@dataclass(frozen=True)
class _Corpus:
    """A corpus that workers need: where it is here, its hash, and the name of the download that it is, if any."""

    path: Path
    digest: str
    download: str = ""

    def files(self) -> dict[str, Path]:
        """Return its files by their paths on a worker."""
        if self.path.is_file():
            return {self.path.name: self.path}
        return {f"{self.path.name}/{name}": self.path / name for name in worker.files_below(self.path)}


class Cluster:
    """A connection to a Dask cluster. Any thread may call `train`; each call has one worker for itself.

    Args:
        address: The address of its scheduler, such as tcp://10.0.0.5:8786, or the path of a scheduler file.

    Raises:
        BadInput: Dask is not installed, or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        self._dask = need("distributed", "cluster", "Training on a cluster")
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is reported as a problem
        self.address = address
        where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
        try:
            self._client = self._dask.Client(**where, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise BadInput(
                f"no scheduler answers: {error}",
                field="--cluster",
                value=address,
                remedy="Start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
            ) from None
        self._busy: set[str] = set()
        self._choosing = threading.Lock()
        self._checked: set[str] = set()  # workers that have this version of the lab
        self._digests: dict[Path, tuple[tuple[float, int], str]] = {}

    def close(self) -> None:
        """Leave the cluster, whose runs then stop."""
        with contextlib.suppress(Exception):  # a lost scheduler
            self._client.close(timeout=5)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def workers(self) -> dict[str, int]:
        """Return the threads of each worker by its address.

        Raises:
            SchedulerLost: The scheduler does not answer.
        """
        if self._client.status != "running":
            raise self._lost()
        try:
            found = self._client.sync(self._client.scheduler.identity, callback_timeout=CONNECTING)
        except (OSError, TimeoutError, asyncio.CancelledError):
            raise self._lost() from None
        return {address: int(facts["nthreads"]) for address, facts in found["workers"].items()}

    def train(self, recipe: str, folder: str, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Train one run on a worker, or resume it there from its last checkpoint; its files arrive in its folder.

        Args:
            recipe: Its recipe as TOML.
            folder: Its folder: empty, or with a run that ended early.
            name: Its name.
            options: The options of the plugins.

        Returns:
            As `lab.workbench.studies.training.train_trial`.

        Raises:
            WorkerLost: The worker is not there any more.
            SchedulerLost: The scheduler does not answer.
        """
        path, token = Path(folder), f"{Path(folder).name.lower()}-{uuid.uuid4().hex[:12]}"
        token = "".join(each if each.isascii() and each.isalnum() else "-" for each in token)
        address, threads = self._take_worker()
        try:
            return self._train(address, threads, Recipe.from_toml(recipe), path, token, name, options)
        except LabError as error:
            if isinstance(error, SchedulerLost):
                raise
            return {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
        except OSError as error:
            return {"problem": problem_of(error, doing="Sending a run").as_dict(), "refused": False}
        finally:
            with self._choosing:
                self._busy.discard(address)
            _mark_interrupted(path)

    def _train(
        self,
        address: str,
        threads: int,
        recipe: Recipe,
        path: Path,
        token: str,
        name: str,
        options: Mapping[str, Any],
    ) -> dict[str, Any]:
        self._check_version(address)
        if recipe.training.threads == 0:
            recipe = recipe.with_values({"training": {"threads": threads}})
        corpora = self._corpora(recipe)
        for corpus in corpora.values():
            self._send_corpus(address, corpus, f"{token}-corpus")
        with contextlib.suppress(LabError):  # a run that was not made yet
            if RunFolder.open(path).status().state in RESUMABLE:
                self._send_run(address, path, token)
        paths = {
            ".".join(keys): (corpus.digest, corpus.path.name) for keys, corpus in corpora.items() if not corpus.download
        }
        future = self._client.submit(
            worker.train_here, recipe.to_toml(), token, name, dict(options), paths,
            workers=[address], allow_other_workers=False, pure=False, key=f"lab-{token}",
        )  # fmt: skip
        files = _Files(path, partial(self._on, address), token)
        try:
            while not future.done():
                if address not in self.workers():
                    raise WorkerLost(address)
                files.fetch()
                files.send_commands()
                _wait(future, POLL)
            outcome = self._outcome(future, address)
            files.fetch()
        except SchedulerLost:
            raise
        except LabError:  # of this side, as on a full disk: the run must not go on there beside the next one
            with contextlib.suppress(LabError, WorkerLost):
                self._on(address, worker.send_command, token, {"do": "stop"})
                _wait(future, CONNECTING)
            raise
        finally:
            future.release()
        with contextlib.suppress(WorkerLost, LabError):
            self._on(address, worker.remove_run, token)
        with contextlib.suppress(LabError):  # it failed before it had a text
            run = RunFolder.open(path)
            known_corpora.remember(recipe, known_corpora.sha256_of(run) or "")
        return outcome

    def _outcome(self, future: Any, address: str) -> dict[str, Any]:
        """Return what `train_here` returned."""
        try:
            outcome: dict[str, Any] = future.result(timeout=CONNECTING)
        except (
            self._dask.scheduler.KilledWorker,
            asyncio.CancelledError,
            concurrent.futures.CancelledError,
            OSError,
            TimeoutError,
        ):
            self.workers()  # raises if it is the scheduler that is lost
            raise WorkerLost(address) from None
        return outcome

    def _take_worker(self) -> tuple[str, int]:
        """Return a worker that trains no run of this study, and its threads.

        Raises:
            SchedulerLost: The scheduler does not answer.
            NoWorker: There is none for a long time.
        """
        started = time.monotonic()
        while True:
            with self._choosing:
                for address, threads in self.workers().items():
                    if address not in self._busy:
                        self._busy.add(address)
                        return address, threads
            if time.monotonic() - started > STARTING:
                raise NoWorker("none is free")
            time.sleep(POLL / 2)

    def _check_version(self, address: str) -> None:
        """Refuse a worker with another version of the lab, which would train something else.

        Raises:
            BadInput: It has another version, or none.
        """
        if address in self._checked:
            return
        from importlib.metadata import version

        own = version("lm-lab")
        try:
            there = self._on(address, version, "lm-lab")
        except LabError as error:
            there = f"none ({error.problem.what})"
        if there != own:
            raise BadInput(
                f"this worker has LM Lab {there}, and the study {own}",
                field="--cluster",
                value=address,
                remedy="Start the workers in an environment with the same version",
            )
        self._checked.add(address)

    def _corpora(self, recipe: Recipe) -> dict[tuple[str, ...], _Corpus]:
        """Return the corpora that a run reads from files, by the settings that name their paths.

        Raises:
            BadInput: A file cannot be read.
        """
        paths = {keys: Path(path).expanduser().absolute() for keys, path in known_corpora.paths_of(recipe).items()}
        found = {keys: _Corpus(path, self._digest(path)) for keys, path in paths.items()}
        name = recipe.corpus.settings.get("download")
        if recipe.corpus.name == "download" and isinstance(name, str) and listed(name).here:
            found["download",] = _Corpus(listed(name).path, self._digest(listed(name).path), name)
        return found

    def _digest(self, path: Path) -> str:
        """Return the hash of a corpus, computed once unless it changes."""
        try:
            about = path.stat()
            state = (about.st_mtime, about.st_size)
            if self._digests.get(path, (None,))[0] != state:
                self._digests[path] = state, worker.digest_of(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(f"cannot be read: {reason}", field="corpus.path", value=path.name) from None
        return self._digests[path][1]

    def _send_corpus(self, address: str, corpus: _Corpus, token: str) -> None:
        """Send a corpus to a worker, unless it has one with this hash."""
        if self._on(address, worker.has_corpus, corpus.digest, corpus.path.name):
            return
        self._send(address, token, corpus.files())
        self._on(address, worker.store_corpus, token, corpus.digest, corpus.path.name, corpus.download)

    def _send_run(self, address: str, path: Path, token: str) -> None:
        """Send a run that ended early, so that it continues there."""
        files = {name: path / name for name in worker.files_below(path) if is_run_file(name)}
        files.pop(worker.METRICS, None)
        self._send(address, token, files)
        copy = path / f".{worker.METRICS}.copy"
        try:
            with write_errors_as_problems(copy):
                RunFolder.open(path).metrics().copy_to(copy)
            self._send(address, token, {worker.METRICS: copy})
        finally:
            copy.unlink(missing_ok=True)

    def _send(self, address: str, token: str, files: Mapping[str, Path]) -> None:
        for name, file in files.items():
            with file.open("rb") as opened:
                offset, piece = 0, opened.read(worker.PIECE)
                while piece or not offset:
                    self._on(address, worker.add_piece, token, name, offset, piece)
                    offset += max(1, len(piece))
                    piece = opened.read(worker.PIECE)

    def _on(self, address: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function on a worker, in a thread of its own beside the training, and return its result.

        Raises:
            WorkerLost: The worker is not there any more.
            SchedulerLost: The scheduler does not answer.
            LabError: The function raised, or the worker does not have it.
        """
        try:
            found = self._client.run(_in_thread, call, *arguments, workers=[address], on_error="return")
        except (OSError, TimeoutError, ValueError, asyncio.CancelledError):
            self.workers()  # raises if it is the scheduler that is lost
            raise WorkerLost(address) from None
        answer = found.get(address)
        if answer is None or isinstance(answer, OSError | TimeoutError | asyncio.CancelledError):
            raise WorkerLost(address)
        if isinstance(answer, BaseException):  # it could not even read what is to be called
            raise LabError(f"the worker cannot do its part: {answer!r}", field="--cluster", value=address)
        result, error = answer
        if isinstance(error, FileNotFoundError):
            raise error
        if isinstance(error, LabError):
            raise type(error)(replace(error.problem, what=f"{error.problem.what} (on the worker {address})"))
        if error is not None:
            reason = getattr(error, "strerror", None) or repr(error)
            raise LabError(f"the worker cannot do its part: {reason}", field="--cluster", value=address)
        return result

    def _lost(self) -> SchedulerLost:
        return SchedulerLost(
            "the scheduler of the cluster does not answer any more",
            field="--cluster",
            value=self.address,
            remedy="Start the same study again: finished runs are here, the others continue from their checkpoints",
        )


async def _in_thread(call: Callable[..., Any], *arguments: Any) -> tuple[Any, Exception | None]:
    """Call a function in a thread, so that the worker answers its scheduler meanwhile; return its result or error."""
    try:
        return await asyncio.to_thread(call, *arguments), None
    except Exception as error:  # noqa: BLE001 - told apart from errors of the connection, which Dask raises
        return None, error


class _Files:
    """The files of a run that trains on a worker, and its commands.

    Args:
        path: The folder of the run here.
        call: Calls a function on the worker.
        token: The folder there.
    """

    def __init__(self, path: Path, call: Callable[..., Any], token: str) -> None:
        self._path, self._call, self._token = path, call, token
        self._known: worker.Listing = {}
        self._commands = CommandReader(path)

    def fetch(self) -> None:
        """Fetch what has changed: checkpoints first, so that no record is older than a checkpoint.

        Raises:
            WorkerLost, SchedulerLost: They are not there any more.
            LabError: A file cannot be written here.
        """
        found: worker.Listing = self._call(worker.list_files, self._token)
        groups: dict[str, list[str]] = {}
        for name in sorted(found):
            if name not in OWN and self._known.get(name) != found[name]:
                groups.setdefault(name.rpartition("/")[0] if name.startswith("checkpoints/") else name, []).append(name)
        for group, names in groups.items():
            with contextlib.suppress(FileNotFoundError):  # a checkpoint that was removed meanwhile
                if group.startswith("checkpoints/"):
                    self._fetch_checkpoint(group, [name for name in found if name.startswith(f"{group}/")])
                else:
                    self._fetch_file(names[0])
                self._known |= {name: found[name] for name in names}
        self._remove_checkpoints(found)

    def send_commands(self) -> None:
        """Pass on the commands to the run."""
        for command in self._commands.take():
            self._call(worker.send_command, self._token, command)

    def _fetch_checkpoint(self, group: str, names: list[str]) -> None:
        contents = {name.rpartition("/")[2]: self._read(name) for name in names}
        if "state.json" not in contents:
            return

        def write(temporary: Path) -> None:
            temporary.mkdir(parents=True)
            for name, content in contents.items():
                (temporary / name).write_bytes(content)

        with write_errors_as_problems(self._path):
            (self._path / "checkpoints").mkdir(parents=True, exist_ok=True)
        write_atomically(self._path / group, write)

    def _fetch_file(self, name: str) -> None:
        content = self._call(worker.read_metrics, self._token) if name == worker.METRICS else self._read(name)
        if name == "status.json":
            content = _with_writer_here(content)
        with write_errors_as_problems(self._path / name):
            (self._path / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(self._path / name, content)

    def _read(self, name: str) -> bytes:
        pieces = [self._call(worker.read_piece, self._token, name, 0)]
        while len(pieces[-1]) == worker.PIECE:
            pieces.append(self._call(worker.read_piece, self._token, name, worker.PIECE * len(pieces)))
        return b"".join(pieces)

    def _remove_checkpoints(self, found: worker.Listing) -> None:
        """Remove the checkpoints that the run has removed."""
        there = {name.split("/")[1] for name in found if name.startswith("checkpoints/")}
        for name in {name.split("/")[1] for name in self._known if name.startswith("checkpoints/")} - there:
            shutil.rmtree(self._path / "checkpoints" / name, ignore_errors=True)
            self._known = {
                key: value for key, value in self._known.items() if not key.startswith(f"checkpoints/{name}/")
            }


def _with_writer_here(content: bytes) -> bytes:
    """Return the status of a run that trains with this process as its writer: it takes its commands and files."""
    record = load_json(content.decode())
    if isinstance(record, dict) and record.get("state") == RunState.RUNNING:
        record["writer"] = {"pid": os.getpid(), "started": start_of(os.getpid())}
    return (json.dumps(record, indent=2) + "\n").encode()


def _mark_interrupted(path: Path) -> None:
    """Let a run whose worker was lost be one that can be resumed."""
    with contextlib.suppress(LabError):
        run = RunFolder.open(path)
        if run.status().state == RunState.RUNNING:
            run.update(state=RunState.INTERRUPTED)
