"""Large files are converted as arrays, and nobody can tell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, OTHER, Cli, Outcome, loss, writes_arrays

import pavcodec as pav
from pavcodec.boards import Context
from pavcodec.boards.batch import Arrivals, BoardBatch, owners_of
from pavcodec.formats import Format, format_names, format_of
from pavcodec.formats import format as format_module
from pavcodec.questions import inputs, rewriting

if TYPE_CHECKING:
    from pathlib import Path

OF_CARDS = [name for name in format_names() if format_of(name).is_cards_only]
QUICK = [name for name in format_names() if writes_arrays(name)]
EVENT = "\n".join([
    f'% PBN 2.1\n[Board "1"]\n[Deal "{DEAL}"]\n', f'[Board "2"]\n[Deal "{OTHER}"]\n',
    '[Board "3"]\n[Deal ""]\n', f'[Board "4"]\n[Deal "{ENDING}"]\n', '[Board "5"]\n{\n\n}\n',
    '[Board "6"]\n[Deal "N:AX... - - -"]\n', f'[Board "7"]\n[Deal "{DEAL}"]\n',
    f'[Board "8"]\n[Deal "{FOULED}"]\n', f'[Board "9"]\n[Deal "{OTHER}"]\n', '[Deal "?"]\n',
    f'[Board "10"]\n[Deal "{ENDING}"]\n',
])  # fmt: skip
LINES = "\n".join([DEAL, ENDING, "x", "", OTHER, FOULED, DEAL.lower(), "# remark", ENDING, DEAL])
NUMBERS = "\n".join(["5", "x", "0xff", "-1", "", str(10**30), "7"])
INPUTS = {
    "a.pbn": EVENT.encode(),
    "b.pbn": DEMO.read_bytes(),
    "c.txt": LINES.encode(),
    "d.numbers": NUMBERS.encode(),
    "e.deal12": bytes(24) + b"\xff" * 12 + bytes(5),
    "f.layout20": b"\x24\x49\x92" * 7,
    "g.pbn": b"",
    "h.txt": b'[Deal "x"]\n',
    "i.pbn": b"\x00\x01",
}


def converted(cli: Cli, at: int, source: Path, target: Path, *options: str) -> tuple[object, ...]:
    """Convert a file as arrays if it has so many bytes; return all that is to be seen of it."""
    target.unlink(missing_ok=True)
    with patch.object(format_module, "LARGE", at):
        outcome = cli("convert", source, target, *options)
    data = target.read_bytes() if target.exists() else None
    return outcome.code, outcome.out, sorted(outcome.err.splitlines()), data


@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("to", QUICK)
def test_arrays_give_what_boards_give(cli: Cli, tmp_path: Path, name: str, to: str) -> None:
    source, target = tmp_path / name, tmp_path / f"out.{to}"
    source.write_bytes(INPUTS[name])
    for options in ([], ["--json"], ["--json", "--as", "base5"], ["--strict"]):
        slow = converted(cli, 1 << 40, source, target, "--to", to, *options)
        assert converted(cli, 0, source, target, "--to", to, *options) == slow


def reads_as_arrays(cli: Cli, source: Path, *options: str) -> bool:
    """Tell whether a conversion reads arrays."""
    read = Format.read_batches
    with (
        patch.object(Format, "read_batches", autospec=True, side_effect=read) as reading,
        patch.object(Arrivals, "of", autospec=True, side_effect=Arrivals.of) as slow,
        patch.object(format_module, "LARGE", 100),
    ):
        cli("convert", source, "-", *options)
    return reading.call_count > slow.call_count


@pytest.mark.slow
def test_what_is_read_as_arrays(cli: Cli, tmp_path: Path) -> None:
    small, solved = tmp_path / "small.txt", tmp_path / "solved.zrd"
    small.write_text(f"{DEAL}\n")
    solved.write_bytes(bytes(230))
    for to in OF_CARDS:
        has_quick_way = writes_arrays(to)
        assert reads_as_arrays(cli, DEMO, "--to", to) == has_quick_way
        assert not reads_as_arrays(cli, small, "--to", to)
        assert reads_as_arrays(cli, solved, "--to", to) == has_quick_way
        assert not reads_as_arrays(cli, DEMO, "--to", to, "--strict")
    for to in set(format_names()) - set(OF_CARDS):
        assert not reads_as_arrays(cli, DEMO, "--to", to)
    lines = tmp_path / "lines.txt"
    lines.write_text(f"{DEAL}\n" * 3)
    for to in QUICK:
        assert reads_as_arrays(cli, lines, "--to", to)
    assert reads_as_arrays(cli, tmp_path, "--to", "lines")
    assert not reads_as_arrays(cli, tmp_path / "absent.pbn", "--to", "lines")


@pytest.mark.slow
def test_many_deals_with_a_problem_far_inside(cli: Cli, tmp_path: Path) -> None:
    deals = pav.numbering("deal")
    owners = deals.sample_many(20_000, seed=7)
    owners[17_000] = owners_of([pav.Layout.from_pbn(ENDING)])[0]
    source, target = tmp_path / "many.pbn", tmp_path / "many.numbers"
    with source.open("wb") as stream:
        format_of("pbn").write_batches([BoardBatch(owners, 1)], stream, Context("x"))
    outcome: Outcome = cli("convert", source, target, "--json")
    assert "many.pbn:272013: board 17001: numbering 'deal' holds" in outcome.err.splitlines()[0]
    row = json.loads(outcome.out)
    assert (row["boards"], row["left_out"], row["problems"]) == (20_000, 0, 1)
    numbers = target.read_text().split()
    assert len(numbers) == 19_999
    assert int(numbers[-1]) == deals.rank(pav.Layout(owners[-1].tobytes()))


@pytest.mark.parametrize("suffix", ["pbn", "txt", "parquet", "pav"])
def test_a_file_is_opened_once_also_where_boards_have_problems(
    cli: Cli, tmp_path: Path, suffix: str
) -> None:
    source = tmp_path / f"a.{suffix}"
    layouts = map(pav.Layout.from_pbn, [DEAL, ENDING, OTHER])
    boards = [pav.Board.make(layout, number=7 + n) for n, layout in enumerate(layouts)]
    pav.write(boards, source)
    with (
        patch.object(format_module, "LARGE", 0),
        patch.object(rewriting, "open_input", side_effect=inputs.open_input) as opened,
    ):
        outcome = cli("convert", source, "-", "--to", "numbers")
    assert opened.call_count == 1
    assert (outcome.code, len(outcome.lines)) == (1, 2)
    label = "" if suffix == "txt" else "board 8: "
    assert f"{label}numbering 'deal' holds" in outcome.err


TAGGED = ['[Event "x"]', '[Site "?"]\n[Board "7"]', '[Site "?"]\n[Date ""]', ""]


@pytest.mark.parametrize("tags", TAGGED)
@pytest.mark.parametrize("at", [0, 1 << 40])
@pytest.mark.parametrize("suffix", ["pbn", "parquet", "pav"])
def test_the_loss_of_tags_is_told_where_there_is_one(
    cli: Cli, tmp_path: Path, suffix: str, at: int, tags: str
) -> None:
    pbn, source = tmp_path / "a.pbn", tmp_path / f"b.{suffix}"
    pbn.write_text(f'{tags}\n[Deal "{DEAL}"]\n')
    pav.write(pav.read(pbn), source)
    with patch.object(format_module, "LARGE", at):
        outcome = cli("convert", source, "-", "--to", "lines")
        kept = cli("convert", source, "-", "--to", "lin")
    lost = ["number, dealer and vulnerability"] * ("7" in tags) + ["the tag Event"] * ("x" in tags)
    assert outcome.err == "".join(loss("lines", 1, parts) for parts in lost)
    assert kept.err == ""
