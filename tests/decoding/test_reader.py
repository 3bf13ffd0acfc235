"""Reading ahead and reading with another run's model: the same logits as token by token, in fewer passes."""

import pytest
import torch

from lab.api import Task
from lab.base import BadInput
from lab.decoding.reader import PIECE, ModelReader, Reader
from lab.host import Plugins
from lab.layers import LanguageModel

SYMBOLS = 7
CARDS = Plugins(safe_mode=True)
SETTINGS = {
    "transformer": {"layers": 1, "width": 8, "heads": 2},
    "gru": {"width": 8},
    "mamba": {"layers": 1, "width": 8},
}


def made(name, context=12):
    card = CARDS.card("architectures", name)
    torch.manual_seed(0)
    return card.make(card.config(**SETTINGS[name]), Task(SYMBOLS, context)).eval()


class Counted:
    """A model that counts its passes and the tokens in them."""

    def __init__(self, model):
        self.inner, self.reach, self.start = model, model.reach, model.start
        self.passes, self.tokens = 0, 0

    def extend(self, tokens, state, last=None):
        self.passes += 1
        self.tokens += tokens.shape[1]
        return self.inner.extend(tokens, state, last)

    def step(self, token, state):
        logits, state = self.extend(token[:, None], state)
        return logits[:, 0], state


TEXT = torch.randint(SYMBOLS, (30,), generator=torch.Generator().manual_seed(1)).tolist()


