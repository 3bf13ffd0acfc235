"""Rules of the doctor of trainings: functions from what a run has recorded to findings, each with its remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from lab.api.registrations import Registration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Start: TypeAlias = Literal["before", "beginning", "now"]
"""Scope of a remedy: a branch from the last checkpoint before the finding, a new run, or the run itself."""


@dataclass(frozen=True)
class Remedy:
    """A change that heals what a rule found.

    Args:
        what: What to do, in a few words: "A third of the learning rate".
        changes: The new values of settings by their path in the recipe.
        start: Where the change acts. "now" needs live settings, and a run that still trains; otherwise it is "before".
    """

    what: str
    changes: Mapping[str, Any]
    start: Start = "before"


@dataclass(frozen=True)
class Evidence:
    """The series that show what a rule found.

    Args:
        series: Their names.
        limit: The value beyond which something is wrong; None for none.
        log: Whether the values are spread over powers of ten.
    """

    series: tuple[str, ...]
    limit: float | None = None
    log: bool = False


@dataclass(frozen=True)
class Finding:
    """A finding of a rule.

    Args:
        what: One sentence that names the cause, with the figures that show it.
        step: The step at which it was seen first.
        remedy: One sentence: why the remedies help.
        layer: The layer that it is about; "" for the whole model.
        evidence: The series that show it; None without one.
        remedies: What can be done, the most promising first.
    """

    what: str
    step: int
    remedy: str = ""
    layer: str = ""
    evidence: Evidence | None = None
    remedies: tuple[Remedy, ...] = ()


@dataclass(frozen=True)
class RunRecord:
    """The input of a rule: the records of a run so far.

    Args:
        recipe: The recipe with all its settings, as in its TOML file.
        series: By name the (N,) steps and (N,) values of each series, in the order of their first values. A gauge is
            one series for each layer: "update ratio blocks.0".
        facts: What is known of data and model: "targets", the number of tokens or classes; "floors", losses of simple
            models by name; "tokens", those of the training split; "unseen", the symbols that do not occur in it;
            "overlap", the share of the validation text that stands in it, too; "decayed norms", the names of norms to
            which weight decay applies; "neighbours", how far apart the symbols or classes of successive batches are,
            over the distance of distant ones. Each may be missing.
        events: What happened, as in the file of events, oldest first.
        problem: Why it failed; "" if it did not.
    """

    recipe: Mapping[str, Any] = field(default_factory=dict)
    series: Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    events: Sequence[Mapping[str, Any]] = ()
    problem: str = ""

    def setting(self, path: str, default: Any = None) -> Any:
        """Return the value of a setting by its path ("training.clip"); `default` if the recipe has none."""
        value: Any = self.recipe
        for name in path.split("."):
            if not isinstance(value, Mapping) or name not in value:
                return default
            value = value[name]
        return value

    def steps(self, series: str) -> NDArray[np.int64]:
        """Return the (N,) steps of a series; none if there is no such series."""
        import numpy as np

        return self.series[series][0] if series in self.series else np.zeros(0, np.int64)

    def values(self, series: str) -> NDArray[np.float64]:
        """Return the (N,) values of a series; none if there is no such series."""
        import numpy as np

        return self.series[series][1] if series in self.series else np.zeros(0)

    def layers(self, gauge: str) -> dict[str, str]:
        """Return the names of the series of a gauge, by layer, from the input to the output."""
        start = f"{gauge} "
        return {name.removeprefix(start): name for name in self.series if name.startswith(start)}


RuleFunction: TypeAlias = Callable[[RunRecord], list[Finding]]


@dataclass(frozen=True)
class Rule(Registration):
    """The card of a rule. `build(config)` returns a function RunRecord -> list of Findings.

    It is called every few seconds while a run trains, and once at its end, in a thread of its own. It finds nothing
    where the series that it needs are missing.
    """

    build: Callable[[Any], RuleFunction] | str
