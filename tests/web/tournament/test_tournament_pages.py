"""The pages of a tournament without scripts: forms, files that travel in the page, problems."""

from __future__ import annotations

import shlex
from base64 import b64decode
from io import BytesIO
from itertools import product
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from pages import Page
from web_commands import run_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi.testclient import TestClient

VALUE = "40829.12"
SET = {"title": "Tuesday", "boards": "8", "delayed": "DJI, close of 24 November 2126"}


def saved(text: str) -> dict[str, bytes]:
    """Return the files that the links of a page hold."""
    links = [each for each in Page(text).all("a") if each.get("download")]
    return {
        each.get("download", ""): b64decode(each.get("href", "").partition("base64,")[2])
        for each in links
    }


def hidden(answer: Any) -> dict[str, list[str]]:
    """Return the hidden fields of the first form of a page that has any."""
    return Page(answer.text).hidden()


def problem(answer: Any) -> str:
    """Return the only problem of a page."""
    assert answer.status_code == 422
    [found] = Page(answer.text).problems
    return found.message


def posted(files: Mapping[str, bytes]) -> list[tuple[str, tuple[str, bytes]]]:
    return [("file", (name, data)) for name, data in files.items()]


def made(client: TestClient, **fields: str) -> dict[str, bytes]:
    answer = client.post("/tournament/make", data=SET | fields)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    return saved(answer.text)


@pytest.mark.parametrize("step", ["", "/make", "/deal", "/publish", "/verify"])
def test_each_step_has_a_page(client: TestClient, step: str) -> None:
    answer = client.get(f"/tournament{step}")
    assert answer.status_code == 200
    page = Page(answer.text)
    assert len(page.all("h1")) == 1
    assert len(page.all("*[@aria-current='step']")) == (1 if step else 0)
    assert page.all("*[@style]") == []


@pytest.mark.slow
def test_a_set_from_its_files_to_its_verdict(client: TestClient) -> None:
    files = made(client, date="2126-11-24", title="Łódź <script>")
    name = next(name for name in files if name.endswith(".zip")).removesuffix(".zip")
    whole = files.pop(f"{name}.zip")
    with ZipFile(BytesIO(whole)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
    waits = client.post("/tournament/deal", files=posted({"Łódź set.zip": whole}))
    assert "waits for the value of" in problem(waits)
    kept = hidden(waits)
    typed = client.post("/tournament/deal", data=kept | {"value": ["40829,12"]})
    assert any("another way" in line for line in Page(typed.text).answer)
    assert "<script>" not in typed.text
    dealt = client.post("/tournament/deal", data=hidden(typed) | {"value": [VALUE]})
    assert dealt.status_code == 200
    assert dealt.headers["Cache-Control"] == "no-store"
    assert Page(dealt.text).boards == []
    kept = hidden(dealt)
    shown = client.post("/tournament/deal", data=kept | {"show": ["1"]})
    assert len(Page(shown.text).boards) == 8
    machine = client.post("/tournament/deal/file", data=kept | {"to": ["dup"]})
    assert machine.headers["Content-Disposition"].endswith(f'"{name}.dup"')
    assert len(machine.content) == 8 * 156
    wrong = client.post("/tournament/deal/file", data=kept | {"to": ["dupp"]})
    assert "did you mean 'dup'" in problem(wrong)
    assert hidden(wrong)["kept_content"] == kept["kept_content"]
    everything = client.post("/tournament/deal/file", data=kept | {"to": ["everything"]})
    verdict = client.post("/tournament/verify", files=posted({"all.zip": everything.content}))
    assert Page(verdict.text).answer[0].startswith("All 8 boards are those that the published")
    fingerprint = {"hash": ["0" * 64]}
    other = client.post("/tournament/verify", data=hidden(verdict) | fingerprint)
    assert "do not have the fingerprint (hash) that you kept" in Page(other.text).answer[0]


@pytest.mark.slow
def test_a_verdict_names_boards_and_counts_results(client: TestClient) -> None:
    files = {"Łódź " + name: data for name, data in made(client).items() if ".sq" in name}
    value = {"value": VALUE}
    kept = hidden(client.post("/tournament/deal", files=posted(files), data=value))
    pbn = client.post("/tournament/deal/file", data=kept | {"to": ["pbn"]}).content
    described = client.post("/tournament/deal/file", data=kept | {"to": ["description"]})
    header = described.headers["Content-Disposition"]
    assert "filename*=UTF-8''%C5%81%C3%B3d%C5%BA%20tuesday.sqd" in header
    twice = {"x.pbn": pbn, "y.pbn": pbn.replace(b'[Board "1"]', b'[Board "9"]')}
    page = Page(client.post("/tournament/verify", files=posted(files | twice), data=value).text)
    assert page.facts["Results in the files"] == "16"
    assert "1 is not" in page.answer[0]
    assert len(page.all("section[@class='answer verdict bad']")) == 1
    assert "9" in [row[0] for rows in page.tables.values() for row in rows]


@pytest.mark.slow
def test_a_set_without_a_value_is_a_choice(client: TestClient) -> None:
    fields = SET | {"delayed": " "}
    refused = client.post("/tournament/make", data=fields)
    assert "something that nobody knows yet" in problem(refused)
    assert Page(refused.text).fields["title"] == "Tuesday"
    chosen = client.post("/tournament/make", data=fields | {"without": "1"})
    assert {"tuesday.pbn", "tuesday.sqk"} <= set(saved(chosen.text))
    assert any("you could make many" in line for line in Page(chosen.text).answer)


REFUSED = {
    "title": ("", "'Name of the event' is missing"),
    "boards": ("x", "no list of boards"),
    "date": ("2126-02-30", "expected a date"),
    "phases": ("2:8", "a phase is sessions"),
}


@pytest.mark.slow
def test_damaged_forms_are_problems(client: TestClient) -> None:
    for name, (text, words) in REFUSED.items():
        assert words in problem(client.post("/tournament/make", data=SET | {name: text}))
    kept = [("a.sqd", "5"), ("", "eJw="), ("a/b", "!"), ("a", "")]
    for step, (name, content) in product(("deal", "deal/file", "verify"), kept):
        fields = {"kept_name": name, "kept_content": content, "value": VALUE}
        assert problem(client.post(f"/tournament/{step}", data=fields))
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    field = b'--x\r\nContent-Disposition: form-data; name="value"\r\n\r\n1\r\n'
    for step, body in zip(
        ("make", "deal", "deal/file", "verify"),
        [1001 * field + b"--x--\r\n", *[b"--y\r\nno form"] * 3],
        strict=True,
    ):
        answer = client.post(f"/tournament/{step}", content=body, headers=kind)
        assert "the form cannot be read" in problem(answer)


def test_big_deal_keeps_its_seed_in_the_address_and_hides_the_boards(client: TestClient) -> None:
    page = client.get("/tournament/bigdeal?owner=me&boards=2")
    assert len(page.url.params["seed"]) == 40
    assert Page(page.text).boards == []
    assert len(Page(client.get(f"{page.url}&show=1").text).boards) == 2
    query = page.url.query.decode()
    file = client.get(f"/tournament/bigdeal/file?{query}&to=lines")
    command = ("--owner", "me", "--seed", page.url.params["seed"], "-n", "2", "--to", "lines")
    assert file.content == run_command(f"pavcodec bigdeal {shlex.join(command)}")
