"""The page Fill in of Play: offered for models that predict hidden tokens, and only for them."""

import pytest

from lab.shell.play.pages import COST, FILL, SCORE, TRANSLATE, WRITE, PlayPages
from lab.workbench.access.text_use import TextUse

MASKED = ("architecture.name=encoder", "objective.name=masked", "training.context_length=32")


@pytest.fixture
def filling(open_page, until):
    """The pages of Play with the untrained model of a recipe that predicts hidden tokens."""
    page = open_page("play", *MASKED)
    session = page.session
    pages = PlayPages(page.play, session.registry, session.model_provider, session.background)
    pages.resize(1200, 700)
    pages.begin()
    pages.show()
    page.play.use_changed.emit()
    until(lambda: pages.page == FILL)
    pages.session = session
    yield pages
    pages.close_down()
    page.play.setParent(page)  # which closes it
    pages.close()
    pages.deleteLater()


def offered(pages):
    return {pages._buttons.id(button) for button in pages._buttons.buttons() if not button.isHidden()}


def test_a_model_of_hidden_tokens_is_offered_what_it_can_do_and_a_causal_one_all_that_it_could_before(filling, until):
    assert offered(filling) == {FILL, SCORE}
    filling.open_page(WRITE)
    assert filling.page == FILL
    filling.session.draft.apply({"architecture": {"name": "transformer"}, "objective": {"name": "causal"}})
    filling.write._select_run()
    until(lambda: filling.page == WRITE)
    assert FILL not in offered(filling)
    assert len(offered(filling)) == 9


def test_a_stored_page_of_other_models_is_opened_once_one_of_them_is_selected(filling, monkeypatch):
    filling.load_state_dict({"page": TRANSLATE})
    assert filling.page == FILL
    assert filling.state_dict()["page"] == TRANSLATE
    monkeypatch.setattr(filling.write.model, "use", TextUse.SOURCE)
    filling._offer()
    assert filling.page == TRANSLATE
    filling.open_page(COST)
    assert filling.state_dict()["page"] == COST


def test_every_hidden_place_gets_its_candidates(filling, until, click):
    page = filling.fill
    page.field.setPlainText("the [MASK] on [MASK*2].")
    click(page.button)
    until(lambda: page.found is not None or page._problem.text())
    assert not page._problem.text()
    assert [place.index for place in page.found.places] == [0, 1, 2]
    assert page.text.isVisible()
    assert page.text.text() == page.found.text
    assert page.bars.list.model().rowCount() == 12
    page._choose_token(2)
    assert page.places.value == "1"
    page.orders.pick("one-by-one")
    until(lambda: page.found.order == "one-by-one")
    assert sorted(place.turn for place in page.found.places) == [0, 1, 2]


def test_a_text_without_a_mark_says_what_to_write_and_the_button_writes_it(filling, until, click):
    page = filling.fill
    page.field.setPlainText("the cat")
    click(page.button)
    until(lambda: page._problem.isVisible())
    assert "[MASK]" in page._problem.text()
    cursor = page.field.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    page.field.setTextCursor(cursor)
    click(page.insert)
    assert page.field.toPlainText() == "the cat[MASK]"
    click(page.button)
    until(lambda: page.found is not None and not page._problem.isVisible())


def test_what_was_filled_in_goes_with_the_model(filling, until, click):
    page = filling.fill
    page.field.setPlainText("a [MASK]")
    click(page.button)
    until(lambda: page.found is not None)
    page.forget()
    assert not page.text.isVisible()
    assert page.card.state == "empty"
