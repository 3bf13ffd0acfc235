"""Several texts drawn side by side; the likeliest one per token is taken. It ends unlikely ones early."""

import torch

from lab.api import Chooser, Continuation, DecodingStep, Draw, ModelConfig, Register, Strategy, hookimpl, setting

LAB_API_VERSION = 2


class BestConfig(ModelConfig):
    texts: int = setting(4, ge=1, le=64, unit="texts", help="Number of texts that are drawn.")
    behind: float = setting(6.0, gt=0, unit="nats", help="A text this much less likely than the best one is given up.")


class BestOfDraws(Chooser):
    def __init__(self, config: BestConfig) -> None:
        self.width, self.config = config.texts, config

    def next(self, step: DecodingStep) -> list[Continuation]:
        logs = step.filters(step.logits).log_softmax(dim=-1)  # (H, V)
        count = self.width if len(logs) == 1 and step.hypotheses[0].length == 0 else 1
        drawn = torch.multinomial(logs.exp(), count, replacement=True, generator=step.generator)  # (H, count)
        found = []
        for row, tokens in enumerate(drawn.tolist()):
            hypothesis = step.hypotheses[row]
            for token in tokens:
                score = hypothesis.score + float(logs[row, token])
                if step.ends(row, token):
                    score /= hypothesis.length + 1
                found.append(Continuation(row, token, score, draw=Draw("multinomial")))
        going = [one for one in found if not step.ends(one.hypothesis, one.token)]
        best = max((one.score for one in going), default=0.0)
        return [one for one in found if one not in going or one.score >= best - self.config.behind]


@hookimpl
def lab_register_strategies(register: Register[Strategy]) -> None:
    register(Strategy("best-of-draws", "Best of several draws", BestOfDraws, BestConfig, "Draws several texts."))
