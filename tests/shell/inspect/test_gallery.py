"""The gallery of Inspect without a window: questions, search, what runs and what is shown for each question."""

import pytest

from lab.api import Explanation
from lab.base.problems import Problem
from lab.shell.inspect.gallery.entries import ALL, OTHER, OWN, Cost, Entry, answered, formula_words, grouped
from lab.shell.inspect.gallery.probe_selection import Offer, ProbeSelection
from lab.shell.inspect.gallery.reading_selection import ReadingSelection
from lab.shell.inspect.model import InspectModel

HEADS, STATE, STRANGE = ("mixing", ("query", "key")), ("state", ("token",)), ("strange", ("lag",))
QUESTIONS = {HEADS: ("attention", "gradient"), STATE: ("memory",), STRANGE: (OTHER,)}


def entry(title, *questions, **named):
    """Return an entry of the gallery."""
    return Entry(
        (title,), named.pop("is_probe", False), title, named.pop("caption", ""), questions, Cost("free"), **named
    )


def probe(name, question="", *, recorded=False, own=False):
    """Return the offer of a probe whose reading answers a question."""
    explanations = {name: Explanation(shows="", how="", question=question)} if question else {}
    return Offer(name, name.title(), "", own, recorded, explanations)


@pytest.fixture
def readings():
    """Return three cards, of which one is in the own selection."""
    made = ReadingSelection()
    made.offer({key: set() for key in QUESTIONS}, 1, QUESTIONS)
    return made


@pytest.fixture
def probes():
    """Return the selection of a recorded probe and one that is not."""
    made = ProbeSelection()
    made.offer([probe("scores", "work", recorded=True), probe("reach", "gradient"), probe("strange")])
    return made


# ---- groups and search


def test_entries_stand_below_the_first_question_they_answer_and_without_one_under_other():
    entries = [entry("State", "memory"), entry("Heads", "attention", "gradient"), entry("Strange")]
    titles = [(group, [one.title for one in members]) for group, members in grouped(entries)]
    assert titles == [("attention", ["Heads"]), ("memory", ["State"]), (OTHER, ["Strange"])]


def test_a_question_lists_only_what_answers_it():
    entries = [entry("State", "memory"), entry("Heads", "attention", "gradient")]
    assert grouped(entries, "gradient") == [("gradient", [entries[1]])]
    assert grouped(entries, "work") == []


def test_a_probe_that_refused_this_model_answers_no_question_but_stays_in_the_complete_list():
    entries = [entry("Memory", "memory", is_refused=True, problem="for other models")]
    assert grouped(entries, "memory") == []
    assert answered(entries) == []
    assert grouped(entries, ALL) == [("memory", entries)]


def test_only_questions_that_something_answers_are_offered():
    assert answered([entry("Heads", "attention", "gradient"), entry("Strange")]) == ["attention", "gradient", OTHER]


@pytest.mark.parametrize("words", ["token mix", "EACH POSITION", "softmax", "reading", "MIX pos", "attention"])
def test_a_search_finds_titles_captions_formulas_kinds_and_what_is_asked(words):
    found = entry("Token mixing", "attention", caption="Where each position reads", terms="reading softmax Q K")
    assert grouped([found, entry("State", "memory")], OWN, words) == [("attention", [found])]


def test_a_search_goes_through_all_questions():
    state = entry("State", "memory")
    assert grouped([state, entry("Heads", "attention")], "attention", "state") == [("memory", [state])]
    assert grouped([state], OWN, "nothing like it") == []


def test_a_formula_is_found_by_its_letters_and_functions():
    assert formula_words(r"\mathrm{softmax}(W_{QK} x_1)").split() == ["mathrm", "softmax", "W", "QK", "x", "1"]


# ---- which cards are shown


