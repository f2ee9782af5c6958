"""Questions: the command, the JSON interface and Python give the same answer to each."""

from __future__ import annotations

import json
import random
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from same_support import printed_by, value_of

from pavcodec import code_names, numbering, numbering_names
from pavcodec.errors import PavError
from pavcodec.questions import QUESTIONS, question_named
from pavcodec.questions.asking import (
    Answer,
    Asker,
    asking,
    asks,
    call_of,
    command_of,
    note,
    when_done,
)
from pavcodec.questions.count import Count
from pavcodec.questions.odds import Odds
from pavcodec.web.tasks.simple import SIMPLE, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi.testclient import TestClient

    from pavcodec.questions.asking import Question

NINE = "spades(north) + spades(south) == 9"
DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
ENDING = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
HAND = "S AKQ2.K85.AJ4.T63"

ASKED: dict[str, list[dict[str, Any]]] = {
    "odds": [
        {"event": "spades(east) == 2", "given": NINE},
        {"event": "spades(east) == 5", "given": NINE},
        {"event": "spades(east)", "given": NINE},
        {"event": "hcp(north)", "hands": (HAND,)},
        {"event": "spades(east)", "hands": ("S 12345678901234567890123456789",)},
        {"event": "spades(east)", "hands": (HAND,), "played": ("E S93",)},
        {"event": "spades(east)", "hands": (HAND,), "shown_out": ("W: spades",)},
        {"event": "hcp(east) >= 8", "play": "W DT D3 D2 DJ SA"},
        {"event": "hcp(east)", "cards": 2, "unused": "SA HA"},
        {"event": "hascard(east, SA)", "cards": 3, "legal": True},
        {"event": "aces(north)", "second": "kings(north)", "given": "hcp(north) == 12"},
        {"event": "aces(north)", "weights": ("N: hcp {37: 1}", "2")},
        {"event": "aces(north)", "simulate": 50, "seed": "7"},
        {"event": "aces(north)", "second": "kings(south)", "simulate": 50, "seed": "Lisbon"},
        {"event": "spades(east) == 2 // isn't it\n", "given": NINE},
        {"event": "-hcp(north) > -9", "predeal": ("north SA",)},
        {"event": "rnd(6) == 5"},
    ],
    "bigdeal": [
        {"owner": "Golden Test Owner", "seed": "0001020304050607" * 2 + "08090a0b"},
        {"owner": "-x 'é'", "entropy": ("q", "-r"), "boards": "17-19", "numbering": "deal"},
    ],
    "practice": [
        {"situations": ("two-clubs",), "n": 2, "seed": "7", "difficulty": "hard"},
        {"situations": ("hcp(south) >= 20",), "n": 2, "seed": "7", "dealer": "S"},
        {"situations": ("-hcp(north) < -9 : 2", "stayman"), "n": 3, "seed": "-x", "hands": "NS"},
        {"predeal": ("north SA",), "n": 2, "seed": "7", "turn": True, "start": 3},
        {
            "situations": ("transfer(south=12-14, north=8+)=2", "stayman"),
            "n": 3,
            "board": 2,
            "seed": "7",
        },
        {"situations": ("preempt",), "n": 1, "seed": "7", "title": "Club 'x'", "odds": "set"},
    ],
    "count": [
        {"condition": "hcp(south) >= 20"},
        {"condition": "-hcp(south) <= -20"},
        {"condition": "hearts(north) >= 5", "predeal": ("south SAKQ,HA",)},
        {"condition": "hcp(south) > 40"},
        {"condition": "hcp(south) > 40 && spades(east) == 1", "conflict": True},
        {"condition": "hcp(south) >= 30", "cards": 5},
        {"condition": "hcp(south) >= 8", "cards": 3, "legal": True},
        {"condition": "rnd(3) == 1 && hcp(south) > 20", "tries": 100},
        {"condition": "hcp(south) > 20", "method": "test", "tries": 50},
        {"condition": "spades(north) == 4", "mix": ("hcp(south) >= 20 : 35", "1 : 65")},
        {"mix": ("hcp(south) >= 20 : 1", "hcp(north) >= 20 : 2"), "interleave": True},
        {"condition": "spades(south) >= 5", "weights": ("S: hcp {12-14: 1, 15+: 3}",)},
        {"condition": "produce 3\npredeal north SAK\nfit = spades(south)\ncondition fit >= 8"},
        {"condition": "HandType_a = hcp(south) > 20\nHandType_b = 1\n1", "level": ("",)},
        {"hands": (HAND,), "template": "N:AT... - - -"} | {"template": "N:9... - - -"},
    ],
    "encode": [
        {"deal": DEAL},
        {"deal": DEAL, "numbering": "andrews", "hex": True},
        {"deal": DEAL, "numbering": "bba", "board": 7},
        {"deal": DEAL, "numbering": "zbs"},
        {"deal": DEAL, "where": "spades(south) == 5", "one_based": True},
        {"deal": DEAL, "all": True, "one_based": True},
        {"deal": "12", "numbering": "andrews"},
        {"deal": ENDING, "numbering": "legal"},
        {"deal": "South: ♠AK ♥Q10", "all": True},
        {"deal": "gjacljgkbedpjpaadglmfnnhmk007", "all": True},
    ],
    "decode": [
        {"number": 12345678901234567890123456789},
        {"number": "0xff", "numbering": "andrews", "one_based": True},
        {"number": "ff", "hex": True},
        {"number": 3, "where": "hcp(north) > 30"},
        {"number": "gjacljgkbedpjpaadglmfnnhmk007", "numbering": "dlm"},
    ],
    "identify": [
        {"text": "12,345,678,901"},
        {"text": "1", "one_based": True},
        {"text": "27E41B3246BEC9B16E398115"},
        {"text": f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{ENDING}"]\n'},
        {"text": "South: ♠AK ♥Q10 ♦- ♣2"},
    ],
    "ending": [
        {"layout": ENDING},
        {"layout": ENDING, "denomination": "S", "first_leader": "E", "on_lead": "W"},
        {"layout": "N:A..2. K... Q... J..4.", "table": "H3,H2"},
        {"layout": "N: A... K... Q... J..."},
        {"layout": "5", "denomination": "C"},
    ],
    "numberings": [
        {},
        {"numbering": "balanced"},
        {"table": True},
    ],
    "cases": [
        {"condition": "spades(west) == 9", "n": 4},
        {"condition": "hcp(north) == 2 && hcp(south) <= 1", "select": 5},
    ],
    "duplicates": [{"files": ("0", "5", "0")}, {"files": ("0", "5"), "up_to": "suits,turns"}],
    "info": [{"files": ("0", "N:AK... - - -")}],
    "rare": [
        {"files": ("12345678901234567890123456789",)},
        {"files": ("0", "N:AKQJ... - - -", '[Board "3"]\n[Deal "' + DEAL + '"]'), "all": True},
        {"files": (DEAL, f'[Board "3"]\n[Deal "{DEAL}"]'), "boards": "3"},
    ],
    "show": [
        {"files": ("0", ENDING)},
        {
            "files": (f'[Board "3"]\n[Deal "{DEAL}"]\n[Contract "4S"]\n[Declarer "N"]',),
            "boards": "3",
        },
    ],
    "solve": [{"files": (ENDING,)}, {"files": (f'[Board "3"]\n[Deal "{ENDING}"]',), "par": True}],
    "stats": [{"files": (DEAL, "5")}, {"files": (DEAL,), "given": "hcp(north) >= 5"}],
    "formats": [{}, {"formats": ("lin", "csv")}, {"formats": ("csv", "dlm"), "survives": True}],
    "situations": [{}, {"words": ("raises", "spade")}, {"words": ("stayman(north=8-9)",)}],
    "shapes": [
        {},
        {"patterns": True},
        {"shapes": "any 4333 + 5xxx", "sort": "probability"},
        {"shapes": "s >= 5 && h >= 5", "patterns": True},
        {"shapes": "s > 13"},
    ],
}


ASKED["deal"] = [
    {"seed": "7", **each}
    for each in (
        {"n": 3},
        {"condition": "hcp(south) >= 20", "n": 3, "start": 5, "dealer": "E", "vulnerable": "All"},
        {"condition": "hcp(south) >= 20", "n": 3, "permuted": True},
        {"condition": "hcp(south) >= 20", "n": 3, "sorted": True},
        {"condition": "spades(south) >= 5", "n": 3, "weights": ("S: hcp {12-14: 1, 15+: 3}",)},
        {"hands": (HAND,), "play": "W DT D3 D2 DJ SA", "n": 2},
        {"condition": "produce 3\ndealer west\npredeal north SAK\nhcp(south) >= 15"},
        {"condition": "hcp(south) >= 8", "cards": 3, "legal": True, "n": 2},
        {"mix": ("hcp(south) >= 20 : 1", "hcp(south) == 5 : 1"), "interleave": True, "n": 4},
        {"condition": "HandType_a = hcp(south) > 20\nHandType_b = 1\n1", "level": ("",), "n": 4},
        {"condition": "hcp(south) >= 20 && rnd(2)", "n": 2},
    )
]


def in_python(question: Question) -> Any:
    return value_of(call_of(question)).to_dict()


ADDRESSES = {"bigdeal": "tournament/bigdeal"}
"""Addresses in the JSON interface that are not the name of the question."""


def by_interface(client: TestClient, name: str, fields: dict[str, Any]) -> Any:
    response = client.post(f"/api/v1/{ADDRESSES.get(name, name)}", json=fields)
    assert response.status_code == 200, response.text
    row = response.json()
    keys = (
        question_named(name).keys if name == "deal" else row.keys() - {"command", "python", "notes"}
    )
    return {key: row[key] for key in keys}


@pytest.mark.parametrize(
    ("name", "fields"), [(name, each) for name, rows in ASKED.items() for each in rows]
)
def test_the_command_and_python_give_the_same(name: str, fields: dict[str, Any]) -> None:
    question = question_named(name)(**fields)
    answer = question.answer()
    documents = [json.loads(json.dumps(each)) for each in answer.documents()]
    assert printed_as_json(question) == documents
    assert in_python(question) == answer.to_dict()


def printed_as_json(question: Question) -> list[Any]:
    """Return the objects that the command of a question prints."""
    text = printed_by(command_of(question), "--json")
    if question.indent is not None:
        return [json.loads(text)]
    return list(map(json.loads, text.splitlines()))


SERVED = (
    *("count", "deal", "odds", "encode", "decode", "identify", "ending", "bigdeal", "practice"),
    "solve",
    *SIMPLE,
)
"""The questions whose answers the interface has."""


@pytest.mark.parametrize(
    ("name", "fields"), [(name, row) for name in SERVED for row in ASKED[name]]
)
def test_the_interface_gives_the_same(
    client: TestClient, name: str, fields: dict[str, Any]
) -> None:
    row = question_named(name)(**fields).answer().to_dict()
    assert by_interface(client, name, fields) == as_json(row)


@pytest.mark.parametrize("name", SIMPLE)
def test_a_page_shows_the_lines(client: TestClient, name: str) -> None:
    assert "<pre" not in client.get(f"/ask/{name}").text
    for fields in filter(None, ASKED[name]):
        page = client.get(f"/ask/{name}", params=fields).text
        shown = unescape(page.partition("<pre")[2].partition(">")[2].partition("</pre>")[0])
        assert shown.split("\n") == [*question_named(name)(**fields).answer().lines()]


@pytest.mark.parametrize(
    "text", ["/etc/passwd", "-", "nothing.pbn", "https://example.com/a.pbn", "."]
)
@pytest.mark.parametrize("name", ["rare", "show", "stats", "duplicates"])
def test_a_server_opens_nothing(client: TestClient, name: str, text: str) -> None:
    response = client.post(f"/api/v1/{name}", json={"files": [text]})
    assert response.status_code == 422
    assert response.json()["problem"]["field"] == "files"
    assert client.post(f"/api/v1/{name}", json={}).status_code == 422
    assert client.post(f"/api/v1/{name}", json={"files": ["0"], "workers": 1}).status_code == 422


DEALS = numbering("deal").cardinality
SUITS = ("spades", "hearts", "diamonds", "clubs")
SEATS = ("north", "east", "south", "west")


def random_number(turn: random.Random) -> dict[str, Any]:
    scheme = turn.choice(numbering_names(partial=True, classes=True))
    number = turn.randrange(numbering(scheme).cardinality)
    given = turn.choice((number, str(number), f"{number:,}", hex(number)))
    return {"number": given, "numbering": scheme}


def random_text(turn: random.Random) -> str:
    """Return a deal or a number as a text."""
    asked = random_number(turn)
    ranks = numbering(asked["numbering"])
    return turn.choice((str(asked["number"]), str(ranks[turn.randrange(ranks.cardinality)])))


def random_encoding(turn: random.Random) -> dict[str, Any]:
    choice = turn.choice(({"all": True}, {"numbering": turn.choice(code_names())}, {"hex": True}))
    deal = str(numbering("deal")[turn.randrange(10**28)])
    return {"deal": deal, **choice, "board": turn.choice((None, 5))}


def random_ending(turn: random.Random) -> dict[str, Any]:
    ranks = numbering("legal")
    layout = str(ranks[turn.randrange(ranks.cardinality)])
    return {"layout": layout, "denomination": turn.choice((None, "NT", "S"))}


OF_NUMBERS: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "decode": random_number,
    "encode": random_encoding,
    "ending": random_ending,
    "identify": lambda turn: {"text": random_text(turn)},
}


