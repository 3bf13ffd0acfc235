"""A rule about runs whose gradients are nearly always clipped: the bound then acts as a learning rate."""

from lab.api import Evidence, Finding, ModelConfig, Register, Remedy, Rule, RuleFunction, RunRecord, hookimpl, setting

LAB_API_VERSION = 2


class ClippingConfig(ModelConfig):
    share: float = setting(0.9, gt=0, le=1, help="Share of clipped steps from which the rule fires.")


def build(config: ClippingConfig) -> RuleFunction:
    """Return the rule."""

    def examine(record: RunRecord) -> list[Finding]:
        steps, clipped = record.steps("clipped steps"), record.values("clipped steps")
        bound = record.setting("training.clip", 0.0)
        if len(clipped) < 20 or clipped[-20:].mean() < config.share or not bound:
            return []
        looser = Remedy(what="Three times the bound", changes={"training.clip": 3 * bound}, start="now")
        evidence = Evidence(("gradient norm", "clipped gradient norm"), limit=bound, log=True)
        what = f"{100 * clipped[-20:].mean():.0f} % of the last steps were clipped"
        return [Finding(what, int(steps[-20]), "A bound that always acts hides the rate", "", evidence, (looser,))]

    return examine


@hookimpl
def lab_register_rules(register: Register[Rule]) -> None:
    register(Rule(name="always-clipped", title="Always clipped", build=build, config=ClippingConfig))
