#!/usr/bin/env python3
"""Run or test LM Lab from its source tree, on a machine that has nothing but Python 3.11 or newer.

    python3 packaging/bootstrap.py run [arguments of lm-lab]
    python3 packaging/bootstrap.py test [--all] [arguments of pytest]

Either command first makes .venv beside pyproject.toml and installs there what packaging/constraints.txt pins; the
next time it finds all that in place. `test` checks style, types, imports and behaviour; --all adds the tests marked
long. A few tests that fail are run once more, alone: those that pass then count as passed. At the end a ledger counts
these second tries, with seed and load: each is a defect of its test, or of what it tests.
With arguments it runs pytest alone, with them; paths are those of the tree, and only tests under tests/ui see Qt.
Everything this file says goes to stderr, so that stdout is that of the command.
"""

import ast
import hashlib
import importlib.util
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

if sys.version_info < (3, 11):  # noqa: UP036 - this file parses on every Python 3.6 and newer in order to say this
    sys.exit(
        f"LM Lab needs Python 3.11 or newer; this is Python {sys.version_info[0]}.{sys.version_info[1]} "
        f"({sys.executable}). Install a newer one and run it with that."
    )

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
PYPROJECT = ROOT / "pyproject.toml"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
BUILD_TOOLS = ("setuptools", "wheel")
FAST_INSTALLER = "uv"  # installs in a quarter of pip's time, but knows nothing of pip's settings

# Which variable tells uv what a setting of pip says, and what joins several values; None where there is only one.
UV_VARIABLES = {
    "index-url": ("UV_DEFAULT_INDEX", None),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "cert": ("SSL_CERT_FILE", None),
    "constraint": ("UV_CONSTRAINT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", None),
    "timeout": ("UV_HTTP_TIMEOUT", None),
}
# Settings of pip that change nothing about what is installed. With any other one, pip itself installs.
PIP_MANNERS = {"disable-pip-version-check", "no-color", "progress-bar", "quiet", "root-user-action", "cache-dir"}

# What each command installs. A set that holds another one serves its command too.
EXTRAS = {"run": {"window"}, "test": {"window", "test"}}

# A test may fail by chance on a busy machine, and twice hardly ever. Where many fail, it was no chance.
FEW = 10
LONGEST = 5  # modules of which the length is reported
TESTS_FAILED = 1  # pytest's exit code where the tests could be run, and some failed
ROOM = 8 * 2**30  # bytes that the folders of the tests surely find room in

# Debian and Ubuntu name a library's package by its soname, with these exceptions among what Qt needs.
ODD_PACKAGES = {"libglib-2.0.so.0": "libglib2.0-0", "libgthread-2.0.so.0": "libglib2.0-0", "libz.so.1": "zlib1g"}
FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
# The parts of PySide6 that a window needs; what these files need, ldd says.
QT_FILES = ("Qt/lib/libQt6Widgets.so.6", "Qt/plugins/platforms/libqxcb.so", "Qt/plugins/platforms/libqoffscreen.so")


class CannotGoOnError(Exception):
    """Something that only the user can put right; the text says what and how."""


def print_line(text: str) -> None:
    """Print one line for the user."""
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    """Do what the command line says and return the exit code."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command in {"-h", "--help"}:
        print(__doc__)
        return 0
    if command not in EXTRAS:
        print_line(__doc__ or "")
        return 2
    try:
        if install(command) or command == "test":
            check_qt()
        return run(rest) if command == "run" else test(rest)
    except CannotGoOnError as error:
        print_line(f"\n{error}")
        return 1
    except KeyboardInterrupt:
        return 130


def run(arguments: list[str]) -> int:
    """Become `lm-lab` with these arguments, in the caller's folder; where that cannot be, wait for it."""
    # A waiting OpenMP thread that spins for long takes the processor from the window and from other programs.
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    command = [tool("lm-lab"), *arguments]
    if os.name != "nt":
        os.execv(command[0], command)
    with subprocess.Popen(command) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # the child was told as well, and answers with its own exit code
                continue