def random_question(name: str, turn: random.Random) -> dict[str, Any]:  # noqa: PLR0911 (kinds)
    """Return the fields of a small question."""
    if name in OF_NUMBERS:
        return OF_NUMBERS[name](turn)
    if name in {"rare", "show", "stats", "duplicates"}:
        deals = tuple(str(turn.randrange(DEALS)) for _ in range(turn.randrange(1, 4)))
        chosen: dict[str, Any] = {"files": (*deals, *turn.choices(deals, k=turn.randrange(2)))}
        if name != "stats":
            return chosen | ({"all": turn.random() < 0.5} if name == "rare" else {})
        return chosen | ({"given": f"hcp(north) >= {turn.randrange(9)}"} if len(deals) > 2 else {})
    if name == "shapes":
        one, *others = turn.sample(("5xxx", "any 4333", "any 5422", "x6xx", "any 7xxx"), 3)
        signed = (f" {turn.choice('+-')} {other}" for other in others)
        return {"shapes": "".join([one, *signed]), "patterns": turn.random() < 0.5}
    seat, other = turn.sample(SEATS, 2)
    if name == "bigdeal":
        first = turn.randrange(1, 90)
        boards = f"{first}-{first + turn.randrange(4)}"
        entropy = tuple(turn.choices(("a", "-b", "ü ß"), k=turn.randrange(1, 4)))
        return {"owner": turn.choice(("me", "-x y")), "entropy": entropy, "boards": boards}
    suit = turn.choice(SUITS)
    number = turn.choice((f"hcp({seat})", f"{suit}({seat})", f"aces({seat}) + kings({other})"))
    event = f"{number} {turn.choice(('==', '>=', '<'))} {turn.randrange(8)}"
    given = f"{suit}({other}) == {turn.randrange(1, 7)}"
    cards = {"cards": turn.randrange(2, 6)} if turn.random() < 0.2 else {}
    more: dict[str, Any] = {"hands": (f"{other[0].upper()} S{turn.choice('AKQJ')}",)}
    more = {} if cards or turn.random() < 0.6 else more
    if name == "deal":
        more |= {"n": turn.randrange(1, 5), "seed": str(turn.randrange(1000))}
        more |= (
            {turn.choice(("distinct", "permuted", "sorted")): True} if turn.random() < 0.3 else {}
        )
        return {"condition": given, **cards, **more}
    if name == "practice":
        topics = tuple(turn.sample((given, f"{event} : 2", "stayman=3", "preempt"), 2))
        shown = {
            "hands": turn.choice(("NS", "EW", "all")),
            "turn": turn.random() < 0.5,
            "odds": "none",
        }
        return {"situations": topics, "n": 2, "seed": str(turn.randrange(99)), **shown}
    if name == "count":
        return {"condition": f"{event} && {given}", **cards, **more}
    if turn.random() < 0.2:
        return {"event": number, "second": f"{suit}({other})", **cards}
    return {"event": turn.choice((event, number)), "given": given, **cards, **more}


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("count", "deal", "odds", "bigdeal", "practice"),
        *("rare", "show", "stats", "duplicates", "shapes"),
        *OF_NUMBERS,
    ],
)
def test_200_random_questions_have_the_same_answer_everywhere(
    client: TestClient, name: str
) -> None:
    turn = random.Random(35)
    for _ in range(200):
        fields = random_question(name, turn)
        question = question_named(name)(**fields)
        try:
            answer = question.answer()
        except PavError:
            continue
        row = as_json(answer.to_dict())
        if not answer.is_fault:  # the exit code is 1
            assert printed_as_json(question) == as_json([*answer.documents()])
        assert as_json(in_python(question)) == row
        assert by_interface(client, name, fields) == row


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_field_and_each_key_is_described(name: str) -> None:
    question = question_named(name)
    assert question.keys
    for each, one in asks(question):
        assert one.help, each.name


