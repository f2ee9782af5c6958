"""The tasks of the pages Number and Ending: their answers, and the commands and lines they name."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

import pavcodec as pav
from pavcodec.web.tasks.number import (
    CardsQuestion,
    DecodeQuestion,
    EncodeAnswer,
    EndingAnswer,
    EndingQuestion,
    decode,
    encode,
    ending,
    ending_file,
    facts,
    identify,
    kind_of,
    recognise,
)
from pavcodec.web.tasks.problem import problem_of

if TYPE_CHECKING:
    from formats_support import Cli

DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
ENDING = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
ILLEGAL = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
IN_TRICK = "N:A..2. K... Q... J..4."


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


TEXTS = [
    "12,345,678,901,234,567,890,123,456,789",
    "gjacljgkbedpjpaadglmfnnhmk007",
    DEAL,
    f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{ENDING}"]\n',
    "South: ♠AK ♥Q10 ♦- ♣'2".replace("'", ""),
]


@pytest.mark.parametrize("text", TEXTS)
def test_identify_gives_what_command_and_python_give(cli: Cli, text: str) -> None:
    answer = identify(CardsQuestion(text=text))
    assert answer.readings
    assert answer.more == 0
    told = [(one.scheme, one.board.pbn) for one in answer.readings]
    lines = run(cli, answer.command)
    assert [(line.split()[0], line[line.index("N:") :]) for line in lines] == told
    python = printed(answer.python)
    assert [(line.split()[0], line[line.index("N:") :]) for line in python] == told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "12,345,678,901",
            "This may be: deal, balanced, ending, base5, andrews, bigdeal and 5 more.",
        ),
        (
            TEXTS[1],
            "This is 26 letters a to p of two cards each, and three digits as a check, board 1.",
        ),
        (TEXTS[3], "This may be: pbn board 7, pbn board 8."),
        ("♠AK ♥Q", "This is hands as people type them."),
        ("2220446049250313080847263336181640624", "This is any placing of the cards, one base-5"),
    ],
)
def test_a_text_is_recognised(cli: Cli, text: str, words: str) -> None:
    answer = recognise(CardsQuestion(text=text))
    assert answer.problem is None
    assert answer.words.startswith(words)
    schemes = [line.split()[0] for line in run(cli, answer.command)]
    assert printed(answer.python) == [str(schemes)]
    for name in schemes[:6]:
        assert name in answer.words or len(schemes) == 1


def test_a_text_that_is_nothing_yet_is_no_error() -> None:
    answer = recognise(CardsQuestion(text="♠AKx"))
    assert answer.words == ""
    assert answer.problem is not None
    assert answer.problem.message == "'x' is no card"


def test_identify_names_kinds_and_boards() -> None:
    kinds = {one.kind for one in identify(CardsQuestion(text="27E41B3246BEC9B16E398115")).readings}
    assert kinds == {"numbering", "code"}
    (first, second) = identify(CardsQuestion(text=TEXTS[3])).readings
    assert (first.kind, first.board.number, second.board.number) == ("format", 7, 8)
    assert first.summary.startswith("Portable Bridge Notation")


def test_hands_of_fields_and_the_missing_fourth() -> None:
    deal = pav.Deal.from_pbn(DEAL)
    fields = {name: getattr(deal, name).to_pbn() for name in ("north", "east", "south")}
    (reading,) = identify(CardsQuestion(**fields)).readings
    assert (reading.kind, reading.board.pbn) == ("hands", DEAL)


@pytest.mark.parametrize(
    ("fields", "field", "wrong"),
    [
        ({"north": "AKx.Q.."}, "north", "x"),
        ({"south": "AK.Q"}, "south", "AK.Q"),
        ({"east": "♠A ♠K\nNorth: ♥2"}, "east", "♠A ♠K"),
    ],
)
def test_a_wrong_hand_is_marked_in_its_field(
    fields: dict[str, str], field: str, wrong: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        CardsQuestion(**fields)
    problem = problem_of(caught.value)
    assert problem.field == field
    assert problem.source is not None
    assert problem.source[problem.start : problem.end] == wrong


def test_a_card_in_two_fields() -> None:
    with pytest.raises(pav.TextError, match="SA comes twice"):
        identify(CardsQuestion(north="A...", south="A..."))


def test_questions_without_cards() -> None:
    with pytest.raises(pav.PavError, match="expected a number, a code or a deal"):
        identify(CardsQuestion(text=" "))


def test_more_readings_than_a_page_draws() -> None:
    text = "".join(f'[Board "{n}"]\n[Deal "{DEAL}"]\n\n' for n in range(1, 40))
    answer = identify(CardsQuestion(text=text))
    assert (len(answer.readings), answer.more) == (36, 3)


def test_problems_beside_readings_are_shown() -> None:
    answer = identify(CardsQuestion(text=f'[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "N:AK"]\n'))
    assert len(answer.readings) == 1
    assert "a deal has 4 hands" in answer.problems[0]


@pytest.mark.parametrize("number", [12345678901234567890123456789, "12,345", "0xff"])
def test_decode_gives_what_command_and_python_give(cli: Cli, number: int | str) -> None:
    answer = decode(DecodeQuestion(number=number, numbering="andrews"))
    assert run(cli, answer.command) == printed(answer.python) == [answer.board.pbn]


def check_schemes(answer: EncodeAnswer, cli: Cli) -> None:
    told = [[one.scheme, one.text] for one in answer.schemes]
    assert [line.split() for line in run(cli, answer.command)] == told
    assert [line.split() for line in printed(answer.python)] == told


@pytest.mark.parametrize("text", [DEAL, "12345678901234567890123456789", TEXTS[1], "AK.Q.."])
def test_encode_gives_what_command_and_python_give(cli: Cli, text: str) -> None:
    check_schemes(encode(CardsQuestion(text=text)), cli)


def test_numbers_from_one(cli: Cli) -> None:
    question = CardsQuestion(text="1", numbering="andrews", one_based=True)
    answer = encode(question)
    check_schemes(answer, cli)
    assert answer.board.pbn == str(pav.numbering("andrews")[0])
    first = {one.scheme: one for one in answer.schemes}["andrews"]
    assert (first.text, first.previous, first.following) == ("1", None, 2)
    assert [one.number for one in answer.classes] == [
        pav.numbering(one.numbering, one_based=True).rank(pav.Deal.from_pbn(answer.board.pbn))
        for one in answer.classes
    ]
    readings = identify(question)
    lines = [line.split()[:2] for line in run(cli, readings.command)]
    assert lines[:11] == [[one.scheme, str(one.number)] for one in readings.readings][:11]
    assert [line.split()[0] for line in printed(readings.python)] == [name for name, _ in lines]


def test_encode_has_places_neighbours_and_classes() -> None:
    deals = pav.numbering("deal")
    answer = encode(CardsQuestion(text="0", numbering="deal"))
    first = answer.schemes[0]
    assert (first.scheme, first.previous, first.following) == ("deal", None, 1)
    assert (first.cardinality, first.bits) == (deals.cardinality, 96)
    assert first.hexadecimal == "0x" + "0" * 24
    (last,) = [
        one for one in encode(CardsQuestion(text=str(deals[-1]))).schemes if one.scheme == "deal"
    ]
    assert (last.previous, last.following) == (deals.cardinality - 2, None)
    by_suits, by_turns = answer.classes
    assert (by_suits.numbering, by_turns.numbering) == ("deal-suits", "deal-suits-turns")
    # Each hand has one suit, so an order of the suits or a turn gives another order of the hands.
    assert (by_suits.size, by_turns.size) == (24, 24)
    deal = pav.Deal.from_pbn(DEAL)
    most = encode(CardsQuestion(text=DEAL)).classes
    assert [one.size for one in most] == [24, 96]
    assert most[1].canonical == str(deal.canonical("suits,turns")[0])


def test_encode_reads_the_chosen_scheme_and_board() -> None:
    number = "12345678901234567890123456789"
    answer = encode(CardsQuestion(text=number, numbering="andrews"))
    assert answer.board.pbn == str(pav.numbering("andrews")[int(number)])
    with pytest.raises(pav.UnknownNameError, match="did you mean 'andrews'"):
        encode(CardsQuestion(text=number, numbering="andrew"))
    boards = CardsQuestion(text=TEXTS[3], board=8)
    assert encode(boards).board.pbn == ENDING
    with pytest.raises(pav.PavError, match="no board 9"):
        encode(CardsQuestion(text=TEXTS[3], board=9))


def test_codes_have_the_board_of_the_text() -> None:
    answer = encode(CardsQuestion(text=TEXTS[1]))
    codes = {one.scheme: one.text for one in answer.schemes if one.kind == "code"}
    assert codes["dlm"] == TEXTS[1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (DEAL, "deal"),
        (ENDING, "ending"),
        (IN_TRICK, "trick"),
        ("N:A..2. K... Q... -", "part"),
        ("N:A... K... Q... -", "trick"),
        ("N:A... - Q... -", "part"),
        ("N:A... - K... QJ...", "part"),
        ("N:- - - -", "part"),
    ],
)
def test_kinds_of_layouts(text: str, kind: str) -> None:
    assert kind_of(pav.Layout.from_pbn(text)) == kind


def test_a_part_of_a_deal_says_what_is_missing() -> None:
    answer = encode(CardsQuestion(south="AKQJT98765432..."))
    assert (answer.kind, answer.sizes) == ("part", {"N": 0, "E": 0, "S": 13, "W": 0})
    assert answer.missing["spades"] == ""
    assert answer.missing["hearts"] == "AKQJT98765432"
    assert [one.scheme for one in answer.schemes] == ["ending", "base5"]
    assert not answer.classes


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [DEAL, "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
)
def test_facts_are_what_command_and_python_give(cli: Cli, text: str) -> None:
    answer = facts(CardsQuestion(text=text))
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
        for fact in facts(CardsQuestion(text=str(deal))).facts:
            assert fact.chance.exact == pav.probability(fact.event), fact.event


def test_facts_are_of_deals() -> None:
    with pytest.raises(pav.PavError, match="only a deal of 13 cards"):
        facts(CardsQuestion(text=ENDING))


def check_ending(answer: EndingAnswer, cli: Cli) -> None:
    words = shlex.split(answer.command)
    outcome = cli(*words[1:], "--json")
    assert outcome.err == ""
    row = json.loads(outcome.out)
    assert row["legal"] == answer.legal
    if not answer.legal:
        assert (outcome.code, row["reason"]) == (1, answer.reason)
        assert printed(answer.python) == [answer.reason]
        return
    assert answer.deal is not None
    assert row["deal"] == answer.deal.pbn
    assert row["tricks"] == [trick.model_dump() for trick in answer.tricks]
    assert row["denominations"] == answer.denominations
    assert printed(answer.python) == [answer.deal.pbn]


QUESTIONS = [
    EndingQuestion(text=ENDING),
    EndingQuestion(text=ILLEGAL),
    EndingQuestion(text=ENDING, denomination="S", first_leader="E", on_lead="W"),
    EndingQuestion(text="N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7."),
    EndingQuestion(
        text="N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7.", denomination="NT"
    ),
    EndingQuestion(text=IN_TRICK),
    EndingQuestion(text=IN_TRICK, table="H3, H2"),
    EndingQuestion(north="A...", east="K...", south="Q...", west="J..."),
    EndingQuestion(text=DEAL),
]


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_endings_are_what_command_and_python_give(cli: Cli, question: EndingQuestion) -> None:
    check_ending(ending(question), cli)


@pytest.mark.slow
def test_endings_have_their_count_and_their_numbers() -> None:
    answer = ending(EndingQuestion(text=ENDING))
    assert answer.count is not None
    assert (answer.count.cards, answer.count.legal) == (4, 653447424897294885000)
    assert answer.count.endings == 653534134886878245000
    assert [one.scheme for one in answer.schemes] == ["balanced", "ending", "base5", "legal"]
    illegal = ending(EndingQuestion(text=ILLEGAL))
    assert "legal" not in [one.scheme for one in illegal.schemes]
    middle = ending(EndingQuestion(text=IN_TRICK))
    assert middle.count is None
    assert (middle.on_lead, len(middle.table or [])) == ("E", 2)


@pytest.mark.slow
def test_a_number_is_an_ending_where_it_can_be_one() -> None:
    number = pav.numbering("balanced").rank(pav.Layout.from_pbn(ENDING))
    assert ending(EndingQuestion(text=f"{number:,}")).ending.pbn == ENDING
    with pytest.raises(pav.LayoutError, match="equally many cards"):
        ending(EndingQuestion(text=str(number), numbering="ending"))
    assert ending(EndingQuestion(text="5")).ending.deal == "5"


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (EndingQuestion(text="N:AK... - - -"), "an ending has equally many cards"),
        (EndingQuestion(text=ENDING, table="SZ"), "Z"),
        (EndingQuestion(text=ENDING, table="S2"), "no card is on the table"),
        (EndingQuestion(text="-"), "fits no numbering"),
        (EndingQuestion(text="N:- - - -"), "expected the cards of four hands"),
    ],
)
def test_what_is_no_ending(question: EndingQuestion, message: str) -> None:
    with pytest.raises(pav.PavError, match=message):
        ending(question)


def test_the_file_is_that_of_the_command(cli: Cli, tmp_path: object) -> None:
    question = EndingQuestion(text=ENDING, denomination="H")
    file = ending_file(question)
    data = b"".join(file.chunks)
    path = f"{tmp_path}/ending.pbn"
    assert cli("ending", "--denomination", "H", ENDING, "-o", path).code == 0
    with open(path, "rb") as stream:
        assert stream.read() == data
    (board,) = pav.read(io.BytesIO(data), format="pbn")
    assert board.tags["Contract"] == "1H"
    with pytest.raises(pav.PavError, match="no play reaches this ending"):
        ending_file(EndingQuestion(text=ILLEGAL))


@pytest.mark.parametrize("number", [9007199254740993.0, 1e20, -1e20])
def test_a_rounded_number_is_refused(number: float) -> None:
    """It would be another deal than the one that was meant."""
    with pytest.raises(ValidationError, match="is rounded"):
        DecodeQuestion.model_validate({"number": number})
    assert DecodeQuestion.model_validate({"number": 1000.0}).number == 1000
    exact = {"number": 9007199254740993}
    assert DecodeQuestion.model_validate(exact).number == 9007199254740993
