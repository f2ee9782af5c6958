"""What the pages Number and Ending draw, and what only they ask."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError
from web_tasks import content_of

import pavcodec as pav
from pavcodec.questions.identify import layout_form
from pavcodec.web.pages.number import CLASSES, class_of
from pavcodec.web.tasks.number import (
    DECODE,
    ENDING_FILE,
)

if TYPE_CHECKING:
    from formats_support import Cli

DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
LEGAL = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
ILLEGAL = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
IN_TRICK = "N:A..2. K... Q... J..4."
SUITS = ("spades", "hearts", "diamonds", "clubs")


def answer_of(task: Any, **fields: Any) -> Any:
    return task.work(task.question(**fields))


@pytest.mark.parametrize(
    ("deal", "sizes"), [(str(pav.numbering("deal")[0]), (24, 24)), (DEAL, (24, 96))]
)
@pytest.mark.parametrize("one_based", [False, True])
def test_a_deal_has_classes(deal: str, sizes: tuple[int, int], *, one_based: bool) -> None:
    found = [class_of(name, pav.Layout.from_pbn(deal), one_based=one_based) for name in CLASSES]
    assert [one["size"] for one in found] == [*sizes]
    for one, symmetry in zip(found, CLASSES.values(), strict=True):
        assert one["canonical"] == str(pav.Deal.from_pbn(deal).canonical(symmetry)[0])
        ranks = pav.numbering(one["numbering"], one_based=one_based)
        assert one["number"] == ranks.rank(pav.Deal.from_pbn(deal))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (DEAL, "deal"),
        (LEGAL, "ending"),
        (IN_TRICK, "trick"),
        ("N:A..2. K... Q... -", "part"),
        ("N:A... K... Q... -", "trick"),
        ("N:A... - Q... -", "part"),
        ("N:A... - K... QJ...", "part"),
        ("N:- - - -", "part"),
    ],
)
def test_forms_of_layouts(text: str, form: str) -> None:
    assert layout_form(pav.Layout.from_pbn(text)) == form


@pytest.mark.slow
def test_values_of_a_deal_are_events_with_their_probabilities() -> None:
    texts = [DEAL, *(str(pav.numbering("deal")[number]) for number in (0, 10**20))]
    for row in pav.rare(*texts, all=True).to_dict()["deals"]:
        events = [one for one in row["values"] if one["event"]]
        assert {one["section"] for one in events} >= {"hcp", "controls", "side-hcp", "fit"}
        for one in events:
            assert pav.Deal.from_pbn(row["deal"]) in pav.deals(one["event"])
            assert str(pav.probability(one["event"])) == one["probability"], one["event"]
        hands = zip(pav.Seat, pav.Deal.from_pbn(row["deal"]), strict=True)
        lengths = [
            f"{suit}({seat.name.lower()}) == {length}"
            for seat, hand in hands
            for suit, length in zip(SUITS, hand.shape, strict=True)
        ]
        assert str(pav.probability(" && ".join(lengths))) == row["lengths"]


def test_the_file_is_that_of_the_command(cli: Cli, tmp_path: object) -> None:
    file = answer_of(ENDING_FILE, layout=LEGAL, denomination="H")
    data = content_of(file)
    path = f"{tmp_path}/ending.pbn"
    assert cli("ending", "--denomination", "H", LEGAL, "-o", path).code == 0
    with open(path, "rb") as stream:
        assert stream.read() == data
    (board,) = pav.read(io.BytesIO(data), format="pbn")
    assert board.tags["Contract"] == "1H"
    with pytest.raises(pav.PavError, match="no play reaches this ending"):
        answer_of(ENDING_FILE, layout=ILLEGAL)


@pytest.mark.parametrize("number", [9007199254740993.0, 1e20, -1e20])
def test_a_rounded_number_is_refused(number: float) -> None:
    """It would be another deal than the one that was meant."""
    with pytest.raises(ValidationError):
        DECODE.question.model_validate({"number": number})
    row = answer_of(DECODE, number=9007199254740993)
    assert row.number == "9007199254740993"