def test_who_asks_hears_the_notes_at_once() -> None:
    heard: list[str] = []

    class Listener(Asker):
        def note(self, text: str) -> None:
            heard.append(text)

    with asking(Listener()):
        answer = Odds(event="hcp(north) == 15 or 16").answer()
    assert heard == [*answer.notes] == ["warning: '16' is always true, whatever the deal"]


def test_a_notebook_shows_the_lines() -> None:
    answer = Count(condition="hcp(south) > 37").answer()
    assert answer._repr_html_().startswith("<pre>0 deals\n&#x27;hcp(south) &gt; 37")


@pytest.mark.parametrize(
    "words",
    [["numberings"], ["numberings", "deal"], ["identify", "--list"], ["formats"], ["shapes"]],
    ids=" ".join,
)
def test_json_of_lists_is_indented_for_people(words: list[str]) -> None:
    assert printed_by(" ".join(["pavcodec", *words]), "--json").splitlines()[1].startswith("  ")


@pytest.mark.parametrize("lines", [1999, 2000, 2001, 2002])
def test_a_page_says_where_it_leaves_lines_out(lines: int) -> None:
    class Long(Answer):
        def lines(self) -> Iterator[str]:
            return map(str, range(lines))

    shown = text_of(Long()).splitlines()
    assert shown[:2000] == list(map(str, range(min(lines, 2000))))
    assert shown[2000:] == ["…"] * (lines > 2000)


def test_what_waits_for_the_end_is_told_to_whoever_asked() -> None:
    heard: list[str] = []

    class Listener(Asker):
        def note(self, text: str) -> None:
            heard.append(text)

    with asking(Listener()):
        when_done(lambda: note("last"))
        note("first")
        assert heard == ["first"]
    assert heard == ["first", "last"]
    when_done(lambda: note("nobody waits"))
