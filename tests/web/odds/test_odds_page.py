"""The page Odds: what it draws of each answer, its short forms, its examples, its problems."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

import pavcodec as pav
from pavcodec.web.tasks.odds import EXAMPLES, missing_of

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


def test_a_number_shows_bars_breaks_and_all_figures(client: TestClient) -> None:
    page = shown(client, event="spades(west)", given=NINE)
    breaks, values = (each.split("</table>")[0] for each in page.split('<table class="bars">')[1:])
    assert re.findall(r'<th scope="row">(.*?)</th>', breaks) == ["2–2", "3–1", "4–0"]
    assert re.findall(r'<th scope="row">(.*?)</th>', values) == ["0", "1", "2", "3", "4"]
    assert "40.7 % <span" in breaks
    assert "49.74 %" in breaks
    assert "95.22 %" in page  # one card or more
    assert "234/575" in page


def test_a_pair_shows_a_heat_map_and_the_same_as_a_table(client: TestClient) -> None:
    page = shown(client, event="aces(north)", second="kings(north)", given="hcp(north) == 12")
    pairs = pav.distribution("aces(north)", "kings(north)", given="hcp(north) == 12")
    assert page.count('<rect class="heat-') == len(pairs)
    assert ">15.3<" in page
    assert "style=" not in page


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
    assert client.get(links[0]).text.startswith("hcp(north),deals,probability,decimal\r\n")


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
        ("/odds/breaks?missing=14", "breaks-missing", "'Cards that you miss' takes 13 at most"),
        ("/odds/breaks?missing=", "breaks-missing", ""),
        ("/odds/partner", "partner-hand", "'Your hand, in South' is missing"),
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
    if not words:
        assert response.status_code == 200
        return
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
    assert len(found) == len(EXAMPLES)
    for address in found:
        response = client.get(unescape(address))
        assert response.status_code == 200
        assert "Counted, not simulated" in response.text


def test_breaks_are_recognised_only_where_all_is_said() -> None:
    for given, missing in (
        (NINE, 4),
        ("spades(north)+spades(south)==13", 0),
        (f"{NINE} && hearts(west) == 6", 4),
        (f"{NINE} || hcp(north) == 3", None),
        ("hearts(north) + hearts(south) == 9", None),
        (f"!({NINE})", None),
        ("", None),
    ):
        assert missing_of("spades(west)", given) == missing
    assert missing_of("spades(north)", NINE) is None


def test_text_of_users_is_escaped(client: TestClient) -> None:
    response = client.get("/odds", params={"event": "<script>alert(1)</script>"})
    assert response.status_code == 422
    assert "<script>alert" not in response.text
