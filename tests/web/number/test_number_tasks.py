"""What the pages Number and Ending draw, and what only they ask."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError
from web_tasks import content_of

import pavcodec as pav
from pavcodec.web.tasks.number import (
    DECODE,
    ENCODE,
    ENDING,
    ENDING_FILE,
    IDENTIFY,
    DealView,
    EndingView,
    FactsQuestion,
    TypedQuestion,
    facts,
    layout_form,
    recognise,
)
from pavcodec.web.tasks.problem import FieldError

if TYPE_CHECKING:
    from formats_support import Cli

DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
LEGAL = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
ILLEGAL = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
IN_TRICK = "N:A..2. K... Q... J..4."
CODE = "gjacljgkbedpjpaadglmfnnhmk007"
TWO_BOARDS = f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{LEGAL}"]\n'


def answer_of(task: Any, **fields: Any) -> Any:
    return task.work(task.question(**fields))


def in_all_schemes(deal: str, **more: Any) -> DealView:
    view = answer_of(ENCODE, deal=deal, all=True, **more).view
    assert isinstance(view, DealView)
    return view


def drawn_ending(layout: str, **more: Any) -> EndingView:
    view = answer_of(ENDING, layout=layout, **more).view
    assert isinstance(view, EndingView)
    return view


def printed(python: str) -> list[str]:
    """Return what lines of Python print."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(python, {})  # noqa: S102 (the lines of an answer)
    return out.getvalue().splitlines()


def run(cli: Cli, command: str) -> list[str]:
    """Return what a command prints; it succeeds."""
    program, *words = shlex.split(command)
    assert program == "pavcodec"
    outcome = cli(*words)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.lines


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "12,345,678,901",
            "This may be: deal, balanced, ending, base5, andrews, bigdeal and 5 more.",
        ),
        (
            CODE,
            "This is 26 letters a to p of two cards each, and three digits as a check, board",
        ),
        (TWO_BOARDS, "This may be: pbn board 7, pbn board 8."),
        ("♠AK ♥Q", "This is hands as people type them."),
        ("2220446049250313080847263336181640624", "This is any placing of the cards, one base-5"),
    ],
)
def test_a_text_is_recognised(cli: Cli, text: str, words: str) -> None:
    answer = recognise(TypedQuestion(text=text))
    assert answer.problem is None
    assert answer.words.startswith(words)
    schemes = [line.split()[0] for line in run(cli, answer.command)]
    assert [line.split()[0] for line in printed(answer.python)] == schemes
    for name in schemes[:6]:
        assert name in answer.words or len(schemes) == 1


def test_a_text_that_is_nothing_yet_is_no_error() -> None:
    answer = recognise(TypedQuestion(text="♠AKx"))
    assert answer.words == ""
    assert answer.problem is not None
    assert answer.problem.message == "'x' is no card"


def test_readings_have_kinds_and_boards() -> None:
    kinds = {one.kind for one in answer_of(IDENTIFY, text="27E41B3246BEC9B16E398115").view}
    assert kinds == {"numbering", "code"}
    (first, second) = answer_of(IDENTIFY, text=TWO_BOARDS).view
    assert (first.kind, first.board, second.board) == ("format", 7, 8)
    assert (first.form, second.form) == ("deal", "ending")
    assert first.summary.startswith("Portable Bridge Notation")
    (hands,) = answer_of(IDENTIFY, text="South: ♠AK").view
    assert (hands.kind, hands.form) == ("hands", "part")


def test_parts_that_cannot_be_read_are_notes() -> None:
    answer = answer_of(IDENTIFY, text=f'[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "N:AK"]\n')
    assert len(answer.schemes) == 1
    assert "a deal has 4 hands" in answer.notes[0]


def test_a_layout_has_places_neighbours_and_classes() -> None:
    deals = pav.numbering("deal")
    view = in_all_schemes("0")
    first = view.schemes[0]
    assert (first.scheme, first.previous, first.following) == ("deal", None, 1)
    assert (first.cardinality, first.bits) == (deals.cardinality, 96)
    assert first.hexadecimal == "0x" + "0" * 24
    last = in_all_schemes(str(deals[-1])).schemes[0]
    assert (last.previous, last.following) == (deals.cardinality - 2, None)
    by_suits, by_turns = view.classes
    assert (by_suits.numbering, by_turns.numbering) == ("deal-suits", "deal-suits-turns")
    # Each hand has one suit, so an order of the suits or a turn gives another order of the hands.
    assert (by_suits.size, by_turns.size) == (24, 24)
    deal = pav.Deal.from_pbn(DEAL)
    most = in_all_schemes(DEAL).classes
    assert [one.size for one in most] == [24, 96]
    assert most[1].canonical == str(deal.canonical("suits,turns")[0])


def test_numbers_from_one() -> None:
    view = in_all_schemes(str(pav.numbering("andrews")[0]), one_based=True)
    first = {one.scheme: one for one in view.schemes}["andrews"]
    assert (first.text, first.previous, first.following) == ("1", None, 2)
    assert [one.number for one in view.classes] == [
        pav.numbering(one.numbering, one_based=True).rank(pav.Deal.from_pbn(view.board.pbn))
        for one in view.classes
    ]


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


def test_a_part_of_a_deal_says_what_is_missing() -> None:
    view = in_all_schemes("South: AKQJT98765432...")
    assert (view.kind, view.sizes) == ("part", {"N": 0, "E": 0, "S": 13, "W": 0})
    assert view.missing["spades"] == ""
    assert view.missing["hearts"] == "AKQJT98765432"
    assert [one.scheme for one in view.schemes] == ["ending", "base5"]
    assert not view.classes


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [DEAL, "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
)
def test_facts_are_what_command_and_python_give(cli: Cli, text: str) -> None:
    answer = facts(FactsQuestion(deal=text))
    deal = pav.Deal.from_pbn(text)
    for fact in answer.facts:
        assert deal in pav.deals(fact.event)
    python = printed(answer.python)
    assert python == [f"{fact.chance.exact} {fact.event}" for fact in answer.facts]
    for command, fact in zip(answer.command.splitlines(), answer.facts, strict=True):
        (line,) = run(cli, f"{command} --json")
        assert json.loads(line)["probability"] == str(fact.chance.exact)


@pytest.mark.slow
def test_quick_shares_are_the_probabilities_of_their_events() -> None:
    texts = [str(deal) for deal in pav.numbering("deal").sample(3, seed=7)]
    deals = [pav.Deal.from_pbn(text) for text in texts]
    deals += [pav.numbering("deal")[0], pav.numbering("deal")[10**20]]
    for deal in deals:
        for fact in facts(FactsQuestion(deal=str(deal))).facts:
            assert fact.chance.exact == pav.probability(fact.event), fact.event


def test_facts_are_of_deals() -> None:
    with pytest.raises(pav.PavError, match="only a deal of 13 cards"):
        facts(FactsQuestion(deal=LEGAL))


@pytest.mark.slow
def test_endings_have_their_count_and_their_numbers() -> None:
    view = drawn_ending(LEGAL)
    assert view.count is not None
    assert (view.count.cards, view.count.legal) == (4, 653447424897294885000)
    assert view.count.endings == 653534134886878245000
    assert [one.scheme for one in view.schemes] == ["balanced", "ending", "base5", "legal"]
    assert "legal" not in [one.scheme for one in drawn_ending(ILLEGAL).schemes]
    middle = drawn_ending(IN_TRICK)
    assert middle.count is None
    assert (middle.on_lead, len(middle.table or [])) == ("E", 2)


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
