"""The requirements of the host on every card, and two cards of one name."""

import pytest

from lab.api import HOOKS, BadInput, Mixer
from lab.host import Plugins
from lab.host.card_checks import check_card

PARTS = """
from lab.api import *
from lab.api import hookimpl
from pydantic import Field, field_validator

class Good(ModelConfig):
    size: int = setting(3, ge=1, help="A size.")

class Outer(StackConfig):
    inner: Good = setting(Good(), help="More of it.")

class Undescribed(ModelConfig):
    size: int = 3

class Named(ModelConfig):
    name: str = setting("x", help="A word.")

class Nested(ModelConfig):
    inner: Undescribed = setting(Undescribed(), help="More of it.")

class Required(ModelConfig):
    size: int = setting(help="A size.")

class OutOfBounds(ModelConfig):
    size: int = setting(3, ge=4, help="A size.")

class Rate(ModelConfig):
    learning_rate: float = setting(1e-3, live=True, help="How far a step goes.")

def architecture(name="mine", title="Mine", config=Outer, build="module.of.nobody:build", **more):
    return Architecture(name, title, "family", "Summary.", config, build, **more)

def sized(sizes):
    return architecture(presets={"a": {"architecture": {"layers": 2}}}, sizes=sizes)

def compared(baseline):
    return architecture(presets={"a": {"architecture": {"layers": 2}}}, baselines={"less": baseline})

def mixer(name="mine", kind="token", config=Good, **more):
    return Mixer(name, "Mine", kind, config, print, **more)

def part(card, name="mine", build=print, **more):
    return card(name, "Mine", build, **more)

def command(name="mine", run=print, summary="Does it.", add_arguments=None):
    return Command(name, summary, run, add_arguments)

def adds(*names, **more):
    return lambda parser: parser.add_argument(*names, **more)

def change(**more):
    return part(Intervention, targets=print, **more)

def view(name="mine", axes=("token",), build="module.of.nobody:Window", **more):
    return View(name=name, title="Mine", axes=axes, build=build, **more)

@hookimpl
def lab_register_schedules(register):
    register(part(Schedule, name="other"))

@hookimpl
def lab_register_KIND(register):
    register(CARD)
"""

