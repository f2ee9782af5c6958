"""The site: its home page, navigation, style sheets and scripts, wrong addresses, pictures."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("fastapi")

from pages import Page, words

import pavcodec as pav
import pavcodec.web
from pavcodec.chances.figures import plain_percent
from pavcodec.web.pages.page import PAGES

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

STATIC = Path(pavcodec.web.__file__).parent / "static"
PICTURES = Path(__file__).parents[2] / "docs" / "web"
MOST_BYTES = 80_000


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
    days = [str(datetime.now(UTC).date() - timedelta(days=past)) for past in (0, 1)]
    addresses = ["/", *(f"/?day={day}" for day in days)]
    today, *found = [Page(client.get(address).text).boards for address in addresses]
    assert today in found  # at midnight
    assert found[0] != found[1]


def test_the_figures_are_exact(client: TestClient) -> None:
    page = Page(client.get("/").text)
    [navigation] = page.root.iter("nav")
    found = {words(link): link.get("href") for link in navigation.iter("a")}
    names = ("Deal", "Odds", "Number", "Ending", "Files", "Tournament", "Practice")
    assert found == {name: f"/{name.lower()}" for name in names}

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


def test_a_wrong_address_leads_to_the_pages(client: TestClient) -> None:
    for address in ("/deals", "/number/5", "/static/none.css", "/<script>"):
        answer = client.get(address)
        assert answer.status_code == 404
        page = Page(answer.text)
        assert page.texts("h1") == ["There is no such page"]
        assert "<script>" not in answer.text
        assert all(address in page.links(name) for address, name in PAGES)
    for address in ("/static/", "/static/000000000000/pavcodec.css"):
        assert client.get(address).status_code == 404
    assert client.post("/static/pavcodec.css").status_code == 405
    assert "Disallow: /api/" in client.get("/robots.txt").text.splitlines()


def test_browsers_load_each_content_once_and_compressed(client: TestClient) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for path in STATIC.iterdir():
        address = f"/static/{path.name}"
        plain = client.get(address, headers={"accept-encoding": "identity"})
        small = client.get(address, headers={"accept-encoding": "gzip"})
        assert plain.content == small.content == path.read_bytes()
        assert "content-encoding" not in plain.headers
        assert int(small.headers["content-length"]) <= len(plain.content)
        assert plain.headers["cache-control"] == "no-cache"
        assert plain.headers["content-type"].startswith(kinds[path.suffix])
    first = client.get("/static/pavcodec.css")
    again = client.get("/static/pavcodec.css", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    addresses = re.findall(r'"(/static/[^"]+)"', client.get("/").text)
    assert addresses
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert re.fullmatch(r"/static/[0-9a-f]{12}/[a-z_]+\.[a-z]+", address)


def test_the_documentation_has_small_pictures_of_each_page() -> None:
    text = (PICTURES / "index.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(pictures/([a-z]+-(light|dark))\.png#only-\2\)", text))
    names = ["home", *(address.strip("/") for address, _ in PAGES)]
    assert {name for name, _ in shown} == {f"{n}-{s}" for n in names for s in ("light", "dark")}
    for name, _ in shown:
        path = PICTURES / "pictures" / f"{name}.png"
        assert path.read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size < MOST_BYTES, name
