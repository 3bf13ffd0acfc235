"""The contracts a plugin is written against. No Qt, and no torch when this is imported."""

from lab.api.architecture import Architecture, Cost, Mixer, MixerStackConfig, Slot, Task, load
from lab.api.config import ModelConfig, Setting, StackConfig, setting, settings_of
from lab.api.counter import scrambled, uniforms
from lab.api.hooks import API_VERSION, HOOKS, Hooks, hookimpl
from lab.api.model import LanguageModel, NotCausal
from lab.api.objective import Batch, Loss, Objective, Shaped, Source
from lab.api.parts import (
    NoSettings,
    ObjectiveCard,
    Observer,
    Optimizer,
    Part,
    Probe,
    RunObserver,
    Sampler,
    Schedule,
)
from lab.api.readings import AXES, Listener, Reading, capture, layer_of
from lab.api.state import (
    State,
    copy_state,
    detach_state,
    join_states,
    map_state,
    select_state,
    state_bytes,
    tensors_of,
)
from lab.api.text import Corpus, Text, Tokenization, Tokenizer
from lab.base import BadInput, LabError, Problem

__all__ = [
    "API_VERSION",
    "AXES",
    "HOOKS",
    "Architecture",
    "BadInput",
    "Batch",
    "Corpus",
    "Cost",
    "Hooks",
    "LabError",
    "LanguageModel",
    "Listener",
    "Loss",
    "Mixer",
    "MixerStackConfig",
    "ModelConfig",
    "NoSettings",
    "NotCausal",
    "Objective",
    "ObjectiveCard",
    "Observer",
    "Optimizer",
    "Part",
    "Probe",
    "Problem",
    "Reading",
    "RunObserver",
    "Sampler",
    "Schedule",
    "Setting",
    "Shaped",
    "Slot",
    "Source",
    "StackConfig",
    "State",
    "Task",
    "Text",
    "Tokenization",
    "Tokenizer",
    "capture",
    "copy_state",
    "detach_state",
    "hookimpl",
    "join_states",
    "layer_of",
    "load",
    "map_state",
    "scrambled",
    "select_state",
    "setting",
    "settings_of",
    "state_bytes",
    "tensors_of",
    "uniforms",
]
