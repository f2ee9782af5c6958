"""The page Odds: what it draws of each answer, its short forms, its examples, its problems."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from page_tables import tables_of

import pavcodec as pav
from pavcodec.chances.figures import plain_percent

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

NINE = "spades(north) + spades(south) == 9"


def shown(client: TestClient, **fields: str) -> str:
    response = client.get("/odds", params=fields)
    assert response.status_code == 200
    return unescape(response.text)


def test_an_event_shows_its_fraction_and_its_odds(client: TestClient) -> None:
    page = shown(client, event="spades(east) == 2", given=NINE)
    for text in ("40.7 %", "234/575", "1 in 2.457", "1.457 to 1 against", "Counted, not simulated"):
        assert text in page
    assert "pavcodec odds 'spades(east) == 2' --given" in page


@pytest.mark.parametrize(
    ("event", "given", "missing"),
    [
        ("spades(west)", NINE, 4),
        ("spades(east)", f"{NINE} && hearts(west) == 6", 4),
        ("spades(north)", "spades(east) + spades(west) == 8", 5),
        ("hcp(north)", "hcp(south) >= 30", 0),
        ("spades(west)", "spades(north) == 9", 0),
        ("spades(west)", "1", 0),
    ],
)
def test_a_number_has_bars_breaks_and_all_figures_in_cells(
    client: TestClient, event: str, given: str, missing: int
) -> None:
    tables = tables_of(client.get("/odds", params={"event": event, "given": given}).text)
    exact = pav.distribution(event, given=given)
    shares = list(exact.values())
    assert tables["How often it has each value"][1:] == [
        [str(value), "", plain_percent(share)] for value, share in exact.items()
    ]
    assert tables["The probability of each value"][1:] == [
        [
            str(value),
            plain_percent(share),
            plain_percent(sum(shares[place:], Fraction(0))),
            plain_percent(sum(shares[: place + 1], Fraction(0))),
            str(share),
            f"{exact.counts[value]:,}",
        ]
        for place, (value, share) in enumerate(exact.items())
    ]
    rows = []
    for more in range((missing + 1) // 2, missing + 1) if missing else ():
        fewer = missing - more
        share = exact[more] + (exact[fewer] if fewer < more else 0)
        rows.append([f"{more}–{fewer}", "", f"{plain_percent(share)} {share}"])
    assert tables.get("How the cards break", [[]])[1:] == rows


def test_a_pair_shows_a_heat_map_and_the_same_in_cells(client: TestClient) -> None:
    page = shown(client, event="aces(north)", second="kings(north)", given="hcp(north) == 12")
    pairs = pav.distribution("aces(north)", "kings(north)", given="hcp(north) == 12")
    assert page.count('<rect class="heat-') == len(pairs)
    assert ">15.3<" in page
    assert "style=" not in page
    [rows] = [rows for name, rows in tables_of(page).items() if "in columns" in name]
    aces, kings = (sorted({pair[which] for pair in pairs}) for which in (0, 1))
    table = [[pairs.get((ace, king), Fraction(0)) for king in kings] for ace in aces]
    table = [[*row, sum(row, Fraction(0))] for row in table]
    table.append([sum(column, Fraction(0)) for column in zip(*table, strict=True)])
    cells = [
        [plain_percent(each).removesuffix(" %") if each else "–" for each in row] for row in table
    ]
    names = ["", *map(str, aces), "all"]
    assert rows == [
        [name, *row] for name, row in zip(names, [[*map(str, kings), "all"], *cells], strict=True)
    ]


def test_an_estimate_says_so(client: TestClient) -> None:
    page = shown(client, event="aces(north) == 1", simulate="100", seed="7")
    for text in ("An estimate", "about ", "95 % interval", " of 100", "--simulate 100"):
        assert text in page
    assert "Counted, not simulated" not in page
    assert "An estimate of" in shown(client, event="aces(north)", simulate="100")


def test_known_cards_come_from_the_fields_of_the_hands(client: TestClient) -> None:
    page = shown(client, event="spades(east) == 2", south="SAKQ2", played="W S9", shown_out="W S")
    assert "--hand 'S SAKQ2' --played 'W S9' --shown-out 'W S'" in page
    assert 'value="SAKQ2"' in page


def test_downloads_have_the_same_question(client: TestClient) -> None:
    page = shown(client, event="hcp(north)", south="AKQ2.K85.AJ4.T63")
    links = re.findall(r'href="(/odds/file[^"]*)"', page)
    assert [parse_qs(urlsplit(link).query)["to"] for link in links] == [["csv"], ["json"], ["svg"]]
    for link in links:
        file = client.get(link)
        assert file.status_code == 200
        assert file.headers["content-disposition"].startswith("attachment")
    assert client.get(links[0]).text.startswith("hcp(north),deals,probability,decimal\n")


def test_a_file_with_a_fault_is_the_page_with_the_problem(client: TestClient) -> None:
    response = client.get("/odds/file?event=hcp(nroth)&to=csv")
    assert response.status_code == 422
    assert "did you mean &#39;north&#39;?" in response.text
    assert "<h1>Odds</h1>" in response.text
    assert "'to' takes" in unescape(client.get("/odds/file?event=1&to=exe").text)


def test_breaks_become_a_question(client: TestClient) -> None:
    fields = {"suit": "hearts", "missing": "5", "other": "spades", "west": "6", "east": "2"}
    response = client.get("/odds/breaks", params=fields, follow_redirects=False)
    assert response.status_code == 303
    asked = parse_qs(urlsplit(response.headers["location"]).query)
    assert asked == {
        "event": ["hearts(west)"],
        "given": ["hearts(north) + hearts(south) == 8 && spades(west) == 6 && spades(east) == 2"],
    }
    page = client.get("/odds/breaks", params=fields)
    assert "3–2" in page.text


def test_the_hand_and_what_partner_has_become_a_question(client: TestClient) -> None:
    fields = {"hand": "AKQ2.K85.AJ4.T63", "what": "majors", "shown": "hcp(north) >= 12"}
    response = client.get("/odds/partner", params=fields, follow_redirects=False)
    assert parse_qs(urlsplit(response.headers["location"]).query) == {
        "event": ["spades(north)"],
        "second": ["hearts(north)"],
        "given": ["hcp(north) >= 12"],
        "south": ["AKQ2.K85.AJ4.T63"],
    }


@pytest.mark.parametrize(
    ("address", "field", "words"),
    [
        ("/odds/breaks?missing=14", "breaks-missing", "a suit misses 1 to 13 cards"),
        ("/odds/breaks?missing=four", "breaks-missing", "a suit misses 1 to 13 cards"),
        ("/odds/breaks?suit=hats", "given", "hats"),
        ("/odds/partner", "partner-hand", "give your hand"),
        ("/odds?event=hcp(nroth)", "event", "did you mean 'north'?"),
        ("/odds?event=hcp(north)&given=hcp(north)>40", "given", "is never true"),
        ("/odds?given=hcp(north)>4", "event", "give an event or a number, as in"),
        ("/odds?event=hcp(north)&simulate=-1", "simulate", "'Random deals' takes 0 or more"),
        ("/odds?event=hcp(north)&played=X+SA", "played", "X"),
    ],
)
def test_problems_stand_beside_their_field(
    client: TestClient, address: str, field: str, words: str
) -> None:
    response = client.get(address)
    assert response.status_code == 422
    page = unescape(response.text)
    place = page.index(f'id="{field}-problem"')
    assert words in page[place : place + 600]


def test_wrong_cards_have_a_problem(client: TestClient) -> None:
    response = client.get("/odds?event=hcp(north)&south=AKK")
    assert response.status_code == 422
    assert "South: no card is called" in unescape(response.text)


@pytest.mark.slow
def test_all_examples_have_exact_answers(client: TestClient) -> None:
    found = re.findall(r'<li><a href="(/odds\?[^"]*)">', client.get("/odds").text)
    assert len(found) == 9
    for address in found:
        response = client.get(unescape(address))
        assert response.status_code == 200
        assert "Counted, not simulated" in response.text


def test_text_of_users_is_escaped(client: TestClient) -> None:
    response = client.get("/odds", params={"event": "<script>alert(1)</script>"})
    assert response.status_code == 422
    assert "<script>alert" not in response.text
