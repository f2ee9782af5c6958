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
    "bigdeal": [
        {"owner": "Golden Test Owner", "seed": "0001020304050607" * 2 + "08090a0b"},
        {"owner": "-x 'é'", "entropy": ("q", "-r"), "boards": "17-19", "numbering": "deal"},
    ],
    "practice": [
        {"situations": ("two-clubs",), "n": 2, "seed": "7", "difficulty": "hard"},
        {"situations": ("hcp(south) >= 20",), "n": 2, "seed": "7", "dealer": "S"},
        {"situations": ("-hcp(north) < -9 : 2", "stayman"), "n": 3, "seed": "-x", "hands": "NS"},
        {"predeal": ("north SA",), "n": 2, "seed": "7", "turn": True, "start": 3},
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
        {"hands": (HAND,), "template": "N:AT... - - -"} | {"template": "N:9... - - -"},
    ],
}


def in_python(question: Question) -> Any:
    return value_of(call_of(question)).to_dict()


def by_interface(client: TestClient, name: str, fields: dict[str, Any]) -> Any:
    response = client.post(f"/api/v1/{name}", json=fields)
    assert response.status_code == 200, response.text
    row = response.json()
    return {key: row[key] for key in row if key not in {"command", "python", "notes"}}


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
    return list(map(json.loads, printed_by(command_of(question), "--json").splitlines()))


ADDRESSES = {"odds": "odds", "bigdeal": "tournament/bigdeal", "practice": "practice"}
"""The questions of the JSON interface, and their addresses there."""


@pytest.mark.parametrize(
    ("name", "fields"),
    [(name, each) for name in ADDRESSES for each in ASKED[name]],
    ids=lambda value: str(value)[:40],
)
def test_the_interface_gives_the_same(
    client: TestClient, name: str, fields: dict[str, Any]
) -> None:
    row = question_named(name)(**fields).answer().to_dict()
    assert by_interface(client, ADDRESSES[name], fields) == json.loads(json.dumps(row))


SUITS = ("spades", "hearts", "diamonds", "clubs")
SEATS = ("north", "east", "south", "west")


def random_question(name: str, turn: random.Random) -> dict[str, Any]:
    """Return the fields of a small question."""
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


def answer_of(question: Question) -> Any:
    """Return the JSON of the answer, or why there is none."""
    try:
        return json.loads(json.dumps(question.answer().to_dict()))
    except PavError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["count", "odds", "bigdeal", "practice"])
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
        printed = printed_as_json(question)
        assert printed == (row["boards"] if name in {"bigdeal", "practice"} else [row])
        assert json.loads(json.dumps(in_python(question))) == row
        if name in ADDRESSES:
            assert by_interface(client, ADDRESSES[name], fields) == row


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
