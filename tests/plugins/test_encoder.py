"""Encoders and their objectives: what is hidden, what follows, what was replaced, and what is shared."""

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task
from lab.host import Plugins
from lab.text.streams import TokenSource
from lab_encoder.electra import build as build_electra
from lab_encoder.model import build
from lab_encoder.objective_settings import NextSentenceConfig, ReplacedConfig
from lab_encoder.objectives import NextSentence, ReplacedTokens, _drawn
from lab_encoder.settings import ElectraConfig, EncoderConfig

V, T = 30, 20


def source(length=T, count=2000, order="crops"):
    tokens = np.arange(count) % V  # each token is followed by the next number
    return TokenSource(tokens, V, length, order)


def encoder(config=None, task=None, **settings):
    torch.manual_seed(0)
    config = config or EncoderConfig(**{"layers": 2, "width": 16, "heads": 2, **settings})
    return build(config, task or Task(V + 3, T, causal=False, next_sentence=True))


def test_a_row_of_two_pieces_is_begin_a_separator_b_separator_with_segments():
    objective = NextSentence(NextSentenceConfig(share=1e-9))
    batch = objective.batch(source(), np.arange(300), 1)
    begin, separator = V + 1, V + 2
    tokens, segments = batch.inputs["tokens"], batch.inputs["segments"]
    assert (tokens[:, 0] == begin).all()
    for row, kinds, follows in zip(tokens, segments, batch.inputs["follows"], strict=True):
        first, second = (row == separator).nonzero().flatten().tolist()
        assert kinds[: first + 1].sum() == 0
        assert kinds[first + 1 :].all()
        assert second == T - 1
        before, after = int(row[first - 1]), int(row[first + 1])
        if before < V and after < V and follows:
            assert (before + 1) % V == after
    assert 0.4 < batch.inputs["follows"].float().mean() < 0.62
    assert ((batch.targets >= 0).sum(dim=1) == 1).all()


def test_special_symbols_are_never_hidden():
    batch = NextSentence(NextSentenceConfig(share=1.0)).batch(source(), np.arange(50), 1)
    assert (batch.targets >= 0).sum(dim=1).eq(T - 3).all()
    assert batch.targets.max() < V


def test_the_loss_of_the_next_sentence_counts_in_training_alone():
    objective, model = NextSentence(), encoder()
    batch = objective.batch(source(), np.arange(16), 1)
    alone = objective.loss(model.eval(), batch)
    both = objective.loss(model.train(), batch)  # no dropout
    extra = both.nats.sum() - alone.nats.sum()
    total, _ = alone.metrics["next-sentence loss"]
    torch.testing.assert_close(extra, total * 0.15 * (T - 3))  # as many as are expected in a row
    assert both.metrics["next-sentence accuracy"][1] == 16


def test_with_fixed_maskings_a_row_has_as_many_pairs_at_whatever_reading():
    text = TokenSource(np.random.default_rng(0).integers(0, 11, 4000), 11, 32, "epochs")
    count = text.examples
    for maskings, most in ((1, 1), (3, 3), (0, 8)):
        objective = NextSentence(NextSentenceConfig(maskings=maskings))
        found = {}
        for epoch in range(8):
            examples = np.arange(epoch * count, (epoch + 1) * count)
            rows = [tuple(row.tolist()) for row in text.rows(examples, 1)["tokens"]]
            batch = objective.batch(text, examples, 1)
            for row, shown, follows in zip(rows, batch.inputs["tokens"], batch.inputs["follows"], strict=True):
                found.setdefault(row, set()).add((tuple(shown.tolist()), int(follows)))
        sizes = [len(pairs) for pairs in found.values()]
        assert max(sizes) == most, maskings
        assert np.mean(sizes) > 0.8 * most


@pytest.mark.parametrize("maskings", [0, 1, 3])
def test_a_piece_that_does_not_follow_is_never_of_the_row_itself(maskings):
    text = TokenSource(np.random.default_rng(0).integers(0, V, 200), V, T, "epochs")  # few rows, often drawn
    objective = NextSentence(NextSentenceConfig(maskings=maskings, share=1e-9))
    examples = np.arange(40 * text.examples)
    batch = objective.batch(text, examples, 1)
    tokens = torch.where(batch.targets >= 0, batch.targets, batch.inputs["tokens"])
    negatives = 0
    for row, read, follows in zip(text.rows(examples, 1)["tokens"], tokens, batch.inputs["follows"], strict=True):
        first, second = (read == V + 2).nonzero().flatten().tolist()
        piece = read[first + 1 : second].numpy()
        negatives += int(not follows)
        assert follows or (piece != row[: len(piece)]).any()
    assert negatives > 0.2 * len(examples)


def test_two_pieces_need_some_room():
    with pytest.raises(BadInput) as caught:
        NextSentence().batch(source(7), np.arange(2), 1)
    assert caught.value.problem.field == "training.context_length"


def electra():
    torch.manual_seed(0)
    config = ElectraConfig(layers=2, width=32, heads=4, generator_share=0.5)
    return build_electra(config, Task(V + 1, T, causal=False))


def test_the_generator_is_narrower_and_shares_the_embedding():
    model = electra()
    assert (model.generator.config.width, model.generator.config.heads) == (16, 2)
    for name in ("embedding", "position", "segment"):
        assert getattr(model.generator, name).weight is getattr(model.discriminator, name).weight
    assert model.generator.output.weight is model.discriminator.embedding.weight