def test(arguments: list[str]) -> int:
    """Run every check, or pytest alone where arguments are given; 0 where all of them pass."""
    checks = planned_checks(arguments, processors=os.cpu_count() or 1, has_ui=(ROOT / "tests" / "ui").is_dir())
    environment = {
        "GOMP_SPINCOUNT": "1000",
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",  # the processes keep every processor busy
        "QT_QPA_PLATFORM": "offscreen",
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "",  # what one of hundreds of processes compiled serves the others
    }
    started = time.monotonic()
    tests = [check for check in checks if check.again]
    with ThreadPoolExecutor(1) as pool:  # types take one processor at first, and tests leave some at the end
        others = [check for check in checks if not check.again]
        found = pool.submit(lambda: {one.name: run_check(one, environment, quiet=bool(tests)) for one in others})
        codes, second_tries = run_tests(tests, environment)
        codes = found.result() | codes
    if not arguments:
        print_line(f"\n{lengths(ROOT)}")
    failed = [name for name, code in codes.items() if code != 0]
    print_line(f"\n{summary(failed, len(checks))}, {seconds(started)}")
    if second_tries:
        print_line("\n  ".join([f"Second tries: {len(second_tries)}", *second_tries]))
    return 1 if failed else 0


class Check(NamedTuple):
    """One check of `test`: its name, command, additions to the environment, and whether failed tests run again."""

    name: str
    command: list[str]
    environment: dict[str, str]
    again: bool = False


def run_check(check: Check, environment: dict[str, str], quiet: bool) -> int:
    """Run a check and return its exit code; where it is quiet, what it prints is shown once it has ended."""
    since = time.monotonic()
    command = located(check) if quiet else announced(check)
    environment = environment | check.environment
    output, errors = (subprocess.PIPE, subprocess.STDOUT) if quiet else (None, None)
    ended = subprocess.run(command, cwd=ROOT, env=environment, stdout=output, stderr=errors)
    if quiet:
        announced(check)
        print_line(ended.stdout.decode(errors="replace").rstrip())
    print_result(check, ended.returncode, since)
    return ended.returncode


def announced(check: Check) -> list[str]:
    """Print the name and command of a check, and return the command with its path."""
    print_line(f"\n== {check.name}: {shlex.join(check.command)}")
    return located(check)


def located(check: Check) -> list[str]:
    """Return the command of a check with its path."""
    return [tool(check.command[0]), *check.command[1:]]


def print_result(check: Check, code: int, since: float) -> None:
    """Print how a check ended."""
    print_line(f"== {check.name}: {'passed' if code == 0 else f'failed with exit code {code}'}, {seconds(since)}")