def read_on(reader, proposals=None):
    """What a reader gives after each token of TEXT from the third on; `proposals` gives tokens by the length."""
    given = proposals or {}
    with torch.no_grad():
        return [
            reader.read([TEXT[:length]], [0], lambda most, at=length: given.get(at, ())[:most])
            for length in range(3, len(TEXT) + 1)
        ]


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize(
    "proposals",
    [
        {4: TEXT[4:7]},
        {4: [*TEXT[4:6], (TEXT[6] + 1) % SYMBOLS]},
        {length: [(TEXT[length] + 1) % SYMBOLS] * 3 for length in range(4, 30)},
        {length: [*TEXT[length : length + 2], (TEXT[(length + 2) % 30] + 1) % SYMBOLS] for length in range(4, 28)},
    ],
    ids=["all taken", "two taken", "none taken", "two taken again and again"],
)
def test_what_was_proposed_changes_no_logits_and_no_hidden_states(name, proposals):
    """Also where the model is full and starts again, which happens at the same tokens."""
    plain = read_on(Reader(made(name), "cpu", SYMBOLS, hidden=True))
    ahead = read_on(Reader(made(name), "cpu", SYMBOLS, hidden=True), proposals)
    assert [one.reread for one in plain] == [one.reread for one in ahead]
    for one, other in zip(plain, ahead, strict=True):
        torch.testing.assert_close(one.logits, other.logits, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(one.hidden, other.hidden, atol=1e-5, rtol=1e-5)


def test_tokens_that_were_proposed_need_no_pass_and_wrong_ones_little_work():
    right, wrong = Counted(made("gru")), Counted(made("gru"))
    read_on(Reader(right, "cpu", SYMBOLS), {length: TEXT[length : length + 3] for length in range(4, 30)})
    assert right.passes == 1 + 7  # the first one reads three tokens, and each other four, but the last
    read_on(Reader(wrong, "cpu", SYMBOLS), {length: [(TEXT[length] + 1) % SYMBOLS] for length in range(4, 30)})
    assert wrong.passes <= 28 + 2  # what is not behind a state yet is read with the next token
    assert wrong.tokens <= 28 * 19


def test_tokens_that_were_peeked_at_are_not_read_again():
    model = Counted(made("transformer"))
    reader = Reader(model, "cpu", SYMBOLS, hidden=True)
    with torch.no_grad():
        reader.read([[1, 2]], [0])
        logits, hidden = reader.peek([[1, 2, 3], [1, 2, 5]], [0, 0])
        passes = model.passes
        found = reader.read([[1, 2, 5]], [0])
        assert model.passes == passes
        assert torch.equal(found.logits[0], logits[1])
        assert torch.equal(found.hidden[0, 0], hidden[1])
        onward = reader.read([[1, 2, 5, 4]], [0]).logits
        direct = made("transformer")(torch.tensor([[1, 2, 5, 4]]))[:, -1]
        torch.testing.assert_close(onward, direct, atol=1e-5, rtol=1e-5)
        reader.peek([[1, 2, 5, 4, 3]], [0])
        other = reader.read([[1, 2, 5, 4, 0]], [0]).logits  # not among those that were peeked at
        torch.testing.assert_close(other, made("transformer")(torch.tensor([[1, 2, 5, 4, 0]]))[:, -1])


def test_hidden_states_of_a_model_that_reports_none_are_refused():
    class Bare(LanguageModel):
        def __init__(self):
            super().__init__(None, Task(SYMBOLS, 16))

        def forward(self, tokens):
            return torch.zeros(*tokens.shape, SYMBOLS)

    with pytest.raises(BadInput, match="this model reports none"):
        Reader(Bare(), "cpu", SYMBOLS, hidden=True).read([[1]], [0])


@pytest.mark.parametrize("name", SETTINGS)
def test_the_reader_of_a_run_gives_the_same_for_a_text_however_it_came_to_it(name):
    model = made(name)
    reader = ModelReader(model, "cpu", SYMBOLS)
    texts = [TEXT[:5], TEXT[:6], [*TEXT[:6], 3], [*TEXT[:6], 3, 3], [*TEXT[:5], 6, 1], TEXT[:9], TEXT[:5], TEXT, [2]]
    for text in texts:
        alone = ModelReader(model, "cpu", SYMBOLS).logits([text])
        torch.testing.assert_close(reader.logits([text]), alone, atol=1e-5, rtol=1e-5)
        if model.reach is None or len(text) <= model.reach:
            with torch.no_grad():
                torch.testing.assert_close(alone, model(torch.tensor([text]))[:, -1], atol=1e-5, rtol=1e-5)


def test_the_reader_of_a_run_reads_only_what_is_new_also_of_branches_and_after_a_way_back():
    model = Counted(made("gru"))
    reader = ModelReader(model, "cpu", SYMBOLS)
    reader.logits([TEXT[:10]])
    assert model.tokens == 10
    reader.logits([[*TEXT[:10], 1], [*TEXT[:10], 2]])
    reader.logits([[*TEXT[:10], 2, 4], [*TEXT[:10], 2, 5]])
    assert model.tokens == 12
    reader.logits([[*TEXT[:10], 3]])  # back to the first ten
    assert model.tokens == 13
    reader.logits([[*TEXT[:10], 3]])
    assert model.tokens == 13


def test_the_reader_of_a_run_keeps_few_states(monkeypatch):
    monkeypatch.setattr("lab.decoding.reader.STORED_BYTES", 1)
    reader = ModelReader(made("transformer", 64), "cpu", SYMBOLS)
    for length in range(1, 20):
        reader.logits([TEXT[:length]])
    assert len(reader._known) == 2


class Pieces(LanguageModel):
    """A model that counts its tokens, predicts by their number, and notes how many it reads at once."""

    def __init__(self):
        super().__init__(None, Task(4, 16))
        self.read = []

    def start(self, batch):
        return torch.zeros(batch, dtype=torch.long)

    def extend(self, tokens, state, last=None):
        self.read.append(tokens.shape[1])
        places = state[:, None] + 1 + torch.arange(tokens.shape[1])
        logits = torch.nn.functional.one_hot(places % 4, 4).float()
        return logits[:, -(last or tokens.shape[1]) :], state + tokens.shape[1]


@pytest.mark.parametrize("length", [PIECE + 1, PIECE + 2, 5 * PIECE, 5 * PIECE + 7])
def test_a_long_text_is_read_in_pieces(length):
    model, text = Pieces(), [0] * length
    logits = Reader(model, "cpu", 4).read([text], [0]).logits
    assert int(logits.argmax()) == length % 4
    assert max(model.read) <= PIECE + 1
    assert sum(model.read) == length
    assert int(ModelReader(model, "cpu", 4).logits([text]).argmax()) == length % 4
