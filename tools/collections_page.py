"""Write docs/studies/collections.md: the five test collections of the study, dealt and analysed.

    python tools/collections_page.py [--deals N] [--only NAME]

The tool replaces the text between `<!-- collection NAME -->` and `<!-- end of collection -->`, and
the plots next to the page. `--check` computes all exact figures on the page, including the
expectations for the number of dealt deals. It also deals the first 20,000 deals of each collection,
which must satisfy the condition and pass all tests. It does not compare the observed counts.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path
from time import perf_counter

from pavcodec import ConstrainedDeals, ConstraintWarning, deals, numbering
from pavcodec.chances.figures import chances, digits
from pavcodec.questions.stats import probability_text
from pavcodec.statistics import Statistics, Table, Tally, expected_tally
from pavcodec.statistics.report import draw_statistics
from pavcodec.statistics.tally import condition_to_test

PAGE = Path(__file__).parent.parent / "docs" / "studies" / "collections.md"
MARKS = re.compile(r"(<!-- collection (\S+) -->\n)(.*?)(<!-- end of collection -->)", re.DOTALL)
DEALS = 10_485_760
FEW = 20_000
AT_ONCE = 1 << 17
BALANCED = "any 4333 + any 4432 + any 5332"


@dataclass(frozen=True)
class Collection:
    """A collection of the study: its condition, its seed, and the tables on the page."""

    title: str
    where: str
    hands: int
    seed: str
    shown: tuple[tuple[str, str], ...] = ()

    def space(self) -> ConstrainedDeals:
        """Return the deals of the condition."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConstraintWarning)  # every hand has 0 to 13 clubs
            found = deals(self.where)
        assert isinstance(found, ConstrainedDeals)
        return found


COLLECTIONS = {
    "clubs": Collection(
        "Club length 0–13",
        "clubs(west) >= 0 && clubs(west) <= 13",
        0,
        "club length 0-13",
        (("length", "west clubs"),),
    ),
    "nine-spades": Collection(
        "Nine spades opposite 6–6 minors",
        "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
        2,
        "nine spades opposite 6-6 minors",
    ),
    "balanced": Collection(
        "Balanced 28–30 opposite a major",
        f"shape(south, {BALANCED}) && hcp(south) >= 28 && hcp(south) <= 30"
        " && (spades(north) >= 5 || hearts(north) >= 5)",
        2,
        "balanced 28-30 opposite a major",
    ),
    "flannery": Collection(
        "Flannery misfits",
        "spades(south) == 4 && hearts(south) == 5 && hcp(south) >= 11 && hcp(south) <= 15"
        " && spades(north) <= 3 && hearts(north) <= 2",
        2,
        "flannery misfits",
    ),
    "flat": Collection(
        "Flat 10–12 opposite an 11–15 three-suiter",
        "shape(north, any 4333) && hcp(north) >= 10 && hcp(north) <= 12"
        " && shape(south, any 4441 + any 5440) && hcp(south) >= 11 && hcp(south) <= 15",
        2,
        "flat 10-12 opposite an 11-15 three-suiter",
    ),
}


def dealt(collection: Collection, count: int) -> Statistics:
    """Return the statistics of a collection: draw numbers, unrank and count them."""
    space, ranks, tally = collection.space(), numbering("deal"), Tally()
    where = condition_to_test(space)
    for start in range(0, count, AT_ONCE):
        many = min(AT_ONCE, count - start)
        numbers = space.draw(many, seed=collection.seed, start=start)
        tally.add(ranks.unrank_many(numbers), where=where)
    return Statistics(tally, expected_tally(space), given=str(space.where))


def exact_lines(collection: Collection) -> list[str]:
    """Return the exact lines of a collection, which need no deals."""
    space = collection.space()
    lines = ["", "```", *collection.where.replace(" && (", "\n    && (").split("\n"), "```", ""]
    share = "all of them" if space.probability == 1 else f"{chances(space.probability)} of all"
    lines.append(f"- Deals: {space.cardinality:,}, {share}")
    if collection.hands:
        total = space.cardinality // comb(26, 13)
        lines.append(f"- T, the ways to deal the two hands: {total:,}")
    return [*lines, f"- Seed: `{collection.seed}`"]


