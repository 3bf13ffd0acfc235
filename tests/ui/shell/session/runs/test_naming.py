"""Names of runs in the window: a run keeps the name with which it was started, in the list and on disk."""

from lab.runs import RunFolder


def names(session):
    """The names in the list, the oldest run first."""
    return [run.name for run in reversed(session.registry.runs)]


def test_a_run_keeps_its_name_when_runs_of_its_title_come_and_go(open_session, small, until):
    session = open_session()
    until(lambda: session.registry.is_listed)
    session.registry.start(small("training.steps=2"))
    until(lambda: session.selected.state == "finished")
    assert names(session) == ["Small"]
    session.registry.start(small("training.steps=3"))
    until(lambda: session.selected.state == "finished")
    assert names(session) == ["Small", "Small · 3 steps"]
    session.registry.remove(session.registry.runs[1])
    assert names(session) == ["Small · 3 steps"]


def test_a_queued_run_keeps_its_name_when_its_folder_is_made_and_at_the_next_start(open_session, until):
    session = open_session("training.steps=2")
    until(lambda: session.registry.is_listed)
    for _ in range(3):
        session.start()
    runs = list(reversed(session.registry.runs))
    assert names(session) == ["Small", "Small 2", "Small 3"]
    assert session.registry.withdraw(runs[1])
    until(lambda: runs[2].state == "finished")
    assert [RunFolder.open(run.path).facts["name"] for run in (runs[0], runs[2])] == ["Small", "Small 3"]
    again = open_session()
    until(lambda: names(again) == ["Small", "Small 3"])


def test_a_run_started_before_the_list_was_read_gets_a_name_that_no_run_on_disk_has(open_session, saved_run, until):
    saved_run("Small")
    session = open_session("training.steps=2")
    session.registry.is_listed = False
    session.start()
    run = session.selected
    until(lambda: run.state == "finished")
    assert run.assigned_name not in ("", "Small")


def test_a_new_run_leaves_the_names_of_earlier_versions_as_they_are(open_session, saved_run, small, until):
    for layers in (2, 3):
        saved_run("Small", recipe=small(f"architecture.layers={layers}"))
    session = open_session("training.steps=2")
    until(lambda: names(session) == ["Small · 2 layers", "Small · 3 layers"])
    session.start()
    assert names(session)[:2] == ["Small · 2 layers", "Small · 3 layers"]
    assert names(session)[2].startswith("Small")
