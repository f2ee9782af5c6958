"""Boards of Big Deal in the browser: those of the command, with the seed in the address."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pages import Page
from same_support import printed_by, value_of
from web_tasks import content_of

from pavcodec.cli import main
from pavcodec.web.tasks.tournament import BIG_DEAL_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

SEED = "000102030405060708090a0b0c0d0e0f10111213"


@pytest.mark.parametrize(
    "fields",
    [
        {"owner": "Golden Test Owner", "seed": SEED, "boards": "4"},
        {"owner": "-x 'é'", "seed": SEED.upper(), "boards": "17-19", "numbering": "deal"},
        {"owner": "a", "entropy": ["q", "-r"]},
        {"owner": "a"},
    ],
    ids=str,
)
def test_boards_are_those_of_the_command_and_of_python(
    client: TestClient, fields: dict[str, Any]
) -> None:
    answer = client.post("/api/v1/tournament/bigdeal", json=fields).json()
    rows = [json.loads(line) for line in printed_by(answer["command"], "--json").splitlines()]
    assert rows == answer["boards"]
    assert value_of(answer["python"]).to_dict() == {
        key: answer[key] for key in ("owner", "seed", "boards")
    }


def test_a_file_is_that_of_the_command(tmp_path: Path) -> None:
    file = BIG_DEAL_FILE.work(BIG_DEAL_FILE.example)
    path = tmp_path / file.name
    words = ["--owner", "Golden Test Owner", "--seed", SEED, "-n", "4", "-o", str(path)]
    assert main(["bigdeal", *words]) == 0
    assert content_of(file) == path.read_bytes()


def test_the_address_holds_the_seed_and_the_boards_stay_hidden(client: TestClient) -> None:
    page = client.get("/tournament/bigdeal?owner=me&boards=2")
    assert len(page.url.params["seed"]) == 40
    assert Page(page.text).boards == []
    assert len(Page(client.get(f"{page.url}&show=1").text).boards) == 2
    file = client.get(f"/tournament/bigdeal/file?{page.url.query.decode()}&to=dup")
    assert len(file.content) == 2 * 156
