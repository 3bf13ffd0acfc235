"""A run in several processes: what the command line refuses."""


def test_a_part_of_the_weights_needs_another_process(train):
    refused = train("--shard")
    assert refused.code == 2
    assert "--shard" in refused.err
    assert "Add --processes N" in refused.err
