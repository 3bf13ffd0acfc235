"""Parts of a model are found by path, name or kind."""

from lab.base.model_parts import ModelPart

INNER = ModelPart("block.attention.query", "query", "part")
ATTENTION = ModelPart("block.attention", "attention", "tokens", rows=((INNER,),))
NORM = ModelPart("block.norm", "norm", "norm")
BLOCK = ModelPart("block", "block", "block", rows=((NORM,), (ATTENTION,)))
LAST = ModelPart("norm", "norm", "norm")
MODEL = ModelPart("", "norm", "model", rows=((BLOCK,), (LAST,)))


def test_a_part_is_found_by_its_path_else_its_name_else_its_kind():
    assert MODEL.find("block.norm") is NORM
    assert MODEL.find("norm") is LAST
    assert MODEL.find("query") is INNER
    assert MODEL.find("tokens") is ATTENTION
    assert MODEL.find("experts") is None


def test_the_first_of_several_parts_is_found():
    assert ModelPart("", "model", "model", rows=((BLOCK, ModelPart("other", "block", "block")),)).find("block") is BLOCK


def test_the_parts_around_one_are_listed_from_the_outside_in():
    assert MODEL.around("block.attention.query") == ("", "block", "block.attention")
    assert MODEL.around("") == MODEL.around("nowhere") == ()
