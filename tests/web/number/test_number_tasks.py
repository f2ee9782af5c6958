"""What the pages Number and Ending draw, and what only they ask."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError
from web_tasks import content_of

import pavcodec as pav
from pavcodec.questions.identify import layout_form
from pavcodec.web.pages.number import CLASSES, class_of, scheme_of
from pavcodec.web.tasks.number import (
    DECODE,
    ENCODE,
    ENDING,
    ENDING_FILE,
    IDENTIFY,
)
from pavcodec.web.tasks.problem import FieldError

if TYPE_CHECKING:
    from formats_support import Cli

DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
LEGAL = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
ILLEGAL = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
IN_TRICK = "N:A..2. K... Q... J..4."
SUITS = ("spades", "hearts", "diamonds", "clubs")
TWO_BOARDS = f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{LEGAL}"]\n'


def answer_of(task: Any, **fields: Any) -> Any:
    return task.work(task.question(**fields))


def test_readings_have_kinds_and_boards() -> None:
    kinds = {one["kind"] for one in answer_of(IDENTIFY, text="27E41B3246BEC9B16E398115").schemes}
    assert kinds == {"numbering", "code"}
    (first, second) = answer_of(IDENTIFY, text=TWO_BOARDS).schemes
    assert (first["kind"], first["board"], second["board"]) == ("format", 7, 8)
    assert (first["form"], second["form"]) == ("deal", "ending")
    assert first["summary"].startswith("Portable Bridge Notation")
    (hands,) = answer_of(IDENTIFY, text="South: ♠AK").schemes
    assert (hands["scheme"], hands["form"]) == ("hands", "part")
    assert hands["summary"] == "hands as people type them"


def test_parts_that_cannot_be_read_are_notes() -> None:
    answer = answer_of(IDENTIFY, text=f'[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "N:AK"]\n')
    assert len(answer.schemes) == 1
    assert "a deal has 4 hands" in answer.notes[0]


def places(deal: str, **more: Any) -> dict[str, dict[str, Any]]:
    """Return a layout in all schemes, as the page has them."""
    rows = answer_of(ENCODE, deal=deal, all=True, **more).schemes
    return {row["scheme"]: scheme_of(row, one_based=more.get("one_based", False)) for row in rows}


def test_a_layout_has_places_and_neighbours() -> None:
    deals = pav.numbering("deal")
    first, last = places("0")["deal"], places(str(deals[-1]))["deal"]
    assert (first["previous"], first["following"]) == (None, 1)
    assert (last["previous"], last["following"]) == (deals.cardinality - 2, None)
    assert (first["cardinality"], first["bits"]) == (deals.cardinality, 96)
    assert first["hexadecimal"] == "0x" + "0" * 24
    one_based = places(str(pav.numbering("andrews")[0]), one_based=True)["andrews"]
    assert (one_based["text"], one_based["previous"], one_based["following"]) == ("1", None, 2)


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


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"layout": "N:AK... - - -"}, "layout", "an ending has equally many cards"),
        ({"layout": LEGAL, "table": "S1"}, "table", "no card is called 'S1'"),
        ({"layout": LEGAL, "denomination": "X"}, "denomination", "expected NT, S, H, D or C"),
        ({"layout": LEGAL, "on_lead": "Q"}, "on_lead", "expected N, E, S or W"),
        ({"layout": " "}, "layout", "expected a number, a code or a deal"),
        ({"layout": TWO_BOARDS}, "layout", "expected one deal, not 2"),
    ],
)
def test_what_is_no_ending(fields: dict[str, str], field: str, message: str) -> None:
    with pytest.raises(FieldError, match=message) as caught:
        answer_of(ENDING, **fields)
    assert caught.value.problem.field == field


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
