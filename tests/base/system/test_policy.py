"""The policy of an administrator is checked field by field; what is broken in it opens nothing."""

import os
import re
import tomllib
from pathlib import Path

import pytest

from lab.base import BadInput
from lab.base.folders import resources
from lab.base.system.policy import LARGEST, MOST_PROBLEMS, STRICTEST, Policy, policy, policy_of, report_problems
from lab.base.system.room import check_room, size_of

FILE = Path("/etc/lm-lab/policy.toml")
EVERYTHING = {
    "devices": ["cpu", "cuda:1"], "threads": 2, "memory_gb": 2.5, "disk_gb": 10, "network": False,
    "allowed_plugins": ["average", "other"], "enabled_plugins": ["average"], "hidden_places": ["plugins"],
    "lessons": ["never-seen", "the-floor"], "language": "de", "theme": "light",
}  # fmt: skip


def test_without_a_file_everything_is_allowed(lab_system):
    assert policy() == Policy()
    assert policy().network
    assert policy().allows_device("cuda:3")
    assert policy().allows_plugin("any")


def test_every_field_is_read(with_policy):
    file = with_policy('devices = ["cpu"]', "threads = 2", "network = false")
    assert policy() == Policy(file, devices=("cpu",), threads=2, network=False)
    assert policy_of(EVERYTHING, FILE).problems == ()
    assert {name: getattr(policy_of(EVERYTHING, FILE), name) for name in EVERYTHING} == {
        name: tuple(value) if isinstance(value, list) else value for name, value in EVERYTHING.items()
    }


def test_it_is_read_once(with_policy):
    file = with_policy("threads = 2")
    assert policy().threads == 2
    file.write_text("threads = 3")
    assert policy().threads == 2


def test_an_empty_file_forbids_nothing(with_policy):
    file = with_policy("")
    assert policy() == Policy(file)


def test_a_kind_of_devices_stands_for_all_of_it_and_the_cpu_may_always_be_used():
    found = policy_of({"devices": ["cuda"]}, FILE)
    assert [found.allows_device(name) for name in ("cpu", "cuda:0", "cuda:1", "mps")] == [True, True, True, False]
    found = policy_of({"devices": ["cuda:1"]}, FILE)
    assert [found.allows_device(name) for name in ("cpu", "cuda:0", "cuda:1")] == [True, False, True]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("devices", "cpu"), ("devices", ["gpu"]), ("devices", [1]), ("threads", 0), ("threads", True), ("threads", 1.5),
        ("threads", "2"), ("memory_gb", 0), ("memory_gb", float("nan")), ("disk_gb", float("inf")), ("disk_gb", []),
        ("network", 0), ("network", "off"), ("allowed_plugins", "average"), ("allowed_plugins", [""]),
        ("enabled_plugins", {"average": True}), ("hidden_places", ["train"]), ("hidden_places", [["home"]]),
        ("lessons", "never-seen"), ("lessons", ["Never Seen"]),
        ("language", "fr"), ("theme", ["dark"]),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_file_field_and_remedy_and_closes_the_network_and_plugins(name, value):
    found = policy_of({name: value}, FILE)
    [problem] = found.problems
    assert problem.field == f"/etc/lm-lab/policy.toml ({name})"
    assert problem.allowed
    assert f"{name} = " in problem.remedy
    assert (found.network, found.allows_plugin("any"), found.enabled_plugins) == (False, False, ())
    assert getattr(found, name) == STRICTEST.get(name, getattr(Policy(), name))


def test_each_example_of_a_remedy_is_allowed():
    for name in EVERYTHING:
        [problem] = policy_of({name: object()}, FILE).problems
        example = problem.remedy.partition("example: ")[2].partition(". Until")[0]
        assert policy_of(tomllib.loads(example), FILE).problems == ()


def test_the_page_for_administrators_has_each_field_and_an_example_that_is_allowed():
    page = (resources() / "docs" / "using" / "administrators.md").read_text(encoding="utf-8")
    example = tomllib.loads(page.partition("```toml\n")[2].partition("```")[0])
    assert policy_of(example, FILE).problems == ()
    assert (
        set(example) == set(EVERYTHING) == set(re.findall(r"^\| `(\w+)` \|", page.partition("## The policy")[2], re.M))
    )


