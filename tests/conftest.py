"""What every test gets: a home folder of its own, no thread left behind and, where asked for, a Python without Qt."""

import functools
import gc
import itertools
import json
import os
import re
import signal
import sys
import threading
import time
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path
from weakref import WeakKeyDictionary

import pytest
from hypothesis import settings

from lab.base.system.compiler import hold_back_compiler

ROOT = Path(__file__).resolve().parent.parent
QT_MODULES = ("PySide6", "shiboken6", "pyqtgraph")
SECONDS_TO_END = 2.0
SECONDS_TO_COMPILE = 120.0
"""After these a process collects its tests although the first has not, which may have died."""
ENDLESS = 10**6
"""Steps that no run of a test ever makes."""
REST = 0.004
"""Seconds between two steps of a run that does not end by itself."""
EXAMPLES = 30
"""Cases of each property that does not ask for another number of them."""
COLLECTIONS = 10_000, 20, 20
"""How rarely garbage is collected: with Python's 700, 10, 10 it takes a tenth of the time of the tests."""
ROOMS = ("tests/packaging/", "tests/parity/", "tests/diagnostics/")
"""Folders that one process tests, as their files share what takes seconds: parsed sources, transformers, and trees."""
LONG_FILES = (
    "tests/ui/generic/test_everything_seen.py", "tests/ui/generic/test_type_size.py", "tests/cli/test_leaving.py",
    "tests/ui/shell/window/test_main_window.py", "tests/packaging/", "tests/ui/shell/home/test_place.py",
    "tests/strangers/test_strangers.py", "tests/parity/", "tests/ui/shell/window/test_restorer.py",
    "tests/ui/shell/runs/test_orders.py", "tests/ui/shell/train/test_model_card.py",
    "tests/ui/shell/window/test_robust.py", "tests/bench/test_benchmarks.py", "tests/ui/shell/window/test_language.py",
    "tests/interop/script/test_export.py", "tests/ui/generic/test_keyboard.py",
    "tests/plugins/test_every_architecture.py", "tests/workbench/runners/test_killed.py",
)  # fmt: skip
"""Files of few tests that take long: the last to start would leave a processor idle at the end."""

if os.environ.get("LAB_TESTS_WITHOUT_QT") == "1":
    os.environ["LANGUAGE"] = "C"  # argparse looks for a translation of each of its words, in dozens of folders
    for module in QT_MODULES:
        sys.modules[module] = (
            None  # as if it were not installed: imports raise ModuleNotFoundError, find_spec says None
        )

for number, handler in ((signal.SIGINT, signal.default_int_handler), (getattr(signal, "SIGHUP", None), signal.SIG_DFL)):
    if number is not None and signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, handler)  # nohup, and a shell in the background, leave it ignored to all that they start

hold_back_compiler()  # as `lm-lab` does
settings.register_profile("ci", settings.get_profile("ci"), max_examples=EXAMPLES)
starting_points: WeakKeyDictionary[threading.Thread, str] = WeakKeyDictionary()
start_thread = threading.Thread.start
os.fsync = os.fstat  # fails for a closed file, and waits for no disk: no test is about a power cut
folders_made = itertools.count()


def start_and_remember(thread):
    """Start a thread and keep the line of this tree, or else of anybody, that asked for it."""
    frame = caller = sys._getframe(1)
    while frame is not None and not frame.f_code.co_filename.startswith(f"{ROOT}{os.sep}"):
        frame = frame.f_back
    frame = frame or caller
    starting_points[thread] = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    start_thread(thread)