def test_a_question_shows_the_cards_that_answer_it_and_all_shows_every_card(readings):
    assert readings.selected == [HEADS]
    readings.select_view("memory")
    assert readings.selected == [STATE]
    readings.select_view("gradient")
    assert readings.selected == [HEADS]
    readings.select_view(OTHER)
    assert readings.selected == [STRANGE]
    readings.select_view(ALL)
    assert readings.selected == [HEADS, STATE, STRANGE]


def test_what_is_hidden_among_the_answers_to_a_question_stays_in_the_own_selection(readings):
    readings.select_view("attention")
    readings.switch(HEADS, on=False)
    assert readings.selected == []
    readings.select_view(OWN)
    assert readings.selected == [HEADS]


def test_a_question_does_not_change_what_is_first_in_the_own_selection():
    readings = ReadingSelection()
    readings.select_view("memory")
    readings.offer({STATE: set()}, 1, QUESTIONS)
    readings.offer({HEADS: set(), STATE: set()}, 1, QUESTIONS)
    readings.select_view(OWN)
    assert readings.selected == [HEADS]


def test_a_question_that_is_selected_again_shows_all_its_answers():
    model = InspectModel()
    model.readings.offer({key: set() for key in QUESTIONS}, 1, QUESTIONS)
    model.select_view("memory")
    model.readings.switch(STATE, on=False)
    model.select_view("memory")
    assert model.readings.selected == [STATE]


def test_a_card_that_is_wanted_is_not_hidden_by_an_earlier_switch(readings):
    readings.select_view("memory")
    readings.switch(STATE, on=False)
    readings.want([STATE])
    assert readings.selected == [STATE]


# ---- which probes run


def test_a_question_runs_the_probes_that_answer_it_besides_those_that_are_on(probes):
    assert probes.on == ["scores"]
    probes.view = "gradient"
    assert probes.on == ["scores", "reach"]
    probes.view = OTHER
    assert probes.on == ["scores", "strange"]
    probes.view = ALL
    assert probes.on == ["scores"]


def test_a_probe_that_is_switched_off_for_a_question_stays_on_elsewhere(probes):
    probes.switch("reach", on=True)
    probes.view = "gradient"
    probes.switch("reach", on=False)
    assert probes.on == ["scores"]
    probes.view = OWN
    assert probes.on == ["scores", "reach"]
    probes.view = "gradient"
    probes.reset()
    assert probes.on == ["scores", "reach"]


def test_spare_probes_run_only_for_the_own_selection():
    probes = ProbeSelection()
    probes.offer([probe("extra", "work", own=True)])
    assert probes.spare == ["extra"]
    probes.view = "memory"
    assert probes.spare == []
    probes.view = OWN
    probes.decide(["extra"])
    assert (probes.spare, probes.on) == ([], ["extra"])


def test_a_problem_is_forgotten_when_its_probe_is_switched_or_another_model_comes(probes):
    probes.problems = {"reach": Problem("no"), "scores": Problem("no")}
    probes.switch("reach", on=False)
    assert [*probes.problems] == ["scores"]
    probes.offer([probe("scores", "work")])
    assert probes.problems == {}


def test_a_question_needs_the_model_only_if_a_probe_of_it_did_not_run():
    model = InspectModel()
    model.start()
    model.probes.offer([probe("reach", "gradient")])
    source = InspectModel()  # any model
    model.request(source, None, 0.0)
    model.select_view("gradient")
    assert model.is_probe_missing()
    model.request(source, None, 0.0, probes=model.probes.on)
    assert not model.is_probe_missing()


def test_the_cards_of_a_probe_are_switched_with_it():
    model = InspectModel()
    model.probes.offer([probe("reach")])
    model.readings.offer({STRANGE: set()}, 1, QUESTIONS)
    model.probe_of[STRANGE] = "reach"
    model.switch_probe("reach", on=False)
    assert (model.probes.on, model.readings.selected) == ([], [])
    model.switch_probe("reach", on=True)
    assert (model.probes.on, model.readings.selected) == (["reach"], [STRANGE])
