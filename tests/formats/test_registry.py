"""Formats by name, by suffix and by looking at the text."""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL, NUMBER, OTHER, Dribble, format_seen, write_format

from pavcodec import Board, Layout, PavError, UnknownNameError, numbering
from pavcodec.boards import Context
from pavcodec.formats import format_names, format_of, open_boards, output_format, read, recognise
from pavcodec.formats.registry import labels

PBN = f'[Board "1"]\n[Deal "{DEAL}"]\n'


LIN = "qx|o1|st||md|1SQJ643HQT5DK43C74,SKT85H2DJT9CQJ853,SAHKJ93DQ765CT962,|sv|o|"
SEATS = "s=sqj643hqt5dk43c74&w=skt85h2djt9cqj853&n=sahkj93dq765ct962"
HANDS = "W:KT85.2.JT9.QJ853:A.KJ93.Q765.T962:972.A8764.A82.AK:"


def test_no_two_formats_have_a_suffix() -> None:
    formats = [format_of(name) for name in format_names()]
    suffixes = [suffix for each in formats for suffix in each.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert [each.name for each in formats] == format_names()


def test_pages_offer_formats_in_groups() -> None:
    groups: dict[str, list[str]] = {}
    for name, label in labels():
        shown = label.name if name == label.name.lower() else f"{name}: {label.name}"
        groups.setdefault(label.group, []).append(f"{shown} ({label.note})")
    assert groups == {
        "For programs": [
            *("PBN (most programs)", "LIN (BBO)", "handviewer: Links (BBO’s hand viewer)"),
            *("RBN ()", "Lines (one deal a line)", "dealer-all: dealer (as printall)"),
        ],
        "For dealing machines": [
            *("DLM (Duplimate)", "DUP (Duplimate, older)", "BRI ()", "DGE ()"),
            *("BER (Bernasconi)", "BHG (Borel)", "RZD (KOPS)", "CDS ()", "HRF ()"),
        ],
        "Tables and numbers": [
            *("JSON ()", "jsonl: JSON Lines ()", "CSV (Big Deal)", "Parquet ()"),
            *("npy: NumPy ()", "Numbers (of the deals)", "pav: Archive (few bytes)"),
        ],
        "": ["html: Web page (to print or to send)"],
    }


def test_what_the_formats_keep() -> None:
    keep_all = [name for name in format_names() if format_of(name).keeps_tags]
    assert keep_all == ["pbn", "json", "jsonl", "parquet", "pav"]
    assert all(format_of(name).loses == "nothing" for name in keep_all)
    assert [name for name in format_names() if not format_of(name).keeps_cards] == ["zdd"]
    needing = [name for name in format_names() if format_of(name).needs_tricks]
    assert needing == ["deal-ddline", "zrd", "zdd", "gib-library"]
    for name in ("deal12", "layout20", "zrd", "zdd", *CLUBS):
        assert "bytes" in format_of(name).summary
        assert not format_of(name).is_text


def test_what_is_no_format_or_is_not_read() -> None:
    for name in (name for name in format_names() if not format_of(name).is_read):
        with pytest.raises(PavError, match="are written, and not read"):
            list(read(io.BytesIO(b"x"), format=name))
    for name in ("zbs-word", "zbs-diagram", "case16"):  # records that hold no boards
        with pytest.raises(PavError, match="holds no boards"):
            list(open_boards(io.BytesIO(bytes(16)), Context("x"), path=f"a.{name}"))
    for name, hint in {"pnb": "pbn", "line": "lines", "zip": "Known: pbn", "case16": "a"}.items():
        with pytest.raises(UnknownNameError, match=f"no format is called '{name}'.*{hint}"):
            format_of(name)


WRITTEN = {
    "a.pbn": "pbn", "dir.txt/a.PBN": "pbn", "a.txt": "lines", "a.b.numbers": "numbers",
    "a.zbs": "zbs", "a.Deal12": "deal12", "a.b.base5-16": "base5-16", "a.Parquet": "parquet",
    "a.LIN": "lin", "a.urls": "handviewer", "a.ndjson": "jsonl",
}  # fmt: skip


def test_the_format_to_write_is_named_or_told_by_the_suffix() -> None:
    assert {path: output_format(path, None).name for path in WRITTEN} == WRITTEN
    for path, name in (("a.pbn", "lines"), ("-", "numbers"), ("a.zrd", "zdd")):
        assert output_format(path, name).name == name
    for path in ("a", "a.xyz", "-", "pbn", ".pbn/a", "a.zbsx", "zrd", "a.case16"):
        with pytest.raises(PavError, match="name the format, or use a suffix") as caught:
            output_format(path, None)
        assert path in str(caught.value)


BBA, BARE = "6976424A64820BB4FF80D8A08EB9", DEAL.removeprefix("N:")
FIRST_LINES = {
    PBN: "pbn",
    f"% PBN 2.1\r\n% EXPORT\r\n{PBN}": "pbn",
    f"{{hello}}\n{PBN}": "pbn",
    "1.5": "pbn",
    "Dealer": "pbn",
    "hello world": "pbn",
    f"% {BBA}": "pbn",  # a remark of PBN
    f"{DEAL}\n": "lines",
    f"\n  {DEAL.lower()}\n": "lines",
    "N:AK.Q.. - .32.4. -": "lines",
    f"{BARE}\n": "lines",
    f"{NUMBER}\n": "numbers",
    f"\n{NUMBER:,}\n": "numbers",
    f"# numbers\n0x{NUMBER:x}\n": "numbers",
    "1234567890123456789012345678": "numbers",  # as long as a code of bba
    "12345678901234567890123456": "numbers",  # as long as one of kops
    "0x" + "ab" * 14: "numbers",
    "3" * 53: "numbers",
    "0123" * 13: "deal-digits",
    BBA: "bba",
    f"7-{'ab' * 13}:P": "saycbridge",
    "n {} e {} s {} w {}".format(*BARE.split()): "dealer",
    "n AK.Q..": "dealer-compact",
    "1.": "dealer-all",
    "AKQJT98765432   | AKQJT98765432  |  AKQJT98765432 |   AKQJT98765432": "deal-lines",
    "AKQ...|.AKQJT98765432..|..AKQJT98765432.|...AKQJT98765432|6 8 3 11 9|6 5 9 2 4|6 7 3 11 8|"
    "5 5 10 2 4": "deal-ddline",
    f"{BARE}:9998768688874333BBBB": "gib",
    f'PBN 0 0 0 0 "{DEAL}"': "dds",  # a list without its count
    "NUMBER 10": "dds",
    "Board 7": "diagram",
    "Deal: 1": "diagram",
    "          ? KQT542": "diagram",
    "                ♠ -": "diagram",
    f"\n{LIN}pg||\n": "lin",
    f"vg|a,b,I,1,1,c,0,d,0|\nrs||pg||\n{LIN}": "lin",
    LIN.replace("st", "\nst"): "lin",
    f"https://www.bridgebase.com/tools/handviewer.html?lin={LIN}\n": "handviewer",
    f"http://x.org/?{SEATS}\n": "handviewer",
    f"% RBN a.rbn\nH {HANDS}\n": "rbn",
    f"H {HANDS}\n": "rbn",
    f"%{{RBX a}}\nH{{{HANDS}}}\n": "rbx",
    f"H{{{HANDS}}}\n": "rbx",
    f'[\n  {{\n    "deal": "{DEAL}"\n  }}\n]\n': "json",
    f'[{{"deal": "{DEAL}"}}]': "json",
    f'{{"deal": "{DEAL}"}}\n': "json",
}


def test_what_a_first_line_is_taken_for() -> None:
    for before in ("", "# x\n\n"):
        assert {text: format_seen(before + text) for text in FIRST_LINES} == FIRST_LINES
    for encoding in ("utf-8-sig", "utf-16"):
        for text, name in FIRST_LINES.items():
            assert recognise(io.BytesIO(text.encode(encoding)))[0].name == name, text


def boards_seen(stream: object) -> list[Board]:
    """Read a stream without name; no problems are expected, but for the number sign in PBN."""
    context = Context("stream", lambda _: None, numbering=numbering("deal"))
    return list(open_boards(stream, context))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [PBN, f"# numbers\n0x{NUMBER:x}\n", f"\n{LIN}pg||\n"])
