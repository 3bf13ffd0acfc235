"""Models that each break one promise, the way real ones do."""

import re
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from lab.api import Architecture, StackConfig, hookimpl, setting
from lab.layers import ChannelMixer, LanguageModel, ResidualStack, TokenMixer, linear_scan


class SmallConfig(StackConfig):
    width: int = setting(8, ge=1, le=8, help="Channels.")
    gain: float = setting(1.0, gt=0, le=4, live=True, help="Factor of what the mixer gives.")


class Average(TokenMixer):
    """A sound decaying average, with a sequence form; the broken ones below change one thing each."""

    def __init__(self, slot):
        super().__init__()
        self.config = slot.config
        self.decay = nn.Parameter(torch.linspace(-2, 2, slot.width))

    def start(self, batch):
        return self.decay.new_zeros(batch, len(self.decay))

    def extend(self, x, state):
        keep = self.decay.sigmoid()
        y = linear_scan(keep, (1 - keep) * x, state)
        return self.config.gain * y, y[:, -1]


class LeaksOneToken(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(slot.width))

    def forward(self, x):
        following = torch.cat([x[:, 1:], x[:, -1:]], dim=1)
        return self.gain * (x + following)


class LeaksAtABorder(TokenMixer):
    """Reads the first token of its third chunk of 64 at the end of the second."""

    def __init__(self, slot):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(slot.width))

    def forward(self, x):
        following = torch.zeros_like(x)
        following[:, 127:128] = x[:, 128:129]
        return self.gain * (x + following)


class LeaksThroughBatchNorm(Average):
    def __init__(self, slot):
        super().__init__(slot)
        self.norm = nn.BatchNorm1d(slot.width)

    def extend(self, x, state):
        return super().extend(self.norm(x.transpose(1, 2)).transpose(1, 2), state)


