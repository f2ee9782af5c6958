"""Try every script of a folder: `pavcodec deal -f`, cold, one process after another.

    python tools/scripts_table.py ~/scripts                  the table on the standard output
    python tools/scripts_table.py ~/scripts -o table.md      into a file
    python tools/scripts_table.py ~/scripts --seconds 20     give a run up after so many seconds
    python tools/scripts_table.py                            the page of our own scripts
    python tools/scripts_table.py --check                    whether the page has all of them

Each script is run twice: for one board, and for as many as it asks for. Nothing is read from the
cache of models or kept in it. A row has the lines of the script, what was counted and what tested,
how many of the tested deals passed, the seconds of both runs by the clock, those of work of the
first, and the most memory.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "fixtures" / "collection"
PAGE = ROOT / "docs" / "constraints" / "scripts.md"
SUFFIXES = (".dlr", ".dli", ".dl", ".txt")
MOST_WORDS = 110
"""How much of a plan or of a problem a row shows."""

_PROBLEM = re.compile(r"(?!seed |plan:|[\d,]+ of [\d,]+ deals )\S")
"""How a line starts that says what is wrong; a line under it, with a caret, starts with blanks."""

HEAD = """\
| script | lines | plan | passed | first board, s | of work | all boards, s | MB |
|---|---:|---|---:|---:|---:|---:|---:|
"""
PAGE_TEXT = """\
# Scripts that deal

<!-- Made by tools/scripts_table.py from fixtures/collection. Do not edit. -->

Forty scripts of our own, written in the manner of those that players share: one line pasted into a
table of Bridge Base Online, lessons of a club, problems of play, and sets for practice with
hundreds of lines of definitions, conditions on all four hands and levelling. Each says in a comment
what it covers. They are in `fixtures/collection`. The tests read and run each, and where Debian's
dealer is installed they compare: the values of every variable for the same deals, the deals that
satisfy the condition, and what the actions print.

The table comes from one command, which takes any folder of scripts:

```sh
python tools/scripts_table.py FOLDER -o table.md
```

Each script is run twice with seed 1, cold: in a process of its own, without the cache of models,
for one board and then for as many boards as the script asks for. *Passed* is the share of deals
that passed what was tested; without a figure, everything was counted and no deal was dealt in vain.
Seconds are by the clock of a machine with two cores, and include the start of Python; those of
work are what all threads together took for the first board. MB is the most memory of either run.

