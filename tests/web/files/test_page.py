"""The page Files: files of forms, the hidden fields that carry them, and downloads."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from pages import Page, words

from pavcodec.formats import format_names
from pavcodec.web.tasks.files.converting import EXAMPLE
from pavcodec.web.tasks.task import UPLOAD

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

BROKEN = (
    EXAMPLE + b'\n[Board "2"]\n[Deal "N:AKQ2.J54.KT3.98<b> 87.AQT6.9842.KJ4 J654.K93.QJ7.AT5 -"]\n'
)


def post(client: TestClient, address: str = "/files", **more: Any) -> Any:
    files = more.pop("files", [("file", ("heat.pbn", EXAMPLE))])
    return client.post(address, files=files, data=more)


def test_the_page_without_files(client: TestClient) -> None:
    page = Page(client.get("/files").text)
    assert {row[0] for row in page.tables["Formats"]} >= {*format_names()}


def test_a_file_without_boards_has_a_word(client: TestClient) -> None:
    word = "No board was found. Perhaps the file is empty, or you meant another one."
    assert word in Page(post(client, files=[("file", ("empty.pbn", b""))]).text).answer
    assert word not in Page(post(client).text).answer


def test_a_file_is_opened_and_travels_in_the_page(client: TestClient) -> None:
    page = Page(post(client).text)
    assert page.answer[0] == "1 board"
    assert "pavcodec show heat.pbn" in page.codes
    kept = page.hidden()
    assert kept["kept_name"] == ["heat.pbn"]
    saved = client.post("/files/convert", data={**kept, "to": "lin"})
    assert saved.status_code == 200
    assert saved.headers["content-disposition"] == 'attachment; filename="heat.lin"'
    assert saved.content.startswith(b"vg|Heat,")
    again = client.post("/files", data={**kept, "turn": "2"})
    assert any("--places 2" in code for code in Page(again.text).codes)
    printed = client.post("/files/print", data={**kept, "kind": "html", "layout": "curtain"})
    assert printed.headers["content-type"].startswith("text/html")
    assert "attachment" in printed.headers["content-disposition"]


def test_boxes_that_are_not_checked_are_off(client: TestClient) -> None:
    tagged = EXAMPLE + b'[Contract "2S"]\n[Declarer "N"]\n[OptimumScore "NS 110"]\n'
    files = [("file", ("heat.pbn", tagged))]
    off = post(client, "/files/print", files=files, kind="html")
    on = post(client, "/files/print", files=files, kind="html", solutions="1")
    assert b"NS +110" in on.content
    assert b"NS +110" not in off.content


def test_a_pasted_text_is_opened(client: TestClient) -> None:
    page = Page(client.post("/files", data={"content": "N:AK.Q.. - .32.4. -"}).text)
    assert (page.answer[0], page.boards) == ("1 board", ["N:AK.Q.. - .32.4. -"])


@pytest.mark.slow
def test_problems_are_shown_with_their_line_and_escaped(client: TestClient) -> None:
    page = post(client, files=[("file", ("heat.pbn", BROKEN))])
    [problem] = Page(page.text).all("li[@class='problem']")
    assert words(problem).startswith("heat.pbn, line 8, board 2")
    assert [words(mark) for mark in problem.iter("mark")] == ["<"]
    assert "<b>" not in page.text
    refused = post(client, "/files/convert", files=[("file", ("heat.pbn", BROKEN))], to="lin")
    assert refused.status_code == 422
    [problem_of_the_file] = Page(refused.text).problems
    assert "choose to leave out boards with problems" in problem_of_the_file.message
    kept = Page(refused.text).hidden()
    saved = client.post("/files/convert", data={**kept, "to": "lin", "leave_out": "1"})
    assert saved.status_code == 200


@pytest.mark.parametrize(
    ("files", "data", "reason"),
    [
        ([], {"turn": "1"}, "choose a file of boards"),
        ([("file", ("a.pbn", EXAMPLE))], {"where": "hcp(nroth) > 3"}, "nroth"),
        ([("file", ("a.pbn", EXAMPLE))], {"turn": "5"}, "turn"),
        ([("file", ("a.zip", b"PK"))], {}, "damaged"),
        ([("file", ("a.pbn", EXAMPLE)), ("file", ("a.pbn", b""))], {}, "two files have the name"),
        (
            [("file", ("<script>.pbn", b"x" * 9)), ("file", ("<script>.pbn", b""))],
            {},
            "<script>.pbn",
        ),
    ],
)
def test_wrong_questions_are_problems(
    client: TestClient, files: Any, data: Any, reason: str
) -> None:
    page = (
        client.post("/files", files=files, data=data) if files else client.post("/files", data=data)
    )
    assert page.status_code == 422
    assert reason in Page(page.text).problems[0].message
    assert "<script>.pbn" not in page.text


def test_files_stay_open_after_a_problem(client: TestClient) -> None:
    page = post(client, where="hcp(nroth) > 3")
    assert page.status_code == 422
    assert Page(page.text).hidden()["kept_name"] == ["heat.pbn"]


def test_hidden_fields_may_hold_anything(client: TestClient) -> None:
    for content in ("", "%%%", "Zm9v", "eJw="):
        page = client.post("/files", data={"kept_name": "a.pbn", "kept_content": content})
        assert page.status_code == 422
        assert Page(page.text).problems


@pytest.mark.parametrize("name", ['a"b.pbn', "é🂡.pbn", "a;filename=b.pbn"])
def test_strange_names_of_files_reach_the_header(client: TestClient, name: str) -> None:
    saved = post(client, "/files/convert", files=[("file", (name, EXAMPLE))], to="lin")
    assert saved.status_code == 200
    told = saved.headers["content-disposition"]
    plain = re.search(r"filename\*=UTF-8''([^;]+)", told)
    found = unquote(plain[1]) if plain else told.removeprefix('attachment; filename="')[:-1]
    assert found.removesuffix(".lin") in (name.removesuffix(".pbn"), "a%22b")


STRANGE = {
    "empty.pbn": b"",
    "picture.jpg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256)) * 20,
    "wide.pbn": EXAMPLE.decode().encode("utf-16"),
    "wrong.lin": b"\xc3\x28 md|3S" * 50,
    "zero.pbn": bytes(1000),
    "no.parquet": b"PAR1 and no more",
    "no.npy": b"\x93NUMPY and no more",
    "no.pav": b"no",
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_files_are_answered(client: TestClient, name: str) -> None:
    page = post(client, files=[("file", (name, STRANGE[name]))])
    assert page.status_code in (200, 422)
    assert name in Page(page.text).text
    assert "Traceback" not in page.text


@pytest.mark.slow
def test_boards_come_in_pages(client: TestClient) -> None:
    text = b"\n".join(b"N:AK.Q.. - .32.4. -" for _ in range(80))
    first = post(client, files=[("file", ("many.txt", text))])
    assert "Boards 1 to 36 of 80" in Page(first.text).texts("h3")
    last = client.post("/files", data={**Page(first.text).hidden(), "start": "72"})
    assert "Boards 73 to 80 of 80" in Page(last.text).texts("h3")
    buttons = Page(last.text).texts("button")
    assert "Earlier boards" in buttons
    assert "Later boards" not in buttons


@pytest.mark.slow
def test_large_files_and_many_files(client: TestClient) -> None:
    large = b"\n".join(EXAMPLE for _ in range(UPLOAD // (len(EXAMPLE) + 1)))
    page = post(client, files=[("file", ("large.pbn", large))])
    assert page.status_code == 200
    assert Page(page.text).hidden()["kept_name"] == ["large.pbn"]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(1000):
            archive.writestr(f"{number}.pbn", EXAMPLE)
    many = post(client, files=[("file", ("many.zip", stream.getvalue()))])
    assert Page(many.text).answer[0] == "1,000 boards"


def test_json_takes_bytes_in_base64(client: TestClient) -> None:
    file = {"name": "a.txt", "content": "TjpBSy5RLi4gLSAuMzIuNC4gLQ=="}
    answer = client.post("/api/v1/read", json={"file": [file]}).json()
    assert answer["boards"] == 1
    assert answer["shown"][0]["hands"]["N"]["spades"] == "AK"
    saved = client.post("/api/v1/convert", json={"file": [file], "to": "json"})
    assert saved.json()[0]["deal"].startswith("N:AK.Q..")