class WritesIntoItsState(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        self.reach = slot.context_length
        self.gain = nn.Parameter(torch.ones(slot.width))

    def start(self, batch):
        return 0, self.gain.new_zeros(batch, self.reach, len(self.gain))

    def extend(self, x, state):
        position, cache = state
        end = position + x.shape[1]
        cache[:, position:end] = self.gain * x
        lengths = torch.arange(1, end + 1, device=x.device)[:, None]
        return (cache[:, :end].cumsum(dim=1) / lengths)[:, position:], (end, cache)


class LosesItsStateAtChunks(Average):
    def extend(self, x, state):
        outputs = []
        for chunk in x.split(64, dim=1):
            y, last = super().extend(chunk, state)
            state = torch.zeros_like(last)
            outputs.append(y)
        return torch.cat(outputs, dim=1), last


class KeepsASpareParameter(Average):
    def __init__(self, slot):
        super().__init__(slot)
        self.spare = nn.Parameter(torch.ones(slot.width))


class PutsTheBatchSecond(Average):
    def start(self, batch):
        return super().start(batch)[None]

    def extend(self, x, state):
        y, state = super().extend(x, state[0])
        return y, state[None]


@dataclass
class Held:
    value: torch.Tensor


class HoldsADataclass(Average):
    def start(self, batch):
        return Held(super().start(batch))

    def extend(self, x, state):
        y, value = super().extend(x, state.value)
        return y, Held(value)


class StartsOnTheProcessor(Average):
    def start(self, batch):
        return torch.zeros(batch, len(self.decay), dtype=self.decay.dtype)


class StartsInAnotherType(Average):
    def start(self, batch):
        return super().start(batch).float()


class CopiesALiveField(Average):
    def __init__(self, slot):
        super().__init__(slot)
        self.config = slot.config.model_copy()


class ReportsTwice(Average):
    def extend(self, x, state):
        y, state = super().extend(x, state)
        self.report("state", y, axes=("batch", "token", "channel"))
        self.report("state", x, axes=("batch", "token", "channel"))
        return y, state


class ReportsWrongAxes(Average):
    def extend(self, x, state):
        y, state = super().extend(x, state)
        self.report("state", y, axes=("batch", "time", "channel"))
        return y, state


class ChangesWhenCaptured(Average):
    def extend(self, x, state):
        y, state = super().extend(x, state)
        return y + 0.1 if self.reporting("state") else y, state


class ShowsTheFuture(Average):
    def mixing_map(self, x):
        B, T, _ = x.shape
        return x.new_ones(B, 1, T, T) / T


class KeepsItsOutput(Average):
    def extend(self, x, state):
        self.last, state = super().extend(x, state)
        return self.last, state


class HidesATensor(Average):
    def __init__(self, slot):
        super().__init__(slot)
        self.hidden = torch.rand(slot.width)

    def extend(self, x, state):
        y, state = super().extend(x, state)
        return y * self.hidden.to(y), state


class DrawsElsewhere(Average):
    def __init__(self, slot):
        super().__init__(slot)
        self.decay.data += float(np.random.default_rng().random())


class MisnamesAParameter(Average):
    no_decay = ("decays",)


class InventsARole(Average):
    def __init__(self, slot):
        super().__init__(slot)
        self.roles = {"decay": "speed"}


class Gain(torch.autograd.Function):
    """x, with a backward that gives the gradient twice."""

    @staticmethod
    def forward(_, x):
        return x.clone()

    @staticmethod
    def backward(_, gradient):
        return 2 * gradient


class Stepping(Average):
    """A sound average with a form for one token beside that for many."""

    def step(self, x, state):
        keep = self.decay.sigmoid()
        state = keep * state + (1 - keep) * x
        return self.config.gain * state, state


class DoublesItsGradient(Stepping):
    def extend(self, x, state):
        y, state = super().extend(x, state)
        return Gain.apply(y), state


class StepsWithoutGradients(Stepping):
    @torch.no_grad()
    def step(self, x, state):
        return super().step(x, state)


class Mapped(Average):
    """A sound average with a map of two heads: the slower half of the channels, and the faster half."""

    def mixing_map(self, x):
        B, T, _ = x.shape
        keep = self.decay.sigmoid()
        age = torch.arange(T, device=x.device)[:, None] - torch.arange(T, device=x.device)
        weight = (1 - keep) * keep ** age.clamp(min=0)[..., None]  # (query, key, channel)
        heads = weight.view(T, T, 2, -1).mean(dim=-1).permute(2, 0, 1)
        return heads.tril().expand(B, 2, T, T)


class MapsBackwards(Mapped):
    def mixing_map(self, x):
        first, second = super().mixing_map(x).unbind(1)
        return torch.stack([first, second.flip(-1)], dim=1)


class MapsKeysAndQueries(Mapped):
    def mixing_map(self, x):
        return super().mixing_map(x).transpose(-1, -2)


class MapsAWindow(Mapped):
    def mixing_map(self, x):
        return super().mixing_map(x).triu(-3)


class ReportsTwiceInAStep(Average):
    extend = TokenMixer.extend

    def step(self, x, state):
        keep = self.decay.sigmoid()
        state = keep * state + (1 - keep) * x
        self.report("state", x, axes=("batch", "channel"))
        self.report("state", state, axes=("batch", "channel"))
        return self.config.gain * state, state


class AddsALossPerToken(Average):
    def extend(self, x, state):
        y, state = super().extend(x, state)
        self.add_loss("balance", y.square().mean(dim=(0, 2)), 0.1)
        return y, state


class CopiesTheWeightOfALoss(Average):
    def __init__(self, slot):
        super().__init__(slot)
        self.weight = slot.config.gain

    def extend(self, x, state):
        y, state = super().extend(x, state)
        self.add_loss("excess", torch.relu(y.mean() - 10), self.weight)  # 0 unless something goes wrong
        return y / self.config.gain, state


class KeepsOneChannel(Average):
    def extend(self, x, state):
        y, state = super().extend(x, state)
        return y.mean(dim=-1, keepdim=True), state


class ForgetsToReturnItsState(Average):
    def forward(self, x):
        return super().extend(x, self.start(len(x)))[0]

    def extend(self, x, state):
        return super().extend(x, state)[0]


class RaisesOnMeta(Average):
    def extend(self, x, state):
        if x.is_meta:
            raise KeyError("no such table")
        return super().extend(x, state)


class Shifted(TokenMixer):
    """A sound mixer that reads its own and the two inputs before it; the broken ones below change one thing each."""

    history = 2

    def __init__(self, slot):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(slot.width))

    def forward(self, x):
        padded = nn.functional.pad(x, (0, 0, 2, 0))
        return self.weight * (x + 0.001 * padded[:, : x.shape[1]])


