"""The script that installs the folder for Linux: it changes nothing unless all is there, and removes what it added."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"


@pytest.fixture
def integration(monkeypatch):
    """Return the script as a module; the commands of a desktop are not called."""
    spec = importlib.util.spec_from_file_location("integration", LINUX / "integration.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "REFRESHES", ())
    return module


@pytest.fixture
def tree(tmp_path, integration):
    """Return a folder like the one that is unpacked."""
    return make_tree(tmp_path / "unpacked", integration, "first")


def make_tree(folder, integration, content):
    (folder / "share").mkdir(parents=True)
    for name in integration.COMMANDS:
        shutil.copy(LINUX / name, folder / name)
    for name in integration.DESKTOP_FILES:
        shutil.copy(LINUX / name, folder / "share" / name)
    (folder / "python").write_text(content)
    files = [path for path in folder.rglob("*") if path.is_file()]
    lines = [f"{integration.sum_of(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines))
    return folder


def files_below(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_what_is_installed_is_removed_again_and_nothing_else(tree, tmp_path, integration):
    prefix = tmp_path / "home" / ".local"
    run = prefix / "share" / "lm-lab" / "runs" / "mine"
    run.parent.mkdir(parents=True)
    run.touch()
    integration.install(tree, prefix)
    assert (prefix / "bin" / "lm-lab").resolve() == prefix / "lib" / "lm-lab" / "lm-lab"
    assert (prefix / "share" / "mime" / "packages" / "lm-lab.xml").is_file()
    integration.uninstall(prefix / "lib" / "lm-lab")
    assert files_below(prefix) == {"share/lm-lab/runs/mine"}


def test_a_newer_folder_takes_the_place_of_an_older_one(tree, tmp_path, integration):
    integration.install(tree, tmp_path / "p")
    integration.install(make_tree(tmp_path / "newer", integration, "second"), tmp_path / "p")
    assert (tmp_path / "p" / "lib" / "lm-lab" / "python").read_text() == "second"
    assert {path.name for path in (tmp_path / "p" / "lib").iterdir()} == {"lm-lab"}


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text("other")])
def test_a_folder_that_is_not_whole_changes_nothing(tree, tmp_path, integration, damage):
    integration.install(tree, tmp_path / "p")
    newer = make_tree(tmp_path / "newer", integration, "second")
    damage(newer / "python")
    with pytest.raises(integration.CannotInstallError, match="1 files of this folder are missing or damaged"):
        integration.install(newer, tmp_path / "p")
    assert (tmp_path / "p" / "lib" / "lm-lab" / "python").read_text() == "first"


def test_too_small_a_disk_is_named_before_anything_is_written(tree, tmp_path, integration, monkeypatch):
    monkeypatch.setattr(integration.shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    with pytest.raises(integration.CannotInstallError, match="has 0 MB left"):
        integration.install(tree, tmp_path / "p")
    assert files_below(tmp_path / "p") == set()


def test_a_copy_that_fails_leaves_the_installed_lab_as_it_was(tree, tmp_path, integration, monkeypatch):
    integration.install(tree, tmp_path / "p")

    def copytree(source, target, **options):
        target.mkdir()
        raise OSError("no space left on device")

    monkeypatch.setattr(integration.shutil, "copytree", copytree)
    with pytest.raises(integration.CannotInstallError, match="nothing is changed: no space left"):
        integration.install(tree, tmp_path / "p")
    assert (tmp_path / "p" / "lib" / "lm-lab" / "python").read_text() == "first"
    assert {path.name for path in (tmp_path / "p" / "lib").iterdir()} == {"lm-lab"}


def test_a_folder_that_was_only_unpacked_is_not_removed(tree, integration, capsys):
    with pytest.raises(integration.CannotInstallError, match="may be deleted as it is"):
        integration.uninstall(tree)
    assert (tree / "python").exists()


@pytest.mark.parametrize(
    ("folder", "quoted"),
    [
        ("/opt/lm-lab", '"/opt/lm-lab/lm-lab" %F'),
        ("/home/Jürgen Groß", '"/home/Jürgen Groß/lm-lab" %F'),
        ('/a"$b%c', r'"/a\\"\\$b%%c/lm-lab" %F'),
    ],
)
def test_the_entry_of_the_menu_starts_the_lab_at_any_path(integration, folder, quoted):
    entry = (LINUX / "lm-lab.desktop").read_text(encoding="utf-8")
    lines = integration.with_launcher(entry, Path(folder) / "lm-lab").splitlines()
    assert f"Exec={quoted}" in lines


def test_the_command_says_what_it_did_or_why_not(tree, tmp_path, integration, monkeypatch, capsys):
    monkeypatch.setattr(integration, "__file__", str(tree / "share" / "integration.py"))
    assert integration.main(["install", "--prefix", str(tmp_path / "p")]) == 0
    assert str(tmp_path / "p" / "bin" / "lm-lab") in capsys.readouterr().out
    assert integration.main(["uninstall"]) == 1
    assert "is not installed" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
@pytest.mark.parametrize("missing", ["share/integration.py", "SHA256SUMS", "lm-lab-python"])
def test_a_folder_that_was_not_unpacked_whole_says_so(tmp_path, missing):
    shutil.copy(LINUX / "install.sh", tmp_path)
    for name, content in {"share/integration.py": "", "SHA256SUMS": "", "lm-lab-python": "#!/bin/sh\nexit 0\n"}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        path.chmod(0o755)
    (tmp_path / missing).unlink()
    ended = subprocess.run(["sh", tmp_path / "install.sh"], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "This folder is not complete: unpack the archive again" in ended.stderr