def pytest_addoption(parser, pluginmanager):
    """Declare the options of pytest-qt that pyproject.toml sets, where that plugin is switched off."""
    if not pluginmanager.has_plugin("pytest-qt"):
        for name in ("qt_api", "qt_log_level_fail"):
            parser.addini(name, "has no meaning without pytest-qt")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session):
    """Collect without the collector of garbage, and in the first process before the others: it compiles for them all.

    On a fresh clone each process would otherwise rewrite the assertions of every module, and compile what they import.
    """
    worker = getattr(session.config, "workerinput", None)
    compiled = Path(session.config.option.basetemp).parent / "compiled" if worker else None
    if compiled and worker["workerid"] != "gw0":
        wait_for_file(compiled, SECONDS_TO_COMPILE)
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        if compiled:
            compiled.touch()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark as long the cases of a test that its marker `short` does not name."""
    named, found = {}, defaultdict(list)
    for item in items:
        marker = item.get_closest_marker("short")
        if marker is not None:
            test = item.nodeid.partition("[")[0]
            if not hasattr(item, "callspec"):
                raise pytest.UsageError(f"{test} is marked short and has no cases")
            named[test] = marker.args
            found[test].append(item.callspec.id)
            if not any(fnmatchcase(item.callspec.id, each) for each in marker.args):
                item.add_marker(pytest.mark.long)
    is_part = getattr(config.option, "lf", False) or any("::" in argument for argument in config.args)
    if not is_part:  # whole files: a case that is named must be there
        for test, patterns in named.items():
            for each in patterns:
                if not any(fnmatchcase(case, each) for case in found[test]):
                    raise pytest.UsageError(f"{test} has no case {each!r}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give the processes the files with long tests first, and rooms as a whole."""
    from xdist.scheduler import LoadFileScheduling

    class LongFilesFirst(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return next((room for room in ROOMS if nodeid.startswith(room)), super()._split_scope(nodeid))

        def schedule(self):
            super().schedule()  # which gives each process two of the files with the most tests
            for file in reversed(LONG_FILES):
                if file in self.workqueue:
                    self.workqueue.move_to_end(file, last=False)

    return LongFilesFirst(config, log) if config.getvalue("dist") == "loadfile" else None


def wait_for_file(path, seconds):
    """Wait until a file exists, or so many seconds have gone by."""
    deadline = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Keep the collector of garbage from looking through what stays to the end anyway: modules, and the tests."""
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)


@pytest.fixture(scope="session", autouse=True)
def remembered_thread_starts():
    """Remember where threads are started, so that the one that stays can be found."""
    threading.Thread.start = start_and_remember
    yield
    threading.Thread.start = start_thread


@pytest.fixture(autouse=True)
def no_thread_left_behind(remembered_thread_starts):
    """Fail a test whose threads have not ended two seconds after it; foreign daemon threads may stay."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + SECONDS_TO_END
    left = threads_left(before)
    while left and time.monotonic() < deadline:
        left[0].join(deadline - time.monotonic())
        left = threads_left(before)
    if left:
        lines = [f"{thread.name!r}, started at {starting_points.get(thread, 'an unknown place')}" for thread in left]
        pytest.fail("the test left threads behind:\n" + "\n".join(lines), pytrace=False)


def threads_left(before):
    """List the threads that a test must not leave: those that keep Python alive, and the lab's own of any kind."""
    new = set(threading.enumerate()) - before
    return [thread for thread in new if not thread.daemon or thread.name.startswith("lab")]


@pytest.fixture
def tmp_path(request, tmp_path_factory):
    """Return an empty folder of the test's own; pytest's looks through those of all tests before it makes one."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / f"{name}{next(folders_made)}"
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def lab_home(tmp_path, monkeypatch):
    """Give the test an empty home folder, with a space in its name."""
    home = tmp_path / "lab home"
    monkeypatch.setenv("LAB_HOME", str(home))
    monkeypatch.setenv("LAB_SYSTEM", str(tmp_path / "lab system"))
    monkeypatch.setattr("lab.base.system.folders._unreadable", {})
    return home


@pytest.fixture(autouse=True)
def full_profile(monkeypatch):
    """Use the full profile, whatever the machine of the tests has."""
    from lab.base.system import profile

    monkeypatch.setattr(profile._Current, "profile", profile.FULL)
    monkeypatch.setattr(profile._Current, "setting", None)


@pytest.fixture
def lab_system(lab_home, tmp_path):
    """Return the system folder of the test, which is not made yet."""
    return tmp_path / "lab system"


@pytest.fixture
def with_policy(lab_system):
    """Write policy.toml, which is read again, and return its path."""
    from lab.base.system import policy

    def with_policy(*lines):
        policy._read.cache_clear()
        lab_system.mkdir(exist_ok=True)
        file = lab_system / "policy.toml"
        file.write_text("\n".join(lines), encoding="utf-8")
        return file

    return with_policy


@pytest.fixture(scope="session", autouse=True)
def installed_packages():
    """Search the installed packages for plugins only once, as tests install none; return that search."""
    from lab.host import discovery

    with pytest.MonkeyPatch.context() as patch:
        search = functools.cache(discovery._packages)
        patch.setattr(discovery, "_packages", search)
        yield search


@pytest.fixture(scope="session")
def shared_data():
    """Return the folder of texts that lies beside this tree on some machines."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the texts of {folder} are not on this machine")
    return folder


