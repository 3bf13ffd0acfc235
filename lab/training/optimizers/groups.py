"""The groups of a model's parameters, their learning rates and the state of their optimizer."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from lab.api import ParameterGroup
from lab.base import BadInput, LabError
from lab.layers import UNDECAYED, fan_ins, parameter_roles, spared_by_name
from lab.training.patterns import named_by
from lab.training.recording.checkpoints import packed, unpacked
from lab.training.resolution import Resolved

FROZEN = "training.frozen"
"""The path of the setting with the patterns of frozen parameters."""
OF_RATES = ("lr", "initial_lr", "rate_factor")
"""Entries of a group that follow from the settings and the step."""
OF_SETTINGS = "live_values"
"""The entry of a group with the LiveValue of each live setting that it has."""


def parameter_groups(model: nn.Module, *, roles: bool = False) -> list[Any]:
    """Return the groups of a model's trained parameters.

    Matrices and tensors of more dimensions decay, except norms, recurrences and those that a module names in `no_decay`
    (Radford et al. 2018).

    Args:
        model: The model.
        roles: Whether to return a ParameterGroup for each role, layer, width and decay, in the order of the model, or
            two groups: those that decay and those that do not.
    """
    role_of, widths, decaying = parameter_roles(model), fan_ins(model), decaying_parameters(model)
    trained = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    decays = {name: name in decaying for name, _ in trained}
    if not roles:
        return [{"params": [p for name, p in trained if decays[name] is own], "decays": own} for own in (True, False)]
    groups: dict[Any, ParameterGroup] = {}
    for name, p in trained:
        key = role_of[name], layer_number(name), widths[id(p)], decays[name]
        empty = ParameterGroup(params=[], names=[], role=key[0], layer=key[1], width=key[2], decays=key[3])
        group = groups.setdefault(key, empty)
        group["params"].append(p)
        group["names"].append(name)
    return list(groups.values())


def decaying_parameters(model: nn.Module) -> dict[str, nn.Parameter]:
    """Return the trained parameters that decay, by name, as `parameter_groups` says."""
    spared, role_of = spared_by_name(model), parameter_roles(model)
    return {
        name: p
        for name, p in model.named_parameters()
        if p.requires_grad and p.ndim >= 2 and id(p) not in spared and role_of[name] not in UNDECAYED
    }


def layer_number(parameter: str) -> int | None:
    """Return the first whole number in a parameter's name ("blocks.3"), or that of a fused layer ("weight_ih_l2")."""
    found = re.search(r"(?:^|\.)(\d+)(?:\.|$)", parameter) or re.search(r"_l(\d+)(?:_reverse)?$", parameter)
    return int(found.group(1)) if found else None


def freeze(model: nn.Module, patterns: str) -> None:
    """Exclude parameters from training.

    Args:
        model: The model.
        patterns: Names of parameters separated by commas, in which * stands for any characters; "" for none.

    Raises:
        BadInput: A pattern fits no parameter, or together they fit all.
    """
    named = dict(model.named_parameters())
    frozen = named_by(patterns, named, FROZEN)
    if frozen and len(frozen) == len(named):
        raise BadInput("leaves nothing to train", field=FROZEN, value=patterns, remedy="Leave out a pattern")
    for parameter in frozen.values():
        parameter.requires_grad_(False)


def optimizer_of(optimizer: Resolved, groups: list[Any], device: torch.device) -> torch.optim.Optimizer:
    """Return the optimizer that a card makes.

    Args:
        optimizer: Its card and config.
        groups: The result of `parameter_groups`.
        device: The device of the parameters.

    Raises:
        BadInput: It refuses its settings.
        LabError: Its code raised, or made something else; the problem names its plugin.
    """
    made = optimizer.make(groups, device)
    if not isinstance(made, torch.optim.Optimizer):
        what, allowed = f"{optimizer.card.name} made a {type(made).__name__}", "a torch.optim.Optimizer"
        raise LabError(what, field=optimizer.field, allowed=allowed, plugin=optimizer.plugin)
    return made


# ---- rates and state