def run_tests(checks: list[Check], environment: dict[str, str]) -> tuple[dict[str, int], list[str]]:
    """Run tests side by side and return the exit codes by name; a few that fail are run again afterwards, alone.

    While the tests of one check wait for threads and timers, those of another compute. The output of the first is shown
    as it comes, that of the others once they have ended. The second item is the ledger of the second tries: each test
    with what it came to, the seed and the load.
    """
    since = time.monotonic()
    seed = random.randrange(2**32)
    codes: dict[str, int] = {}
    ledger: list[str] = []
    with tempfile.TemporaryDirectory(dir=fast_folder(), ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        started = [
            stack.enter_context(Tests(check, environment, Path(folder) / str(number), seed, quiet=number > 0))
            for number, check in enumerate(checks)
        ]
        for tests in started:
            codes[tests.check.name] = tests.wait()
            print_result(tests.check, codes[tests.check.name], since)
        load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
        for tests in started:
            failed = tests.failed()
            if 0 < len(failed) <= FEW:
                print_line(f"\n== {tests.check.name}: once more, alone, what failed ({len(failed)})")
                codes[tests.check.name] = tests.run_failed()
                print_result(tests.check, codes[tests.check.name], since)
                again = tests.failed()
                ledger += [
                    f"{test} {'failed again' if test in again else 'passed'} (seed {seed}, load {load})"
                    for test in failed
                ]
    return codes, ledger


class Tests:
    """The tests of a check in a process of their own, which the end of a `with` statement ends.

    Where it is quiet, `wait` prints the output at the end.
    """

    def __init__(self, check: Check, environment: dict[str, str], folder: Path, seed: int, quiet: bool) -> None:
        folder.mkdir()
        self.check = check
        self._cache, self._output = folder / "cache", folder / "output"
        self._command = [*announced(check), "-o", f"cache_dir={self._cache}", f"--randomly-seed={seed}"]
        self._environment = {**environment, **check.environment, "PYTEST_DEBUG_TEMPROOT": str(folder)}
        output = self._output.open("wb") if quiet else None
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, env=self._environment, stdout=output, stderr=subprocess.STDOUT if quiet else None
        )
        self._code: int | None = None
        if output is not None:
            output.close()

    def __enter__(self) -> "Tests":
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """End the process if it still runs, as after Ctrl+C."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def wait(self) -> int:
        """Wait for the end, and return the exit code."""
        self._code = self._process.wait()
        if self._output.exists():
            print_line(f"\n== {self.check.name}\n{self._output.read_text(encoding='utf-8', errors='replace')}")
        return self._code

    def run_failed(self) -> int:
        """Run the tests that failed again, in one process, and return the exit code."""
        command = [*self._command, "--last-failed", "-n", "0"]
        self._code = subprocess.run(command, cwd=ROOT, env=self._environment).returncode
        return self._code

    def failed(self) -> list[str]:
        """Return the tests that failed the last time; [] if pytest ended in another way."""
        return failed_tests(self._cache) if self._code == TESTS_FAILED else []


def fast_folder() -> str | None:
    """Return where files lie in memory, if there is room: hundreds of tests sync theirs, and a disk may be slow."""
    memory = Path("/dev/shm")
    there = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= ROOM
    return str(memory) if there else None


def failed_tests(cache: Path) -> list[str]:
    """List the tests that failed by the cache that pytest wrote."""
    try:
        return sorted(json.loads((cache / "v" / "cache" / "lastfailed").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return []


def planned_checks(arguments: list[str], processors: int, has_ui: bool) -> list[Check]:
    """List what `test` runs with these arguments: all checks, or pytest alone."""
    selected = [argument for argument in arguments if argument != "--all"]
    marks = [] if "--all" in arguments else ["-m", "not long"]
    # The tests of a module share what its fixtures make, so one process runs them all.
    with_qt = ["pytest", "-n", str(min(max(processors, 2), 8)), "--dist", "loadfile", *marks]
    without_qt = [*with_qt, "-p", "no:pytest-qt", "--ignore=tests/ui"]
    again = not selected
    engine = Check("tests without Qt", [*without_qt, *selected], {"LAB_TESTS_WITHOUT_QT": "1"}, again)
    window = Check("tests of the window", [*with_qt, *(selected or ["tests/ui"])], {}, again)
    if selected:
        return [window if any("tests/ui" in Path(argument).as_posix() for argument in selected) else engine]
    return [
        Check("style", ["ruff", "check"], {}),
        Check("format", ["ruff", "format", "--check"], {}),
        Check("types", ["mypy"], {}),
        Check("imports", ["lint-imports"], {}),
        engine,
        *([window] if has_ui else []),
    ]


def lengths(root: Path) -> str:
    """Report how long the lab and its plugins are, and their longest modules: long is no fault, a second reason is."""
    files = [file for part in ("lab", "plugins") for file in (root / part).rglob("*.py")]
    lines = {file.relative_to(root).as_posix(): file.read_bytes().count(b"\n") for file in files}
    longest = sorted(lines, key=lambda name: -lines[name])[:LONGEST]
    head = f"{sum(lines.values()):,} lines in {len(lines)} modules; the longest:"
    return "\n  ".join([head, *(f"{lines[name]} {name}" for name in longest)])


def summary(failed: list[str], count: int) -> str:
    """Say in one line how the checks ended."""
    return f"Failed: {', '.join(failed)} ({len(failed)} of {count})" if failed else f"Passed: {count} of {count}"


def seconds(since: float) -> str:
    """Write the time that has gone by since a moment of the monotonic clock."""
    return f"{time.monotonic() - since:.1f} s"


def tool(name: str) -> str:
    """Return the path of a command of the environment."""
    found = shutil.which(name, path=str(SCRIPTS))
    if found is None:
        raise CannotGoOnError(f"{SCRIPTS} holds no command {name}. Remove the folder {VENV} and run this again.")
    return found


# The environment


def fingerprint(constraints: bytes, pyproject: bytes, python: str, root: Path) -> str:
    """Return a hash that changes whenever something must be installed again; a moved tree is one such case."""
    parts = [constraints, pyproject, python.encode(), os.fsencode(root)]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def stamp(command: str) -> Path:
    """Return the file that says, once everything else is in place, what was installed for a command."""
    return VENV / f"lm-lab-{command}.stamp"


def is_installed(command: str, wanted: str) -> bool:
    """Return True if the environment holds what a command needs."""
    try:
        return PYTHON.exists() and stamp(command).read_text(encoding="ascii") == wanted
    except OSError:
        return False


def install(command: str) -> bool:
    """Bring the environment to where a command needs it, and tell whether there was anything to do."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    wanted = fingerprint(CONSTRAINTS.read_bytes(), PYPROJECT.read_bytes(), python, ROOT)
    if is_installed(command, wanted):
        return False
    since = time.monotonic()
    for name in EXTRAS:
        stamp(name).unlink(missing_ok=True)
    if not venv_works(python):
        print_line(f"Making {VENV} with Python {python}")
        make_venv(python)
    print_line("Installing LM Lab and what it needs there; the first time this takes some minutes")
    extras = EXTRAS[command]
    pip_install(*BUILD_TOOLS)
    # A window must not wait for Python to compile torch; tests compile what they import, a small part of it all.
    what = ["--no-build-isolation", "--editable", f".[{','.join(sorted(extras))}]"]
    if not uv_install(*([] if command == "test" else ["--compile-bytecode"]), *what):
        pip_install(*(["--no-compile"] if command == "test" else []), *what)
    for name, needed in EXTRAS.items():
        if needed <= extras:
            stamp(name).write_text(wanted, encoding="ascii")
    print_line(f"Installed in {seconds(since)}: {installed_torch()}")
    return True


