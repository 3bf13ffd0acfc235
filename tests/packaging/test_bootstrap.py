"""The command that makes the environment: what it decides and says, without a network."""

import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
FILE = ROOT / "packaging" / "bootstrap.py"


@pytest.fixture
def bootstrap(tmp_path, monkeypatch):
    """Return the file as a module whose tree is an empty folder."""
    spec = importlib.util.spec_from_file_location("bootstrap", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "SCRIPTS", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "python")
    for name in ("PYPROJECT", "CONSTRAINTS"):
        path = tmp_path / name
        path.write_text(name)
        monkeypatch.setattr(module, name, path)
    return module


@pytest.fixture
def machine(bootstrap, monkeypatch):
    """Return the list of pip calls on a machine where venv and pip always work."""
    calls = []

    def make_venv(python):
        bootstrap.VENV.mkdir(exist_ok=True)
        bootstrap.PYTHON.touch()

    monkeypatch.setattr(bootstrap, "make_venv", make_venv)
    monkeypatch.setattr(bootstrap, "venv_works", lambda _: bootstrap.PYTHON.exists())
    monkeypatch.setattr(bootstrap, "pip_install", lambda *what: calls.append(what))
    monkeypatch.setattr(bootstrap, "uv_install", lambda *what: False)
    return calls


def test_an_environment_is_installed_once(bootstrap, machine):
    assert bootstrap.install("test")
    assert not bootstrap.install("test")
    assert len(machine) == 2  # the build tools, then LM Lab
    assert machine[1][-1] == ".[test,window]"
    assert "--no-compile" in machine[1]  # most of what is installed is never imported


def test_the_tests_environment_serves_run_too(bootstrap, machine):
    bootstrap.install("test")
    assert not bootstrap.install("run")


def test_what_uv_has_installed_pip_does_not_install_again(bootstrap, machine, monkeypatch):
    done = []
    monkeypatch.setattr(bootstrap, "uv_install", lambda *what: done.append(what) or True)
    bootstrap.install("run")
    assert machine == [bootstrap.BUILD_TOOLS]
    assert done == [("--compile-bytecode", "--no-build-isolation", "--editable", ".[window]")]


@pytest.fixture
def ran(bootstrap, monkeypatch):
    """Collect the commands that are run, with additions to their environment; those that name `ran.fails` fail."""

    class Ran(list):
        fails = "nothing"

    commands = Ran()

    def succeeds(command, **environment):
        commands.append((command, environment))
        return Ran.fails not in command

    settings = SimpleNamespace(stdout="global.index-url='https://mirror.example/simple'\n")
    monkeypatch.setattr(bootstrap, "succeeds", succeeds)
    monkeypatch.setattr(bootstrap.subprocess, "run", lambda *_, **__: settings)
    return commands


