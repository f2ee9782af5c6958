"""The page Files: files of forms, the hidden fields that carry them, and downloads."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from pages import Page, words

from pavcodec.formats import format_names
from pavcodec.web.tasks.files.converting import EXAMPLE

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

BROKEN = (
    EXAMPLE + b'\n[Board "2"]\n[Deal "N:AKQ2.J54.KT3.98<b> 87.AQT6.9842.KJ4 J654.K93.QJ7.AT5 -"]\n'
)


def post(client: TestClient, address: str = "/files", **more: Any) -> Any:
    files = more.pop("files", [("file", ("heat.pbn", EXAMPLE))])
    return client.post(address, files=files, data=more)


def test_the_page_without_boards(client: TestClient) -> None:
    page = Page(client.get("/files").text)
    assert {row[0] for row in page.tables["Formats"]} >= {*format_names()}
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
    pasted = Page(client.post("/files", data={"content": "N:AK.Q.. - .32.4. -"}).text)
    assert (pasted.answer[0], pasted.boards) == ("1 board", ["N:AK.Q.. - .32.4. -"])
    tagged = EXAMPLE + b'[Contract "2S"]\n[Declarer "N"]\n[OptimumScore "NS 110"]\n'
    for boxes, has_par in ({}, False), ({"solutions": "1"}, True):
        files = [("file", ("heat.pbn", tagged))]
        made = post(client, "/files/print", files=files, kind="html", **boxes)
        assert (b"NS +110" in made.content) == has_par, "boxes that are not checked are off"


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
    ("name", "told"),
    [
        ('a"b.pbn', "=\"a_22b.lin\"; filename*=UTF-8''a%2522b.lin"),
        ("é🂡.pbn", "=\"__.lin\"; filename*=UTF-8''%C3%A9%F0%9F%82%A1.lin"),
        ("a;filename=b.pbn", '="a;filename=b.lin"'),
    ],
)
def test_strange_names_of_files_reach_the_header(client: TestClient, name: str, told: str) -> None:
    saved = post(client, "/files/convert", files=[("file", (name, EXAMPLE))], to="lin")
    assert saved.headers["content-disposition"] == f"attachment; filename{told}"


REFUSED: list[tuple[dict[str, bytes], dict[str, str], str]] = [
    ({}, {"turn": "1"}, "choose a file of boards"),
    ({"a.pbn": EXAMPLE}, {"turn": "5"}, "turn"),
    ({"a.zip": b"PK"}, {}, "damaged"),
    ({}, {"kept_name": "a.pbn", "kept_content": "%%%"}, ""),
    ({}, {"kept_name": "a.pbn", "kept_content": "eJw="}, ""),
]


def test_wrong_questions_are_problems(client: TestClient) -> None:
    for files, data, reason in REFUSED:
        page = client.post("/files", files=[("file", each) for each in files.items()], data=data)
        assert page.status_code == 422
        assert reason in Page(page.text).problems[0].message
    twice = [("file", ("<script>.pbn", data)) for data in (b"x", b"")]
    refused = post(client, files=twice)
    assert "two files have the name '<script>.pbn'" in Page(refused.text).problems[0].message
    assert "<script>" not in refused.text
    page = post(client, where="hcp(nroth) > 3")
    assert "nroth" in Page(page.text).problems[0].message
    assert Page(page.text).hidden()["kept_name"] == ["heat.pbn"]


@pytest.mark.slow
def test_many_files_come_in_pages(client: TestClient) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(80):
            archive.writestr(f"{number}.pbn", EXAMPLE)
    many = post(client, files=[("file", ("many.zip", stream.getvalue()))])
    assert Page(many.text).answer[0] == "80 boards"
    assert "Boards 1 to 36 of 80" in Page(many.text).texts("h3")
    last = client.post("/files", data={**Page(many.text).hidden(), "start": "72"})
    assert "Boards 73 to 80 of 80" in Page(last.text).texts("h3")
    buttons = Page(last.text).texts("button")
    assert "Earlier boards" in buttons
    assert "Later boards" not in buttons
