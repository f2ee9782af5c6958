"""`pavcodec demo`: a tour of the three main tasks: numbers, deals of a condition, and archives."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import Any

from pavcodec.boards import Board
from pavcodec.cli.asking import add_common
from pavcodec.cli.output.streams import coloured
from pavcodec.cli.parsers import describe
from pavcodec.formats import read
from pavcodec.layout.drawings import diagram
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.questions.tables import print_table

DEMO_FILE = "demo.pbn"
CONDITION, SEED = "hcp(south) >= 20", 7
SHOWN, PACKED = 3, 10_000
"""How many deals of the condition the tour shows, and how many it packs."""

_NEXT = """\
What to try next:
  pavcodec encode YOUR.pbn                     one number per deal, in 96 bits
  pavcodec encode YOUR.pbn | pavcodec decode   and back again
  pavcodec deal 'hcp(south) >= 20' -n 16 -o strong.pbn
  pavcodec pack --set YOUR.pbn -o your.pav     deals in few bits
  pavcodec numberings                          each numbering, its size, order
  pavcodec --help"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, "  pavcodec demo")
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Do the three tasks with the demonstration file and a condition, and show what they give."""
    with as_file(files("pavcodec") / "data" / DEMO_FILE) as path:
        boards = list(read(path))
    numbers = [_round_trip(numbering(name), boards) for name in numbering_names()]
    drawn = _draw()
    archive = _pack()
    if args.json:
        facts = {"numberings": numbers, "condition": drawn, "archive": archive}
        print(json.dumps(facts, indent=2))
    else:
        _show_deal(boards[0])
        _show_numbers(boards, numbers)
        _show_drawn(drawn)
        _show_archive(archive)
        print(_NEXT)
    return 0 if all(each["same"] for each in (*numbers, archive)) else 1


def _round_trip(ranks: Numbering, boards: Sequence[Board]) -> dict[str, Any]:
    """Encode and decode every layout that the numbering holds, and compare."""
    layouts = [board.layout for board in boards if board.layout and board.layout in ranks]
    numbers = [ranks.rank(layout) for layout in layouts]
    return {
        "numbering": ranks.name,
        "bits": ranks.bits,
        "layouts": len(layouts),
        "same": [ranks.unrank(number) for number in numbers] == layouts,
        "first": str(numbers[0]),
    }


def _draw() -> dict[str, Any]:
    """Count the deals of the condition, draw numbers below the count, and decode them."""
    from pavcodec.constraints import ConstrainedDeals, deals
    from pavcodec.sampling import Stream

    space = deals(CONDITION)
    assert isinstance(space, ConstrainedDeals), "points are counted"
    indexes = Stream(SEED).indexes(space.cardinality, SHOWN)
    return {
        "condition": CONDITION,
        "cardinality": str(space.cardinality),
        "probability": str(space.probability),
        "seed": str(SEED),
        "deals": [{"index": str(index), "deal": str(space[index])} for index in indexes],
    }


def _pack() -> dict[str, Any]:
    """Pack deals of the condition as a set, read them back, and compare."""
    from pavcodec.archive import Archive, write_archive
    from pavcodec.constraints import ConstrainedDeals, deals
    from pavcodec.sampling import draw_indexes

    space, stream = deals(CONDITION), io.BytesIO()
    assert isinstance(space, ConstrainedDeals), "points are counted"
    drawn = draw_indexes(SEED, 0, PACKED, space.cardinality)
    write_archive(space.unrank_many(drawn), stream, kind="set", space=space)
    with Archive(stream.getvalue()) as archive:
        read_back = [tuple(row) for block in archive.numbers() for row in block.tolist()]
        return {
            "deals": len(archive),
            "bytes": archive.size,
            "bits_per_deal": round(float(archive.bits_per_deal), 3),
            "bound_bits_per_deal": round(float(archive.bound_bits_per_deal), 3),
            "same": read_back == sorted(set(map(tuple, drawn.tolist()))),
        }


def _show_deal(board: Board) -> None:
    """Draw one board with its number."""
    from rich.console import Console

    if board.layout is None:
        return
    console = Console(highlight=False)
    dealer = board.dealer.name.title() if board.dealer is not None else "?"
    vulnerable = board.vulnerable.value if board.vulnerable else "?"
    print(f"Board {board.number} of the demonstration file", end=": ")
    print(f"dealer {dealer}, vulnerable {vulnerable}\n")
    for line in diagram(board.layout):
        console.print(f"  {coloured(line)}", soft_wrap=True)
    print(f"\n  text    {board.layout}")
    print(f"  number  {numbering('deal').rank(board.layout)}\n")


def _show_numbers(boards: Sequence[Board], results: Sequence[dict[str, Any]]) -> None:
    """Print the results of encoding and decoding the file."""
    deals = sum(board.layout is not None and board.layout.is_deal for board in boards)
    print(f"1. Numbers and back: {deals} deals and {len(boards) - deals} endings of the file.\n")
    heads = ("numbering", "bits", "layouts", "same again", "number of the first")
    keys = ("numbering", "bits", "layouts")
    print_table(
        heads,
        [
            (*(str(each[key]) for key in keys), "yes" if each["same"] else "NO", each["first"])
            for each in results
        ],
    )
    print()


def _show_drawn(drawn: dict[str, Any]) -> None:
    """Print the count of the condition and the deals that were drawn."""
    total = int(drawn["cardinality"])
    print(f"2. Deals of a condition: {drawn['condition']}\n")
    print(f"  {total:,} deals, exactly")
    print(f"  probability {drawn['probability']}")
    print(f"  Numbers below this count, drawn with seed {drawn['seed']}, and their deals:\n")
    for each in drawn["deals"]:
        print(f"  {each['index']}\n    {each['deal']}")
    print()


def _show_archive(archive: dict[str, Any]) -> None:
    """Print the size of the archive beside the least size of any such set."""
    same = "the same again" if archive["same"] else "NOT the same again"
    print(f"3. A set of {archive['deals']:,} such deals in an archive:\n")
    print(f"  {archive['bytes']:,} bytes, {archive['bits_per_deal']} bits a deal, {same};")
    print(f"  no code of all such sets takes less than {archive['bound_bits_per_deal']} bits.\n")
