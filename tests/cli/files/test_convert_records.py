"""`pavcodec convert` to files of records and back."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, OTHER, Cli, loss, read_text, write_bytes
from oracles import vectors
from records_support import BOARD_SIZES, by_hand

from pavcodec import Base5Number, Board, Deal, Layout, SolvedDeal, TrickTable, numbering
from pavcodec.formats import format_of

ENDINGS = vectors("endings")
TABLE = TrickTable(bytes([0, 10, 5, 6, 1, 11, 6, 5, 2, 12, 7, 4, 3, 13, 8, 3, 4, 7, 9, 2]))
EMPTY = "N:- - - -"


def sum_by_hand(data: bytes) -> str:
    """The checksum of bytes as it is printed."""
    whole = data + bytes(-len(data) % 4)
    return f"{sum(int(word) for (word,) in struct.iter_unpack('<I', whole)) % 2**64:X}"


def told(name: str, data: bytes) -> str:
    """What `convert` prints of a file that it wrote."""
    return f"{name}: {len(data):,} bytes, checksum {sum_by_hand(data)}\n"


def lines_of(texts: list[str]) -> str:
    """Deal texts, one a line."""
    return "".join(f"{text}\n" for text in texts)


def canonical(text: str) -> str:
    """A deal text with North first and no empty suits."""
    return str(Layout.from_pbn(text))


ALL = [canonical(row["pbn"]) for row in ENDINGS]
BYTES = {
    "zbs": b"".join(int(word, 16).to_bytes(4, "little") for row in ENDINGS for word in row["zbs"]),
    "base5-16": b"".join(int(row["base5"]).to_bytes(16, "little") for row in ENDINGS),
    "layout20": b"".join(by_hand("layout20", Layout.from_pbn(row["pbn"])) for row in ENDINGS),
}


@pytest.mark.parametrize("name", BYTES)
def test_all_endings_go_to_records_and_back_byte_for_byte(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    source, middle, end = (tmp_path / each for each in ("in.txt", f"a.{name}", "out.txt"))
    source.write_text(lines_of(ALL))
    outcome = cli("convert", "--from", "lines", source, middle)
    assert outcome == (0, told(name, BYTES[name]), "")
    assert middle.read_bytes() == BYTES[name]
    assert cli("convert", middle, end) == (0, "", "")
    assert end.read_bytes() == source.read_bytes()
    again = tmp_path / f"b.{name}"
    assert cli("convert", end, again).out == told(name, BYTES[name])
    assert again.read_bytes() == BYTES[name]
    assert cli("encode", "--as", "base5", middle).lines == [row["base5"] for row in ENDINGS]


@pytest.mark.parametrize(
    ("name", "scheme", "size"), [("balanced14", "balanced", 14), ("ending15", "ending", 15)]
)
def test_endings_with_numbers_of_their_own_go_to_records_of_them(
    cli: Cli, tmp_path: Path, name: str, scheme: str, size: int
) -> None:
    rows = [row for row in ENDINGS if row["scheme"] == scheme]
    data = b"".join(int(row["number"]).to_bytes(size, "little") for row in rows)
    source, middle, end = (tmp_path / each for each in ("in.txt", f"a.{name}", "out.txt"))
    source.write_text(lines_of([canonical(row["pbn"]) for row in rows]))
    assert cli("convert", source, middle) == (0, told(name, data), "")
    assert middle.read_bytes() == data
    assert cli("convert", middle, end) == (0, "", "")
    assert end.read_text() == source.read_text()


@pytest.mark.parametrize("name", ["deal12", "deal13"])
def test_deals_go_to_records_of_deals(cli: Cli, tmp_path: Path, name: str) -> None:
    rows = vectors("deal")
    data = b"".join(
        int(row["number"]).to_bytes(12, "little")
        if name == "deal12"
        else by_hand("deal13", Deal.from_pbn(row["pbn"]))
        for row in rows
    )
    source, middle = tmp_path / "in.txt", tmp_path / f"a.{name}"
    source.write_text(lines_of([row["pbn"] for row in rows]))
    assert cli("convert", source, middle) == (0, told(name, data), "")
    assert middle.read_bytes() == data
    assert cli("convert", "--to", "lines", middle, "-") == (0, source.read_text(), "")
    numbers = cli("convert", "--to", "numbers", middle, "-").lines
    assert numbers == [row["number"] for row in rows]


RULES = "number, dealer, vulnerability"
SOLVED = [
    Board.make(Deal.from_pbn(DEAL), number=1, tricks=TABLE, tags={"Event": "Club"}),
    Board.make(Deal.from_pbn(OTHER), number=2, tricks=TrickTable(bytes([7] * 20))),
]
SOLVED_RAW = b"".join(
    by_hand("zrd", SolvedDeal(Deal.from_pbn(text), table))
    for text, table in ((DEAL, TABLE), (OTHER, TrickTable(bytes([7] * 20))))
)


def test_pbn_to_zrd_to_pbn_keeps_the_tricks(cli: Cli, tmp_path: Path) -> None:
    event, solved, back, again = (
        tmp_path / name for name in ("event.pbn", "a.zrd", "back.pbn", "b.zrd")
    )
    event.write_bytes(write_bytes(SOLVED))
    assert cli("convert", "--force", event, solved) == (
        0,
        told("zrd", SOLVED_RAW),
        loss("zrd", 2, f"{RULES} and the tag Event"),
    )
    assert solved.read_bytes() == SOLVED_RAW
    assert cli("convert", "--force", solved, back) == (0, "", "")
    boards = read_text(back.read_bytes()).boards
    assert [(b.layout, b.tricks) for b in boards] == [(b.layout, b.tricks) for b in SOLVED]
    assert cli("convert", "--force", back, again).code == 0
    assert again.read_bytes() == SOLVED_RAW
    tricks = tmp_path / "a.zdd"
    assert cli("convert", "--force", solved, tricks).out == told(
        "zdd", SOLVED_RAW[13:23] + SOLVED_RAW[36:]
    )
    assert tricks.read_bytes() == SOLVED_RAW[13:23] + SOLVED_RAW[36:]
    assert cli("convert", "--force", tricks, back) == (0, "", "")
    assert [b.tricks for b in read_text(back.read_bytes()).boards] == [b.tricks for b in SOLVED]
    deals = tmp_path / "a.deal13"
    assert cli("convert", "--force", solved, deals).code == 0
    assert cli("convert", "--force", "--to", "lines", deals, "-").out == f"{DEAL}\n{OTHER}\n"


def test_the_deals_of_the_collection_have_their_bytes(cli: Cli, tmp_path: Path) -> None:
    rows = vectors("rpdd")
    raw = b"".join(bytes.fromhex(row["zrd_deal_hex"]) + bytes([0x76] * 10) for row in rows)
    (tmp_path / "a.zrd").write_bytes(raw)
    assert cli("encode", "--as", "deal-wnes", tmp_path / "a.zrd").lines == [
        row["number_wnes"] for row in rows
    ]
    assert cli("convert", tmp_path / "a.zrd", tmp_path / "a.pbn").code == 0
    assert cli("convert", tmp_path / "a.pbn", tmp_path / "b.zrd") == (
        0,
        told("zrd", raw),
        "",
    )
    assert (tmp_path / "b.zrd").read_bytes() == raw


@pytest.mark.parametrize("name", list(BOARD_SIZES))
def test_records_go_through_standard_input_and_output(cli: Cli, tmp_path: Path, name: str) -> None:
    (tmp_path / "event.pbn").write_bytes(write_bytes(SOLVED))
    out = cli("convert", "--to", name, tmp_path / "event.pbn", "-")
    assert out.code == 0
    assert len(out.data) == 2 * BOARD_SIZES[name]
    lost = f"{RULES}, double-dummy tricks and the tag Event"
    if name in ("zrd", "gib-library"):
        lost = f"{RULES} and the tag Event"
    elif name == "zdd":
        lost = f"cards, {RULES} and the tag Event"
    assert out.err == loss(name, 2, lost) + told(name, out.data)
    back = cli("convert", "--from", name, "--to", "pbn", "-", "-", stdin=out.data)
    assert (back.code, back.err) == (0, "")
    boards = read_text(back.data).boards
    if name != "zdd":
        assert [board.layout for board in boards] == [board.layout for board in SOLVED]
    if name in ("zrd", "zdd"):
        assert [board.tricks for board in boards] == [board.tricks for board in SOLVED]
    again = cli("convert", "--from", "pbn", "--to", name, "-", "-", stdin=back.out)
    assert again == (0, out.out, told(name, out.data))  # which loses nothing


def test_boards_that_do_not_fit_are_told_with_their_numbers(cli: Cli, tmp_path: Path) -> None:
    for name in ("deal12", "deal13", "balanced14"):
        out = tmp_path / f"a.{name}"
        outcome = cli("convert", DEMO, out)
        ranks = numbering("balanced" if name == "balanced14" else "deal")
        boards = read_text(DEMO.read_bytes()).boards
        bad = [board for board in boards if board.layout not in ranks]
        assert outcome.code == (1 if bad else 0)
        *complaints, last = outcome.err.splitlines()
        lost = f"{RULES} and the tags Event, Date, Scoring, DealId and Description"
        assert last == loss(name, 36, lost).rstrip()
        assert [line.split(": ")[:2] for line in complaints] == [
            [f"{DEMO}:{board.line}", f"board {board.number}"] for board in bad
        ]
        assert outcome.out == told(name, out.read_bytes())
        assert len(out.read_bytes()) == BOARD_SIZES[name] * (36 - len(bad))


def test_json_tells_bytes_and_checksum(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{DEAL}\n{ENDING}\n{FOULED}\n")
    outcome = cli("convert", "--json", tmp_path / "in.txt", tmp_path / "a.zbs")
    data = (tmp_path / "a.zbs").read_bytes()
    assert json.loads(outcome.out) == {
        "boards": 3,
        "left_out": 0,
        "problems": 0,
        "format": "zbs",
        "keeps": format_of("zbs").keeps,
        "loses": format_of("zbs").loses,
        "lost": [],
        "bytes": 48,
        "checksum": sum_by_hand(data),
    }
    assert outcome.err == ""
    outcome = cli("convert", "--json", tmp_path / "in.txt", tmp_path / "a.deal12")
    summary = json.loads(outcome.out)
    assert (outcome.code, summary["boards"], summary["problems"], summary["bytes"]) == (1, 3, 2, 12)


def test_boards_without_cards_are_left_out_and_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.pbn").write_text(f'[Board "1"]\n\n[Deal "{DEAL}"]\n\n[Board "3"]\n')
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.deal13")
    assert outcome.code == 0
    assert outcome.complaint.startswith("2 boards without cards left out: deal13 keeps")
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.layout20")
    assert (outcome.code, (tmp_path / "a.layout20").stat().st_size) == (0, 20)


def test_tricks_without_cards_are_not_left_out_of_zdd(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.pbn").write_bytes(write_bytes([Board.make(None, number=1, tricks=TABLE)]))
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.zdd")
    assert outcome == (
        0,
        told("zdd", by_hand("zdd", TABLE)),
        loss("zdd", 1, "number, dealer and vulnerability"),
    )
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.zrd")
    assert (outcome.code, (tmp_path / "a.zrd").read_bytes()) == (0, b"")
    assert outcome.complaint.startswith("1 board without cards left out")


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("name", ["deal12", "deal13", "zrd", "zdd"])
def test_where_no_board_fits_nothing_is_written(
    cli: Cli, tmp_path: Path, name: str, old: bytes | None
) -> None:
    out = tmp_path / f"out.{name}"
    if old is not None:
        out.write_bytes(old)
    (tmp_path / "in.txt").write_text(f"{ENDING}\n{EMPTY}\n")
    outcome = cli("convert", "--force", tmp_path / "in.txt", out)
    assert (outcome.code, outcome.out) == (1, "")
    *problems, last = outcome.err.splitlines()
    assert [problem.split(": ")[0] for problem in problems] == [
        f"{tmp_path / 'in.txt'}:1",
        f"{tmp_path / 'in.txt'}:2",
    ]
    assert last.endswith(f"nothing to write: {out} is left as it was")
    assert (out.read_bytes() if out.exists() else None) == old
    assert len(list(tmp_path.iterdir())) == 1 + (old is not None)


def test_an_empty_file_becomes_an_empty_file_of_records(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("")
    for name in ("zbs", "zrd", "deal12"):
        outcome = cli("convert", tmp_path / "in.txt", tmp_path / f"a.{name}")
        assert outcome == (0, f"{name}: 0 bytes, checksum 0\n", "no boards\n")
        assert (tmp_path / f"a.{name}").read_bytes() == b""


def test_spare_bits_and_suits_alone_go_through_pbn(cli: Cli, tmp_path: Path) -> None:
    number = numbering("base5").rank(Layout.from_pbn(ENDING))
    raw = {
        "base5-16": by_hand("base5-16", Base5Number(number, 99)),
        "zbs": bytes.fromhex("daf0ba48" + "00000080" * 3 + "00000000" + "01000000"),
    }
    for name, data in raw.items():
        (tmp_path / f"a.{name}").write_bytes(data)
        assert cli("convert", "--force", tmp_path / f"a.{name}", tmp_path / "a.pbn") == (0, "", "")
        assert cli("convert", "--force", tmp_path / "a.pbn", tmp_path / f"b.{name}").code == 0
        assert (tmp_path / f"b.{name}").read_bytes() == data


def test_a_file_of_records_is_not_written_over_its_own_input(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.zbs"
    path.write_bytes(BYTES["zbs"])
    outcome = cli("convert", "--to", "layout20", path, path)
    assert outcome.code == 2
    assert "is an input, so it cannot be the output" in outcome.complaint
    assert path.read_bytes() == BYTES["zbs"]


def test_records_may_be_encoded_in_any_numbering(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.zrd").write_bytes(SOLVED_RAW)
    for name in ("deal", "andrews", "base5"):
        numbers = cli("encode", "--as", name, tmp_path / "a.zrd")
        ranks = numbering(name)
        assert numbers.lines == [str(ranks.rank(Deal.from_pbn(text))) for text in (DEAL, OTHER)]
        decoded = cli("decode", "--as", name, "--to", "deal13", "-", stdin=numbers.out)
        assert decoded.data == b"".join(by_hand("deal13", Deal.from_pbn(t)) for t in (DEAL, OTHER))
        assert decoded.code == 0