{table}
"""


@dataclass(frozen=True)
class Ran:
    """What a run took and said."""

    code: int
    errors: str
    seconds: float
    work: float
    megabytes: float

    @property
    def problem(self) -> str:
        """Why there are no deals; nothing where there are."""
        if self.code == 0:
            return ""
        lines = (line for line in self.errors.splitlines() if _PROBLEM.match(line))
        found = next((line for line in lines if "warning: " not in line), f"exit code {self.code}")
        return found if self.code > 0 else f"given up after {self.seconds:.0f} s"

    @property
    def plan(self) -> str:
        """What was counted and what tested, as the command tells it."""
        found = re.search(r"^plan: *(.*)", self.errors, re.MULTILINE)
        return found.group(1) if found else ""

    @property
    def passed(self) -> str:
        """The share of deals that passed what was tested."""
        found = re.search(r"^([\d,]+) of ([\d,]+) deals passed", self.errors, re.MULTILINE)
        if found is None:
            return ""
        some, every = (int(number.replace(",", "")) for number in found.groups())
        return f"{100 * some / every:.3g} %" if every else ""


@dataclass(frozen=True)
class Tried:
    """A script with its two runs; there is no second one where the first failed."""

    name: str
    lines: int
    first: Ran
    whole: Ran | None

    @property
    def has_dealt(self) -> bool:
        """Tell whether both runs came to their end."""
        return self.whole is not None and self.whole.code == 0

    @property
    def megabytes(self) -> float:
        """The most memory of either run."""
        return max(ran.megabytes for ran in (self.first, self.whole) if ran is not None)

    def row(self) -> str:
        """Return the row of the table."""
        said = self.whole or self.first
        problem = said.problem or self.first.problem
        plan = f"**{short(problem)}**" if problem else short(said.plan) or "–"
        first = (f"{self.first.seconds:.1f}", f"{self.first.work:.1f}")
        whole = f"{self.whole.seconds:.1f}" if self.whole and self.whole.code == 0 else "–"
        seconds = (*(first if self.first.code == 0 else "––"), whole)
        cells = (self.name, self.lines, plan, said.passed or "–", *seconds)
        return f"| {' | '.join(map(str, cells))} | {self.megabytes:.0f} |"


def short(text: str) -> str:
    """Cut a text, and keep it in its cell."""
    cut = text if len(text) <= MOST_WORDS else f"{text[: MOST_WORDS - 1]}…"
    return cut.replace("|", "\\|").replace("*", "\\*")


def run(words: Sequence[str], path: Path, most_seconds: float) -> Ran:
    """Run a command on a script, and kill it after so many seconds; then its code is below 0."""
    known = os.environ | {"PAVCODEC_CACHE": "", "PYTHONPATH": str(ROOT)}
    known.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled once
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        start = time.perf_counter()
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=errors, env=known)  # noqa: S603
        while True:
            pid, status, used = os.wait4(child.pid, os.WNOHANG)
            seconds = time.perf_counter() - start
            if pid:
                break
            if seconds > most_seconds:
                child.kill()
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        work = used.ru_utime + used.ru_stime
        return Ran(
            child.returncode,
            errors.read().replace(str(path), path.name),
            seconds,
            work,
            used.ru_maxrss / 1024,
        )


def tried(path: Path, name: str, most_seconds: float) -> Tried:
    """Run a script for one board, and for all that it asks for."""
    words = [sys.executable, "-m", "pavcodec", "deal", "-f", str(path), "--seed", "1"]
    lines = len(path.read_bytes().splitlines())
    first = run([*words, "-n", "1", "--to", "lines"], path, most_seconds)
    whole = run(words, path, most_seconds) if first.code == 0 else None
    return Tried(name, lines, first, whole)


def scripts_of(folder: Path) -> list[Path]:
    """Return the scripts of a folder and of the folders in it, by their names."""
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())


def summary(rows: Sequence[Tried]) -> str:
    """Return a line on all of them."""
    dealt = [row for row in rows if row.has_dealt]
    if not dealt:
        return f"None of {len(rows)} scripts dealt."
    seconds = [row.first.seconds for row in dealt]
    return (
        f"{len(dealt)} of {len(rows)} scripts dealt. The first board took {median(seconds):.1f} s "
        f"in the median and at most {max(seconds):.1f} s; the most memory was "
        f"{max(row.megabytes for row in rows):.0f} MB."
    )


def table(folder: Path, most_seconds: float) -> str:
    """Try all scripts of a folder; tell on the error stream how far it is."""
    rows = []
    for path in scripts_of(folder):
        rows.append(tried(path, path.relative_to(folder).with_suffix("").as_posix(), most_seconds))
        print(rows[-1].row(), file=sys.stderr, flush=True)
    body = "".join(f"{row.row()}\n" for row in rows)
    return f"{HEAD}{body}\n{summary(rows)}\n"


def check() -> int:
    """Compare the scripts and their lines with those of the page; the figures may be others."""
    listed = re.findall(r"^\| (\d\d-[\w-]+) \| (\d+) \|", PAGE.read_text(), re.MULTILINE)
    paths = scripts_of(FOLDER)
    here = [(path.stem, str(len(path.read_bytes().splitlines()))) for path in paths]
    if listed == here:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is old, run tools/scripts_table.py")
    return 1


def main() -> int:
    """Write the table, or compare the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="the folder; our own scripts without")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="PAGE", help="where to write the table"
    )
    parser.add_argument(
        "--seconds", type=float, default=120, metavar="N", help="the most for a run"
    )
    parser.add_argument("--check", action="store_true", help="compare the page with the folder")
    args = parser.parse_args()
    if args.check:
        return check()
    if args.folder is not None and not args.folder.is_dir():
        parser.error(f"there is no folder {str(args.folder)!r}")
    found = table(args.folder or FOLDER, args.seconds)
    output = args.output or (PAGE if args.folder is None else None)
    if output is None:
        print(found, end="")
        return 0
    output.write_text(PAGE_TEXT.format(table=found.rstrip()) if output == PAGE else found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