REFUSED = [
    ("corpora", "part(Corpus, kind='tables')", "corpora.mine.kind", "what its factory gives"),
    ("mixers", "architecture()", "mixers", "lab_register_architectures"),
    ("mixers", "Mixer", "mixers", "Mixer(name="),
    ("mixers", "None", "mixers", "Mixer(name="),
    ("samplers", "part(Probe)", "samplers", "lab_register_probes"),
    ("filters", "part(Sampler)", "filters", "lab_register_samplers"),
    ("strategies", "part(Filter)", "strategies", "lab_register_filters"),
    ("interventions", "change(singular='expert {n}')", "interventions.mine.singular", 'plural="experts"'),
    ("interventions", "change(singular='expert', plural='experts')", "interventions.mine.singular", "expert {n}"),
    ("views", "view(axes=())", "views.mine.axes", 'axes=("head", "query", "key")'),
    ("views", "view(axes='token')", "views.mine.axes", "each once"),
    ("views", "view(axes=['token'])", "views.mine.axes", "each once"),
    ("views", "view(axes=('token', 'token'))", "views.mine.axes", "each once"),
    ("views", "view(axes=('batch', 'token'))", "views.mine.axes", "each once"),
    ("views", "view(axes=('token', 'colour'))", "views.mine.axes", "each once"),
    ("views", "view(axes=('token', 3))", "views.mine.axes", "each once"),
    ("views", "view(build='module')", "views.mine.build", "class or function"),
    ("views", "view(name='My view')", "views.name", "decaying-average"),
    ("views", "part(Probe)", "views", "lab_register_probes"),
    ("views", "view(readings='routing')", "views.mine.readings", "each once"),
    ("views", "view(readings=('routing', 'routing'))", "views.mine.readings", "each once"),
    ("views", "view(readings=('routing', 3))", "views.mine.readings", "each once"),
    ("views", "view(readings=('routing',), replaces=True)", "views.mine.replaces", "in two views"),
    ("views", "view(foot='module')", "views.mine.foot", "class or function"),
    ("probes", "part(Probe, labelled='module')", "probes.mine.labelled", "class or function"),
    ("commands", "command(name='My command')", "commands.name", "decaying-average"),
    ("commands", "command(run='module')", "commands.mine.run", "class or function"),
    ("commands", "command(summary=' ')", "commands.mine.summary", "one line"),
    ("commands", "command(add_arguments='--all')", "commands.mine.add_arguments", "argparse parser"),
    ("commands", "command(add_arguments=adds('--json'))", "commands.mine.add_arguments", "Rename the option"),
    ("commands", "command(add_arguments=adds('-h'))", "commands.mine.add_arguments", "Rename the option"),
    ("commands", "command(add_arguments=adds('--share', help='50 % of it'))", "commands.mine.add_arguments", "%%"),
    ("commands", "part(Probe)", "commands", "lab_register_probes"),
    ("architectures", "architecture(name='Über')", "architectures.name", "decaying-average"),
    ("architectures", "architecture(name='')", "architectures.name", "decaying-average"),
    ("architectures", "architecture(name=None)", "architectures.name", "decaying-average"),
    ("architectures", "architecture(title=' ')", "architectures.mine.title", "as the user reads it"),
    ("architectures", "architecture(build='module')", "architectures.mine.build", "class or function"),
    ("architectures", "architecture(build=3)", "architectures.mine.build", "class or function"),
    ("architectures", "architecture(config=dict)", "architectures.mine.config", "lab.api.ModelConfig"),
    ("architectures", "architecture(config=Outer())", "architectures.mine.config", "lab.api.ModelConfig"),
    ("architectures", "architecture(config=Undescribed)", "architectures.mine", "help="),
    ("architectures", "architecture(config=Nested)", "architectures.mine", "help="),
    ("architectures", "architecture(config=Required)", "architectures.mine.size", "default"),
    ("architectures", "architecture(config=OutOfBounds)", "architectures.mine.size", "default"),
    ("architectures", "architecture(inputs='vectors')", "architectures.mine.inputs", 'inputs=frozenset({"tokens"})'),
    ("architectures", "architecture(inputs=frozenset())", "architectures.mine.inputs", "a frozenset of texts"),
    ("architectures", "architecture(inputs=frozenset({'vector'}))", "architectures.mine.inputs", "mean vectors?"),
    (
        "architectures",
        "architecture(inputs=frozenset({'sound'}))",
        "architectures.mine.inputs",
        "tokens, vectors, images",
    ),
    ("architectures", "architecture(tasks='causal')", "architectures.mine.tasks", 'tasks=frozenset({"causal"})'),
    ("architectures", "architecture(tasks=frozenset({3}))", "architectures.mine.tasks", "is not a set of names"),
    ("mixers", "mixer(tasks='causal')", "mixers.mine.tasks", 'tasks=frozenset({"causal"})'),
    ("architectures", "architecture(presets=[])", "architectures.mine.presets", "Write a preset as"),
    ("architectures", "architecture(presets={'a': 3})", "architectures.mine.presets.a", "Write a preset as"),
    (
        "architectures",
        "architecture(presets={'a': {'model': {}}})",
        "architectures.mine.presets.a.model",
        "Write a preset",
    ),
    (
        "architectures",
        "architecture(presets={'a': {'training': 3}})",
        "architectures.mine.presets.a.training",
        "Write a",
    ),
    (
        "architectures",
        "architecture(presets={'a': {'architecture': {'layer': 3}}})",
        "architectures.mine.presets.a.architecture.layer",
        "Did you mean layers?",
    ),
    ("architectures", "architecture(sizes=[])", "architectures.mine.sizes", "Size("),
    ("architectures", "sized({'b': []})", "architectures.mine.sizes.b", "the preset they belong to"),
    ("architectures", "sized({'a': Size('small', {})})", "architectures.mine.sizes.a", "Size("),
    ("architectures", "sized({'a': ['small']})", "architectures.mine.sizes.a", "Size("),
    (
        "architectures",
        "sized({'a': [Size('s', {}), Size('s', {})]})",
        "architectures.mine.sizes.a.s",
        "name of its own",
    ),
    (
        "architectures",
        "sized({'a': [Size('small', {'layer': 3})]})",
        "architectures.mine.sizes.a.small.layer",
        "Did you mean layers?",
    ),
    (
        "architectures",
        "sized({'a': [Size('huge', {'layers': 10**6})]})",
        "architectures.mine.sizes.a.huge.layers",
        "1 ≤ x ≤ 1000",
    ),
    ("architectures", "architecture(baselines=[])", "architectures.mine.baselines", "Write baselines="),
    ("architectures", "architecture(baselines={'a': 3})", "architectures.mine.baselines.a", "Write baselines="),
    ("architectures", "architecture(baselines={' ': dict})", "architectures.mine.baselines. ", "Write baselines="),
    ("architectures", "architecture(floor='order')", "architectures.mine.floor", "Write floor="),
    ("architectures", "architecture(floor={'order': 2})", "architectures.mine.floor", "Write floor="),
    ("architectures", "architecture(floor={})", "architectures.mine.floor.order", "Allowed: layers"),
    ("architectures", "compared(lambda config: None)", "architectures.mine.baselines.less", "lambda config"),
    (
        "architectures",
        "compared(lambda config: {'layer': 1})",
        "architectures.mine.baselines.less.layer",
        "Did you mean layers?",
    ),
    (
        "architectures",
        "compared(lambda config: {'layers': 2 - config.layers})",
        "architectures.mine.baselines.less.layers",
        "1 ≤ x ≤ 1000",
    ),
    ("mixers", "mixer(kind='time')", "mixers.mine.kind", 'kind="token"'),
    ("mixers", "mixer(name='layers')", "mixers.layers", "another name"),
    ("mixers", "mixer(name='json')", "mixers.json", "another name"),
    ("mixers", "mixer(name='mixer')", "mixers.mixer", "another name"),
    ("optimizers", "part(Optimizer, config=Good)", "optimizers.mine.config", "learning_rate"),
    ("tokenizers", "part(Tokenization, load=3)", "tokenizers.mine.load", "class or function"),
    ("probes", "part(Probe, config=Named)", "probes.mine", "rename it"),
]