def venv_works(python: str) -> bool:
    """Return True if the environment is of this Python version and can install packages."""
    script = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        result = subprocess.run([PYTHON, "-c", script], capture_output=True, text=True)
    except OSError:
        return False
    return result.returncode == 0 and result.stdout.strip() == python


def make_venv(python: str) -> None:
    """Make the environment anew by the first way that this machine offers."""
    if importlib.util.find_spec("ensurepip") and succeeds([sys.executable, "-m", "venv", "--clear", str(VENV)]):
        return
    virtualenv = [sys.executable, "-m", "virtualenv", "--clear", str(VENV)]
    if importlib.util.find_spec("virtualenv") and succeeds(virtualenv):
        return
    if importlib.util.find_spec("pip"):
        with tempfile.TemporaryDirectory() as folder:
            fetch = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "virtualenv"]
            if succeeds(fetch) and succeeds(virtualenv, PYTHONPATH=folder):
                return
    package = f"python{python}-venv"
    if may_use_apt() and apt_install([package]) and succeeds([sys.executable, "-m", "venv", "--clear", str(VENV)]):
        return
    raise CannotGoOnError(
        f"{sys.executable} cannot make virtual environments: its module ensurepip is missing or does not work. "
        f"On Debian and Ubuntu run: sudo apt-get install {package}\n"
        f"Elsewhere run: {sys.executable} -m pip install virtualenv\nThen run this again."
    )


def uv_install(*what: str) -> bool:
    """Install with uv, which pip fetches; return False where that is not possible, so that pip installs instead."""
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check"]
    settings = subprocess.run([*pip, "config", "list"], capture_output=True, text=True).stdout
    environment = uv_environment(settings)
    if environment is None:
        return False
    fetch = ["install", "--quiet", "--only-binary", FAST_INSTALLER, "--constraint", str(CONSTRAINTS), FAST_INSTALLER]
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    options = ["--python", str(PYTHON), "--constraint", str(CONSTRAINTS), *quiet]
    install = [str(PYTHON), "-m", "uv", "pip", "install", *options, *what]
    done = succeeds([*pip, *fetch]) and succeeds(install, **environment)
    if not done:
        print_line("uv could not install; pip does, which takes longer")
    return done


