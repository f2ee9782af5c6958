"""Run every script of a folder with `pavcodec deal -f`, each in a new process.

    python tools/scripts_table.py ~/scripts                  the table on the standard output
    python tools/scripts_table.py ~/scripts -o table.md      into a file
    python tools/scripts_table.py ~/scripts --seconds 20     stop each run after 20 seconds
    python tools/scripts_table.py                            the page, with our own scripts
    python tools/scripts_table.py --check                    whether the page is about all of them

Each script runs twice: for one board, and for the number of boards in the script. A row has the
lines of the script, the counted and the tested parts, the share of tested deals that pass, the
elapsed seconds of both runs, and the maximum memory. The page has only the scripts with tested
parts, and a line on all.
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
PAGE = ROOT / "docs" / "studies" / "corpus.md"
SUFFIXES = (".dlr", ".dli", ".dl", ".txt")
MOST_WORDS = 110
"""The maximum length of a plan or of a problem in a row."""

_PROBLEM = re.compile(r"(?!seed |plan:|[\d,]+ of [\d,]+ deals )\S")
"""The start of a line with a problem; a line with a caret, below it, starts with blanks."""

_PLAN = re.compile(
    r"what the condition says of (.*?) is counted, (\d+) parts of the condition are tested"
)
"""The plan of most scripts, which a row shortens."""

HEAD = """\
| script | lines | plan | passed | first board, s | all boards, s | MB |
|---|---:|---|---:|---:|---:|---:|
"""
MARKS = re.compile(r"(<!-- scripts -->\n).*?(<!-- end of scripts -->)", re.DOTALL)


@dataclass(frozen=True)
class Ran:
    """The time, the memory and the output of a run."""

    code: int
    errors: str
    seconds: float
    megabytes: float

    @property
    def problem(self) -> str:
        """The reason why there are no deals; empty if there are some."""
        if self.code == 0:
            return ""
        lines = (line for line in self.errors.splitlines() if _PROBLEM.match(line))
        found = next((line for line in lines if "warning: " not in line), f"exit code {self.code}")
        return found if self.code > 0 else f"stopped after {self.seconds:.0f} s"

    @property
    def plan(self) -> str:
        """The counted and the tested parts, as the command prints them."""
        found = re.search(r"^plan: *(.*)", self.errors, re.MULTILINE)
        return _PLAN.sub(r"\1 counted, \2 parts tested", found.group(1)) if found else ""

    @property
    def passed(self) -> str:
        """The share of deals that passed the tested parts."""
        found = re.search(r"^([\d,]+) of ([\d,]+) deals passed", self.errors, re.MULTILINE)
        if found is None:
            return ""
        some, every = (int(number.replace(",", "")) for number in found.groups())
        return f"{100 * some / every:.3g} %" if every else ""


@dataclass(frozen=True)
class Tried:
    """A script with its two runs; without the second if the first failed."""

    name: str
    lines: int
    first: Ran
    whole: Ran | None

    @property
    def has_dealt(self) -> bool:
        """Return whether both runs ended normally."""
        return self.whole is not None and self.whole.code == 0

    @property
    def megabytes(self) -> float:
        """The maximum memory of both runs."""
        return max(ran.megabytes for ran in (self.first, self.whole) if ran is not None)

    @property
    def passed(self) -> str:
        """The share of deals that passed the tested parts; empty without such parts."""
        return (self.whole or self.first).passed

    def row(self) -> str:
        """Return the row of the table."""
        said = self.whole or self.first
        problem = said.problem or self.first.problem
        plan = f"**{short(problem)}**" if problem else short(said.plan) or "–"
        first = f"{self.first.seconds:.1f}" if self.first.code == 0 else "–"
        whole = f"{self.whole.seconds:.1f}" if self.whole and self.whole.code == 0 else "–"
        cells = (self.name, self.lines, plan, self.passed or "–", first, whole)
        return f"| {' | '.join(map(str, cells))} | {self.megabytes:.0f} |"


def short(text: str) -> str:
    """Return a text for a cell, cut to the maximum length, without bars."""
    cut = text if len(text) <= MOST_WORDS else f"{text[: MOST_WORDS - 1]}…"
    return cut.replace("|", "\\|").replace("*", "\\*")


def run(words: Sequence[str], path: Path, most_seconds: float) -> Ran:
    """Run a command on a script, and kill it after `most_seconds`; its code is then negative."""
    known = os.environ | {"PYTHONPATH": str(ROOT)}
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
        return Ran(
            child.returncode,
            errors.read().replace(str(path), path.name),
            seconds,
            used.ru_maxrss / 1024,
        )


def tried(path: Path, name: str, most_seconds: float) -> Tried:
    """Run a script for one board, and for all its boards."""
    words = [sys.executable, "-m", "pavcodec", "deal", "-f", str(path), "--seed", "1"]
    lines = len(path.read_bytes().splitlines())
    first = run([*words, "-n", "1", "--to", "lines"], path, most_seconds)
    whole = run(words, path, most_seconds) if first.code == 0 else None
    return Tried(name, lines, first, whole)


def scripts_of(folder: Path) -> list[Path]:
    """Return the scripts of a folder and its subfolders, sorted by name."""
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())


def summary(rows: Sequence[Tried]) -> str:
    """Return a line on all scripts."""
    dealt = [row for row in rows if row.has_dealt]
    if not dealt:
        return f"None of {len(rows)} scripts dealt."
    seconds = [row.first.seconds for row in dealt]
    return (
        f"{len(dealt)} of {len(rows)} scripts dealt. The first board took {median(seconds):.1f} s "
        f"in the median and at most {max(seconds):.1f} s; the most memory was "
        f"{max(row.megabytes for row in rows):.0f} MB."
    )


def table(folder: Path, most_seconds: float, *, only_tested: bool = False) -> str:
    """Run all scripts of a folder; print the progress on the error stream."""
    rows = []
    for path in scripts_of(folder):
        rows.append(tried(path, path.relative_to(folder).with_suffix("").as_posix(), most_seconds))
        print(rows[-1].row(), file=sys.stderr, flush=True)
    shown = [row for row in rows if not only_tested or not row.has_dealt or row.passed]
    body = "".join(f"{row.row()}\n" for row in shown)
    return f"{HEAD}{body}\n{summary(rows)}\n"


def check() -> int:
    """Compare the page with the folder: the lines of its scripts, and the number of all."""
    page = PAGE.read_text("utf-8")
    listed = re.findall(r"^\| (\d\d-[\w-]+) \| (\d+) \|", page, re.MULTILINE)
    paths = scripts_of(FOLDER)
    here = {(path.stem, str(len(path.read_bytes().splitlines()))) for path in paths}
    if listed and here.issuperset(listed) and f"{len(here)} of {len(here)} scripts dealt." in page:
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
    found = table(args.folder or FOLDER, args.seconds, only_tested=args.folder is None)
    output = args.output or (PAGE if args.folder is None else None)
    if output is None:
        print(found, end="")
        return 0
    if output == PAGE:
        page = PAGE.read_text("utf-8")
        found = MARKS.sub(lambda marks: f"{marks[1]}\n{found}\n{marks[2]}", page)
    output.write_text(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