def test_what_was_replaced_is_what_the_generator_changed():
    objective, model = ReplacedTokens(ReplacedConfig(share=0.5)), electra().eval()
    batch = objective.batch(source(), np.arange(8), 1)
    assert batch.weight == 8 * T
    assert (batch.inputs["tokens"][batch.inputs["hidden"]] == V).all()
    loss = objective.loss(model, batch)
    total, count = loss.metrics["replaced"]
    assert 0.3 < float(total) / count <= 0.6
    again = objective.loss(model, batch)
    assert again.nats.equal(loss.nats)  # the draws belong to the batch
    assert loss.nats.shape == batch.targets.shape


def test_an_all_knowing_generator_leaves_nothing_to_find():
    objective, model = ReplacedTokens(), electra().eval()
    batch = objective.batch(source(), np.arange(4), 1)
    model.filled = lambda tokens, hidden, **given: 100.0 * torch.nn.functional.one_hot(batch.targets[hidden], V + 1)
    loss = objective.loss(model, batch)
    assert float(loss.metrics["replaced"][0]) == 0
    assert "found" not in loss.metrics


def test_draws_follow_the_probabilities_and_never_the_mask():
    logits = torch.tensor([[0.2, 0.5, 0.3, 9.0]]).log().expand(20_000, 4)
    drawn = _drawn(logits, torch.rand(20_000, generator=torch.Generator().manual_seed(0)), 1)
    shares = torch.bincount(drawn, minlength=4) / 20_000
    assert float((shares - torch.tensor([0.2, 0.5, 0.3, 0.0])).abs().max()) < 0.015


def test_the_discriminator_learns_from_every_token_and_the_generator_from_hidden_ones():
    objective, model = ReplacedTokens(), electra().train()
    batch = objective.batch(source(), np.arange(8), 1)
    loss = objective.loss(model, batch)
    (loss.nats.sum() / batch.weight).backward()
    missing = [name for name, parameter in model.named_parameters() if parameter.grad is None]
    assert missing == []


def test_blocks_of_a_group_have_one_set_of_weights():
    config = EncoderConfig(layers=4, width=16, heads=2, shared_groups=2, embedding_width=8)
    model = build(config, Task(V, T, causal=False))
    one, two, three = (model.blocks[layer].channel.inner.weight for layer in (0, 1, 2))
    assert one is two
    assert one is not three
    assert not any(name.startswith(("blocks.1.", "blocks.3.")) for name in model.tables())
    assert model.embedding.weight.shape == (V, 8)


def test_segments_change_what_is_read():
    model = encoder().eval()
    tokens = torch.randint(0, V, (1, T))
    plain = model(tokens)
    assert plain.equal(model(tokens, segments=torch.zeros(1, T, dtype=torch.long)))
    assert not plain.equal(model(tokens, segments=torch.ones(1, T, dtype=torch.long)))


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"layers": 4, "shared_groups": 3}, "shared_groups"),
        ({"pattern": "[attention+mlp]"}, "shared blocks"),
        ({"layers": 2, "pattern": "attention+mlp, mlp", "shared_groups": 1}, "same mixers"),
        ({"embedding_width": 8, "head_transform": False}, "tie"),
        ({"width": 30, "heads": 4}, "heads"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings, part):
    with pytest.raises(BadInput, match=part):
        EncoderConfig.read(settings, field="architecture")


@pytest.mark.parametrize("preset", ["bidirectional-lstm", "two-way-mamba"])
def test_every_mixer_reads_both_ways(lab_home, preset):
    card = Plugins(safe_mode=True).card("architectures", "encoder")
    config = card.config.read({**card.presets[preset]["architecture"], "layers": 2, "width": 16, "heads": 2})
    torch.manual_seed(0)
    model = card.make(config, Task(V, T, causal=False)).eval()
    tokens = torch.randint(0, V, (1, T))
    changed = tokens.clone()
    changed[0, T // 2] = (changed[0, T // 2] + 1) % V
    with torch.no_grad():
        differs = (model(tokens) - model(changed)).abs().amax(dim=-1)[0] > 0
    assert differs.all()


def test_published_sizes_have_about_the_parameters_their_papers_print(lab_home):
    from lab.diagnostics.cost import blueprint

    plugins = Plugins(safe_mode=True)
    for name in ("encoder", "electra"):
        card = plugins.card("architectures", name)
        for preset, sizes in card.sizes.items():
            for size in sizes:
                if size.parameters is None:
                    continue
                config = card.config.read({**card.presets[preset]["architecture"], **size.settings})
                pairs = preset != "distilbert"  # which has no pooler
                task = Task(size.vocabulary_size, size.context_length, causal=False, next_sentence=pairs)
                count = sum(p.numel() for p in blueprint(card, config, task).parameters())
                if name == "electra":  # the papers count the discriminator
                    model = blueprint(card, config, task)
                    count = sum(p.numel() for p in model.discriminator.parameters())
                assert abs(count / size.parameters - 1) < 0.035, (preset, size.name, count)


def test_one_segment_stands_for_both_pieces_of_a_next_sentence():
    objective = NextSentence()
    source = TokenSource(np.arange(400) % 11, 11, 16)
    model = build(EncoderConfig(layers=1, width=8, heads=2, segments=1), objective.task(source))
    batch = objective.batch(source, np.arange(4), 0)
    assert batch.inputs["segments"].max() == 1
    assert torch.isfinite(objective.loss(model, batch).nats).all()