class Summed(Shifted):
    """A sound sum over three inputs, from which what came before them is gone but for rounding."""

    def forward(self, x):
        total = x.cumsum(dim=1)
        return self.weight * (total - nn.functional.pad(total, (0, 0, 3, 0))[:, : x.shape[1]])


class RemembersTooLittle(Shifted):
    history = 1


class ReadsAbsolutePositions(Shifted):
    def forward(self, x):
        return super().forward(x) + torch.arange(x.shape[1]).to(x)[:, None].sin()


class ReadsTheLength(Shifted):
    history = None

    def forward(self, x):
        return super().forward(x) / x.shape[1]


class Noisy(Average):
    """A sound average that adds noise in training."""

    def extend(self, x, state):
        y, state = super().extend(x, state)
        return y + 0.1 * torch.randn_like(y) if self.training else y, state


class DropsRows(ChannelMixer):
    """Room for two rows in a batch; the others get nothing."""

    def __init__(self, slot):
        super().__init__()
        self.inner = nn.Linear(slot.width, slot.width)

    def forward(self, x):
        y = self.inner(x)
        room = torch.arange(len(x), device=x.device) < 2
        return y * room[:, None, None]


class Own(LanguageModel):
    """A sound model of its own that remembers the last two tokens; the broken ones below change one thing each."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.head = nn.Linear(2 * config.width, task.vocabulary_size)

    def start(self, batch):
        return self.head.weight.new_zeros(batch, self.config.width)

    def extend(self, tokens, state, last=None):
        x = self.embedding(tokens)
        before = torch.cat([state[:, None], x[:, :-1]], dim=1)
        logits = self.head(torch.cat([before, x], dim=2))
        return logits if last is None else logits[:, -last:], x[:, -1]


class IgnoresLast(Own):
    def extend(self, tokens, state, last=None):
        return super().extend(tokens, state)


class HasUnboundedPositionsOnly(Own):
    def __init__(self, config, task):
        super().__init__(config, task)
        self.place = nn.Embedding(task.context_length, task.vocabulary_size)

    def start(self, batch):
        return 0, super().start(batch)

    def extend(self, tokens, state, last=None):
        position, held = state
        T = tokens.shape[1]
        logits, held = super().extend(tokens, held)
        logits = logits + self.place(torch.arange(position, position + T, device=tokens.device))
        return logits if last is None else logits[:, -last:], (position + T, held)


class GivesHiddenChannels(Own):
    def extend(self, tokens, state, last=None):
        return self.embedding(tokens)[:, -(last or tokens.shape[1]) :], state


class GivesTheLastLogits(Own):
    def forward(self, tokens):
        return super().extend(tokens, self.start(len(tokens)))[0]

    def extend(self, tokens, state, last=1):
        return super().extend(tokens, state, last)


class ReturnsNoState(Own):
    def forward(self, tokens):
        return super().extend(tokens, self.start(len(tokens)))[0]

    def extend(self, tokens, state, last=None):
        return super().extend(tokens, state, last)[0]


class CountsItsPastShort(LanguageModel):
    """Dilated convolutions with small weights, which read 64 tokens, so that the first of them hardly matters."""

    history = 61

    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.past = nn.ModuleList(nn.Linear(config.width, config.width) for _ in range(6))
        self.head = nn.Linear(config.width, task.vocabulary_size)
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for i, layer in enumerate(self.past):
            x = x + layer(nn.functional.pad(x, (0, 0, 2**i, 0))[:, : x.shape[1]]).tanh()
        return self.head(x)


class BeginsTooSure(Own):
    """Its head is its embedding, whose numbers are large."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.head = nn.Linear(2 * config.width, task.vocabulary_size)
        self.head.weight.data[:, config.width :] = 3 * self.embedding.weight.data


