"""What is shipped for Windows and macOS: the Python inside, launchers, bundle and installer."""

import importlib.util
import os
import plistlib
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest
from PIL import Image
from release import LAYOUTS, LINUX, PYTHON, CannotBuildError, macos, products, relocatable, windows
from release.icons import write_icon
from release.licences import of_wheel
from release.macos import components, make_bundle, minimum_system, programs_below
from release.windows import TEXTS, WINDOWS, compile_installer, place_texts

INSTALLER = (WINDOWS / "lm-lab.nsi").read_text(encoding="utf-8")
VALUES = {"version": "1.2.3", "minimum": "14.0", "data": macos.DATA}


@pytest.fixture(scope="module")
def icons(tmp_path_factory):
    """Return a folder with the icon in both formats, drawn by the Python of the tests."""
    folder = tmp_path_factory.mktemp("icons")
    for name in ("lm-lab.ico", "lm-lab.icns"):
        write_icon(Path(sys.executable), folder / name)
    return folder


def test_the_icon_has_the_sizes_that_windows_and_macos_show(icons):
    with Image.open(icons / "lm-lab.ico") as icon:
        assert {(16, 16), (32, 32), (48, 48), (256, 256)} <= icon.info["sizes"]
    with Image.open(icons / "lm-lab.icns") as icon:
        assert {(16, 16, 2), (128, 128, 1), (512, 512, 2)} <= set(icon.info["sizes"])
        assert len(icon.convert("RGB").getcolors(2**20)) > 10  # something is drawn


@pytest.mark.parametrize("build", [windows.build, macos.build])
def test_another_system_is_refused_in_a_sentence(tmp_path, monkeypatch, build):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(CannotBuildError, match=r"runs on (Windows|macOS) on .*, and this is \w+ on riscv64"):
        build(tmp_path / "dist")
    assert not (tmp_path / "dist").exists()


@pytest.fixture
def fetched(monkeypatch):
    """Let a Python with a pip of its own be there in place of that of a network; return what was fetched."""
    done = []

    def fetch_python(folder):
        prefix = folder / f"cpython-{PYTHON}.9-windows-x86_64-none"
        (prefix / LAYOUTS["windows"].site / "pip").mkdir(parents=True)
        (prefix / "LICENSE.txt").write_text("the licence")
        (folder / f"cpython-{PYTHON}-windows-x86_64-none").symlink_to(prefix)  # uv makes such a link
        done.append("python")
        return relocatable.found_python(folder)

    monkeypatch.setattr(relocatable, "fetch_python", fetch_python)
    monkeypatch.setattr(relocatable, "download", lambda folder, own, python: done.append(python.name))
    return done


def test_python_and_wheels_are_fetched_once_for_the_same_pins(tmp_path, fetched, monkeypatch):
    inputs = tmp_path / "inputs"
    first = relocatable.fetch(inputs, "windows", tmp_path / "own.whl")
    assert relocatable.fetch(inputs, "windows", tmp_path / "own.whl") == first
    assert fetched == ["python", "python.exe"]
    monkeypatch.setattr("release.inputs.CONSTRAINTS", tmp_path / "constraints.txt")
    (tmp_path / "constraints.txt").write_text("torch==9\n")
    relocatable.fetch(inputs, "windows", tmp_path / "own.whl")
    assert len(fetched) == 4


def test_the_python_inside_has_no_package_that_is_not_pinned_and_brings_its_licence(tmp_path, fetched, monkeypatch):
    given = []
    monkeypatch.setattr(relocatable, "install", lambda *arguments: given.append(arguments))
    monkeypatch.setattr(relocatable, "complete", lambda *arguments: given.append(arguments))
    relocatable.make_prefix(tmp_path / "python", "windows", tmp_path / "inputs", tmp_path, tmp_path / "own.whl")
    assert list((tmp_path / "python" / LAYOUTS["windows"].site).iterdir()) == []
    (licence,) = given[1][-1]
    assert licence[:2] == ("Python", f"{PYTHON}.9")
    assert "OpenSSL" in licence.licence
    assert licence.text == "the licence"


