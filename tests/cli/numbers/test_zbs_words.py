"""`--as zbs`: layouts as words of eight hexadecimal digits, and back."""

from __future__ import annotations

import pytest
from formats_support import DEMO, Cli, read_text
from oracles import vectors
from records_support import word_by_hand

from pavcodec import Layout

ROWS = vectors("endings")
TEXTS = [str(Layout.from_pbn(row["pbn"])) for row in ROWS]
WORDS = [" ".join(row["zbs"]) for row in ROWS]


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


def test_the_demonstration_file_goes_round(cli: Cli) -> None:
    words = cli("encode", "--as", "zbs", DEMO)
    layouts = [str(board.layout) for board in read_text(DEMO.read_bytes()).boards]
    assert (words.code, words.lines) == (0, [words_of(text) for text in layouts])
    deals = cli("decode", "--as", "zbs", stdin=words.out)
    assert (deals.code, deals.lines) == (0, layouts)
    assert cli("encode", "--as", "zbs", stdin=deals.out) == words
