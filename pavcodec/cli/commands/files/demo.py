"""`pavcodec demo`: a tour of the main tasks with a real file, with numbers."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from importlib.resources import as_file, files

from pavcodec.boards import Board
from pavcodec.cli.commands.files.show import coloured
from pavcodec.cli.output.streams import add_common
from pavcodec.cli.output.tables import print_table
from pavcodec.cli.parsers import describe
from pavcodec.formats import read
from pavcodec.layout import Layout
from pavcodec.layout.drawings import diagram
from pavcodec.numberings import Numbering, numbering, numbering_names

DEMO_FILE = "demo.pbn"

_NEXT = """\
What to try next:
  pavcodec encode YOUR.pbn                     one number per deal, in 96 bits
  pavcodec encode YOUR.pbn | pavcodec decode   and back again
  pavcodec decode 12345678901234567890123456789
  pavcodec numberings                          each numbering, its size, order
  pavcodec convert YOUR.pbn deals.txt          one deal a line
  pavcodec --help"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, "  pavcodec demo")
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Encode and decode the demonstration file in every numbering, and show one deal."""
    with as_file(files("pavcodec") / "data" / DEMO_FILE) as path:
        boards = list(read(path))
    results = [_round_trip(numbering(name), boards) for name in numbering_names()]
    if args.json:
        print(json.dumps(results, indent=2))
    else:
        _show_deal(boards[0])
        _show_results(boards, results)
        print(_NEXT)
    return 0 if all(result["same"] for result in results) else 1


def _round_trip(ranks: Numbering, boards: Sequence[Board]) -> dict[str, object]:
    """Encode and decode every layout that the numbering holds, and compare."""
    layouts = [board.layout for board in boards if board.layout in ranks]
    ranks[0]  # the first call prepares the walk
    start = time.perf_counter()
    numbers = [ranks.rank(layout) for layout in layouts if layout]
    middle = time.perf_counter()
    decoded: list[Layout] = [ranks.unrank(number) for number in numbers]
    end = time.perf_counter()
    return {
        "numbering": ranks.name,
        "bits": ranks.bits,
        "layouts": len(layouts),
        "same": decoded == layouts,
        "encode_microseconds": round((middle - start) / len(layouts) * 1e6, 1),
        "decode_microseconds": round((end - middle) / len(layouts) * 1e6, 1),
        "first": str(numbers[0]),
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


def _show_results(boards: Sequence[Board], results: Sequence[dict[str, object]]) -> None:
    """Print the results of encoding and decoding the file."""
    deals = sum(board.layout is not None and board.layout.is_deal for board in boards)
    print(f"The file has {deals} deals and {len(boards) - deals} endings.", end=" ")
    print("Encoded, decoded and compared:\n")
    rows = [
        (
            str(r["numbering"]),
            str(r["bits"]),
            str(r["layouts"]),
            "yes" if r["same"] else "NO",
            str(r["encode_microseconds"]),
            str(r["decode_microseconds"]),
        )
        for r in results
    ]
    heads = ("numbering", "bits", "layouts", "same again", "µs to encode", "µs to decode")
    print_table(heads, rows)
    print()