class CopiesTheConfig(Own):
    def __init__(self, config, task):
        super().__init__(config.model_copy(), task)


class ScoresPadding(Own):
    def score(self, tokens, targets):
        return self(tokens).log_softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]


class DoesNotBuild(Own):
    def __init__(self, config, task):
        raise RuntimeError("no such thing")


class CountsSlicesApart(LanguageModel):
    """Counts pairs, but none over the border of two slices, and normalises over the wrong axis."""

    learns = "counting"

    def __init__(self, config, task):
        super().__init__(config, task)
        self.pairs = torch.ones(task.vocabulary_size, task.vocabulary_size, dtype=torch.float64)

    def count(self, tokens):
        pairs = torch.from_numpy(tokens[:-1] * len(self.pairs) + tokens[1:])
        self.pairs = self.pairs + torch.bincount(pairs, minlength=self.pairs.numel()).view_as(self.pairs)

    def forward(self, tokens):
        return (self.pairs / self.pairs.sum(dim=0)).log()[tokens]

    def score(self, tokens, targets):
        return self(tokens).gather(-1, targets.clamp(min=0)[..., None])[..., 0].where(targets >= 0, 0.0)

    def tables(self):
        return {"pairs": self.pairs}

    def load_tables(self, tables):
        self.pairs = tables["pairs"]


class CountsInPlace(LanguageModel):
    """Counts pairs into the table that its copies share."""

    learns = "counting"
    ending = None

    def __init__(self, config, task):
        super().__init__(config, task)
        self.pairs = torch.ones(task.vocabulary_size, task.vocabulary_size, dtype=torch.float64)

    def count(self, tokens):
        tokens = tokens if self.ending is None else np.concatenate([[self.ending], tokens])
        pairs = torch.from_numpy(tokens[:-1] * len(self.pairs) + tokens[1:])
        self.pairs += torch.bincount(pairs, minlength=self.pairs.numel()).view_as(self.pairs)
        self.ending = int(tokens[-1])

    def forward(self, tokens):
        return (self.pairs / self.pairs.sum(dim=1, keepdim=True)).log()[tokens]

    def tables(self):
        return {"pairs": self.pairs}

    def load_tables(self, tables):
        self.pairs = tables["pairs"]


def stack_of(mixer):
    if issubclass(mixer, ChannelMixer):
        return lambda config, task: ResidualStack(config, task, token_mixer=None, channel_mixer=mixer)
    return lambda config, task: ResidualStack(config, task, token_mixer=mixer, channel_mixer=None)


class DecodesBothWays(Own):
    """Built for filling gaps, reads both ways, and decodes all the same."""

    def forward(self, tokens, mask=None):
        x = self.embedding(tokens)
        read = torch.ones_like(x[..., :1]) if mask is None else mask[..., None].to(x)
        mean = (x * read).sum(dim=1, keepdim=True) / read.sum(dim=1, keepdim=True)
        return self.head(torch.cat([x, mean.expand_as(x)], dim=2))


class CallsALayerScore(Own):
    """Has a layer of the name of a method, which hides it."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.score = nn.Linear(3, 3)


class IgnoresTheTask(LanguageModel):
    """Built for filling gaps, but each position reads its own token alone."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, task.vocabulary_size)

    def forward(self, tokens, mask=None):
        return self.embedding(tokens)


MASKED = (DecodesBothWays, IgnoresTheTask)


@hookimpl
def lab_register_architectures(register):
    for name, kind in list(globals().items()):
        if isinstance(kind, type) and issubclass(kind, nn.Module) and kind.__module__ == __name__:
            build = kind if issubclass(kind, LanguageModel) else stack_of(kind)
            tasks = frozenset({"masked" if kind in MASKED else "causal"})
            called = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
            register(Architecture(called, name, "broken", "Breaks one promise.", SmallConfig, build, tasks=tasks))
