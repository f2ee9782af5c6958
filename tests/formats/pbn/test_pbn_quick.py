"""The quick way to read a plain game gives what the definition gives, whatever the text."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from formats_support import DEAL, DEMO, PBN_LINES, corpus_pbn_files, pbn_texts, read_text
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pavcodec.boards import Board
from pavcodec.formats.pbn import reader as pbn
from pavcodec.formats.pbn.reader import Game

NEVER = re.compile(r"(?!)")


def facts_by_definition(data: str | bytes, *, strict: bool = False) -> list[tuple[object, ...]]:
    """Read with the quick way switched off."""
    with patch.object(pbn, "_PLAIN_GAME", NEVER):
        return read_text(data, strict=strict).facts


def quick_games(data: str | bytes) -> int:
    """Count the games that the quick way takes."""
    taken = 0
    plain = pbn.PbnReader.read_plain

    def counted(self: pbn.PbnReader, game: Game, match: re.Match[str]) -> Board:
        nonlocal taken
        taken += 1
        return plain(self, game, match)

    with patch.object(pbn.PbnReader, "read_plain", counted):
        read_text(data)
    return taken


@pytest.mark.slow
@settings(deadline=None, max_examples=120)
@given(pbn_texts(), st.booleans())
@example('[Event "x\\\\"]\n[Deal "N:- - - -"]', False)
@example(f'[Deal "{DEAL}"]\n1C\n\n[T "##a"]\n\n[Deal "{DEAL}"]\n1C', False)
def test_any_text_reads_the_same_by_the_quick_way(text: str, strict: bool) -> None:
    assert read_text(text, strict=strict).facts == facts_by_definition(text, strict=strict)


def test_any_line_in_a_plain_game_reads_the_same() -> None:
    for line in PBN_LINES:
        text = f'[Event "x"]\n{line}\n[Deal "{DEAL}"]\n[Auction "N"]\n1C\n'
        for game in (text, f'[Deal "{DEAL}"]\n{line}\n', f'{line}\n[Deal "{DEAL}"]\n', line):
            assert read_text(game).facts == facts_by_definition(game), game


def test_the_quick_way_is_taken_where_it_should_be() -> None:
    game = f'[Event "x"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1C\n'
    assert quick_games("\n".join([game] * 3)) == 3
    assert quick_games(f'[Site "##x"]\n\n{game}\n{game}\n[Site "y"]\n\n{game}') == 1
    assert quick_games(game + "{}\n") == 0
    demo = DEMO.read_bytes()
    assert read_text(demo).facts == facts_by_definition(demo)
    assert quick_games(demo) == len(read_text(demo).boards) - 1  # the first has the declaration


@pytest.mark.slow
def test_every_file_of_the_corpus_reads_the_same() -> None:
    for path in corpus_pbn_files():
        text = path.read_bytes()
        assert read_text(text).facts == facts_by_definition(text), path.name
