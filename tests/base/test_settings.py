"""The person's settings: sections in one file that is never lost."""

import json
import subprocess
import sys
import threading

import pytest

from lab.base import LabError
from lab.base.settings import change_section, read_section, read_settings


@pytest.fixture
def file(lab_home):
    """The settings' file, in a folder that exists."""
    lab_home.mkdir()
    return lab_home / "settings.json"


def test_at_first_there_are_none(reported):
    assert read_settings() == {}
    assert read_section("plugins") == {}
    assert reported == []


def test_a_section_is_read_as_it_was_written_and_others_stay(lab_home):
    change_section("plugins", lambda _: {"enabled": {"ä": "1"}})
    change_section("window", lambda _: {"size": [3, 4]})
    change_section("plugins", lambda _: {"enabled": {}})
    assert read_settings() == {"plugins": {"enabled": {}}, "window": {"size": [3, 4]}}
    assert json.loads((lab_home / "settings.json").read_text())["version"] == 1


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b"null", b"\xff\xfe", b'{"version": 0}', b'{"version": "2"}', b"{}"]
)
def test_a_file_that_holds_no_settings_is_moved_away_and_reported(file, reported, content):
    file.write_bytes(content)
    assert read_settings() == {}
    assert file.with_name("settings.json.damaged").read_bytes() == content
    assert not file.exists()
    assert reported[0].field == "settings.json"
    assert "settings.json.damaged" in reported[0].remedy


def test_settings_of_a_later_version_are_kept_and_those_of_this_one_come_back(file, reported):
    later = {"version": 2, "window": {"size": "large"}}
    file.write_text(json.dumps(later))
    file.with_name("settings.v1.json").write_text('{"version": 1, "window": {"size": 3}}')
    assert read_settings() == {"window": {"size": 3}}
    assert json.loads(file.with_name("settings.v2.json").read_text()) == later
    assert json.loads(file.read_text()) == {"version": 1, "window": {"size": 3}}
    [problem] = reported
    assert "settings.v2.json" in problem.remedy
    assert read_settings() == {"window": {"size": 3}}
    assert len(reported) == 1


def test_settings_of_a_later_version_without_earlier_ones_leave_the_defaults(file):
    file.write_text('{"version": 7, "window": {}}')
    assert read_settings() == {}
    change_section("window", lambda _: {"size": 1})
    assert read_settings() == {"window": {"size": 1}}


def test_settings_of_an_earlier_version_are_migrated_step_by_step_and_a_copy_is_kept(file, reported, monkeypatch):
    steps = {1: lambda old: {"window": {"sizes": old["window"]["size"]}}, 2: lambda old: {**old, "new": {}}}
    monkeypatch.setattr("lab.base.settings.VERSION", 3)
    monkeypatch.setattr("lab.base.settings.MIGRATIONS", steps)
    file.write_text('{"version": 1, "window": {"size": 3}}')
    assert read_settings() == {"window": {"sizes": 3}, "new": {}}
    assert json.loads(file.read_text()) == {"version": 3, "window": {"sizes": 3}, "new": {}}
    assert json.loads(file.with_name("settings.v1.json").read_text()) == {"version": 1, "window": {"size": 3}}
    assert "settings.v1.json" in reported[0].remedy


def test_settings_of_another_version_are_read_without_a_copy_where_nothing_can_be_written(file, monkeypatch):
    file.write_text('{"version": 2}')

    def full(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("lab.base.files.writing._write_synced", full)
    assert read_settings() == {}
    assert file.read_text() == '{"version": 2}'


def test_settings_that_belong_to_another_person_are_left_as_they_are(file, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    file.write_text('{"version": 1, "window": {}}')
    monkeypatch.setattr("lab.base.settings.read_json", refuse)
    assert read_settings() == {}
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(LabError, match="Permission denied"):
        change_section("window", lambda _: {"size": 1})
    assert file.read_text() == '{"version": 1, "window": {}}'


def test_writing_onto_a_damaged_file_keeps_the_old_one_aside(file):
    file.write_text("{")
    change_section("window", lambda _: {"size": 1})
    assert read_section("window") == {"size": 1}
    assert file.with_name("settings.json.damaged").read_text() == "{"


def test_a_section_that_is_no_table_is_read_as_empty(file):
    file.write_text('{"version": 1, "window": 5}')
    assert read_section("window") == {}


def test_settings_that_cannot_be_written_are_reported_with_the_folder(file, monkeypatch):
    change_section("window", lambda _: {"size": 1})

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lab.base.files.writing._write_synced", full)
    with pytest.raises(LabError, match="No space left"):
        change_section("window", lambda _: {"size": 2})
    assert read_section("window") == {"size": 1}


def test_sections_written_from_many_threads_are_all_there(lab_home):
    threads = [threading.Thread(target=change_section, args=(f"s{number}", lambda _: {"n": 1})) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read_settings() == {f"s{number}": {"n": 1} for number in range(12)}


def test_sections_written_from_two_processes_are_all_there(lab_home):
    code = "import sys; from lab.base.settings import change_section\n"
    code += "for number in range(60): change_section(f'{sys.argv[1]}{number}', lambda _: {'n': 1})"
    processes = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "ab"]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert read_settings() == {f"{name}{number}": {"n": 1} for name in "ab" for number in range(60)}


def test_a_section_is_changed_by_two_processes_without_losing_a_change(lab_home):
    code = "from lab.base.settings import change_section\n"
    code += "for _ in range(60): change_section('s', lambda old: {'n': old.get('n', 0) + 1})"
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert read_section("s") == {"n": 120}
