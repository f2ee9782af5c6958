"""Questions: the command, the JSON interface and Python give the same answer to each."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from same_support import printed_by, value_of

from pavcodec.errors import PavError
from pavcodec.questions import QUESTIONS, question_named
from pavcodec.questions.asking import Asker, asking, asks, call_of, command_of
from pavcodec.questions.count import Count
from pavcodec.questions.odds import Odds

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from pavcodec.questions.asking import Question

NINE = "spades(north) + spades(south) == 9"
HAND = "S AKQ2.K85.AJ4.T63"

ASKED: dict[str, list[dict[str, Any]]] = {
    "odds": [
        {"event": "spades(east) == 2", "given": NINE},
        {"event": "spades(east) == 5", "given": NINE},
        {"event": "spades(east)", "given": NINE},
        {"event": "hcp(north)", "hands": (HAND,)},
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


def printed(question: Question) -> Any:
    """Return the JSON of the command: an object, or the boards of `deal` line by line."""
    text = printed_by(command_of(question), "--json")
    if question.name != "deal":
        return json.loads(text)
    return {"seed": question.seed, "boards": list(map(json.loads, text.splitlines()))}  # type: ignore[attr-defined]


def in_python(question: Question) -> Any:
    return value_of(call_of(question)).to_dict()


def by_interface(client: TestClient, name: str, fields: dict[str, Any]) -> Any:
    response = client.post(f"/api/v1/{name}", json=fields)
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
    row = question.answer().to_dict()
    assert json.loads(json.dumps(row)) == printed(question)
    assert in_python(question) == row


@pytest.mark.parametrize(
    ("name", "fields"), [(name, each) for name, rows in ASKED.items() for each in rows]
)
def test_the_interface_gives_the_same(
    client: TestClient, name: str, fields: dict[str, Any]
) -> None:
    row = question_named(name)(**fields).answer().to_dict()
    assert by_interface(client, name, fields) == json.loads(json.dumps(row))


SUITS = ("spades", "hearts", "diamonds", "clubs")
SEATS = ("north", "east", "south", "west")


def random_question(name: str, turn: random.Random) -> dict[str, Any]:
    """Return the fields of a small question."""
    seat, other = turn.sample(SEATS, 2)
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
    if name == "count":
        return {"condition": f"{event} && {given}", **cards, **more}
    if turn.random() < 0.2:
        return {"event": number, "second": f"{suit}({other})", **cards}
    return {"event": turn.choice((event, number)), "given": given, **cards, **more}


def answer_of(question: Question) -> Any:
    """Return the JSON of the answer, or why there is none."""
    try:
        return json.loads(json.dumps(question.answer().to_dict()))
    except PavError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["count", "deal", "odds"])
def test_200_random_questions_have_the_same_answer_everywhere(
    client: TestClient, name: str
) -> None:
    turn = random.Random(35)
    for _ in range(200):
        fields = random_question(name, turn)
        question = question_named(name)(**fields)
        row = answer_of(question)
        if isinstance(row, str):
            continue
        assert printed(question) == row
        assert json.loads(json.dumps(in_python(question))) == row
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
