"""The parts of decoding from the cards that the user chose: strategy, filters, and what ends a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lab.api import (
    Ahead,
    BadInput,
    Chooser,
    Constraint,
    Continuation,
    DecodingStep,
    FilterFunction,
    Hypothesis,
    RunReader,
    Tokenizer,
    settings_of,
)
from lab.base.problems import LabError, attributed, remedy_for
from lab.host import Plugins
from lab.recipes import Choice, Decoding

if TYPE_CHECKING:
    from lab.decoding.pipeline import NamedFilter
    from lab.decoding.stops import End, Stops

SHORT = "sampling"
"""The field of settings that are given by the name of a filter alone."""


def text_of(tokenizer: Tokenizer, tokens: Sequence[int]) -> str:
    """Return the text of tokens; the end of a target, numbered after the tokenizer's symbols, stands for none."""
    return tokenizer.decode([token for token in tokens if token < tokenizer.vocabulary_size])


@dataclass(frozen=True)
class DecodingParts:
    """Makes the parts of decoding for one tokenizer; errors in them name their plugins.

    Args:
        plugins: Where strategies and filters are found.
        tokenizer: The tokenizer of the model.
        tokenizer_plugin: The plugin that registered it.
        prompt: Number of tokens of the prompt.
        open_run: (name of a run, setting that names it) -> its reader.
    """

    plugins: Plugins
    tokenizer: Tokenizer
    tokenizer_plugin: str
    prompt: int
    open_run: Callable[[str, str], RunReader]

    def strategy(self, decoding: Decoding) -> Chooser:
        """Return the strategy, for one text.

        Raises:
            BadInput: There is no such strategy, or it does not allow its settings, or a run in them cannot be used.
            LabError: Its plugin's code raised.
        """
        from lab.training.resolution import resolve

        found = resolve(self.plugins, "strategies", decoding.strategy, "strategy")
        return _Attributed(found.make(*self._readers(found)), found.plugin, found.card.title)

    def filters(self, decoding: Decoding, short: Mapping[str, Any]) -> list[NamedFilter]:
        """Return the filters in their order.

        Args:
            decoding: It names them.
            short: The first setting of filters, by their names, with "_" for "-".

        Raises:
            BadInput: There is no such filter, it does not allow its settings, a run in them cannot be used, or `short`
                names none of them.
            LabError: A plugin's code raised.
        """
        from lab.decoding.pipeline import NamedFilter
        from lab.training.resolution import resolve

        names = {one.name.replace("-", "_"): one for one in decoding.filters}
        unknown = next((name for name in short if name not in names), None)
        if unknown is not None:
            remedy = "Add the filter first, or leave this setting out"
            allowed = ", ".join(names) or "none: there is no filter"
            raise BadInput(
                "is no filter of this text", field=f"{SHORT}.{unknown}", value=short[unknown], allowed=allowed,
                remedy=remedy,
            )  # fmt: skip
        made = []
        for name, choice in names.items():
            given = choice if name not in short else self._with_first(choice, name, short[name])
            found = resolve(self.plugins, "filters", given, f"filters.{choice.name}")
            text = [self.tokenizer] if found.card.reads_text else []
            prompt = [self.prompt] if found.card.after_prompt else []
            function = _attributed(found.make(*text, *prompt, *self._readers(found)), found)
            made.append(NamedFilter(choice.name, function, found.plugin))
        return made

    def stops(self, decoding: Decoding) -> Stops:
        """Return what ends the text.

        Raises:
            BadInput: A stop string is empty, or a stop symbol is not one token.
            LabError: The tokenizer's plugin raised.
        """
        from lab.decoding.stops import End, Stops

        if "" in decoding.stop:
            raise BadInput("is empty", field="stop", allowed="at least one character", remedy="Leave it out")
        symbols: dict[int, End] = {}
        with attributed(self.tokenizer_plugin, "Decoding"):
            if decoding.end_of_text:
                ends = getattr(self.tokenizer, "end_of_text", ())
                symbols = {number: End("end of text", self.tokenizer.label(number)) for number in ends}
            for text in decoding.stop_symbols:
                symbols[self._number_of(text)] = End("stop symbol", text)
        return Stops(symbols, tuple(decoding.stop), partial(text_of, self.tokenizer))

    def _readers(self, found: Any) -> list[dict[str, RunReader]]:
        """Return the readers of the runs that the settings of a card name, as one argument of its factory, or none."""
        names = [one.name for one in settings_of(type(found.config), nested=False) if one.run]
        runs = {name: self.open_run(getattr(found.config, name), f"{found.field}.{name}") for name in names}
        return [runs] if names else []

    def _with_first(self, choice: Choice, name: str, value: Any) -> Choice:
        """Return the choice of a filter with its first setting, checked so that problems name the short form."""
        config = self.plugins.card("filters", choice.name, field="filters").config
        first = next(iter(config.model_fields), None)
        if first is None:
            raise BadInput("has no settings", field=f"{SHORT}.{name}", value=value, remedy="Give its name alone")
        try:
            config.read({first: value})
        except BadInput as error:
            raise BadInput(replace(error.problem, field=f"{SHORT}.{name}")) from None
        return Choice(**{**choice.model_dump(), first: value})

    def _number_of(self, text: str) -> int:
        """Return the number of the one symbol of a text."""
        try:
            tokens = self.tokenizer.encode(text)
        except BadInput as error:
            raise BadInput(replace(error.problem, field="stop_symbols", value=text)) from None
        if len(tokens) != 1:
            what = f"is {len(tokens)} tokens of this model"
            raise BadInput(what, field="stop_symbols", value=text, allowed="one token", remedy="Make it a stop string")
        return int(tokens[0])


