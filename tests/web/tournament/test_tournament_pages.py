"""The pages of a tournament without scripts: forms, files that travel in the page, problems."""

from __future__ import annotations

from base64 import b64decode, b64encode
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from pages import Page

from pavcodec.files.compressed import zipped

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


def test_the_zip_file_of_a_set_has_all_its_files(client: TestClient) -> None:
    files = made(client, date="2126-11-24")
    whole = files.pop("tuesday-2126-11-24.zip")
    with ZipFile(BytesIO(whole)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
    assert {"tuesday-2126-11-24.sqd", "tuesday-2126-11-24.sqk"} <= set(files)


@pytest.mark.slow
def test_a_set_from_its_files_to_its_verdict(client: TestClient) -> None:
    files = {name: data for name, data in made(client).items() if name.endswith(".zip")}
    waits = client.post("/tournament/deal", files=posted(files))
    assert "waits for the value of" in problem(waits)
    kept = hidden(waits)
    dealt = client.post("/tournament/deal", data=kept | {"value": [VALUE]})
    assert dealt.status_code == 200
    assert dealt.headers["Cache-Control"] == "no-store"
    assert Page(dealt.text).boards == []
    kept = hidden(dealt)
    shown = client.post("/tournament/deal", data=kept | {"show": ["1"]})
    assert len(Page(shown.text).boards) == 8
    machine = client.post("/tournament/deal/file", data=kept | {"to": ["dup"]})
    assert machine.headers["Content-Disposition"] == 'attachment; filename="tuesday.dup"'
    assert len(machine.content) == 8 * 156
    everything = client.post("/tournament/deal/file", data=kept | {"to": ["everything"]})
    verdict = client.post("/tournament/verify", files=posted({"all.zip": everything.content}))
    assert Page(verdict.text).answer[0].startswith("All 8 boards are those that the published")
    fingerprint = {"hash": ["0" * 64]}
    other = client.post("/tournament/verify", data=hidden(verdict) | fingerprint)
    assert "do not have the fingerprint (hash) that you kept" in Page(other.text).answer[0]


@pytest.mark.slow
def test_a_changed_board_is_named(client: TestClient) -> None:
    files = {name: data for name, data in made(client).items() if ".sq" in name}
    kept = hidden(client.post("/tournament/deal", files=posted(files), data={"value": VALUE}))
    pbn = client.post("/tournament/deal/file", data=kept | {"to": ["pbn"]}).content
    changed = pbn.replace(b'[Board "1"]', b'[Board "9"]')
    verdict = client.post(
        "/tournament/verify",
        files=posted(files | {"played.pbn": changed}),
        data={"value": VALUE},
    )
    page = Page(verdict.text)
    assert page.answer[0] == "7 of 8 boards are those that the published keys make; 1 is not"
    assert len(page.all("section[@class='answer verdict bad']")) == 1
    assert "9" in [row[0] for rows in page.tables.values() for row in rows]


@pytest.mark.slow
def test_results_are_counted_only_where_there_are_some(client: TestClient) -> None:
    files = {name: data for name, data in made(client).items() if ".sq" in name}
    kept = hidden(client.post("/tournament/deal", files=posted(files), data={"value": VALUE}))
    pbn = client.post("/tournament/deal/file", data=kept | {"to": ["pbn"]}).content
    value = {"value": VALUE}
    for played, results in ({"x.pbn": pbn}, None), ({"x.pbn": pbn, "y.pbn": pbn}, "16"):
        page = client.post("/tournament/verify", files=posted(files | played), data=value)
        found = Page(page.text).facts
        assert (found["Boards of the event"], found["Boards compared"]) == ("8", "8")
        assert found.get("Results in the files") == results


@pytest.mark.slow
def test_a_wrong_value_can_be_corrected(client: TestClient) -> None:
    """The hidden description has no value, so the form accepts another one."""
    dealt = client.post("/tournament/deal", files=posted(made(client)), data={"value": "40829,12"})
    assert any("another way" in line for line in Page(dealt.text).answer)
    again = client.post("/tournament/deal", data=hidden(dealt) | {"value": [VALUE]})
    assert again.status_code == 200


@pytest.mark.slow
def test_a_set_without_a_value_is_a_choice(client: TestClient) -> None:
    fields = SET | {"delayed": " "}
    refused = client.post("/tournament/make", data=fields)
    assert "something that nobody knows yet" in problem(refused)
    assert Page(refused.text).fields["title"] == "Tuesday"
    chosen = client.post("/tournament/make", data=fields | {"without": "1"})
    assert {"tuesday.pbn", "tuesday.sqk"} <= set(saved(chosen.text))
    assert any("you could make many" in line for line in Page(chosen.text).answer)


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"title": ""}, "'Name of the event' is missing"),
        ({"boards": "x"}, "no list of boards"),
        ({"date": "2126-02-30"}, "expected a date"),
        ({"phases": "2:8"}, "a phase is sessions"),
    ],
)
def test_a_set_that_cannot_be_made_has_a_problem(
    client: TestClient, fields: dict[str, str], word: str
) -> None:
    assert word in problem(client.post("/tournament/make", data=SET | fields))