def report_lines(name: str, found: Statistics) -> list[str]:
    """Return the lines of the results."""
    least = found.tests[0].texts(probability_text)
    lines = [
        f"- Dealt: {found.deals:,}",
        f"- Verdict: {found.verdict} (level {digits(found.level)})",
        f"- The least probable test: {least[0]}, adjusted p {least[-1]}",
        "",
        f"![Distances in standard deviations]({name}.svg)",
    ]
    for section, of in COLLECTIONS[name].shown:
        lines += ["", *table_lines(found[section, of])]
    return [*lines, ""]


def table_lines(table: Table) -> list[str]:
    """Return a table of the page; all its columns but the second are exact or follow from both."""
    lines = [f"| {table.name} | observed | expected | sd |", "|--:|--:|--:|--:|"]
    for value, seen, _, wanted, distance in table.rows:
        if seen or float(wanted) >= 0.001:
            sd = "" if distance is None else f"{float(distance):.2f}"
            lines.append(f"| {value} | {seen:,} | {amount(float(wanted))} | {sd} |")
    return lines


def amount(value: float) -> str:
    """Return an expected count."""
    return f"{value:,.2f}" if value >= 1 else f"{value:.4f}"


def write(name: str, count: int) -> list[str]:
    """Deal a collection, draw its plot, and return the lines of the page."""
    collection, started = COLLECTIONS[name], perf_counter()
    found = dealt(collection, count)
    seconds = perf_counter() - started
    print(f"{name}: {count:,} deals, {seconds:.0f} s, {found.verdict}", file=sys.stderr)
    with open(PAGE.with_name(f"{name}.svg"), "wb") as out:
        draw_statistics(found, out, "svg", title=f"{collection.title}: {count:,} deals")
    return [*exact_lines(collection), *report_lines(name, found)]


def problems(name: str, body: str) -> list[str]:
    """Return the faults in the page's text on a collection."""
    collection = COLLECTIONS[name]
    few = dealt(collection, FEW)
    wrong = [f"{name}: the first {FEW:,} deals: {few.verdict}"] if few.departs else []
    if not body.startswith("\n".join(exact_lines(collection))):
        wrong.append(f"{name}: the exact lines are old")
    many = re.search(r"^- Dealt: ([0-9,]+)$", body, re.MULTILINE)
    if many is None:
        return [*wrong, f"{name}: the number of dealt deals is missing"]
    again = Tally()
    again.deals = int(many[1].replace(",", ""))
    empty = Statistics(again, few.expected)
    for section, of in collection.shown:
        # the line of the least probable test may name it as well; a head follows a blank line
        rows = body.partition(f"\n\n| {section} {of} |")[2].split("\n\n")[0].split("\n")[2:]
        cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows if row]
        table = empty[section, of]
        wanted = dict(zip(table.values, table.expected, strict=True))
        exact = all(row[2] == amount(float(wanted[row[0]])) for row in cells)
        dealt_in_all = sum(int(row[1].replace(",", "")) for row in cells)
        if not cells or not exact or dealt_in_all != again.deals:
            wrong.append(f"{name}: the table '{section} {of}' does not add up")
    return wrong


def _replaced(lines: str, mark: re.Match[str]) -> str:
    return f"{mark[1]}{lines}\n"


def main() -> int:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--only", choices=COLLECTIONS)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text = PAGE.read_text("utf-8")
    if [name for _, name, _, _ in MARKS.findall(text)] != list(COLLECTIONS):
        print(f"{PAGE.name} has other collections than this tool")
        return 1
    if args.check:
        found = [line for _, name, body, _ in MARKS.findall(text) for line in problems(name, body)]
        print("\n".join(found) or f"{PAGE.name} is current")
        return int(bool(found))
    for name in [args.only] if args.only else COLLECTIONS:
        lines = "\n".join(write(name, args.deals))
        text = re.sub(
            rf"(<!-- collection {name} -->\n).*?(?=<!-- end of collection -->)",
            partial(_replaced, lines),
            text,
            flags=re.DOTALL,
        )
        PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