def test_an_unknown_field_is_named_with_the_one_that_may_be_meant():
    found = policy_of({"netwrk": False, "threads": 2}, FILE)
    [problem] = found.problems
    assert "Did you mean network?" in problem.remedy
    assert (found.threads, found.network) == (2, False)


def test_a_rule_that_is_intact_keeps_its_name_while_another_is_broken():
    found = policy_of({"devices": ["cpu"], "theme": "pink"}, FILE)
    assert found.source("devices") == "/etc/lm-lab/policy.toml (devices)"
    assert found.source("network") == "/etc/lm-lab/policy.toml, which is broken"
    assert policy_of({"devices": "gpu"}, FILE).source("devices") == "/etc/lm-lab/policy.toml, which is broken"


def test_thousands_of_wrong_fields_and_endless_values_are_reported_in_short(with_policy):
    with_policy(*(f"a{number} = 1" for number in range(5000)), "threads = 3")
    assert (len(policy().problems), policy().threads) == (MOST_PROBLEMS, 3)
    endless = tomllib.loads("threads = 0x" + "f" * 60000 + "\ndevices = " + "[" * 50 + "]" * 50)
    assert [len(problem.line()) < 600 for problem in policy_of(endless, FILE).problems] == [True, True]


def test_a_plugin_that_is_enabled_but_not_allowed_is_a_contradiction():
    found = policy_of({"allowed_plugins": ["other"], "enabled_plugins": ["average"]}, FILE)
    [problem] = found.problems
    assert (problem.field, problem.value) == ("/etc/lm-lab/policy.toml (enabled_plugins)", "average")
    assert (found.enabled_plugins, found.allows_plugin("other")) == ((), False)


def empty_folder(path):
    path.mkdir()


def pipe(path):
    os.mkfifo(path)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(b"\xff\xfe\x00threads"),
        lambda path: path.write_text("threads = "),
        lambda path: path.write_text("threads = 1\nthreads = 2"),
        lambda path: path.write_text("#" * (LARGEST + 1)),
        lambda path: path.write_text("a" + ".a" * 5000 + " = 1"),
        lambda path: path.write_text("a = " + "[" * 5000),
        lambda path: path.symlink_to(path.parent / "gone"),
        empty_folder,
        pipe,
    ],
    ids=["binary", "torn", "twice", "huge", "dotted", "deep", "dangling", "folder", "pipe"],
)
def test_a_file_that_cannot_be_read_is_reported_and_the_strictest_rules_hold(make, lab_system, reported):
    lab_system.mkdir()
    make(lab_system / "policy.toml")
    report_problems()
    [problem] = reported
    assert problem.field == str(lab_system / "policy.toml")
    assert {name: getattr(policy(), name) for name in STRICTEST} == STRICTEST
    assert "which is broken" in policy().source("network")


def test_a_system_folder_that_is_a_file_is_no_way_around_the_policy(lab_system):
    lab_system.write_text("")
    assert not policy().network


def test_a_refused_download_names_the_rule_and_the_way_without_a_network():
    with pytest.raises(BadInput) as caught:
        policy_of({"network": False}, FILE).refuse_network("download", "alice", "Copy it")
    problem = caught.value.problem
    assert problem.what == "downloads are not allowed by /etc/lm-lab/policy.toml (network)"
    assert (problem.field, problem.value, problem.remedy) == ("download", "alice", "Copy it")
    Policy().refuse_network("download", "alice", "Copy it")


def test_no_more_is_added_to_a_home_that_is_as_large_as_allowed(with_policy, lab_home):
    file = with_policy("disk_gb = 0.1")
    (lab_home / "runs").mkdir(parents=True)
    with (lab_home / "runs" / "large").open("wb") as large:
        large.truncate(60 * 10**6)
    check_room(coming=30 * 10**6)
    with pytest.raises(BadInput, match=r"allowed by .*\(disk_gb\)") as caught:
        check_room(coming=50 * 10**6)
    assert str(file) in caught.value.problem.what


def test_the_size_of_a_folder_counts_no_linked_file(tmp_path):
    (tmp_path / "one" / "inner").mkdir(parents=True)
    (tmp_path / "one" / "inner" / "file").write_bytes(b"12345")
    (tmp_path / "outside").write_bytes(b"123")
    (tmp_path / "one" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "one" / "loop").symlink_to(tmp_path / "one")
    assert size_of(tmp_path / "one") == 5
    assert size_of(tmp_path / "gone") == 0
