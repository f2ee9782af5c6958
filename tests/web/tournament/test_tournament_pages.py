"""The pages of a tournament without scripts: forms, files that travel in the page, problems."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from html import unescape
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from pavcodec.files.compressed import zipped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi.testclient import TestClient

VALUE = "40829.12"
SET = {"title": "Tuesday", "boards": "8", "delayed": "DJI, close of 24 November 2126"}
HIDDEN = re.compile(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">')


def saved(text: str) -> dict[str, bytes]:
    """Return the files that the links of a page hold."""
    links = re.findall(r'href="data:[^;"]*;base64,([^"]*)" download="([^"]*)"', text)
    return {unescape(name): b64decode(data) for data, name in links}


def hidden(text: str) -> dict[str, list[str]]:
    """Return the hidden fields of the first form of a page that has any."""
    (form,) = re.findall(r"<form(?:(?!</form>).)*?hidden.*?</form>", text, re.DOTALL)[:1]
    found: dict[str, list[str]] = {}
    for name, value in HIDDEN.findall(form):
        found.setdefault(name, []).append(unescape(value))
    return found


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
    assert answer.text.count("<h1>") == 1
    assert answer.text.count('aria-current="step"') == (1 if step else 0)
    assert " style=" not in answer.text


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
    assert waits.status_code == 422
    assert "waits for the value of" in waits.text
    kept = hidden(waits.text)
    dealt = client.post("/tournament/deal", data=kept | {"value": [VALUE]})
    assert dealt.status_code == 200
    assert dealt.headers["Cache-Control"] == "no-store"
    assert 'class="board"' not in dealt.text
    kept = hidden(dealt.text)
    shown = client.post("/tournament/deal", data=kept | {"show": ["1"]})
    assert shown.text.count('class="board"') == 8
    machine = client.post("/tournament/deal/file", data=kept | {"to": ["dup"]})
    assert machine.headers["Content-Disposition"] == 'attachment; filename="tuesday.dup"'
    assert len(machine.content) == 8 * 156
    everything = client.post("/tournament/deal/file", data=kept | {"to": ["everything"]})
    verdict = client.post("/tournament/verify", files=posted({"all.zip": everything.content}))
    assert "All 8 boards are those that the published keys make." in verdict.text
    fingerprint = {"hash": ["0" * 64]}
    other = client.post("/tournament/verify", data=hidden(verdict.text) | fingerprint)
    assert "do not have the fingerprint (hash) that you kept" in other.text


def test_a_changed_board_is_named(client: TestClient) -> None:
    files = {name: data for name, data in made(client).items() if ".sq" in name}
    kept = hidden(client.post("/tournament/deal", files=posted(files), data={"value": VALUE}).text)
    pbn = client.post("/tournament/deal/file", data=kept | {"to": ["pbn"]}).content
    changed = pbn.replace(b'[Board "1"]', b'[Board "9"]')
    verdict = client.post(
        "/tournament/verify",
        files=posted(files | {"played.pbn": changed}),
        data={"value": VALUE},
    )
    assert "7 of 8 boards are those that the published keys make; 1 is not</h2>" in verdict.text
    assert "verdict bad" in verdict.text
    assert '<th scope="row">9</th>' in verdict.text


def facts(text: str) -> dict[str, str]:
    """Return the facts of a page, by their heads."""
    return dict(re.findall(r"<dt>([^<]*)</dt>\s*<dd>([^<]*)</dd>", text))


def test_results_are_counted_only_where_there_are_some(client: TestClient) -> None:
    files = {name: data for name, data in made(client).items() if ".sq" in name}
    kept = hidden(client.post("/tournament/deal", files=posted(files), data={"value": VALUE}).text)
    pbn = client.post("/tournament/deal/file", data=kept | {"to": ["pbn"]}).content
    value = {"value": VALUE}
    for played, results in ({"x.pbn": pbn}, None), ({"x.pbn": pbn, "y.pbn": pbn}, "16"):
        page = client.post("/tournament/verify", files=posted(files | played), data=value)
        found = facts(page.text)
        assert (found["Boards of the event"], found["Boards compared"]) == ("8", "8")
        assert found.get("Results in the files") == results


def test_a_wrong_value_can_be_corrected(client: TestClient) -> None:
    """The hidden description has no value, so the form accepts another one."""
    dealt = client.post("/tournament/deal", files=posted(made(client)), data={"value": "40829,12"})
    assert "another way" in dealt.text
    again = client.post("/tournament/deal", data=hidden(dealt.text) | {"value": [VALUE]})
    assert again.status_code == 200


def test_a_set_without_a_value_is_a_choice(client: TestClient) -> None:
    fields = SET | {"delayed": " "}
    refused = client.post("/tournament/make", data=fields)
    assert refused.status_code == 422
    assert "something that nobody knows yet" in refused.text
    assert 'value="Tuesday"' in refused.text
    chosen = client.post("/tournament/make", data=fields | {"without": "1"})
    assert {"tuesday.pbn", "tuesday.sqk"} <= set(saved(chosen.text))
    assert "you could make many" in chosen.text


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"title": ""}, "title"),
        ({"boards": "x"}, "no list of boards"),
        ({"date": "2126-02-30"}, "expected a date"),
        ({"phases": "2:8"}, "a phase is sessions"),
        ({"title": "<script>"}, "&lt;script&gt;"),
    ],
)
def test_what_somebody_types_comes_back_as_text(
    client: TestClient, fields: dict[str, str], word: str
) -> None:
    answer = client.post("/tournament/make", data=SET | fields)
    assert word in answer.text
    assert "<script>" not in answer.text
    assert answer.status_code == (200 if "<script>" in fields.values() else 422)


@pytest.mark.parametrize(
    ("name", "content"), [("a.sqd", "5"), ("", "eJw="), ("a/b", "!"), ("a", "")]
)
@pytest.mark.parametrize("step", ["deal", "deal/file", "verify"])
def test_hidden_fields_that_are_not_ours(
    client: TestClient, name: str, content: str, step: str
) -> None:
    fields = {"kept_name": name, "kept_content": content, "value": VALUE}
    answer = client.post(f"/tournament/{step}", data=fields)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_a_file_with_a_problem_gives_the_page(client: TestClient) -> None:
    kept = hidden(
        client.post("/tournament/deal", files=posted(made(client)), data={"value": VALUE}).text
    )
    answer = client.post("/tournament/deal/file", data=kept | {"to": ["dupp"]})
    assert answer.status_code == 422
    assert "did you mean &#39;dup&#39;" in answer.text
    assert hidden(answer.text)["kept_content"] == kept["kept_content"]


def test_names_of_files_beyond_ascii(client: TestClient) -> None:
    files = {name: data for name, data in made(client).items() if ".sq" in name}
    named = {"Łódź " + name: data for name, data in files.items()}
    kept = hidden(client.post("/tournament/deal", files=posted(named), data={"value": VALUE}).text)
    answer = client.post("/tournament/deal/file", data=kept | {"to": ["description"]})
    header = answer.headers["Content-Disposition"]
    assert "filename*=UTF-8''%C5%81%C3%B3d%C5%BA%20tuesday.sqd" in header


@pytest.mark.slow
def test_a_zip_file_that_expands_too_much(client: TestClient) -> None:
    bomb = zipped({"a.pbn": b"\0" * (90 << 20)})
    answer = client.post("/tournament/verify", files=posted({"bomb.zip": bomb}))
    assert answer.status_code == 422
    assert "expands to more than" in answer.text


@pytest.mark.parametrize("step", ["make", "deal", "deal/file", "verify"])
def test_damaged_forms(client: TestClient, step: str) -> None:
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    field = b'--x\r\nContent-Disposition: form-data; name="value"\r\n\r\n1\r\n'
    for body in (1001 * field + b"--x--\r\n", b"--y\r\nno form"):
        answer = client.post(f"/tournament/{step}", content=body, headers=kind)
        assert answer.status_code == 422
        assert "the form cannot be read" in answer.text


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
