"""CSV in batches is what the reader of boards reads, with the same problems in the same order."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import Wanted
from pavcodec.formats import format_of

DEALS = pav.numbering("deal").sample(40, seed=3)
CSV = format_of("csv")


def text_of(count: int) -> str:
    out = io.BytesIO()
    boards = [pav.Board.make(deal, number=k) for k, deal in enumerate(DEALS[:count], 1)]
    CSV.write(boards, out, Context("x"))
    return out.getvalue().decode()


def both(data: bytes) -> tuple[list[pav.Board], list[str], list[pav.Board], list[str]]:
    """The boards and the problems of the reader of boards, and of batches."""
    found: list[list[pav.Board]] = []
    told: list[list[str]] = []
    for in_batches in (False, True):
        problems: list[Problem] = []
        context = Context("x", problems.append)
        stream = io.BytesIO(data)
        if in_batches:
            batches = CSV.read_batches(stream, context, Wanted.CARDS)
            found.append([board for batch in batches for board in batch])
        else:
            found.append(list(CSV.read(stream, context)))
        told.append(list(map(str, problems)))
    return found[0], told[0], found[1], told[1]


def check(data: bytes) -> None:
    boards, problems, fast, told = both(data)
    assert fast == boards
    assert [board.line for board in fast] == [board.line for board in boards]
    assert told == problems


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_plain_rows(end: str) -> None:
    text = text_of(40).replace("\n", end)
    check(text.encode())
    boards, problems, *_ = both(text.encode())
    assert (len(boards), problems) == (40, [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"5"', '"0"'), ('"5"', '"x"'), ('"5"', '"0000000000000000000005"'), ('"', ""),
        ('","', '" , "'), ("N/-", "N/NS"), ("E/NS", "E/ns"), ("A", "a"), ("A", "K"), ("T", "10"),
        ("2", ""), ("\n", "\n\n"), ("\n", " \n"), ("/", ""),
    ],
)  # fmt: skip
def test_other_rows(old: str, new: str) -> None:
    lines = text_of(12).splitlines(keepends=True)
    for place in (0, 4, 11):
        changed = [line.replace(old, new) if k == place else line for k, line in enumerate(lines)]
        check("".join(changed).encode())
    check("".join(lines).replace(old, new).encode())


def test_a_hand_of_fourteen_cards() -> None:
    row = text_of(3).splitlines()
    fields = row[1].split('","')
    longest = max(range(4), key=lambda k: len(fields[k].strip('"')))
    card = fields[longest].strip('"')[0]
    fields[longest] = fields[longest].replace(card, "", 1)
    fields[longest + 4] += card
    check("\n".join([row[0], '","'.join(fields), row[2]]).encode())


@given(st.lists(st.tuples(st.integers(0, 600), st.sampled_from('",/AKx7\n N')), max_size=6))
def test_damaged_text(changes: list[tuple[int, str]]) -> None:
    text = list(text_of(6))
    for place, letter in changes:
        text[place % len(text)] = letter
    check("".join(text).encode())