def test_a_stream_is_read_from_its_first_line_on(text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        data = text.encode(encoding)
        for stream in (io.BytesIO(data), io.BufferedReader(io.BytesIO(data))):
            assert [str(board.layout) for board in boards_seen(stream)] == [DEAL]
    for portion in (1, 5):
        slow = Dribble(text.encode(), portion)
        assert [str(board.layout) for board in boards_seen(slow)] == [DEAL]
        buffered = io.BufferedReader(Dribble(text.encode(), portion))
        assert [str(board.layout) for board in boards_seen(buffered)] == [DEAL]


def test_a_stream_that_says_nothing_has_no_boards() -> None:
    for data in (b"", b"\n\n", b"# nothing\n"):
        assert boards_seen(io.BytesIO(data)) == []


CLUBS = ("dup", "bri", "dge", "ber", "rzd", "hrf")


@pytest.mark.parametrize("name", CLUBS)
def test_records_of_clubs_are_recognised(name: str) -> None:
    boards = [Board.make(Layout.from_pbn(text), number=n) for n, text in ((1, DEAL), (2, OTHER))]
    data = write_format(name, boards).data
    for stream in (io.BytesIO(data), Dribble(data, 5)):
        found, whole = recognise(stream)  # type: ignore[arg-type]  # as sys.stdin.buffer
        assert found.name == name
        assert [str(board.layout) for board in read(whole, format=name)] == [DEAL, OTHER]


def test_text_is_no_club_format() -> None:
    for text in (" " * 16 + "♠ K", "1 S", "  " + " " * 11 + "x", "12345678" * 20):
        assert format_seen(text) not in CLUBS
    one = write_format("ber", [Board.make(Layout.from_pbn(DEAL), number=1)]).data
    assert format_seen(one.decode()) == "deal-digits"  # a board alone


@pytest.mark.slow
def test_what_is_known_may_stand_behind_much() -> None:
    text = f"# {'x' * 10_000}\n{DEAL}\n"
    assert [str(board.layout) for board in boards_seen(io.BytesIO(text.encode()))] == [DEAL]
    rest = '{"board": 1},' * 80_000
    found, whole = recognise(io.BytesIO(f"[{rest}{{}}]".encode()))
    assert (found.name, len(whole.read(1 << 22))) == ("json", len(rest) + 4)


def test_a_text_file_is_looked_into_but_not_a_named_format() -> None:
    context = Context("x", lambda _: None, numbering=numbering("deal"))

    def count(text: str, path: str, name: str | None = None) -> int:
        return len(list(open_boards(io.BytesIO(text.encode()), context, path=path, name=name)))

    assert count(PBN, "a.txt") == count(f"{NUMBER}", "a.txt") == count(DEAL, "a.txt") == 1
    assert count(PBN, "a.txt", "lines") == 0
    assert count(DEAL, "a.pbn") == 0
    assert count(PBN, "a.pbn", "pbn") == count(PBN, "a.dat") == count(DEAL, "a") == 1
    stream = io.BytesIO(f"{DEAL}\n".encode())
    assert len(list(read(stream))) == 1
    assert not stream.closed
