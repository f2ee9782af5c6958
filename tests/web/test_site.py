"""The site: home page, navigation, manual, static files, wrong addresses, pictures, deployment."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from pages import Page, words

import pavcodec as pav
import pavcodec.web
from pavcodec.chances.figures import plain_percent
from pavcodec.cli.asking import question_of
from pavcodec.cli.main import make_parser
from pavcodec.web import safety as hosts
from pavcodec.web.pages.manual import drawn, texts
from pavcodec.web.pages.page import MANUAL, PAGES
from pavcodec.web.settings import Settings
from pavcodec.web.tasks import task as limits

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
    pattern = "-".join(map(str, sorted(deal["S"].shape, reverse=True)))
    share = pav.probability(f"shape(south, any {pattern.replace('-', '')})")
    assert f"South holds {pattern.replace('-', '–')}, as in {plain_percent(share)}" in page.text
    days = [datetime.now(UTC).date() - timedelta(days=past) for past in (0, 1)]
    today, *found = [
        Page(client.get(address).text).boards for address in ("/", *(f"/?day={d}" for d in days))
    ]
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


def ids(name: str) -> set[str]:
    """Return the anchors of a page."""
    return {unescape(each) for each in re.findall(r' id="([^"]+)"', drawn(name)[1])}


@pytest.mark.slow
def test_every_link_leads_to_a_place(client: TestClient) -> None:
    drawings = set()
    for name in texts():
        text = drawn(name)[1]
        for address in map(unescape, re.findall(r'(?:href|src)="([^"]+)"', text)):
            path, _, anchor = unquote(address).partition("#")
            if path.startswith("/manual/") and path.endswith(".svg"):
                drawings.add(path)
            elif path.startswith("/manual/") or not path:
                page = path.removeprefix("/manual/") or name
                assert page in texts(), (name, address)
                assert not anchor or anchor in ids(page), (name, address)
            else:
                assert re.match(r"https?://", address), (name, address)
    assert drawings
    for each in drawings:
        answer = client.get(each)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert Page(client.get("/manual/constraints/language").text).all("table")
    contents = Page(client.get("/manual").text)
    assert {f"/manual/{name}" for name in texts() if name} <= set(contents.links())


def test_each_page_leads_to_its_page_of_the_manual(client: TestClient) -> None:
    for address in (*(address for address, _ in PAGES), "/", "/ask/rare"):
        page = client.get(address).text
        [place] = re.findall(r'"/manual/([^"]+)">Help with this page', page)
        name, _, anchor = place.partition("#")
        assert name == MANUAL.get(address.strip("/"), place).partition("#")[0]
        assert name in texts()
        assert not anchor or anchor in ids(name)
    for name in ("nothing", "../web/index", "%2e%2e/%2e%2e/mkdocs.yml", "web/index.md"):
        assert client.get(f"/manual/{name}").status_code == 404


ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "web" / "deployment.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def instructions() -> list[tuple[str, str]]:
    """The instructions of the container file: their words and the rest of the line."""
    lines = (ROOT / "Containerfile").read_text().splitlines()
    found = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in found]


def test_the_container_has_what_it_names() -> None:
    found = dict(instructions())
    program, *words = json.loads(found["ENTRYPOINT"])
    assert Path(program).name == "pavcodec"
    args = make_parser("serve").parse_args([*words, *json.loads(found["CMD"])])
    assert (args.host, str(args.port)) == ("0.0.0.0", found["EXPOSE"])  # noqa: S104 (read, not bound)
    _, *code = json.loads(found["HEALTHCHECK"].partition(" CMD ")[2])
    compile(code[1], "health", "exec")
    assert "/health" in code[1]
    assert int(found["USER"].split(":")[0]) >= 1000, "the last stage runs without rights"
    assert found["STOPSIGNAL"] == "SIGINT"
    for word, rest in instructions():
        if word == "COPY" and "--from" not in rest:
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources)
        for extras in re.findall(r"\.\[([a-z,]+)\]", rest):
            assert set(extras.split(",")) <= set(EXTRAS)
    assert f":{args.port}/" in code[1]


def test_the_page_of_deployment_has_commands_and_the_limits_of_the_program() -> None:
    lines = re.findall(r"(?:^|/bin/)pavcodec serve (--.*)$", PAGE, re.MULTILINE)
    assert len(lines) > 1
    for line in lines:
        assert make_parser("serve").parse_args(["serve", *shlex.split(line)]).names
    settings, public = Settings(), Settings(names=("bridge.example.org",))
    assert question_of(make_parser("serve").parse_args(["serve"]), Settings) == settings
    for said in (
        f"`--seconds` of a processor ({public.most_seconds:g})",
        f"after {settings.patience:g} times as much by the clock",
        f"of each client ({public.most_rate:g})",
        f"`--memory` ({settings.memory >> 30}G)",
        f"counted within {limits.MEMORY >> 20} MiB",
        f"{limits.UPLOAD >> 20} MiB of uploads, {limits.BODY >> 20} MiB of other forms",
        f"{hosts.MOST_ADDRESS:,} characters of an address",
        f"{limits.FIELDS:,} fields",
        f"{settings.output >> 20} MiB of an answer, {settings.file_output >> 20} MiB of a file",
        f"{limits.FILE_BOARDS:,} boards",
        f"A file has {public.most_file_seconds:g} seconds",
        f"proxy_read_timeout {settings.patience * public.most_file_seconds + 20:g}s",
    ):
        assert said in PAGE