@pytest.fixture
def of_this_tree(lab_home):
    """Return the environment of a process that imports the lab and its plugins from this tree."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "plugins")])
    return {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}


@pytest.fixture
def reported():
    """Collect the problems that are told as notices from now on."""
    from lab.base.notices import listen

    problems = []
    silence = listen(lambda notice: problems.append(notice.problem))
    yield problems
    silence()


@pytest.fixture
def file_plugins_forgotten():
    """Forget the modules of file plugins at the end, so that the next test imports its own of the same name."""
    yield
    for name in [name for name in sys.modules if name.startswith("lab_plugin_")]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def known_floors():
    """Return the floors that `floors_found_once` has found."""
    return {}


@pytest.fixture
def floors_found_once(known_floors, monkeypatch):
    """Search for the floors of the same text, tokens and protocol only once in all tests."""
    from lab.workbench.analysis import floors

    def floors_of(experiment, protocol, plugins, cancelled):
        key = floors._key(experiment, protocol)
        if key not in known_floors:
            found = list(search(experiment, protocol, plugins, cancelled))
            if cancelled():
                return
            known_floors[key] = found
        yield from known_floors[key]

    search = floors.floors_of
    monkeypatch.setattr(floors, "floors_of", floors_of)


@pytest.fixture
def unhurried_training(monkeypatch):
    """Let a run that does not end by itself rest between its steps, so that it leaves the processor to the test."""
    from lab.training.trainer import Trainer

    take_commands = Trainer._take_commands

    def rest_and_take_commands(trainer):
        if trainer.last_step >= ENDLESS:
            time.sleep(REST)
        return take_commands(trainer)

    monkeypatch.setattr(Trainer, "_take_commands", rest_and_take_commands)


@pytest.fixture
def pretrained(tmp_path):
    """Write the folder of a tiny GPT-2 as Hugging Face writes it; keys of its config.json can be others."""

    def pretrained(name="tiny", **config):
        import numpy as np
        from safetensors.numpy import save_file

        from lab.text.tokenizers.pretokens import LETTERS

        sizes = {"vocab_size": 262, "n_positions": 32, "n_embd": 16, "n_layer": 1, "n_head": 2}
        V, T, C = sizes["vocab_size"], sizes["n_positions"], sizes["n_embd"]
        block = {"ln_1": (C,), "ln_2": (C,), "attn.c_attn": (C, 3 * C), "attn.c_proj": (C, C),
                 "mlp.c_fc": (C, 4 * C), "mlp.c_proj": (4 * C, C)}  # fmt: skip
        shapes = {"wte.weight": (V, C), "wpe.weight": (T, C)}
        for part, shape in {"ln_f": (C,), **{f"h.0.{part}": shape for part, shape in block.items()}}.items():
            shapes |= {f"{part}.weight": shape, f"{part}.bias": shape[-1:]}
        draws = np.random.default_rng(0)
        tensors = {f"transformer.{name}": draws.normal(0, 0.2, shape).astype("f4") for name, shape in shapes.items()}
        vocabulary = {letter: number for number, letter in enumerate([*LETTERS, "th", "the", "\u0120the"])}
        tokenizer = {
            "added_tokens": [{"id": 259, "content": "<|end|>", "single_word": False, "lstrip": False, "rstrip": False,
                              "normalized": False, "special": True}],
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            "model": {"type": "BPE", "vocab": vocabulary, "merges": ["t h", "th e", "\u0120 the"]},
        }  # fmt: skip
        folder = tmp_path / name
        folder.mkdir()
        save_file(tensors, folder / "model.safetensors")
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
        (folder / "config.json").write_text(json.dumps({"model_type": "gpt2", **sizes, **config}))
        return folder

    return pretrained