def code(kind, card):
    return PARTS.replace("KIND", kind).replace("CARD", card)


@pytest.mark.parametrize(("kind", "card", "field", "remedy"), REFUSED)
def test_an_unusable_card_quarantines_its_plugin_and_reports_what_to_write(kind, card, field, remedy, loaded, info):
    listed = info(loaded(broken=code(kind, card)), "broken")
    (problem,) = listed.problems
    assert (listed.state, listed.cards) == ("failed", {})
    assert (problem.plugin, problem.field) == ("broken", field)
    assert remedy in problem.line()
    assert "broken.py" in problem.trace


TAKEN = [
    ("architectures", "architecture()"),
    ("architectures", "architecture(presets={'a': {'architecture': {'layers': 2}, 'training': {'steps': 5}}})"),
    ("architectures", "sized({'a': [Size('small', {'layers': 1}), Size('large', {'layers': 9}, 17, 64, 1e9, 'Me')]})"),
    ("architectures", "compared(lambda config: {'layers': 1, 'inner': {'size': config.layers}})"),
    ("mixers", "mixer()"),
    ("mixers", "mixer(kind='channel')"),
    ("mixers", "mixer(name='two-words')"),
    ("corpora", "part(Corpus, config=Required)"),
    ("corpora", "part(Corpus, kind='pairs')"),
    ("tokenizers", "part(Tokenization, load='module.of.nobody:load')"),
    ("objectives", "part(ObjectiveCard)"),
    ("optimizers", "part(Optimizer, config=Rate)"),
    ("samplers", "part(Sampler)"),
    ("filters", "part(Filter, reads_text=True)"),
    ("strategies", "part(Strategy)"),
    ("probes", "part(Probe)"),
    ("observers", "part(Observer)"),
    ("commands", "command()"),
    ("commands", "command(run='module.of.nobody:run', add_arguments=adds('--all', action='store_true'))"),
    ("probes", "part(Probe, labelled='module.of.nobody:more')"),
    ("views", "view()"),
    ("views", "view(replaces=True)"),
    ("interventions", "change(singular='expert {n}', plural='experts')"),
    ("views", "view(readings=('routing', 'gates'), foot=print)"),
    ("views", "view(axes=('head', 'query', 'key'), build=print)"),
]


