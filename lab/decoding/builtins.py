"""Filters and strategies: the cards of decoding, with their settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Self

from pydantic import model_validator

from lab.api import Filter, ModelConfig, NotAllowed, Strategy, hookimpl, setting

LAB_API_VERSION = 2


class TemperatureConfig(ModelConfig):
    """The settings of temperature."""

    temperature: float = setting(
        1.0,
        ge=0,
        le=10,
        live=True,
        help="Divides the logits: below 1 sharper, above 1 flatter; 0 takes the best. Typical: 0.7 to 1.",
    )


class TopKConfig(ModelConfig):
    """The settings of top-k."""

    k: int = setting(
        0,
        ge=0,
        unit="tokens",
        live=True,
        label="Top k",
        help="Number of likeliest tokens; 0 means all. Typical: 0, or 10 to 50.",
        cite="Fan et al. 2018",
    )


class TopPConfig(ModelConfig):
    """The settings of top-p."""

    p: float = setting(
        1.0,
        gt=0,
        le=1,
        live=True,
        label="Top p",
        help="Only the likeliest tokens that together reach this probability, including the one that crosses it. "
        "Typical: 0.9 to 1.",
        cite="Holtzman et al. 2019, section 3.1",
    )


class MinPConfig(ModelConfig):
    """The settings of min-p."""

    share: float = setting(
        0.05,
        ge=0,
        le=1,
        live=True,
        label="Min p",
        help="Only tokens that have at least this share of the likeliest one's probability. Typical: 0.02 to 0.1.",
        cite="Nguyen et al. 2024",
    )


class TypicalConfig(ModelConfig):
    """The settings of typical sampling."""

    mass: float = setting(
        0.95,
        gt=0,
        le=1,
        live=True,
        label="Typical mass",
        help="Only the tokens whose surprisal is nearest to the entropy, until they reach this probability. "
        "Typical: 0.9 to 0.95.",
        cite="Meister et al. 2022, equation 11",
    )


class EpsilonConfig(ModelConfig):
    """The settings of the epsilon cut-off."""

    epsilon: float = setting(
        3e-4,
        gt=0,
        lt=1,
        live=True,
        log=True,
        label="Epsilon",
        help="Only tokens with at least this probability, and always the likeliest. Typical: 0.0003 to 0.001.",
        cite="Hewitt et al. 2022, section 4",
    )


class EtaConfig(ModelConfig):
    """The settings of the eta cut-off."""

    epsilon: float = setting(
        3e-4,
        gt=0,
        lt=1,
        live=True,
        log=True,
        label="Eta epsilon",
        help="Only tokens with at least this probability, or with √epsilon · exp(−entropy) where that is less, and "
        "always the likeliest. Typical: 0.0003 to 0.004.",
        cite="Hewitt et al. 2022, equation 5",
    )


class TopAConfig(ModelConfig):
    """The settings of top-a."""

    a: float = setting(
        0.2,
        ge=0,
        le=1,
        live=True,
        label="Top a",
        help="Only tokens that have at least this share of the square of the likeliest one's probability: a certain "
        "model keeps few, an uncertain one many. Typical: 0.1 to 0.5.",
    )


class LogitBiasConfig(ModelConfig):
    """The settings of the logit bias."""

    biases: list[str] = setting(
        [],
        label="Biases",
        help="A text, an equals sign and a number, such as e=-2: the number is added to the logit of the last token of "
        "the text after the tokens before it. −inf forbids it; the part behind the last equals sign is the number.",
    )


class AlphabetConfig(ModelConfig):
    """The settings of the alphabet."""

    characters: str = setting(
        "",
        label="Characters",
        help="Only tokens whose text consists of these characters; empty allows all.",
    )


class RegexConfig(ModelConfig):
    """The settings of the regular expression."""

    pattern: str = setting(
        "",
        max_length=10_000,
        label="Pattern",
        help="A regular expression, without look-around and back-references, that the text after the prompt matches as "
        "a whole; empty allows all.",
    )


class JsonSchemaConfig(ModelConfig):
    """The settings of the JSON schema."""

    schema_text: str = setting(
        "",
        max_length=100_000,
        label="Schema",
        help="A JSON schema, as JSON, that the text after the prompt fits as a whole; empty allows all.",
    )


class RepetitionConfig(ModelConfig):
    """The settings of the repetition penalty."""

    penalty: float = setting(
        1.2,
        gt=0,
        le=10,
        live=True,
        label="Factor",
        help="Divides positive and multiplies negative logits of tokens in the text so far; 1 changes nothing. "
        "Typical: 1 to 1.3.",
        cite="Keskar et al. 2019, section 4.1",
    )


class PresenceConfig(ModelConfig):
    """The settings of the presence penalty."""

    penalty: float = setting(
        0.5,
        ge=-10,
        le=10,
        unit="nats",
        live=True,
        label="Penalty",
        help="Subtracted from the logit of each token that the text so far contains. Typical: 0.1 to 1.",
    )


class FrequencyConfig(ModelConfig):
    """The settings of the frequency penalty."""

    penalty: float = setting(
        0.2,
        ge=-10,
        le=10,
        unit="nats",
        live=True,
        label="Penalty each time",
        help="Subtracted from the logit of a token once for each time that the text so far contains it. "
        "Typical: 0.1 to 1.",
    )


class NoRepeatConfig(ModelConfig):
    """The settings of the filter against repeated n-grams."""

    length: int = setting(
        3,
        ge=1,
        le=100,
        unit="tokens",
        live=True,
        label="N-gram length",
        help="No sequence of this many tokens comes twice. Typical: 2 to 4.",
        cite="Paulus et al. 2017, section 2.5",
    )


class BanListConfig(ModelConfig):
    """The settings of the ban list."""

    texts: list[str] = setting([], label="Banned texts", help="Texts whose tokens never come one after another.")


class SamplingConfig(ModelConfig):
    """The settings of sampling."""

    draw: Literal["race", "inverse"] = setting(
        "race",
        label="Draw by",
        names={"race": "exponential race (as torch.multinomial)", "inverse": "inverse CDF"},
        help="The race divides an exponential number by the probability of each token, and the smallest wins; the "
        "inverse draws one uniform number, and takes the token at which the sum of the probabilities exceeds it.",
    )


class MirostatConfig(ModelConfig):
    """The settings of Mirostat 2."""

    surprisal: float = setting(
        3.0,
        gt=0,
        le=100,
        unit="bits",
        live=True,
        label="Target surprisal",
        help="The mean surprisal per token that the text is held to. Typical: 2 to 5, for letters 1 to 2.",
        cite="Basu et al. 2021, algorithm 2",
    )
    rate: float = setting(
        0.1,
        gt=0,
        le=1,
        live=True,
        label="Rate of correction",
        help="The part of each token's deviation from the target by which the bound changes. Typical: 0.1.",
    )


class GreedyConfig(ModelConfig):
    """Greedy decoding has no settings."""


class SpeculativeConfig(ModelConfig):
    """The settings of speculative decoding."""

    draft: str = setting(
        "",
        run=True,
        help="The run whose model proposes tokens: a small one with the vocabulary of this model.",
        cite="Leviathan et al. 2023; Chen et al. 2023",
    )
    tokens: int = setting(
        4,
        ge=1,
        le=32,
        unit="tokens",
        live=True,
        label="Tokens ahead",
        help="Number of tokens that the draft proposes before the model reads them all in one pass. Typical: 3 to 8.",
    )


class ContrastiveDecodingConfig(ModelConfig):
    """The settings of contrastive decoding."""

    amateur: str = setting(
        "",
        run=True,
        help="The run whose log-probabilities are subtracted: a small one with the vocabulary of this model.",
        cite="Li et al. 2023, equation 3",
    )
    alpha: float = setting(
        0.1,
        ge=0,
        le=1,
        live=True,
        label="Plausibility",
        help="Only tokens that have at least this share of the likeliest one's probability are compared. Typical: 0.1.",
        cite="Li et al. 2023, equation 2",
    )
    temperature: float = setting(
        1.0,
        gt=0,
        le=10,
        live=True,
        label="Temperature of the amateur",
        help="Divides the logits of the amateur: below 1, only its most likely tokens are made less likely. "
        "Typical: 0.5 to 1.",
    )


class ContrastiveSearchConfig(ModelConfig):
    """The settings of contrastive search."""

    k: int = setting(
        5,
        ge=1,
        le=256,
        unit="tokens",
        live=True,
        label="Candidates",
        help="Number of likeliest tokens among which one is chosen. Typical: 4 to 10.",
        cite="Su et al. 2022, equation 5",
    )
    alpha: float = setting(
        0.6,
        ge=0,
        le=1,
        live=True,
        label="Degeneration penalty",
        help="Weight of the likeness of hidden states against the probability; 0 is greedy decoding. "
        "Typical: 0.4 to 0.6.",
    )


class BeamSearchConfig(ModelConfig):
    """The settings of beam search."""

    width: int = setting(
        4, ge=1, le=256, unit="hypotheses", help="Number of hypotheses that go on together. Typical: 2 to 10."
    )
    length_penalty: float = setting(
        0.6,
        ge=-10,
        le=10,
        help="Exponent of the length by which the log-probability of an ended text is divided; 0 favours short texts. "
        "Typical: 0.6 to 1.",
        cite="Wu et al. 2016, equation 14",
    )
    length: Literal["wu", "tokens"] = setting(
        "wu",
        label="Length as",
        help="wu divides by ((5 + tokens) / 6)^penalty, as the paper does; tokens by tokens^penalty, as transformers.",
    )
    stop: Literal["likely", "first", "never"] = setting(
        "likely",
        label="Stop early",
        help="Once width texts have ended: first stops at once, likely when the best live one scores less than all of "
        "them now, never only when it must score less at any length.",
    )
    groups: int = setting(
        1,
        ge=1,
        le=256,
        unit="groups",
        help="Number of equal parts of the width that are kept different from each other; 1 is plain beam search. "
        "Typical: 1, or 2 to 4.",
        cite="Vijayakumar et al. 2018, algorithm 1",
    )
    diversity: float = setting(
        0.5,
        ge=0,
        le=100,
        unit="nats",
        when={"groups": tuple(range(2, 257))},
        help="Subtracted from the log-probability of a token for each hypothesis of the groups before that has taken "
        "it now. Typical: 0.2 to 0.8.",
        cite="Vijayakumar et al. 2018, section 5.1",
    )

    @model_validator(mode="after")
    def _has_equal_groups(self) -> Self:
        if self.width % self.groups:
            raise NotAllowed(
                f"groups = {self.groups} does not divide width = {self.width}", remedy="Change one of them"
            )
        return self


class StochasticBeamsConfig(ModelConfig):
    """The settings of stochastic beam search."""

    width: int = setting(
        4,
        ge=1,
        le=256,
        unit="texts",
        help="Number of different texts that are drawn together. Typical: 2 to 10.",
        cite="Kool et al. 2019, algorithm 1",
    )


_FILTERS = (
    Filter(
        name="temperature",
        title="Temperature",
        build="lab.decoding.filters:temperature_filter",
        config=TemperatureConfig,
        summary="Makes the distribution sharper or flatter.",
    ),
    Filter(
        name="top-k",
        title="Top-k",
        build="lab.decoding.filters:top_k_filter",
        config=TopKConfig,
        summary="Leaves the k likeliest tokens.",
    ),
    Filter(
        name="top-p",
        title="Top-p",
        build="lab.decoding.filters:top_p_filter",
        config=TopPConfig,
        summary="Leaves the nucleus: the fewest likeliest tokens that together reach a probability.",
    ),
    Filter(
        name="min-p",
        title="Min-p",
        build="lab.decoding.filters:min_p_filter",
        config=MinPConfig,
        summary="Leaves the tokens that are not much less likely than the likeliest one.",
    ),
    Filter(
        name="typical",
        title="Typical",
        build="lab.decoding.filters:typical_filter",
        config=TypicalConfig,
        summary="Leaves the tokens that are about as surprising as is to be expected.",
    ),
    Filter(
        name="epsilon",
        title="Epsilon cut-off",
        build="lab.decoding.filters:epsilon_filter",
        config=EpsilonConfig,
        summary="Leaves the tokens above a probability.",
    ),
    Filter(
        name="eta",
        title="Eta cut-off",
        build="lab.decoding.filters:eta_filter",
        config=EtaConfig,
        summary="Leaves the tokens above a probability that is lower where the model is uncertain.",
    ),
    Filter(
        name="top-a",
        title="Top-a",
        build="lab.decoding.filters:top_a_filter",
        config=TopAConfig,
        summary="Leaves the tokens above a share of the square of the largest probability.",
    ),
    Filter(
        name="repetition-penalty",
        title="Repetition penalty",
        build="lab.decoding.penalties:repetition_filter",
        config=RepetitionConfig,
        summary="Makes tokens of the text so far less likely, by a factor of their logits.",
    ),
    Filter(
        name="presence-penalty",
        title="Presence penalty",
        build="lab.decoding.penalties:presence_filter",
        config=PresenceConfig,
        summary="Makes tokens of the text so far less likely, however often they came.",
    ),
    Filter(
        name="frequency-penalty",
        title="Frequency penalty",
        build="lab.decoding.penalties:frequency_filter",
        config=FrequencyConfig,
        summary="Makes tokens less likely the more often they came.",
    ),
    Filter(
        name="no-repeat",
        title="No repeated n-grams",
        build="lab.decoding.penalties:no_repeat_filter",
        config=NoRepeatConfig,
        summary="Removes tokens that would repeat a sequence of tokens.",
    ),
    Filter(
        name="ban-list",
        title="Ban list",
        build="lab.decoding.constraints:ban_filter",
        config=BanListConfig,
        summary="Removes tokens that would complete a banned text.",
        reads_text=True,
    ),
    Filter(
        name="logit-bias",
        title="Logit bias",
        build="lab.decoding.constraints:bias_filter",
        config=LogitBiasConfig,
        summary="Adds numbers to the logits of chosen tokens.",
        reads_text=True,
    ),
    Filter(
        name="alphabet",
        title="Alphabet",
        build="lab.decoding.constraints:alphabet_filter",
        config=AlphabetConfig,
        summary="Leaves the tokens that consist of given characters.",
        reads_text=True,
    ),
    Filter(
        name="regex",
        title="Regular expression",
        build="lab.decoding.grammar:regex_filter",
        config=RegexConfig,
        summary="Leaves the tokens with which the text can still match a regular expression, and ends it then.",
        reads_text=True,
        after_prompt=True,
    ),
    Filter(
        name="json-schema",
        title="JSON schema",
        build="lab.decoding.grammar:json_filter",
        config=JsonSchemaConfig,
        summary="Leaves the tokens with which the text can still become JSON of a schema, and ends it then.",
        reads_text=True,
        after_prompt=True,
    ),
    Filter(
        name="contrastive-decoding",
        title="Contrastive decoding",
        build="lab.decoding.contrastive:contrastive_filter",
        config=ContrastiveDecodingConfig,
        summary="Prefers the tokens that this model finds likelier than a smaller one does.",
    ),
)


@hookimpl
def lab_register_filters(register: Callable[[Filter], None]) -> None:
    """Register the built-in filters."""
    for card in _FILTERS:
        register(card)


@hookimpl
def lab_register_strategies(register: Callable[[Strategy], None]) -> None:
    """Register the built-in strategies."""
    register(
        Strategy(
            name="sampling",
            title="Sampling",
            build="lab.decoding.strategies:Sampling",
            config=SamplingConfig,
            summary="Draws each token from the distribution that the filters leave.",
        )
    )
    register(
        Strategy(
            name="greedy",
            title="Greedy",
            build="lab.decoding.strategies:Greedy",
            config=GreedyConfig,
            summary="Takes the likeliest token that the filters leave.",
        )
    )
    register(
        Strategy(
            name="mirostat",
            title="Mirostat 2",
            build="lab.decoding.strategies:Mirostat",
            config=MirostatConfig,
            summary="Draws tokens below a surprisal that is corrected at each token, so that the mean comes out.",
        )
    )
    register(
        Strategy(
            name="beam-search",
            title="Beam search",
            build="lab.decoding.beams:BeamSearch",
            config=BeamSearchConfig,
            summary="Continues several texts at once, and takes the likeliest one in the end.",
        )
    )
    register(
        Strategy(
            name="stochastic-beams",
            title="Stochastic beam search",
            build="lab.decoding.beams:StochasticBeams",
            config=StochasticBeamsConfig,
            summary="Draws several different texts at once, without replacement, and takes the first one drawn.",
        )
    )
    register(
        Strategy(
            name="speculative",
            title="Speculative decoding",
            build="lab.decoding.speculative:Speculative",
            config=SpeculativeConfig,
            summary="Samples as sampling does, in fewer passes: a smaller model proposes several tokens at a time.",
        )
    )
    register(
        Strategy(
            name="contrastive-search",
            title="Contrastive search",
            build="lab.decoding.contrastive:ContrastiveSearch",
            config=ContrastiveSearchConfig,
            summary="Takes a likely token whose hidden state is unlike those before it.",
        )
    )