def _attributed(apply: Any, found: Any) -> FilterFunction:
    """Return a filter whose errors name its plugin."""
    if isinstance(apply, Constraint):
        return _AttributedConstraint(apply, found.plugin, found.card.title)

    def call(logits: Any, histories: Any) -> Any:
        with attributed(found.plugin, found.card.title):
            return apply(logits, histories)

    return call


class _AttributedConstraint(Constraint):
    """A constraint whose errors name its plugin."""

    def __init__(self, constraint: Constraint, plugin: str, title: str) -> None:
        self._constraint, self._plugin, self._title = constraint, plugin, title

    def __call__(self, logits: Any, histories: Any) -> Any:
        """Return the logits that the constraint leaves."""
        with attributed(self._plugin, self._title):
            return self._constraint(logits, histories)

    def is_complete(self, history: Sequence[int]) -> bool:
        """Return the constraint's answer."""
        with attributed(self._plugin, self._title):
            return self._constraint.is_complete(history)


class _Attributed(Chooser):
    """A strategy whose errors name its plugin."""

    def __init__(self, strategy: Chooser, plugin: str, title: str) -> None:
        self._strategy, self._plugin, self._title = strategy, plugin, title
        self.width, self.reads_hidden = strategy.width, strategy.reads_hidden

    def next(self, step: DecodingStep) -> Sequence[Continuation]:
        """Return the continuations that the strategy chooses."""
        with attributed(self._plugin, self._title):
            found = list(self._strategy.next(step))
        wrong = [type(one).__name__ for one in found if not isinstance(one, Continuation)]
        if wrong:
            what = f"{self._title} chose a {wrong[0]}"
            raise LabError(what, allowed="lab.api.Continuation", remedy=remedy_for(self._plugin), plugin=self._plugin)
        return found

    def is_done(self, live: Sequence[Hypothesis], ended: Sequence[Hypothesis], left: int | None) -> bool:
        """Return the strategy's answer."""
        with attributed(self._plugin, self._title):
            return self._strategy.is_done(live, ended, left)

    def propose(self, ahead: Ahead) -> Sequence[int]:
        """Return the tokens that the strategy proposes."""
        with attributed(self._plugin, self._title):
            return [int(token) for token in self._strategy.propose(ahead)]

    def figures(self) -> Mapping[str, float]:
        """Return the strategy's figures."""
        with attributed(self._plugin, self._title):
            return {str(name): float(value) for name, value in self._strategy.figures().items()}