def test_a_title_is_escaped(client: TestClient) -> None:
    answer = client.post("/tournament/make", data=SET | {"title": "<script>"})
    assert answer.status_code == 200
    assert "<script>" not in answer.text
    assert "<script>" in Page(answer.text).text


@pytest.mark.parametrize(
    ("name", "content"), [("a.sqd", "5"), ("", "eJw="), ("a/b", "!"), ("a", "")]
)
@pytest.mark.parametrize("step", ["deal", "deal/file", "verify"])
def test_hidden_fields_that_are_not_ours(
    client: TestClient, name: str, content: str, step: str
) -> None:
    fields = {"kept_name": name, "kept_content": content, "value": VALUE}
    answer = client.post(f"/tournament/{step}", data=fields)
    assert problem(answer)


@pytest.mark.slow
def test_a_file_with_a_problem_gives_the_page(client: TestClient) -> None:
    kept = hidden(
        client.post("/tournament/deal", files=posted(made(client)), data={"value": VALUE})
    )
    answer = client.post("/tournament/deal/file", data=kept | {"to": ["dupp"]})
    assert "did you mean 'dup'" in problem(answer)
    assert hidden(answer)["kept_content"] == kept["kept_content"]


def test_names_of_files_beyond_ascii(client: TestClient) -> None:
    files = {name: data for name, data in made(client).items() if ".sq" in name}
    named = {"Łódź " + name: data for name, data in files.items()}
    kept = hidden(client.post("/tournament/deal", files=posted(named), data={"value": VALUE}))
    answer = client.post("/tournament/deal/file", data=kept | {"to": ["description"]})
    header = answer.headers["Content-Disposition"]
    assert "filename*=UTF-8''%C5%81%C3%B3d%C5%BA%20tuesday.sqd" in header


@pytest.mark.slow
def test_a_zip_file_that_expands_too_much(client: TestClient) -> None:
    bomb = zipped({"a.pbn": b"\0" * (90 << 20)})
    answer = client.post("/tournament/verify", files=posted({"bomb.zip": bomb}))
    assert "expands to more than" in problem(answer)


@pytest.mark.parametrize("step", ["make", "deal", "deal/file", "verify"])
def test_damaged_forms(client: TestClient, step: str) -> None:
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    field = b'--x\r\nContent-Disposition: form-data; name="value"\r\n\r\n1\r\n'
    for body in (1001 * field + b"--x--\r\n", b"--y\r\nno form"):
        answer = client.post(f"/tournament/{step}", content=body, headers=kind)
        assert "the form cannot be read" in problem(answer)


def test_the_same_by_json(client: TestClient) -> None:
    """The files of an answer are those of the next question, as they are."""
    set_ = client.post("/api/v1/tournament/make", json=SET).json()
    files = [
        {"name": one["name"], "content": one["content"]}
        for one in set_["files"]
        if one["name"].endswith((".sqd", ".sqk"))
    ]
    question = {"file": files, "value": VALUE}
    dealt = client.post("/api/v1/tournament/deal", json=question).json()
    assert (dealt["hash"], dealt["value"], len(dealt["boards"])) == (set_["hash"], VALUE, 8)
    pbn = client.post("/api/v1/tournament/deal/file", json=question | {"to": "pbn"})
    assert pbn.content.count(b"[Deal ") == 8
    played = {"name": "played.pbn", "content": b64encode(pbn.content).decode()}
    question = question | {"file": [*files, played], "hash": set_["hash"]}
    verdict = client.post("/api/v1/tournament/verify", json=question).json()
    found = (verdict["differences"], verdict["faults"], verdict["hash"], verdict["compared"])
    assert found == ([], [], set_["hash"], 8)
