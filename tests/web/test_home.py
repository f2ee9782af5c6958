"""The home page: the deal of a day is the first of its seed, and the figures are exact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from pages import Page, words

import pavcodec as pav
from pavcodec.chances.figures import plain_percent

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


def test_the_deal_of_a_day_is_the_first_of_its_seed(client: TestClient) -> None:
    page = Page(client.get("/?day=2026-11-23").text)
    [deal] = pav.numbering("deal").sample(1, seed="2026-11-23")
    assert page.boards == [str(deal)]
    assert page.texts("h2")[0] == "The deal of 23 November 2026"
    assert "pavcodec deal -n 1 --seed 2026-11-23" in page.codes
    assert f"/number?number={pav.numbering('deal').rank(deal)}" in page.links()
    lengths = sorted(deal[pav.Seat.SOUTH].shape, reverse=True)
    share = pav.probability(f"shape(south, any {''.join(map(str, lengths))})")
    assert f"South holds {'–'.join(map(str, lengths))}, as in {plain_percent(share)}" in page.text


def test_the_navigation_leads_to_each_page(client: TestClient) -> None:
    page = Page(client.get("/").text)
    [navigation] = page.root.iter("nav")
    found = {words(link): link.get("href") for link in navigation.iter("a")}
    names = ("Deal", "Odds", "Number", "Ending", "Files", "Tournament", "Practice")
    assert found == {name: f"/{name.lower()}" for name in names}


def test_today_has_its_deal(client: TestClient) -> None:
    days = [str(datetime.now(UTC).date() - timedelta(days=past)) for past in (0, 1)]
    addresses = ["/", *(f"/?day={day}" for day in days)]
    today, *found = [Page(client.get(address).text).boards for address in addresses]
    assert today in found  # at midnight
    assert found[0] != found[1]


def test_the_figures_are_exact(client: TestClient) -> None:
    page = Page(client.get("/").text)

    def asked(path: str) -> dict[str, str]:
        [link] = [link for link in page.links() if link.startswith(f"{path}?")]
        return {name: texts[0] for name, texts in parse_qs(urlsplit(link).query).items()}

    condition = asked("/deal")["condition"]
    assert condition == pav.situation("strong-notrump").where
    assert f"{pav.deals(condition).cardinality:,} deals" in page.text
    odds = asked("/odds")
    share = pav.probability(odds["event"], given=odds["given"])
    assert f"{plain_percent(share)} = {share}" in page.text
    assert not pav.legality(pav.Layout.from_pbn(asked("/ending")["hands"]))
    assert f"{len(pav.situation_names())} situations" in page.text


def test_robots_leave_the_interface_alone(client: TestClient) -> None:
    assert "Disallow: /api/" in client.get("/robots.txt").text.splitlines()
