"""What is shipped: what is cut, the licences, the texts, and archives that are the same each time."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest
from release import EXTRAS, LAYOUTS, LINUX, CannotBuildError, inputs, products
from release.cuts import CUTS, Cut, apply_cuts, expanded, expression, trim_records
from release.inputs import PACKAGES, fetch, pinned, sums
from release.libraries import missing_needs, place_libraries
from release.licences import of_wheel, table, texts, write
from release.texts import fill
from release.tree import DATA, place_launchers

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VALUES = {"version": "1.2.3", "day": "2026-11-28", "description": "A lab.", "size": "4711", "data": DATA}


def make(folder, files):
    """Write files with their own names as text."""
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return folder


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("pattern", "matched", "other"),
    [
        ("a/*.py", "a/b.py", "a/b/c.py"),
        ("a/**/tests", "a/b/c/tests", "a/b/tests2"),
        ("**/*.pyi", "b.pyi", "b.py"),
        ("qt_[!d]*.qm", "qt_fr.qm", "qt_de.qm"),
        ("a+b", "a+b", "aab"),
    ],
)
def test_a_pattern_matches_a_path_from_its_start_to_its_end(pattern, matched, other):
    assert expression(pattern).fullmatch(matched)
    assert not expression(pattern).fullmatch(other)


def test_braces_stand_for_each_of_their_choices():
    assert expanded("{a,b}/{c,d}") == ["a/c", "a/d", "b/c", "b/d"]


def test_a_cut_takes_files_and_whole_folders_and_counts_their_bytes(tmp_path):
    make(tmp_path, ["a/tests/b.py", "a/tests/c/d.py", "a/e.py", "f.h"])
    assert apply_cuts(tmp_path, "linux", [Cut("x", ("*/tests",)), Cut("y", ("*.h",))]) == [("x", 26), ("y", 3)]
    assert names(tmp_path) == ["a/e.py"]


def test_a_file_that_two_cuts_match_is_counted_once(tmp_path):
    make(tmp_path, ["a/b.c"])
    assert apply_cuts(tmp_path, "linux", [Cut("x", ("a",)), Cut("y", ("a/*.c",))]) == [("x", 5), ("y", 0)]


def test_a_cut_that_matches_nothing_any_more_stops_the_build(tmp_path):
    make(tmp_path, ["a/b"])
    with pytest.raises(CannotBuildError, match="gone"):
        apply_cuts(tmp_path, "linux", [Cut("x", ("a/{b,gone}",))])


def test_a_cut_may_hold_on_one_system_alone(tmp_path):
    make(tmp_path, ["Lib/site-packages/a.dll", "Lib/b.py", "c.so"])
    cuts = [Cut("x", ("LIBRARY/b.py",), windows=("SITE/*.dll",)), Cut("y", linux=("c.so",), macos=("d.dylib",))]
    assert apply_cuts(tmp_path, "windows", cuts) == [("x", 31)]
    assert names(tmp_path) == ["c.so"]


@pytest.mark.parametrize("system", LAYOUTS)
def test_no_cut_touches_the_lab_and_its_plugins(system):
    patterns = [expression(each) for cut in CUTS for each in cut.on(system)]
    own = [package.replace(".", "/") for package in PYPROJECT["tool"]["setuptools"]["packages"]]
    site = LAYOUTS[system].site
    paths = [f"{site}/{name}{file}" for name in own for file in ("", "/__init__.py", "/x.md", "/x.png", "/x.toml")]
    assert not [path for path in paths if any(pattern.fullmatch(path) for pattern in patterns)]


def test_the_record_of_a_package_lists_what_is_left_of_it(tmp_path):
    make(tmp_path, ["a/b.py", "a-1.dist-info/RECORD"])
    (tmp_path / "a-1.dist-info/RECORD").write_text('a/gone.py,sha256=x,1\na/b.py,sha256=y,1\n"a/c,d.py",,\n')
    trim_records(tmp_path)
    assert (tmp_path / "a-1.dist-info/RECORD").read_text() == "a/b.py,sha256=y,1\n"


def test_a_library_must_find_what_it_needs_here_or_on_every_desktop():
    needs = [(Path("libA.so"), ["libc.so.6", "libB.so"]), (Path("libB.so"), ["libgone.so.1"])]
    assert missing_needs(needs, {"libB.so"}) == ["libB.so needs libgone.so.1"]


def test_libraries_get_the_names_by_which_others_need_them(tmp_path, monkeypatch):
    monkeypatch.setattr("release.libraries.call", lambda *_: "")
    folder = tmp_path / "usr/lib/x86_64-linux-gnu"
    folder.mkdir(parents=True)
    (tmp_path / "out").mkdir()
    for name in ("libz.so.1.2.13", "libssl.so.3", "libexpatw.so.1"):
        (folder / name).write_bytes(b"\x7fELF" + name.encode())
    (folder / "libz.so.1").symlink_to("libz.so.1.2.13")
    place_libraries(tmp_path / "usr", tmp_path / "out")
    assert names(tmp_path / "out") == ["libssl.so.3", "libz.so.1"]


METADATA = "Metadata-Version: 2.4\nName: {}\nVersion: 1.0\n{}\n"


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        ("License-Expression: MIT AND Zlib\nLicense: other", "MIT AND Zlib"),
        ("License: BSD", "BSD"),
        ("License: BSD\n  and a long text\nClassifier: License :: OSI Approved :: BSD License", "BSD License"),
        ("", "see its text"),
    ],
)
def test_the_licence_of_a_package_is_what_it_says_most_precisely(tmp_path, lines, licence):
    info = make(tmp_path / "a-1.0.dist-info", ["licenses/LICENSE.txt", "sub/NOTICE", "top_level.txt"])
    (info / "METADATA").write_text(METADATA.format("a", lines))
    assert of_wheel(info)[:3] == ("a", "1.0", licence)
    assert of_wheel(info).text == "licenses/LICENSE.txt\n\nsub/NOTICE"


def test_the_licences_of_all_parts_are_one_table_and_one_file_of_texts(tmp_path):
    for name in ("b", "A"):
        info = make(tmp_path / "site" / f"{name}-1.0.dist-info", ["licenses/COPYING"])
        (info / "METADATA").write_text(METADATA.format(name, "License-Expression: MIT"))
    assert write(tmp_path, tmp_path / "site", []) == 2
    found = [of_wheel(info)._replace(text="licenses/COPYING") for info in sorted((tmp_path / "site").iterdir())]
    assert (tmp_path / "share/lm-lab/licences.md").read_text() == table(found)
    assert (tmp_path / "share/lm-lab/licences.txt").read_text() == texts(found)
    assert not list((tmp_path / "site").rglob("COPYING"))  # one copy is enough


def test_each_package_of_debian_comes_with_a_licence():
    assert all(licence for licences in PACKAGES.values() for licence in licences.values())


def test_a_template_that_names_no_value_is_an_error(tmp_path):
    (tmp_path / "a").write_text("one @version@ two @oops@")
    with pytest.raises(CannotBuildError, match="oops"):
        fill(tmp_path / "a", VALUES)


@pytest.mark.parametrize("name", sorted(path.name for path in LINUX.iterdir() if path.is_file()))
def test_every_file_for_linux_can_be_filled_in(name):
    assert "@version@" not in fill(LINUX / name, VALUES)


def test_the_desktop_opens_files_of_the_type_that_is_declared_with_their_suffix():
    entry = ConfigParser(interpolation=None)
    entry.read(LINUX / "lm-lab.desktop", encoding="utf-8")
    (kind,) = Tree.parse(LINUX / "lm-lab.xml").getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    assert kind.find(f"{space}glob").get("pattern") == "*.lmlab"
    assert entry["Desktop Entry"]["MimeType"] == f"{kind.get('type')};"
    assert entry["Desktop Entry"]["Exec"] == "lm-lab %F"
    component = Tree.fromstring(fill(LINUX / "lm-lab.metainfo.xml", VALUES))
    assert component.find("launchable").text == "lm-lab.desktop"
    assert component.find("provides/mediatype").text == kind.get("type")
    assert component.find("releases/release").get("version") == "1.2.3"


def shipped(folder):
    """Return a folder with the launchers, and a Python that prints what it gets."""
    inside = folder / "python" / "bin"
    inside.mkdir(parents=True)
    place_launchers(folder, VALUES, "lm-lab", "lm-lab-python")
    python = inside / "python3.11"
    python.write_text('#!/bin/sh\necho "$PYTHONPATH|$PYTHONUSERBASE|$PIP_USER"\nprintf "%s\\n" "$@"\n')
    python.chmod(0o755)
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="the launchers are those of Linux")
def test_the_lab_starts_from_any_path_and_by_a_link_with_its_own_python(tmp_path):
    folder = shipped(tmp_path / "mit Leerzeichen und Ümlaut")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "lab").symlink_to(folder / "lm-lab")
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONPATH": "/somewhere"}
    said = subprocess.check_output([tmp_path / "bin" / "lab", "train", "a b"], text=True, env=environment).splitlines()
    assert said[0] == f"|{tmp_path}/.local/share/lm-lab/python|1"
    assert said[-2:] == ["train", "a b"]


def test_an_archive_is_the_same_whatever_owner_time_and_mask_its_files_have(tmp_path):
    for name, mode, time in (("one", 0o600, 1), ("two", 0o664, 2)):
        folder = make(tmp_path / name, ["b", "a/c", "run"])
        (folder / "link").symlink_to("b")
        for file in ("b", "a/c"):
            (folder / file).chmod(mode)
            os.utime(folder / file, (time, time))
        (folder / "run").chmod(mode | 0o100)
        products.give_rights(folder)
        products.write_archive(folder, "lab", tmp_path / f"{name}.tar", epoch=1_700_000_000)
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()
    with tarfile.open(tmp_path / "one.tar") as archive:
        found = {entry.name: (entry.mode, entry.uid, entry.mtime) for entry in archive if entry.isreg()}
    assert found["lab/run"] == (0o755, 0, 1_700_000_000)
    assert list(found) == ["lab/a/c", "lab/b", "lab/run"]


def test_sums_are_those_of_sha256sum(tmp_path):
    make(tmp_path, ["b", "a/c"])
    (tmp_path / "link").symlink_to("b")
    lines = sums(tmp_path).splitlines()
    assert [line[66:] for line in lines] == ["a/c", "b"]
    assert lines[1].startswith("3e23e8160039594a33894f6564e1b134")


@pytest.fixture
def fetched(monkeypatch):
    """Return the Pythons for which wheels were fetched; there are none for 3.13."""
    done = []

    def fetch_wheels(folder, python, own):
        if python == "3.13":
            raise CannotBuildError("none")
        done.append(python)

    monkeypatch.setattr(inputs, "fetch_wheels", fetch_wheels)
    monkeypatch.setattr(inputs, "fetch_packages", lambda folder, names: folder.mkdir(parents=True))
    return done


def test_inputs_are_fetched_once_and_a_python_without_wheels_is_left_out(tmp_path, fetched):
    assert fetch(tmp_path / "inputs", tmp_path / "own.whl") == ["3.11", "3.12", "3.14"]
    assert fetch(tmp_path / "inputs", tmp_path / "own.whl") == ["3.11", "3.12", "3.14"]
    assert fetched == ["3.11", "3.12", "3.14"]


def test_inputs_are_fetched_again_once_a_pin_has_changed(tmp_path, fetched, monkeypatch):
    fetch(tmp_path / "inputs", tmp_path / "own.whl")
    (tmp_path / "constraints.txt").write_text("torch==9\n")
    monkeypatch.setattr(inputs, "CONSTRAINTS", tmp_path / "constraints.txt")
    fetch(tmp_path / "inputs", tmp_path / "own.whl")
    assert len(fetched) == 6


def test_what_is_shipped_is_pinned_and_is_an_extra_of_the_lab():
    assert re.fullmatch(r"[\d.]+", pinned("pip"))
    assert set(EXTRAS) <= PYPROJECT["project"]["optional-dependencies"].keys()
    with pytest.raises(CannotBuildError, match="pins no version"):
        pinned("no-such-package")
