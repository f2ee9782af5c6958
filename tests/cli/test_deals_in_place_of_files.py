"""A deal, a number, a code or a link of a hand viewer in place of a file, in commands of boards."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from formats_support import DEAL, NUMBER, OTHER, Cli

from pavcodec import Board, Layout, code, encode_all, read, write

HANDS = dict(zip("NESW", DEAL.removeprefix("N:").split(), strict=True))
LIN = "3" + ",".join(
    "".join(f"{suit}{ranks}" for suit, ranks in zip("SHDC", HANDS[seat].split("."), strict=True))
    for seat in "SWNE"
)
VIEWER = "https://www.bridgebase.com/tools/handviewer.html?"
MEANINGS = [
    (DEAL, None, ""),
    ("\n".join(f"{seat}: {hand}" for seat, hand in HANDS.items()), None, ""),
    (f"{NUMBER}", None, ""),
    (f"{NUMBER:,}", None, ""),
    (f"{NUMBER:_}".replace("_", "."), None, ""),
    (hex(NUMBER), None, ""),
    (code("dlm").format(Layout.from_pbn(DEAL), board=7), 7, ""),
    (code("ber").format(Layout.from_pbn(DEAL)), None, ""),
    (f"{VIEWER}lin=pn|a,b,c,d|md|{LIN}|ah|Board 3|sv|e|mb|p|", 3, "Pass *"),
    (f"md|{LIN}|", None, ""),
    (f'[Board "12"]\n[Deal "{DEAL}"]', 12, ""),
]


@pytest.mark.parametrize(("word", "number", "call"), MEANINGS)
def test_it_is_read_like_a_file(cli: Cli, word: str, number: int | None, call: str) -> None:
    written = cli("convert", word, "-", "--to", "pbn")
    assert written.code == 0
    (board,) = read(BytesIO(written.out.encode()))
    assert (str(board.layout), board.number) == (DEAL, number)
    assert board.sections.get("Auction", ()) == ((call,) if call else ())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["encode"], []),
        (["encode", "--where", "1"], []),
        (["ending"], []),
        (["grep", "hcp(north) >= 0"], []),
        (["info"], []),
        (["print"], ["-o", "pages.html"]),
        (["stats"], []),
        (["turn"], ["--by", "90", "-o", "turned.pbn"]),
        (["convert"], ["new.pbn"]),
        (["pack"], ["-o", "new.pav"]),
    ],
)
def test_every_command_of_boards_reads_it(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: list[str], after: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("event.lines.txt").write_text(DEAL)
    of_file = cli(*before, "event.lines.txt", *after, "--force" if after else "--json")
    of_deal = cli(*before, DEAL, *after, "--force" if after else "--json")
    assert of_deal.code == of_file.code
    assert of_deal.out.replace("arguments", "event.lines.txt") == of_file.out


def test_a_file_of_that_name_comes_first(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write([Board(Layout.from_pbn(OTHER))], f"{NUMBER}", format="pbn")
    assert json.loads(cli("show", "--json", NUMBER).out)["deal"] == OTHER


def test_the_place_of_an_argument_is_its_line(cli: Cli) -> None:
    rows = [json.loads(line) for line in cli("encode", "--json", DEAL, NUMBER, OTHER).lines]
    assert [(row["deal"], row["line"]) for row in rows] == [(DEAL, 1), (DEAL, 2), (OTHER, 3)]
    assert cli("show", NUMBER, "N:AK - -").complaint.startswith("arguments:2: ")


def test_the_numbering_and_the_format_are_those_of_the_options(cli: Cli) -> None:
    number = {one.scheme: one.text for one in encode_all(Layout.from_pbn(DEAL))}
    for options in (["--as", "base5", number["base5"]], ["--from", "goe", number["bigdeal"]]):
        assert json.loads(cli("show", "--json", *options).out)["deal"] == DEAL
