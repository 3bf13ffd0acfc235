"""The contracts a plugin is written against. No Qt, and no torch when this is imported."""

from lab.api.architecture import Architecture, ChannelStackConfig, Cost, Mixer, MixerStackConfig, Size, Slot, Task, load
from lab.api.checkpoint_tables import Table
from lab.api.checkpoints import Asked, HuggingFace
from lab.api.config import ModelConfig, NotAllowed, StackConfig, setting, within
from lab.api.examples import Drawn, Examples
from lab.api.hooks import API_VERSION, HOOKS, Hooks, Register, hookimpl
from lab.api.model import LanguageModel, NotCausal
from lab.api.objective import Batch, Loss, Objective, Shaped, Source
from lab.api.parts import (
    CheckpointFormat,
    Converter,
    NoSettings,
    ObjectiveCard,
    Observer,
    Optimizer,
    Part,
    Probe,
    ProbeFunction,
    RunObserver,
    Sampler,
    Schedule,
    View,
)
from lab.api.pattern import PatternBlock, PatternStackConfig, completed, pattern_setting
from lab.api.randomness import scrambled, uniforms
from lab.api.readings import AXES, Listener, Reading, capture, checked_readings, layer_of
from lab.api.settings import Setting, settings_of
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
from lab.api.text import ENTROPY_RATE, Corpus, LongText, Text, Tokenization, Tokenizer
from lab.base import BadInput, LabError, Problem

__all__ = [
    "API_VERSION",
    "AXES",
    "ENTROPY_RATE",
    "HOOKS",
    "Architecture",
    "Asked",
    "BadInput",
    "Batch",
    "ChannelStackConfig",
    "CheckpointFormat",
    "Converter",
    "Corpus",
    "Cost",
    "Drawn",
    "Examples",
    "Hooks",
    "HuggingFace",
    "LabError",
    "LanguageModel",
    "Listener",
    "LongText",
    "Loss",
    "Mixer",
    "MixerStackConfig",
    "ModelConfig",
    "NoSettings",
    "NotAllowed",
    "NotCausal",
    "Objective",
    "ObjectiveCard",
    "Observer",
    "Optimizer",
    "Part",
    "PatternBlock",
    "PatternStackConfig",
    "Probe",
    "ProbeFunction",
    "Problem",
    "Reading",
    "Register",
    "RunObserver",
    "Sampler",
    "Schedule",
    "Setting",
    "Shaped",
    "Size",
    "Slot",
    "Source",
    "StackConfig",
    "State",
    "Table",
    "Task",
    "Text",
    "Tokenization",
    "Tokenizer",
    "View",
    "capture",
    "checked_readings",
    "completed",
    "copy_state",
    "detach_state",
    "hookimpl",
    "join_states",
    "layer_of",
    "load",
    "map_state",
    "pattern_setting",
    "scrambled",
    "select_state",
    "setting",
    "settings_of",
    "state_bytes",
    "tensors_of",
    "uniforms",
    "within",
]