def test_uv_installs_pinned_versions_into_the_environment(bootstrap, ran):
    assert bootstrap.uv_install(".")
    (fetch, _), (command, environment) = ran
    assert fetch[1:3] == ["-m", "pip"]
    assert command[:5] == [str(bootstrap.PYTHON), "-m", "uv", "pip", "install"]
    assert {str(bootstrap.CONSTRAINTS), str(bootstrap.PYTHON), "."} <= set(command)
    assert environment["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"


@pytest.mark.parametrize("failing", ["pip", "uv"])
def test_where_uv_cannot_be_fetched_or_fails_pip_installs(bootstrap, ran, failing, capsys):
    type(ran).fails = {"pip": "--only-binary", "uv": "."}[failing]
    assert not bootstrap.uv_install(".")
    assert "pip does" in capsys.readouterr().err


def test_what_uv_could_not_install_pip_installs(bootstrap, machine):
    bootstrap.install("run")
    assert machine[1] == ("--no-build-isolation", "--editable", ".[window]")


def test_uv_is_told_where_pip_looks(bootstrap):
    settings = """:env:.find-links='/wheels'
global.cert='/certificates.pem'
global.constraint='/one.txt /two.txt'
global.default-timeout='180'
global.extra-index-url='https://one.example/simple https://two.example/simple'
global.find-links='/elsewhere'
global.index-url='https://mirror.example/simple'
"""
    assert bootstrap.uv_environment(settings) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_NO_CONFIG": "1",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_FIND_LINKS": "/wheels",
        "SSL_CERT_FILE": "/certificates.pem",
        "UV_CONSTRAINT": "/one.txt /two.txt",
        "UV_HTTP_TIMEOUT": "180",
    }
    assert bootstrap.uv_environment("") == {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_NO_CONFIG": "1"}


def test_values_of_pip_are_read_as_it_prints_them(bootstrap):
    certificates, links = r"C:\new  folder\cert.pem", "\n/one\n/two"
    settings = f"global.cert={certificates!r}\nglobal.find-links={links!r}\n"
    found = bootstrap.uv_environment(settings)
    assert found["SSL_CERT_FILE"] == certificates
    assert found["UV_FIND_LINKS"] == "/one,/two"


@pytest.mark.parametrize("setting", ["no-index='true'", "trusted-host='a.example'", "proxy='http://p.example'"])
def test_with_a_setting_of_pip_that_uv_is_not_told_pip_installs(bootstrap, setting):
    assert bootstrap.uv_environment(f"global.{setting}\n") is None


def test_the_environment_of_run_does_not_serve_the_tests(bootstrap, machine):
    bootstrap.install("run")
    assert machine[1][-1] == ".[window]"
    assert "--no-compile" not in machine[1]
    assert bootstrap.install("test")


@pytest.mark.parametrize("name", ["PYPROJECT", "CONSTRAINTS"])
def test_a_changed_file_installs_again(bootstrap, machine, name):
    bootstrap.install("run")
    getattr(bootstrap, name).write_text("changed")
    assert bootstrap.install("run")


def test_a_removed_environment_is_made_again(bootstrap, machine):
    bootstrap.install("run")
    bootstrap.PYTHON.unlink()
    assert bootstrap.install("run")


def test_an_interrupted_installation_is_done_again(bootstrap, machine, monkeypatch):
    bootstrap.install("run")
    bootstrap.CONSTRAINTS.write_text("newer")

    def interrupted(*what):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bootstrap, "pip_install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bootstrap.install("run")
    bootstrap.CONSTRAINTS.write_text("CONSTRAINTS")  # even if everything reads as before
    assert bootstrap.install("run")


def test_the_fingerprint_knows_python_version_and_place(bootstrap):
    here = bootstrap.fingerprint(b"a", b"b", "3.11", Path("/here"))
    assert here == bootstrap.fingerprint(b"a", b"b", "3.11", Path("/here"))
    assert here != bootstrap.fingerprint(b"a", b"b", "3.12", Path("/here"))
    assert here != bootstrap.fingerprint(b"a", b"b", "3.11", Path("/there"))
    assert here != bootstrap.fingerprint(b"ab", b"", "3.11", Path("/here"))


def test_an_environment_without_pip_or_of_another_python_does_not_work(bootstrap, monkeypatch):
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert not bootstrap.venv_works(here)  # there is none
    monkeypatch.setattr(bootstrap, "PYTHON", sys.executable)
    assert bootstrap.venv_works(here)
    assert not bootstrap.venv_works("3.99")


def test_without_any_way_to_an_environment_the_message_names_the_package(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(bootstrap, "may_use_apt", lambda: False)
    with pytest.raises(bootstrap.CannotGoOnError, match=r"sudo apt-get install python3\.12-venv"):
        bootstrap.make_venv("3.12")


def test_all_checks_run_in_order_and_the_window_comes_last(bootstrap):
    checks = bootstrap.planned_checks([], processors=2, has_ui=True)
    assert [check.name for check in checks] == [
        "style",
        "format",
        "types",
        "imports",
        "tests without Qt",
        "tests of the window",
    ]
    engine, window = checks[-2:]
    assert engine.environment == {"LAB_TESTS_WITHOUT_QT": "1"}
    assert "--ignore=tests/ui" in engine.command
    assert window.environment == {}
    assert window.command[-1] == "tests/ui"


def test_there_are_as_many_processes_as_processors_but_at_least_two_and_at_most_eight(bootstrap):
    def processes(processors):
        *_, engine, window = bootstrap.planned_checks([], processors, has_ui=True)
        return engine.command[2], window.command[2]

    assert processes(1) == ("2", "2")
    assert processes(2) == ("2", "2")
    assert processes(4) == ("4", "4")
    assert processes(64) == ("8", "8")


def test_without_tests_of_the_window_nothing_asks_for_them(bootstrap):
    assert bootstrap.planned_checks([], processors=2, has_ui=False)[-1].name == "tests without Qt"


def test_all_includes_the_long_tests(bootstrap):
    short, everything = (bootstrap.planned_checks(given, 2, has_ui=False)[-1].command for given in ([], ["--all"]))
    assert "not long" in short
    assert "not long" not in everything


def test_arguments_mean_pytest_alone(bootstrap):
    (check,) = bootstrap.planned_checks(["--all", "tests/base", "-k", "a b"], processors=64, has_ui=True)
    assert check.command[:3] == ["pytest", "-n", "8"]
    assert check.command[-3:] == ["tests/base", "-k", "a b"]
    assert check.environment == {"LAB_TESTS_WITHOUT_QT": "1"}
    assert not check.again


def test_a_test_of_the_window_sees_qt(bootstrap):
    (check,) = bootstrap.planned_checks(["tests/ui/test_chart.py"], processors=2, has_ui=True)
    assert check.environment == {}
    assert check.command[-1] == "tests/ui/test_chart.py"


def test_a_failing_check_does_not_keep_the_others_from_running(bootstrap, monkeypatch, capsys):
    def plan(arguments, processors, has_ui):
        exits = [bootstrap.Check(f"exit {code}", ["python", "-c", f"raise SystemExit({code})"], {}) for code in (5, 0)]
        return [*exits, bootstrap.Check("environment", ["python", "-c", "import os; os.environ['MORE']"], {"MORE": ""})]

    monkeypatch.setattr(bootstrap, "planned_checks", plan)
    monkeypatch.setattr(bootstrap, "tool", lambda _: sys.executable)
    assert bootstrap.test([]) == 1
    said = capsys.readouterr().err
    assert "exit 0: passed" in said
    assert "environment: passed" in said
    assert "Failed: exit 5 (1 of 3)" in said


def test_other_checks_run_beside_the_tests_and_show_their_output_once_they_have_ended(
    bootstrap, monkeypatch, capfd, tmp_path
):
    waiting = """
        import time
        from pathlib import Path

        def test_waits_for_the_check():
            end = time.monotonic() + 30
            while not Path("checked").exists() and time.monotonic() < end:
                time.sleep(0.01)
            assert Path("checked").exists()
    """
    (tmp_path / "test_waiting.py").write_text(textwrap.dedent(waiting))
    code = "from pathlib import Path; print('all is well', flush=True); Path('checked').touch()"
    command = ["pytest", "-q", "-p", "randomly", "--rootdir=.", "test_waiting.py"]
    tests = bootstrap.Check("tests", command, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, again=True)
    checks = [bootstrap.Check("style", ["python", "-c", code], {}), tests]
    monkeypatch.setattr(bootstrap, "tool", lambda name: str(Path(sys.executable).parent / name))
    monkeypatch.setattr(bootstrap, "planned_checks", lambda arguments, processors, has_ui: checks)
    assert bootstrap.test([]) == 0
    said = capfd.readouterr()
    assert "all is well" not in said.out
    assert said.err.index("== style: python") < said.err.index("all is well") < said.err.index("== style: passed")


CHANCE = """
    from pathlib import Path

    import pytest

    @pytest.mark.parametrize("n", range({count}))
    def test_that_fails(n):
        seen = Path(f"seen{{n}}")
        times = len(seen.read_text()) if seen.exists() else 0
        seen.write_text("x" * (times + 1))
        assert times >= {failures}

    def test_that_passes():
        with Path("passed").open("a") as out:
            out.write("x")
"""


@pytest.fixture
def check_of(bootstrap, monkeypatch, tmp_path):
    """Return a function that runs `test` with one check: tests of which so many fail so many times."""
    path = Path(sys.executable).parent
    monkeypatch.setattr(bootstrap, "tool", lambda name: str(path / name))

    def run(name, *, count=1, failures=1, processes=0):
        (tmp_path / "test_chance.py").write_text(textwrap.dedent(CHANCE.format(count=count, failures=failures)))
        command = ["pytest", "-q", "-p", "xdist", "-p", "randomly", "-n", str(processes), "test_chance.py"]
        check = bootstrap.Check(name, command, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, again=True)
        monkeypatch.setattr(bootstrap, "planned_checks", lambda arguments, processors, has_ui: [check])
        return bootstrap.test([])

    return run


def test_a_test_that_passes_when_it_runs_again_alone_counts_as_passed_and_is_named(check_of, capfd, tmp_path):
    assert check_of("tests", processes=1) == 0
    said = capfd.readouterr().err
    assert "== tests: passed" in said
    ledger = r"Second tries: 1\n  test_chance\.py::test_that_fails\[0\] passed \(seed \d+, load [\d.]+\)\n$"
    assert re.search(ledger, said)
    assert (tmp_path / "passed").read_text() == "x"  # what passed does not run again


@pytest.mark.long
def test_tests_run_side_by_side_and_the_output_of_the_second_comes_at_its_end(bootstrap, monkeypatch, capfd, tmp_path):
    meeting = """
        import time
        from pathlib import Path

        def test_meets_the_other(request):
            mine, other = request.config.rootpath / "{mine}", request.config.rootpath / "{other}"
            mine.touch()
            end = time.monotonic() + 30
            while not other.exists() and time.monotonic() < end:
                time.sleep(0.01)
            assert other.exists()
            print("met", "{other}")
    """
    checks = []
    for mine, other in (("one", "two"), ("two", "one")):
        (tmp_path / f"test_{mine}.py").write_text(textwrap.dedent(meeting.format(mine=mine, other=other)))
        command = ["pytest", "-q", "-s", "-p", "randomly", "--rootdir=.", f"test_{mine}.py"]
        checks.append(bootstrap.Check(mine, command, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, again=True))
    monkeypatch.setattr(bootstrap, "tool", lambda name: str(Path(sys.executable).parent / name))
    monkeypatch.setattr(bootstrap, "planned_checks", lambda arguments, processors, has_ui: checks)
    assert bootstrap.test([]) == 0
    said = capfd.readouterr()
    assert "met two" in said.out
    assert said.err.index("== one: passed") < said.err.index("met one") < said.err.index("== two: passed")


def test_a_test_that_fails_twice_fails_its_check(check_of, capfd):
    assert check_of("tests", failures=2) == 1
    said = capfd.readouterr().err
    assert "Failed: tests (1 of 1)" in said
    assert "Second tries: 1\n  test_chance.py::test_that_fails[0] failed again (seed " in said


@pytest.mark.long
def test_where_many_tests_fail_none_runs_again(check_of, capfd, tmp_path):
    assert check_of("tests", count=11) == 1
    assert "once more" not in capfd.readouterr().err
    assert (tmp_path / "seen0").read_text() == "x"


def test_the_longest_modules_are_reported(bootstrap, tmp_path):
    for name, count in {"lab/a.py": 3, "plugins/b/c.py": 7, "tests/d.py": 99}.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_text("x\n" * count)
    assert bootstrap.lengths(tmp_path) == "10 lines in 2 modules; the longest:\n  7 plugins/b/c.py\n  3 lab/a.py"


def test_all_tests_of_the_plan_run_again_where_they_fail(bootstrap):
    checks = bootstrap.planned_checks([], processors=2, has_ui=True)
    assert [check.name for check in checks if check.again] == ["tests without Qt", "tests of the window"]


def test_a_missing_command_says_what_to_do(bootstrap):
    with pytest.raises(bootstrap.CannotGoOnError, match="Remove the folder"):
        bootstrap.tool("ruff")


@pytest.mark.parametrize(("argument", "code"), [("--help", 0), ("bild", 2)])
def test_the_usage_shows_both_commands(bootstrap, capsys, argument, code):
    assert bootstrap.main([argument]) == code
    said = "".join(capsys.readouterr())
    assert "bootstrap.py run [arguments of lm-lab]" in said
    assert "bootstrap.py test [--all]" in said


def test_a_problem_is_a_sentence_and_an_interrupt_is_130(bootstrap, capsys, monkeypatch):
    def problem(command):
        raise bootstrap.CannotGoOnError("no disk")

    def interrupt(command):
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "install", problem)
    assert bootstrap.main(["run"]) == 1
    assert capsys.readouterr().err == "\nno disk\n"
    monkeypatch.setattr(bootstrap, "install", interrupt)
    assert bootstrap.main(["run"]) == 130


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot replace a process")
def test_run_passes_arguments_folder_and_exit_code(tmp_path):
    code = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('bootstrap', {str(FILE)!r})\n"
        "bootstrap = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(bootstrap)\n"
        "bootstrap.install = lambda command: False\n"
        "bootstrap.tool = lambda _: sys.executable\n"
        "sys.exit(bootstrap.main(sys.argv[1:]))\n"
    )
    child = "import os, sys; print(sys.argv[1:], os.getcwd(), os.environ['GOMP_SPINCOUNT']); sys.exit(7)"
    result = subprocess.run(
        [sys.executable, "-c", code, "run", "-c", child, "a b", "--json"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"},
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout) == (7, f"['a b', '--json'] {tmp_path} 1000\n")


@pytest.mark.parametrize(
    ("soname", "package"),
    [
        ("libEGL.so.1", "libegl1"),
        ("libGL.so.1", "libgl1"),
        ("libX11.so.6", "libx11-6"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libfontconfig.so.1", "libfontconfig1"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libgssapi_krb5.so.2", "libgssapi-krb5-2"),
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxcb-icccm.so.4", "libxcb-icccm4"),
        ("libxcb-render-util.so.0", "libxcb-render-util0"),
        ("libxkbcommon.so.0", "libxkbcommon0"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ],
)
def test_a_library_lies_in_the_debian_package_of_its_soname(bootstrap, soname, package):
    assert bootstrap.debian_package(soname) == package


def test_missing_libraries_are_read_from_ldd(bootstrap):
    output = (
        "/a/libqxcb.so:\n"
        "\tlibQt6XcbQpa.so.6 => /a/libQt6XcbQpa.so.6 (0x00007f)\n"
        "\tlibxcb-icccm.so.4 => not found\n"
        "/a/libqoffscreen.so:\n"
        "\tlibEGL.so.1 => not found\n"
        "\tlibxcb-icccm.so.4 => not found\n"
    )
    assert bootstrap.sonames_not_found(output) == ["libEGL.so.1", "libxcb-icccm.so.4"]


def test_the_remedy_is_a_command_to_copy(bootstrap):
    said = bootstrap.qt_remedy(["libEGL.so.1"], fonts_missing=True, is_debian=True)
    assert "The window misses libEGL.so.1, a font" in said
    assert said.endswith("sudo apt-get install libegl1 fonts-dejavu-core")


def test_elsewhere_the_remedy_names_the_libraries(bootstrap):
    said = bootstrap.qt_remedy(["libEGL.so.1"], fonts_missing=False, is_debian=False)
    assert "libEGL.so.1" in said
    assert "apt-get" not in said


def test_what_qt_misses_is_installed_where_that_is_allowed(bootstrap, monkeypatch, capsys):
    missing = ["libEGL.so.1"]
    monkeypatch.setattr(bootstrap, "missing_libraries", lambda: list(missing))
    monkeypatch.setattr(bootstrap, "has_fonts", lambda: True)
    monkeypatch.setattr(bootstrap, "qt_import_problem", lambda: "")
    monkeypatch.setattr(bootstrap, "may_use_apt", lambda: True)
    monkeypatch.setattr(bootstrap, "apt_install", lambda packages: packages == ["libegl1"] and not missing.clear())
    bootstrap.check_qt()
    assert capsys.readouterr().err == "The window misses system packages; installing libegl1\n"


def test_fonts_are_searched_for_in_the_usual_folders(bootstrap, monkeypatch, tmp_path):
    monkeypatch.setattr(bootstrap, "FONT_FOLDERS", [str(tmp_path / "nowhere"), str(tmp_path)])
    assert not bootstrap.has_fonts()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "Sans.ttf").touch()
    assert bootstrap.has_fonts()


@pytest.mark.parametrize(
    ("lines", "platform", "said"),
    [
        ("__version__ = '2.13.0+cpu'\ncuda: Optional[str] = None\n", "linux", "torch 2.13.0+cpu (CPU only)"),
        ("__version__ = '2.13.0'\ncuda: Optional[str] = '13.0'\n", "linux", "torch 2.13.0 (CUDA 13.0)"),
        ("__version__ = '2.13.0'\nhip: Optional[str] = '7.1'\n", "linux", "torch 2.13.0 (ROCm 7.1)"),
        ("__version__ = '2.13.0'\ncuda: Optional[str] = None\n", "darwin", "torch 2.13.0 (CPU and Apple GPU)"),
    ],
)
def test_the_torch_build_is_read_without_importing_it(bootstrap, lines, platform, said):
    assert bootstrap.torch_build(lines, platform) == said


def test_every_dependency_is_pinned_exactly_and_for_every_platform():
    pins = [line for line in (FILE.parent / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert all(pin.count("==") == 1 and "+" not in pin for pin in pins)
    assert {"torch==2.13.0", "PySide6-Essentials==6.10.3"} <= set(pins)


def test_every_dependency_can_be_installed_with_the_oldest_python_that_the_lab_allows():
    asked = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text())[1]
    pins = re.findall(r"^([\w.-]+)==", (ROOT / "packaging" / "constraints.txt").read_text(), re.MULTILINE)
    allowed = {name.lower(): SpecifierSet(found) for name in pins if (found := python_of(name))}
    assert len(allowed) > 50
    assert [name for name, versions in allowed.items() if f"{asked}.0" not in versions] == []


def python_of(name):
    """Return the Python versions that an installed package asks for; None for any, or if it is not installed."""
    try:
        return metadata.metadata(name).get("Requires-Python")
    except metadata.PackageNotFoundError:  # it is for another platform
        return None
