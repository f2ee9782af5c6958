"""Conditions on four hands: what an exact count takes, each in a process of its own.

    python benchmarks/four_hands.py                    all twelve, as a table
    python benchmarks/four_hands.py both-fit splinter  some of them
    python benchmarks/four_hands.py --memory 4         in at most so many GiB
    python benchmarks/four_hands.py --seconds 60       give up after so many seconds of work

Cold: no cache of models is read or written. Seconds of work are those of all threads together, MB
the most at any time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from string import Template

sys.path.append(str(Path(__file__).parent.parent / "tests" / "support"))

from oracles import DEALS, FIXTURES

HEAD = """\
| condition | deals | one in | seconds | of work | MB |
|---|---:|---:|---:|---:|---:|"""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="conditions, by their names; all without any")
    parser.add_argument("--memory", type=float, default=2, metavar="GIB")
    parser.add_argument("--seconds", type=int, default=300, metavar="N")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser.parse_args()


def scripts() -> dict[str, str]:
    """Return the conditions by their names, as scripts with the values of the real deck."""
    rows = json.loads((FIXTURES / "vectors" / "four-hands.json").read_text())
    found = {}
    for row in rows:
        values = {name: real for name, (real, _) in row["values"].items()}
        found[row["name"]] = Template("\n".join(row["text"])).substitute(values)
    return found


def count(name: str, memory: float) -> None:
    """Count one condition here, and print what it took."""
    from pavcodec.constraints.counting.condition import Condition
    from pavcodec.constraints.language.parser import parse_script
    from pavcodec.errors import PavError

    node = parse_script(scripts()[name]).condition
    assert node is not None
    start = time.perf_counter()
    found: dict[str, object]
    try:
        found = {"deals": str(Condition(node, int(memory * (1 << 30))).cardinality)}
    except PavError as error:
        found = {"problem": str(error).partition("\n")[0]}
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            found
            | {"seconds": time.perf_counter() - start, "work": used.ru_utime + used.ru_stime}
            | {"megabytes": used.ru_maxrss / 1024}
        )
    )


def measured(name: str, memory: float, seconds: int) -> dict[str, object]:
    """Count one condition in a process of its own."""
    words = [sys.executable, __file__, "--one", name, "--memory", str(memory)]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    done = subprocess.run(
        words,
        capture_output=True,
        check=False,
        encoding="utf-8",
        preexec_fn=limited,
    )
    if done.returncode < 0:
        return {"problem": f"given up after {seconds} seconds of work"}
    if done.returncode:
        return {"problem": done.stderr.strip().rpartition("\n")[2]}
    found: dict[str, object] = json.loads(done.stdout)
    return found


def row(name: str, found: dict[str, object]) -> str:
    """Return a row of the table."""
    figures = "".join(
        f" {found[key]:,.{digits}f} |" if key in found else " – |"
        for key, digits in (("seconds", 1), ("work", 1), ("megabytes", 0))
    )
    if "problem" in found:
        return f"| {name} | {str(found['problem'])[:120]} | – |{figures}"
    deals = int(str(found["deals"]))
    rarity = f"{DEALS / deals:,.0f}" if deals else "–"
    return f"| {name} | {deals:,} | {rarity} |{figures}"


def main() -> None:
    """Print the table, row by row."""
    args = arguments()
    if args.one:
        count(args.one, args.memory)
        return
    known = list(scripts())
    unknown = set(args.names) - set(known)
    if unknown:
        sys.exit(f"no condition is called {min(unknown)!r}; known: {', '.join(known)}")
    print(HEAD)
    for name in args.names or known:
        print(row(name, measured(name, args.memory, args.seconds)), flush=True)


if __name__ == "__main__":
    main()
