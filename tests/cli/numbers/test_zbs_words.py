"""`--as zbs`: layouts as words of eight hexadecimal digits, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, OTHER, Cli, read_text
from oracles import vectors
from records_support import word_by_hand

from pavcodec import Layout

if TYPE_CHECKING:
    from pathlib import Path

ROWS = vectors("endings")
TEXTS = [str(Layout.from_pbn(row["pbn"])) for row in ROWS]
WORDS = [" ".join(row["zbs"]) for row in ROWS]
EMPTY = "80000000 80000000 80000000 00000000"


def words_of(text: str) -> str:
    """The words of a layout, by a slow loop."""
    owners = Layout.from_pbn(text).owners
    numbers = [word_by_hand(owners[start : start + 13]) for start in range(0, 52, 13)]
    flags = (1 << 31, 1 << 31, 1 << 31, 0)
    return " ".join(f"{n | flag:08x}" for n, flag in zip(numbers, flags, strict=True))


def test_endings_are_encoded_as_their_words(cli: Cli) -> None:
    outcome = cli("encode", "--as", "zbs", stdin="\n".join(TEXTS))
    assert (outcome.code, outcome.lines, outcome.err) == (0, WORDS, "")


@pytest.mark.parametrize("shape", ["{}", "  {}\t", "# {}\n{}"])
def test_words_are_decoded_to_their_endings(cli: Cli, shape: str) -> None:
    stdin = "\n".join(shape.replace("{}", line) for line in WORDS)
    outcome = cli("decode", "--as", "zbs", stdin=stdin)
    assert (outcome.code, outcome.lines, outcome.err) == (0, TEXTS, "")


@pytest.mark.parametrize("a_line", [1, 2, 3, 5, 324])
def test_words_may_be_spread_over_lines(cli: Cli, a_line: int) -> None:
    words = " ".join(WORDS).split()
    lines = [" ".join(words[start : start + a_line]) for start in range(0, len(words), a_line)]
    assert cli("decode", "--as", "zbs", stdin="\n".join(lines)) == (
        0,
        "".join(f"{text}\n" for text in TEXTS),
        "",
    )


def test_words_may_be_arguments_and_files(cli: Cli, tmp_path: Path) -> None:
    first, second = WORDS[4], WORDS[5]
    expected = (0, f"{TEXTS[4]}\n{TEXTS[5]}\n", "")
    assert cli("decode", "--as", "zbs", *first.split(), *second.split()) == expected
    assert cli("decode", "--as", "zbs", first, second.upper()) == expected
    (tmp_path / "words.txt").write_text(f"# words\n{first}\n")
    assert cli("decode", "--as", "zbs", tmp_path / "words.txt", "-", stdin=second) == expected
    prefixed = " ".join(f"0x{word}" for word in second.split())
    assert cli("decode", "--as", "zbs", first, prefixed) == expected


def test_the_demonstration_file_goes_round(cli: Cli) -> None:
    words = cli("encode", "--as", "zbs", DEMO)
    layouts = [str(board.layout) for board in read_text(DEMO.read_bytes()).boards]
    assert (words.code, words.lines) == (0, [words_of(text) for text in layouts])
    deals = cli("decode", "--as", "zbs", stdin=words.out)
    assert (deals.code, deals.lines) == (0, layouts)
    assert cli("encode", "--as", "zbs", stdin=deals.out) == words


def test_a_word_alone_is_a_suit_shown_as_spades(cli: Cli) -> None:
    outcome = cli("decode", "--as", "zbs", "48BAF0DA", EMPTY, "1")
    assert outcome.lines == ["N:JT9... 876... 5432... AKQ...", "N:- - - -", "N:- - - A..."]
    outcome = cli("decode", "--as", "zbs", "--to", "pbn", "48BAF0DA", EMPTY)
    boards = read_text(outcome.data).boards
    assert [board.tags.get("SuitLayout") for board in boards] == ["alone", None]
    again = cli("encode", "--as", "zbs", stdin=outcome.out)
    assert again.lines == ["48baf0da", EMPTY]
    plain = cli("decode", "--as", "zbs", "48BAF0DA").out
    assert cli("encode", "--as", "zbs", stdin=plain).lines == ["c8baf0da" + EMPTY[8:]]


def test_a_board_with_other_suits_cannot_stand_alone(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_text(
        f'[Board "1"]\n[Deal "{DEAL}"]\n[SuitLayout "alone"]\n\n[Board "2"]\n[Deal "{OTHER}"]\n'
    )
    outcome = cli("encode", "--as", "zbs", tmp_path / "a.pbn")
    assert (outcome.code, outcome.lines) == (1, [words_of(OTHER)])
    assert outcome.complaint.startswith(f"{tmp_path / 'a.pbn'}:2: board 1: ")
    assert "no other cards than spades" in outcome.complaint


def test_fouled_boards_have_words(cli: Cli) -> None:
    for text in (DEAL, ENDING, FOULED):
        outcome = cli("encode", "--as", "zbs", stdin=text)
        assert outcome.lines == [words_of(text)]
        assert cli("decode", "--as", "zbs", *outcome.lines).lines == [text]


def test_json_has_the_words(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_text(f'[Board "7"]\n[Deal "{DEAL}"]\n')
    (line,) = cli("encode", "--as", "zbs", "--json", tmp_path / "a.pbn").lines
    words = words_of(DEAL).split()
    assert json.loads(line) == {
        "words": words,
        "deal": DEAL,
        "board": "7",
        "file": str(tmp_path / "a.pbn"),
        "line": 2,
    }
    lines = cli("decode", "--as", "zbs", "--json", *words, "48BAF0DA").lines
    assert [json.loads(line) for line in lines] == [
        {"words": words, "deal": DEAL},
        {"words": ["48baf0da"], "deal": "N:JT9... 876... 5432... AKQ..."},
    ]


def test_words_are_files_of_records_too(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.zbs"
    outcome = cli("decode", "--as", "zbs", "--to", "zbs", "-o", path, "-", stdin="\n".join(WORDS))
    assert (outcome.code, outcome.err) == (0, "")
    assert path.read_bytes().hex() == "".join(
        bytes.fromhex(word)[::-1].hex() for line in WORDS for word in line.split()
    )
    assert cli("encode", "--as", "zbs", path).lines == WORDS


BAD_WORDS = {
    "xyz": "'xyz' is no number; expected hexadecimal digits",
    "100000000": "'100000000' is no word of 32 bits, 8 hexadecimal digits",
    "-1": "'-1' is no word of 32 bits",
    "80000000.": "'80000000.' is no number",
    "f" * 300: "has 300 characters",
}


@pytest.mark.parametrize(("word", "reason"), BAD_WORDS.items(), ids=lambda text: text[:12])
def test_a_bad_word_between_diagrams_is_told_with_its_line(
    cli: Cli, word: str, reason: str
) -> None:
    outcome = cli("decode", "--as", "zbs", stdin=f"{WORDS[4]}\n{word}\n{WORDS[5]}\n")
    assert (outcome.code, outcome.lines) == (1, [TEXTS[4], TEXTS[5]])
    assert outcome.complaint.startswith("stdin:2: ")
    assert reason in outcome.complaint


def test_a_bad_word_among_the_arguments_is_told_with_its_place(cli: Cli) -> None:
    outcome = cli("decode", "--as", "zbs", WORDS[4], "xyz", WORDS[5])
    assert (outcome.code, outcome.lines) == (1, [TEXTS[4], TEXTS[5]])
    assert outcome.complaint.startswith("arguments:2: 'xyz' is no number")


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("word", ["xyz", "48c27395"])
def test_a_bad_word_spoils_its_diagram_alone(cli: Cli, place: int, word: str) -> None:
    """Words of two diagrams are never put together."""
    flagged = f"{int(word, 16) | 1 << 31:08x}" if word != "xyz" and place < 3 else word
    middle = WORDS[5].split()
    middle[place] = flagged
    lines = [WORDS[4], " ".join(middle), WORDS[6]]
    outcome = cli("decode", "--as", "zbs", stdin="\n".join(lines))
    assert (outcome.code, outcome.lines) == (1, [TEXTS[4], TEXTS[6]])
    assert all(line.startswith("stdin:2: ") for line in outcome.err.splitlines())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["80000000"], "a diagram has 4 words, not 1: no more follow"),
        (["80000000"] * 3, "a diagram has 4 words, not 3: no more follow"),
        (["80000000", "0"], "a diagram has 4 words, not 2: the flag is clear in the last one"),
        (["48c27395"], "a suit has numbers 0 to 1220703124, not 1220703125 (word 48c27395)"),
        (["7fffffff"], "a suit has numbers 0 to 1220703124, not 2147483647 (word 7fffffff)"),
    ],
)
def test_words_that_make_no_diagram_are_told(cli: Cli, words: list[str], reason: str) -> None:
    outcome = cli("decode", "--as", "zbs", *words)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.complaint == f"arguments:1: {reason}"
    good = cli("decode", "--as", "zbs", stdin=f"{WORDS[4]}\n" + "\n".join(words))
    assert good.lines == [TEXTS[4]]
    assert good.complaint == f"stdin:2: {reason}"


def test_strict_decoding_stops_at_the_first_problem(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    stdin = f"{WORDS[4]}\nxyz\n{WORDS[5]}\n"
    outcome = cli("decode", "--as", "zbs", "--strict", "-o", out, stdin=stdin)
    assert outcome.code == 1
    assert "stdin:2: 'xyz' is no number" in outcome.complaint
    assert not out.exists()


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize(
    ("words", "target"),
    [
        (["decode", "--as", "base5", "--to", "deal12", "5"], "a.deal12"),
        (["decode", "--as", "zbs", "--to", "zrd", "48BAF0DA"], "a.zrd"),
        (["decode", "--as", "deal", "--to", "zdd", "5"], "a.zdd"),
        (["decode", "--as", "zbs", "--to", "deal13", "80000000"], "a.deal13"),
    ],
)
def test_where_no_layout_fits_decode_writes_nothing(
    cli: Cli, tmp_path: Path, words: list[str], target: str, old: bytes | None
) -> None:
    path = tmp_path / target
    if old is not None:
        path.write_bytes(old)
    outcome = cli(*words, "--force", "-o", path)
    assert outcome.code == 1
    assert f"nothing to write: {path} is left as it was" in outcome.err
    assert (path.read_bytes() if path.exists() else None) == old
