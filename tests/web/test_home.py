"""The home page: the deal of a day is the first of its seed, and the figures are exact."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pavcodec as pav
from pavcodec.chances.figures import plain_percent

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


def deal_of(page: str) -> str:
    return str(re.findall(r'data-pbn="([^"]*)"', page)[0])


def test_the_deal_of_a_day_is_the_first_of_its_seed(client: TestClient) -> None:
    page = client.get("/?day=2026-11-23").text
    [deal] = pav.numbering("deal").sample(1, seed="2026-11-23")
    assert deal_of(page) == str(deal)
    assert "pavcodec deal -n 1 --seed 2026-11-23" in unescape(page)
    assert str(pav.numbering("deal").rank(deal)) in page
    lengths = sorted(deal[pav.Seat.SOUTH].shape, reverse=True)
    share = pav.probability(f"shape(south, any {''.join(map(str, lengths))})")
    assert f"South holds {'–'.join(map(str, lengths))}, as in {plain_percent(share)}" in page
    assert "23 November 2026" in page


def test_today_has_its_deal(client: TestClient) -> None:
    days = [str(datetime.now(UTC).date() - timedelta(days=past)) for past in (0, 1)]
    found = [deal_of(client.get("/").text)]
    found += [deal_of(client.get(f"/?day={day}").text) for day in days]
    assert found[0] in found[1:]  # at midnight
    assert found[1] != found[2]


def test_the_figures_are_exact(client: TestClient) -> None:
    page = unescape(client.get("/").text).replace("<wbr>", "")
    [strong] = re.findall(r'href="/deal\?([^"]*)"', page)
    [condition] = parse_qs(strong)["condition"]
    assert condition == pav.situation("strong-notrump").where
    assert f"{pav.deals(condition).cardinality:,} deals" in page
    [odds] = re.findall(r'href="/odds\?([^"]*)"', page)
    asked = {name: texts[0] for name, texts in parse_qs(odds).items()}
    share = pav.probability(asked["event"], given=asked["given"])
    assert f"{plain_percent(share)} = {share}" in page
    [ending] = re.findall(r'href="/ending\?([^"]*)"', page)
    [hands] = parse_qs(ending)["hands"]
    assert not pav.legality(pav.Layout.from_pbn(hands))
    assert f"{len(pav.situation_names())} situations" in page


def test_a_wrong_day_is_a_problem(client: TestClient) -> None:
    wrong = client.get("/?day=soon")
    assert wrong.status_code == 422
    assert "takes a date, as in 2026-11-23, not 'soon'" in unescape(wrong.text)
    assert "Disallow: /api/" in client.get("/robots.txt").text