def note_rates(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Note the factor of each group's own learning rate to that of the settings.

    Args:
        optimizer: A new optimizer; a group with the default rate has the factor 1.
        rate: The learning rate of the settings it was made with.
    """
    for group in optimizer.param_groups:
        own = group.get("lr", rate)
        group["rate_factor"] = 1.0 if not rate or own == optimizer.defaults.get("lr", rate) else float(own) / rate


def set_rates(optimizer: torch.optim.Optimizer, rate: float, factor: float) -> None:
    """Set the learning rates before a step.

    Args:
        optimizer: The optimizer.
        rate: The learning rate of the settings, with live edits.
        factor: The factor of the schedule.
    """
    for group in optimizer.param_groups:
        group["initial_lr"] = rate * group.get("rate_factor", 1.0)
        group["lr"] = factor * group["initial_lr"]


@dataclass
class LiveValue:
    """The value of a live setting in one group.

    Args:
        setting: The value of the setting that the optimizer was made with.
        own: The value that the group was made with.
        written: The value that the group was given last.
    """

    setting: Any
    own: Any
    written: Any

    def after(self, name: str, value: Any) -> Any:
        """Return the group's value after the setting `name` changed to `value`."""
        if not isinstance(self.own, torch.Tensor) and self.own == self.setting:
            return value
        if name != "weight_decay" or value == self.setting or not self.setting:
            return self.own
        return self.own * (value / self.setting)


def note_live_values(optimizer: torch.optim.Optimizer, settings: Mapping[str, Any]) -> None:
    """Note the value of each live setting in each group.

    Args:
        optimizer: A new optimizer.
        settings: The live settings it was made with.
    """
    for group in optimizer.param_groups:
        group[OF_SETTINGS] = {
            name: LiveValue(value, copy.deepcopy(group[name]), copy.deepcopy(group[name]))
            for name, value in settings.items()
            if name in group
        }


def set_in_groups(optimizer: torch.optim.Optimizer, setting: str, value: Any) -> None:
    """Set a live setting in the groups that have it; weight decay only in those that decay.

    A group made with a weight decay of its own gets it in proportion; one made with another own value keeps it.
    """
    for group in optimizer.param_groups:
        if setting in group and (setting != "weight_decay" or group.get("decays", True)):
            noted = group.get(OF_SETTINGS, {}).get(setting)
            group[setting] = noted.after(setting, value) if noted else value
            if noted:
                noted.written = copy.deepcopy(group[setting])


class OptimizerState:
    """The state of an optimizer for a checkpoint: that of each parameter, and what changes in the groups between steps.

    A live setting is saved elsewhere; only a value that the optimizer itself gave it is part of this state.

    Args:
        optimizer: A new optimizer with noted live values, whose groups are compared with later ones.
        parameters: The parameters of the model by name.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, parameters: Mapping[str, nn.Parameter]) -> None:
        self._optimizer, self._parameters = optimizer, parameters
        self._names = {id(parameter): name for name, parameter in parameters.items()}
        self._first = [copy.deepcopy(self._entries(group)) for group in optimizer.param_groups]

    def _entries(self, group: Mapping[str, Any]) -> dict[str, Any]:
        left_out = {"params", *OF_RATES, OF_SETTINGS}
        given = group.get(OF_SETTINGS, {})
        left_out |= {name for name, live in given.items() if _equal(group.get(name), live.written)}
        return {name: value for name, value in group.items() if name not in left_out}

    def state_dict(self, tensors: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Put the tensors into `tensors`; return the rest as plain data: "optimizer" by parameter, and "groups".

        A group is stored if it has changed, with the names of its parameters.
        """
        of_parameters = {
            name: packed(self._optimizer.state[parameter], f"optimizer/{name}", tensors)
            for name, parameter in self._parameters.items()
            if parameter in self._optimizer.state
        }
        groups: list[dict[str, Any]] = []
        for number, group in enumerate(self._optimizer.param_groups):
            first = self._first[number] if number < len(self._first) else {}
            changed = {key: value for key, value in self._entries(group).items() if not _equal(value, first.get(key))}
            if changed:
                names = [self._names.get(id(parameter), "") for parameter in group["params"]]
                stored = packed(changed, f"group/{len(groups)}", tensors)
                groups.append({"parameters": names, "state": stored})
        return {"optimizer": of_parameters, "groups": groups}

    def load_state_dict(self, facts: Mapping[str, Any], tensors: dict[str, torch.Tensor]) -> None:
        """Restore what `state_dict` returned; a group gets what was saved with its first parameter."""
        for name, shape in facts["optimizer"].items():
            self._optimizer.state[self._parameters[name]] = unpacked(shape, tensors)
        groups = facts.get("groups", ())  # missing in older files
        by_name = {name: unpacked(each["state"], tensors) for each in groups for name in each["parameters"]}
        for group in self._optimizer.param_groups:
            first = self._names.get(id(group["params"][0]), "") if group["params"] else ""
            entries: Any = by_name.get(first, {})
            for key, value in entries.items():
                device = group[key].device if isinstance(group.get(key), torch.Tensor) else None
                group[key] = value.to(device) if device and isinstance(value, torch.Tensor) else copy.deepcopy(value)


def _equal(one: Any, other: Any) -> bool:
    """Return True if two values of a group are the same, tensors inside lists and dicts included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, torch.Tensor):
        return torch.equal(one.cpu(), other.cpu())
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)