@pytest.mark.parametrize(("kind", "card"), TAKEN)
def test_a_card_that_keeps_the_contract_is_taken(kind, card, loaded, info):
    listed = info(loaded(good=code(kind, card)), "good")
    assert (listed.state, listed.problems) == ("on", ())
    assert len(listed.cards[kind]) == 1


def test_a_factory_named_by_a_string_is_not_imported(loaded, info):
    plugins = loaded(good=code("architectures", "architecture(build='module.of.nobody:build')"))
    with pytest.raises(ModuleNotFoundError):
        plugins.card("architectures", "mine").make(None, None)


def test_registering_one_name_twice_in_one_plugin_is_refused(loaded, info):
    plugins = loaded(broken=code("probes", "part(Probe)); register(part(Probe)"))
    (problem,) = info(plugins, "broken").problems
    assert (problem.field, problem.what) == ("probes.mine", "is registered twice")


def test_a_token_mixer_is_offered_as_an_architecture_of_its_own(loaded):
    plugins = loaded(good=code("mixers", "mixer(name='two-words')"))
    card = plugins.card("architectures", "two-words")
    assert card.config().two_words.size == 3
    assert plugins.owner("architectures", "two-words") == "good"


def test_a_channel_mixer_is_an_architecture_with_attention_between(loaded):
    plugins = loaded(good=code("mixers", "mixer(kind='channel')"))
    assert "heads" in plugins.card("architectures", "mine").config.model_fields


def test_an_architecture_takes_precedence_over_the_stack_of_a_mixer_of_its_plugin(loaded):
    both = code("mixers", "mixer()") + "\n@hookimpl\ndef lab_register_architectures(register): register(architecture())"
    plugins = loaded(good=both)
    assert plugins.card("architectures", "mine").family == "family"
    assert not plugins.listed()[0].problems


def test_the_first_of_two_plugins_with_one_name_keeps_it_and_the_second_is_reported(loaded, info):
    plugins = loaded(one=code("probes", "part(Probe)"), two=code("probes", "part(Probe)").replace('"other"', '"third"'))
    assert plugins.owner("probes", "mine") == "one"
    listed = info(plugins, "two")
    (problem,) = listed.problems
    assert (listed.state, listed.cards) == ("on", {"schedules": ("third",)})
    assert "one and two" in problem.what
    assert (problem.field, problem.plugin) == ("probes.mine", "two")
    assert not info(plugins, "one").problems


def test_a_name_goes_to_the_second_plugin_when_the_first_is_turned_off(loaded, info):
    plugins = loaded(one=code("probes", "part(Probe)"), two=code("probes", "part(Probe)"))
    plugins.disable("one")
    assert plugins.owner("probes", "mine") == "two"
    assert not info(plugins, "two").problems


def test_the_stack_of_a_mixer_and_anothers_architecture_of_that_name_are_a_conflict(loaded, info):
    plugins = loaded(one=code("architectures", "architecture()"), two=code("mixers", "mixer()"))
    assert plugins.owner("architectures", "mine") == "one"
    assert plugins.owner("mixers", "mine") == "two"
    assert "architectures.mine" in [problem.field for problem in info(plugins, "two").problems]


