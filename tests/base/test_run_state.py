"""The states of runs, trainers and plugins have one list each, and are stored as before."""

import json

from lab.base.run_state import ENDED, RESUMABLE, STARTING_OR_SAVING, STORED, TRAINING, RunState, TrainerState
from lab.host import PluginState


def test_states_are_stored_as_their_words():
    states = [*RunState, *TrainerState, *PluginState]
    assert json.loads(json.dumps(states)) == [state.value for state in states]
    assert [f"{state}" for state in (RunState.FINISHED, PluginState.LEFT_OUT)] == ["finished", "left out"]


def test_every_state_of_a_run_belongs_to_one_group():
    groups = (TRAINING, STARTING_OR_SAVING, ENDED)
    assert sum(map(len, groups)) == len(RunState)
    assert frozenset().union(*groups) == frozenset(RunState)
    assert {RunState.RUNNING} == STORED - ENDED
    assert {RunState.FINISHED} == ENDED - RESUMABLE


def test_every_state_of_a_trainer_but_ready_is_a_state_of_its_run():
    assert {RunState(state) for state in TrainerState if state is not TrainerState.READY} < set(RunState)
