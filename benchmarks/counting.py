"""Conditions of all four hands: seconds and memory of a count by turns, and of a model of deals.

    python benchmarks/counting.py            a table of all of them
    python benchmarks/counting.py CASE       one of them, in this process, as JSON

Each figure comes from a process of its own. Seconds are those of the processor, which other
programs change little; imports, reading the text and making its diagrams are not among them.
"""

from __future__ import annotations

import subprocess
import sys
from json import dumps, loads
from resource import RUSAGE_SELF, getrusage
from time import process_time

from cases import LARGE_CASES

MEMORY = 2 << 30


def measured(name: str, way: str) -> dict[str, float]:
    """Return what a way of counting takes, in a process of its own."""
    command = [sys.executable, __file__, name, way]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = loads(done.stdout)
    return found


def main(name: str, way: str) -> None:
    """Count the deals of a case in some way, and print what it took."""
    from pavcodec.constraints.counting.compile import Compiler
    from pavcodec.constraints.counting.model import build_model
    from pavcodec.constraints.counting.turns import count_layouts
    from pavcodec.constraints.language.parser import parse_expression
    from pavcodec.constraints.nodes.syntax import parts_of
    from pavcodec.limits import ProductTooLarge

    sizes = (13,) * 4
    small = [Compiler().truth(part) for part in parts_of(parse_expression("hcp(north) > 36"))]
    count_layouts(small, sizes)  # loads the loops
    case, compiler = LARGE_CASES[name], Compiler(sizes=sizes)
    diagrams = [compiler.truth(part) for part in parts_of(parse_expression(case.where))]
    started = process_time()
    nodes = 0
    try:
        if way == "count":
            found = count_layouts(diagrams, sizes, memory=MEMORY)
        else:
            model = build_model(diagrams, sizes, memory=MEMORY)
            found, nodes = model.cardinality, model.nodes
        assert found == case.cardinality, found
    except ProductTooLarge:
        nodes = -1
    peak = getrusage(RUSAGE_SELF).ru_maxrss * 1024
    print(dumps({"seconds": process_time() - started, "peak": peak, "nodes": nodes}))


def table() -> None:
    """Print a row for each case."""
    print(f"{'':<44}{'count s':>9}{'MB':>7}{'model s':>9}{'MB':>7}{'nodes':>13}")
    for name in LARGE_CASES:
        count, model = measured(name, "count"), measured(name, "model")
        row = f"{name:<44}"
        for found in (count, model):
            large = found["nodes"] < 0
            row += f"{'–' if large else format(found['seconds'], '.1f'):>9}"
            row += f"{'–' if large else format(found['peak'] / 1e6, '.0f'):>7}"
        nodes = format(model["nodes"], ",.0f") if model["nodes"] > 0 else "above 2 GiB"
        print(f"{row}{nodes:>13}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "count")
    else:
        table()