def test_cards_are_sorted_by_name_and_cannot_be_changed(loaded):
    plugins = loaded(
        one=code("probes", "part(Probe, name='b')"),
        two=code("probes", "part(Probe, name='a')").replace('"other"', '"third"'),
    )
    cards = plugins.cards("probes")
    assert list(cards) == ["a", "b"]
    with pytest.raises(TypeError):
        cards["c"] = None


def test_the_built_ins_that_are_there_keep_the_contract():
    for listed in Plugins().load().listed():
        broken = [problem.line() for problem in listed.problems if "No module named" not in problem.what]
        assert not broken


@pytest.mark.parametrize("kind", HOOKS)
def test_the_cards_of_the_built_ins_pass_in_full_what_a_start_does_not_read(kind):
    plugins = Plugins().load()
    for name, card in plugins.cards(kind).items():
        check_card(kind, card, plugins.owner(kind, name))
        if isinstance(card, Mixer):
            card.stack()


HYBRID = """
from lab.api import Architecture, Mixer, NoSettings, PatternStackConfig, hookimpl, pattern_setting

class HybridConfig(PatternStackConfig):
    pattern: str = pattern_setting("average")

@hookimpl
def lab_register_architectures(register):
    register(Architecture("blend", "Blend", "family", "Summary.", HybridConfig, "of.nobody:build"))
"""

AVERAGE = """
from lab.api import Mixer, ModelConfig, hookimpl, setting

class AverageConfig(ModelConfig):
    slowest: float = setting(0.98, ge=0.5, lt=1, help="Share of the old value that is kept per token.")

@hookimpl
def lab_register_mixers(register):
    register(Mixer("average", "Decaying average", "token", AverageConfig, print))
"""


def test_an_architecture_of_a_pattern_has_the_settings_of_every_plugin_s_mixers(loaded, write):
    plugins = loaded(hybrid=HYBRID, good=AVERAGE, more=AVERAGE.replace("average", "other-mean"))
    card = plugins.card("architectures", "blend")
    config = card.config.read({"pattern": "other-mean, average", "other_mean": {"slowest": 0.6}})
    assert config.other_mean.slowest == 0.6
    plugins.disable("more")
    with pytest.raises(BadInput, match="'other-mean', and there is no such mixer") as caught:
        plugins.card("architectures", "blend").config.read(config.stored(), field="architecture")
    assert "A plugin that does not run may provide it, see: lm-lab plugins" in caught.value.problem.remedy


def test_an_architecture_of_a_pattern_waits_for_the_mixers_that_it_begins_with(loaded, info):
    plugins = loaded(hybrid=HYBRID, good=AVERAGE)
    assert "blend" in plugins.cards("architectures")
    plugins.report_failure("good", RuntimeError("it broke"))
    assert "blend" not in plugins.cards("architectures")
    (problem,) = info(plugins, "hybrid").problems
    assert (problem.plugin, problem.field) == ("hybrid", "architectures.blend")
    assert "no active plugin provides a mixer" in problem.what


@pytest.mark.parametrize(
    ("task", "words"), [("classify", "Did you mean classification?"), ("poetry", "register an objective")]
)
def test_a_task_that_no_objective_needs_is_refused_with_those_there_are(task, words, loaded, info):
    plugins = loaded(broken=code("architectures", f"architecture(tasks=frozenset({{'causal', '{task}'}}))"))
    (problem,) = info(plugins, "broken").problems
    assert (problem.plugin, problem.field, problem.value) == ("broken", "architectures.mine.tasks", repr(task))
    assert "sequence-to-sequence" in problem.allowed
    assert words in problem.remedy
    assert "mine" not in plugins.cards("architectures")


def test_a_task_that_an_objective_of_a_plugin_needs_is_accepted(loaded, info):
    objective = "type('Poetry', (), {'needs': 'poetry', '__init__': lambda self, config: None})"
    plugins = loaded(
        a=code("architectures", "architecture(tasks=frozenset({'poetry'}))"),
        b=code("objectives", f"part(ObjectiveCard, build={objective})"),
    )
    assert info(plugins, "a").problems == ()
    assert "mine" in plugins.cards("architectures")
