"""`pavcodec encode`: layouts to numbers."""

from __future__ import annotations

import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, NUMBER, OTHER, Cli, read_text

from pavcodec import numbering, numbering_names


@pytest.mark.parametrize("words", [["encode"], ["encode", "-"]])
@pytest.mark.parametrize(
    "text", [DEAL, f'[Deal "{DEAL}"]', f"{NUMBER:,}", f"# x\n{DEAL.lower()}\r\n", f"\ufeff{DEAL}"]
)
def test_the_standard_input_is_read_in_any_format(cli: Cli, words: list[str], text: str) -> None:
    assert cli(*words, stdin=text) == (0, f"{NUMBER}\n", "")


@pytest.mark.parametrize("name", numbering_names())
def test_every_numbering_encodes_its_layouts_of_the_demonstration_file(cli: Cli, name: str) -> None:
    ranks = numbering(name)
    boards = read_text(DEMO.read_bytes()).boards
    members = [board.layout for board in boards if board.layout in ranks]
    outcome = cli("encode", "--as", name, DEMO)
    assert [int(line) for line in outcome.lines] == [ranks.rank(one) for one in members if one]
    assert outcome.code == (len(members) < len(boards))
    complaints = outcome.err.splitlines()
    assert len(complaints) == len(boards) - len(members)
    for line in complaints:
        assert f"{DEMO}:" in line
        assert name in line
        assert ": board 3" in line  # the endings are boards 33 to 36


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "name"),
    [
        (DEMO.read_text(), "base5"),
        (DEMO.read_text(), "ending"),
        (f"{DEAL}\n{OTHER}\n", "deal"),
        (f"{ENDING}\nN:- - - -\n", "base5"),
        (f"{ENDING}\nN:- - - -\n", "ending"),
        ("N:A... K... Q... J...\n" + DEAL, "balanced"),
        (f"{FOULED}\nN:AKQJT98765432.A.. - - -\nW:.AKQJT98765432.32. - - AKQ...\n", "base5"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--hex"], ["--one-based"], ["--one-based", "--hex"]])
def test_encode_decode_encode_is_a_fixed_point(
    cli: Cli, text: str, name: str, options: list[str]
) -> None:
    numbers = cli("encode", "--as", name, *options, stdin=text)
    assert (numbers.code, numbers.err) == (0, "")
    deals = cli("decode", "--as", name, *options, stdin=numbers.out)
    assert (deals.code, len(deals.lines)) == (0, len(numbers.lines))
    assert cli("encode", "--as", name, *options, stdin=deals.out) == numbers
    again = cli("decode", "--as", name, *options, stdin=numbers.out)
    assert again == deals