def uv_environment(pip_settings: str) -> dict[str, str] | None:
    """Translate what `pip config list` prints into variables of uv; every index counts alike, as it does for pip.

    None where pip has a setting that this does not know.
    """
    values: dict[str, str] = {}
    for section in ("global", "install", ":env:"):  # a later section overrides an earlier one
        for name, value in re.findall(rf"^{section}\.([a-z-]+)=(.*)$", pip_settings, re.MULTILINE):
            values[name] = str(ast.literal_eval(value))  # pip prints the values as Python does
    if values.keys() - UV_VARIABLES.keys() - PIP_MANNERS:
        return None
    variables = {
        variable: values[name] if separator is None else separator.join(values[name].split())
        for name, (variable, separator) in UV_VARIABLES.items()
        if name in values
    }
    return {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_NO_CONFIG": "1", **variables}


def pip_install(*what: str) -> None:
    """Install into the environment at the pinned versions, with progress where somebody can see it."""
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    options = ["--disable-pip-version-check", *quiet, "--constraint", str(CONSTRAINTS)]
    if not succeeds([str(PYTHON), "-m", "pip", "install", *options, *what]):
        raise CannotGoOnError(
            f"pip could not install {' '.join(what)}; its own words stand above. With a network and some gigabytes of "
            "free disk space run this again: what is there already is not fetched twice."
        )


def succeeds(command: list[str], **environment: str) -> bool:
    """Run a command in the tree, its output on stderr, and tell whether it ended well."""
    try:
        return subprocess.run(command, cwd=ROOT, stdout=sys.stderr, env=os.environ | environment).returncode == 0
    except OSError:
        return False


def site_packages() -> Path:
    """Return the folder in which the environment's packages lie."""
    found = sorted([*VENV.glob("lib/python3*/site-packages"), *VENV.glob("Lib/site-packages")])
    return found[0] if found else VENV


def installed_torch() -> str:
    """Describe the torch build of the environment without importing it."""
    try:
        return torch_build((site_packages() / "torch" / "version.py").read_text(encoding="utf-8"), sys.platform)
    except OSError:
        return "no torch found"


def torch_build(version_file: str, platform: str) -> str:
    """Describe a torch build by the text of its version.py."""
    values = dict(re.findall(r"^(\w+)\b[^=\n]*= *'([^']*)'", version_file, re.MULTILINE))
    names = {"cuda": "CUDA", "hip": "ROCm", "xpu": "XPU"}
    kinds = [f"{title} {values[name]}" for name, title in names.items() if name in values]
    kinds = kinds or (["CPU and Apple GPU"] if platform == "darwin" else ["CPU only"])
    return f"torch {values.get('__version__', 'of unknown version')} ({', '.join(kinds)})"


# What Qt needs of the system. Its absence never stops anything: only the window needs it.


def check_qt() -> None:
    """Say what the window would miss on this machine, and install it where this process may."""
    libraries = missing_libraries()
    fonts_missing = sys.platform == "linux" and not has_fonts()
    packages = packages_for(libraries, fonts_missing)
    if packages and may_use_apt():
        print_line(f"The window misses system packages; installing {' '.join(packages)}")
        if apt_install(packages):
            libraries, fonts_missing = missing_libraries(), not has_fonts()
    if libraries or fonts_missing:
        print_line(qt_remedy(libraries, fonts_missing, Path("/etc/debian_version").exists()))
        return
    problem = qt_import_problem()
    if problem:
        print_line(f"Qt cannot be loaded, so there is no window; all else works. Qt says: {problem}")


def missing_libraries() -> list[str]:
    """List the sonames that Qt needs and this Linux does not have; nothing on other systems."""
    qt = site_packages() / "PySide6"
    if sys.platform != "linux" or not qt.is_dir() or shutil.which("ldd") is None:
        return []
    files = [str(qt / name) for name in QT_FILES if (qt / name).exists()]
    return sonames_not_found(subprocess.run(["ldd", *files], capture_output=True, text=True).stdout)


def sonames_not_found(ldd_output: str) -> list[str]:
    """Read the sonames that the output of ldd marks as not found, each once."""
    return sorted(set(re.findall(r"^\s*(\S+) => not found", ldd_output, re.MULTILINE)))


def qt_import_problem() -> str:
    """Return the last line that Python says when it cannot import Qt's widgets, or nothing."""
    result = subprocess.run([PYTHON, "-c", "import PySide6.QtWidgets"], capture_output=True, text=True)
    return "" if result.returncode == 0 else (result.stderr.strip().splitlines() or [f"exit {result.returncode}"])[-1]


def has_fonts() -> bool:
    """Return True if this Linux has a font that Qt can draw labels with."""
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(next(folder.rglob(kind), None) for folder in folders for kind in ("*.ttf", "*.otf", "*.ttc"))


def debian_package(soname: str) -> str:
    """Name the Debian package of a library: libxkbcommon-x11.so.0 lies in libxkbcommon-x11-0."""
    name, _, version = soname.lower().replace("_", "-").partition(".so.")
    return ODD_PACKAGES.get(soname, f"{name}{'-' if name[-1].isdigit() else ''}{version}")


def packages_for(libraries: list[str], fonts_missing: bool) -> list[str]:
    """Name the Debian packages that bring these libraries and, where it is missing, a font."""
    return sorted({debian_package(soname) for soname in libraries}) + ([FONT_PACKAGE] if fonts_missing else [])


def qt_remedy(libraries: list[str], fonts_missing: bool, is_debian: bool) -> str:
    """Tell the user what the window misses and which command brings it."""
    missing = libraries + (["a font"] if fonts_missing else [])
    sentence = f"The window misses {', '.join(missing)} on this machine; all else works."
    if is_debian:
        packages = " ".join(packages_for(libraries, fonts_missing))
        return f"{sentence} Install what is missing with: sudo apt-get install {packages}"
    return f"{sentence} Install the packages of your system that bring this."


def may_use_apt() -> bool:
    """Return True if this process may install packages of Debian or Ubuntu."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def apt_install(packages: list[str]) -> bool:
    """Install Debian packages; where the lists are too old or missing, fetch them and try once more."""
    command = ["apt-get", "install", "-qq", "-o=Dpkg::Use-Pty=0", "--yes", "--no-install-recommends", *packages]
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    return succeeds(command, **quiet) or (succeeds(["apt-get", "update", "-qq"]) and succeeds(command, **quiet))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