def test_the_lgpl_is_shipped_with_qt_whose_wheels_hold_no_text_of_it(tmp_path):
    info = tmp_path / "pyside6_essentials-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: PySide6_Essentials\nVersion: 1\nLicense: LGPL\n")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in of_wheel(info).text
    assert "GNU GENERAL PUBLIC LICENSE" in of_wheel(info).text


@pytest.fixture(scope="module")
def start():
    """Return the script that starts the lab on Windows, as a module."""
    spec = importlib.util.spec_from_file_location("start", WINDOWS / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_windows_starts_the_lab_or_its_python_with_the_arguments_as_they_are(start):
    assert start.command(["train", "a b"]) == [sys.executable, "-P", "-c", start.PROGRAM, "train", "a b"]
    assert start.command(["--python", "-m", "pip"]) == [sys.executable, "-m", "pip"]


def test_what_pip_installs_on_windows_is_with_the_runs_and_other_pythons_have_no_say(start):
    given = {"LOCALAPPDATA": r"C:\Users\ü\AppData\Local", "PYTHONHOME": "x", "PYTHONPATH": "y", "Path": "z"}
    made = start.environment(given)
    assert made["PYTHONUSERBASE"] == r"C:\Users\ü\AppData\Local\lm-lab\python"
    assert made["PIP_USER"] == "1"
    assert made["Path"] == "z"
    assert not {"PYTHONHOME", "PYTHONPATH"} & made.keys()
    moved = start.environment(given | {"LAB_HOME": r"E:\lab", "PIP_USER": "0"})
    assert moved["PYTHONUSERBASE"] == r"E:\lab\python"
    assert moved["PIP_USER"] == "0"


def test_the_script_for_windows_ends_with_the_exit_code_of_what_it_started():
    code = "import os; exit(os.environ['PIP_USER'])"
    given = os.environ | {"LOCALAPPDATA": "x", "PIP_USER": "why"}
    line = [sys.executable, "-I", WINDOWS / "start.py", "--python", "-c", code]
    ended = subprocess.run(line, env=given, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (1, "why\n")


def test_texts_for_windows_are_filled_in_and_end_lines_as_windows_does(tmp_path):
    place_texts(tmp_path, "1.2.3")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(TEXTS)
    for path in tmp_path.iterdir():
        text = path.read_bytes()
        assert b"@version@" not in text
        assert text.count(b"\n") == text.count(b"\r\n") > 2
        text.decode("ascii")  # cmd and Notepad read it in the code page of the machine


def test_a_zip_is_the_same_whatever_times_its_files_have(tmp_path):
    for name, seconds in (("one", 1), ("two", 2)):
        folder = tmp_path / name
        (folder / "a").mkdir(parents=True)
        for file in ("b", "a/c"):
            (folder / file).write_text(file)
            os.utime(folder / file, (seconds, seconds))
        products.write_zip(folder, "lab", tmp_path / f"{name}.zip", epoch=1_700_000_000)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["lab/a/c", "lab/b"]
        assert archive.read("lab/a/c") == b"a/c"


def test_a_removal_takes_every_file_that_the_folder_for_windows_has_and_nothing_else():
    removed = set(re.findall(r'^  Delete "\$\{FOLDER\}\\(.+)"$', INSTALLER, re.MULTILINE))
    assert removed == {*TEXTS, "lm-lab.ico", "SHA256SUMS", "uninstall.exe"}
    folders = re.findall(r"RMDir /r (.+)$", INSTALLER, re.MULTILINE)
    assert folders
    assert {folder.rsplit("\\")[-1] for folder in folders} == {'python.old"', 'python"'}


def test_each_sentence_of_the_installer_is_there_in_both_languages():
    found = re.findall(r"^LangString (\w+) \$\{LANG_(\w+)\}", INSTALLER, re.MULTILINE)
    assert {name for name, language in found if language == "GERMAN"} == {name for name, _ in found}
    assert len(found) == 2 * len({name for name, _ in found})


@pytest.mark.skipif(shutil.which("makensis") is None, reason="the compiler of the installer, NSIS, is not here")
def test_the_installer_compiles(tmp_path, icons):
    tree = tmp_path / "mit Leerzeichen"
    (tree / "python").mkdir(parents=True)
    (tree / "python" / "python.exe").write_text("python")
    shutil.copy(icons / "lm-lab.ico", tree)
    place_texts(tree, "1.2.3")
    compile_installer(tree, "1.2.3", tmp_path / "lab.exe")
    assert (tmp_path / "lab.exe").read_bytes().startswith(b"MZ")


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    """Return a bundle around a Python that prints what it gets."""
    monkeypatch.setattr(macos, "write_icon", lambda python, target: target.touch())
    bundle = tmp_path / "mit Leerzeichen" / "LM Lab.app"
    inside = bundle / "Contents" / "Resources" / "python" / "bin"
    inside.mkdir(parents=True)
    python = inside / f"python{PYTHON}"
    python.write_text('#!/bin/sh\necho "$PYTHONUSERBASE"\nprintf "%s\\n" "$@"\n')
    python.chmod(0o755)
    make_bundle(bundle, VALUES)
    return bundle


def test_the_bundle_opens_files_of_the_type_that_it_declares_with_their_suffix(bundle):
    properties = plistlib.loads((bundle / "Contents" / "Info.plist").read_bytes())
    (declared,) = properties["UTExportedTypeDeclarations"]
    (opened,) = properties["CFBundleDocumentTypes"]
    assert opened["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == ["lmlab"]
    kind = Tree.parse(LINUX / "lm-lab.xml").getroot()[0].get("type")
    assert declared["UTTypeTagSpecification"]["public.mime-type"] == [kind]
    assert properties["CFBundleVersion"] == "1.2.3"
    assert properties["LSMinimumSystemVersion"] == "14.0"
    contents = bundle / "Contents"
    assert os.access(contents / "MacOS" / properties["CFBundleExecutable"], os.X_OK)
    assert (contents / "Resources" / properties["CFBundleIconFile"]).is_file()


@pytest.mark.skipif(os.name == "nt", reason="the launchers are for a shell")
def test_the_bundle_starts_from_any_path_with_what_its_user_added_beside_the_runs(bundle, tmp_path):
    line = [bundle / "Contents" / "MacOS" / "lm-lab", "train", "a b"]
    said = subprocess.check_output(line, text=True, env={"PATH": os.defpath, "HOME": str(tmp_path)}).splitlines()
    assert said[0] == f"{tmp_path}/Library/Application Support/lm-lab/python"
    assert said[-2:] == ["train", "a b"]


def test_the_oldest_macos_is_the_newest_that_a_wheel_needs():
    names = ["a-1-py3-none-any.whl", "b-1-cp311-abi3-macosx_13_0_universal2.whl", "c-1-macosx_11_0_arm64.whl"]
    assert minimum_system(names) == "13.0"
    assert minimum_system([*names, "d-1-macosx_10_9_x86_64.macosx_14_2_arm64.whl"]) == "14.2"


def test_what_is_signed_is_every_program_the_deepest_first(tmp_path):
    for name, start in (("a", b"\xcf\xfa\xed\xfe"), ("b/c.so", b"\xca\xfe\xba\xbe"), ("b/d.py", b"#"), ("e", b"")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(start)
    (tmp_path / "link").symlink_to("a")
    assert [path.name for path in programs_below(tmp_path)] == ["c.so", "a"]


def test_without_an_identity_nothing_is_signed(bundle, monkeypatch):
    monkeypatch.delenv("LM_LAB_IDENTITY", raising=False)
    calls = []
    monkeypatch.setattr(macos, "call", lambda *words: calls.append(words))
    macos.sign_bundle(bundle)
    assert calls == []
    monkeypatch.setenv("LM_LAB_IDENTITY", "somebody")
    macos.sign_bundle(bundle)
    assert [words[0] for words in calls] == ["codesign", "codesign"]
    assert calls[0][-1] == bundle


def test_the_package_installs_over_any_version_and_only_in_its_place():
    (component,) = components("LM Lab.app")
    assert component["BundleIsRelocatable"] is False
    assert component["BundleIsVersionChecked"] is False
