"""Measure the bias of the dealer of 1999: tables and plots of docs/studies/dealer1999.md.

Without an option, the tool writes the tables and plots of the page from the counts in
tools/dealer1999_counts.json. `--deal` first deals and counts again all examples, or the named ones,
which takes some minutes. `--check` deals the first deals of each example again, and compares all
tables and plots.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pavcodec as pav

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "studies" / "dealer1999.md"
COUNTS = ROOT / "tools" / "dealer1999_counts.json"
MARKS = re.compile(r"(<!-- bias of (\S+) -->\n).*?(<!-- end of bias -->)", re.DOTALL)

DEALS = 20_000
FIRST = 100
"""The number of deals that a check deals again."""
SEED = "the dealer of 1999"
SHOWN = 10
"""The number of bars for shapes or patterns, the most frequent ones."""
RARE = Fraction(1, 1000)
"""Values with a lower probability have no bars."""
NUMBERS = {"points": "hcp", "honours": "top4"}
"""The questions with numbers as answers, and their functions in the language."""
ROWS = 2
"""The number of values in the column of the largest differences."""


@dataclass(frozen=True)
class Example:
    """A condition, and the measured questions about its deals.

    A question is a seat and one of `shape`, `pattern`, `points` and `honours`.
    """

    where: str
    questions: tuple[str, ...]
    title: str


EXAMPLES = {
    "article": Example(
        "spades(west) >= 5 && spades(west) <= 6 && hearts(west) == 4 && hcp(west) >= 11 "
        "&& hcp(west) <= 15 && hcp(east) == 10 && diamonds(east) >= 4",
        ("west shape", "west points", "east shape"),
        "West 11–15 with 5–6 spades and 4 hearts, East 10 with 4 diamonds or more",
    ),
    "even": Example(
        " && ".join(
            f"{suit}(north) >= 2 && {suit}(north) <= 5"
            for suit in ("spades", "hearts", "diamonds", "clubs")
        ),
        ("north pattern", "north shape", "south shape"),
        "North 2–5 cards in each suit",
    ),
    "points": Example(
        "hcp(south) >= 15 && hcp(south) <= 17",
        ("south points", "south honours", "south pattern", "north points"),
        "South 15–17 points",
    ),
    "strong": Example(
        "spades(west) == 6 && hcp(west) == 25",
        ("west shape", "west pattern"),
        "West 6 spades and 25 points",
    ),
}


def value(deal: pav.Layout, question: str) -> str:
    """Return the value of a deal, as text."""
    seat, what = question.split()
    hand = deal[pav.Seat.parse(seat)]
    if what == "points":
        return str(hand.hcp)
    if what == "honours":
        return str(sum(card.rank <= pav.Rank.JACK for card in hand))
    return "=".join(map(str, hand.shape)) if what == "shape" else "-".join(map(str, hand.pattern))


@cache
def exact(where: str, question: str) -> dict[str, Fraction]:
    """Return the exact probability of each value, the most probable first."""
    seat, what = question.split()
    if what in NUMBERS:
        found = pav.distribution(f"{NUMBERS[what]}({seat})", given=where)
        return {str(number): found[number] for number in found}
    lengths = (f"spades({seat})", f"hearts({seat})", f"diamonds({seat})")
    lengths_found = pav.distribution(*lengths, given=where)
    chances: Counter[str] = Counter()
    for row in lengths_found:
        shape = (*row, 13 - sum(row))
        lengths_first = sorted(shape, reverse=True)
        name = "=".join(map(str, shape)) if what == "shape" else "-".join(map(str, lengths_first))
        chances[name] += lengths_found[row]  # type: ignore[assignment]  # a counter of fractions
    return dict(sorted(chances.items(), key=lambda each: (-each[1], each[0])))  # type: ignore[arg-type]


def deal_1999(name: str, start: int, count: int) -> tuple[int, Counter[tuple[str, str]]]:
    """Return the number of failures, and counts of the other deals by question and value."""
    example, failed = EXAMPLES[name], 0
    dealer, counts = pav.deals_as_in_1999(example.where), Counter[tuple[str, str]]()
    for k in range(start, start + count):
        try:
            deal = dealer.deal(k, seed=SEED)
        except pav.DealFailedError:
            failed += 1
            continue
        counts.update((question, value(deal, question)) for question in example.questions)
    return failed, counts


def deal_exactly(name: str, count: int) -> Counter[tuple[str, str]]:
    """Return counts of deals of the exact dealer by question and value."""
    example = EXAMPLES[name]
    deals = pav.deals(example.where).sample(count, seed=SEED)
    return Counter((each, value(deal, each)) for deal in deals for each in example.questions)


def counted(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Return counts by question, in a fixed order, for JSON."""
    table: dict[str, dict[str, int]] = {}
    for (question, each), number in sorted(counts.items()):
        table.setdefault(question, {})[each] = number
    return table


def dealt(names: list[str]) -> dict[str, Any]:
    """Deal some examples, and return their counts."""
    saved: dict[str, Any] = {}
    with ProcessPoolExecutor(2) as pool:
        for name in names:
            example = EXAMPLES[name]
            step = DEALS // 20
            parts = pool.map(partial(deal_1999, name, count=step), range(0, DEALS, step))
            failed, counts = 0, Counter[tuple[str, str]]()
            for some, more in parts:
                failed, counts = failed + some, counts + more
            first_failed, first = deal_1999(name, 0, FIRST)
            saved[name] = {
                "where": example.where,
                "failed": failed,
                "counts": counted(counts),
                "exact": counted(deal_exactly(name, DEALS)),
                "first": {"failed": first_failed, "counts": counted(first)},
            }
            print(name, failed, "failed", flush=True)
    return saved


def distance(counts: dict[str, int], chances: dict[str, Fraction]) -> Fraction:
    """Return the total variation distance of a sample from the exact distribution.

    >>> distance({"a": 3, "b": 1}, {"a": Fraction(1, 2), "b": Fraction(1, 2)})
    Fraction(1, 4)
    """
    total = sum(counts.values())
    values = chances.keys() | counts.keys()
    return (
        sum(
            (abs(Fraction(counts.get(v, 0), total) - chances.get(v, Fraction(0))) for v in values),
            Fraction(0),
        )
        / 2
    )


def percent(share: Fraction) -> str:
    """Return a share in percent, with two decimals."""
    return f"{float(share * 100):.2f}"


def lines(name: str, saved: dict[str, Any]) -> Iterator[str]:
    """Yield the tables of an example, and its plot."""
    example, found = EXAMPLES[name], saved[name]
    yield f"`{example.where}`"
    yield ""
    failed = found["failed"]
    yield (
        f"Of {DEALS:,} deals, {failed:,} failed." if failed else f"None of {DEALS:,} deals failed."
    )
    yield ""
    yield "| | distance, 1999 | distance, exact dealer | largest differences: exact → 1999, % |"
    yield "|---|---:|---:|---|"
    for question in example.questions:
        chances, counts = exact(example.where, question), found["counts"][question]
        samples = counts, found["exact"][question]
        distances = [f"{percent(distance(each, chances))} %" for each in samples]
        yield f"| {' | '.join([heading(question), *distances, differences(counts, chances)])} |"
    yield ""
    yield f"![Exact shares, and those of 1999](dealer1999-{name}.svg)"


def heading(question: str) -> str:
    """Return a question as text for the page."""
    seat, what = question.split()
    return f"{seat.title()}'s {what}"


def differences(counts: dict[str, int], chances: dict[str, Fraction]) -> str:
    """Return the values whose shares differ most."""
    total = sum(counts.values())
    shares = {v: Fraction(counts.get(v, 0), total) for v in chances}
    worst = sorted(chances, key=lambda v: (-abs(shares[v] - chances[v]), v))[:ROWS]
    return ", ".join(f"{v}: {percent(chances[v])} → {percent(shares[v])}" for v in worst)


def filled(text: str, saved: dict[str, Any]) -> str:
    """Return the page with new tables."""
    return MARKS.sub(
        lambda found: "\n".join([found[1], *lines(found[2], saved), "", found[3]]), text
    )


def picture(name: str) -> Path:
    """Return the path of the plot of an example."""
    return PAGE.parent / f"dealer1999-{name}.svg"


def digest(name: str, saved: dict[str, Any]) -> str:
    """Return a hash that identifies the counts of a plot."""
    return sha256(json.dumps(saved[name], sort_keys=True).encode()).hexdigest()


def draw(name: str, saved: dict[str, Any]) -> None:
    """Draw the plot of an example; its metadata has the hash of its counts."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    example = EXAMPLES[name]
    figure = Figure(figsize=(9, 2.4 * len(example.questions)), layout="constrained")
    plots = figure.subplots(len(example.questions), 1, squeeze=False)[:, 0]
    figure.suptitle(example.title, fontsize=11)
    for axes, question in zip(plots, example.questions, strict=True):
        chances, counts = exact(example.where, question), saved[name]["counts"][question]
        values = list(chances)[:SHOWN]
        if question.split()[1] in NUMBERS:
            values = [number for number in chances if chances[number] >= RARE]
        total = sum(counts.values())
        places = range(len(values))
        heights = [100 * float(chances[v]) for v in values]
        old = [100 * counts.get(v, 0) / total for v in values]
        axes.bar([place - 0.2 for place in places], heights, 0.4, label="exact")
        axes.bar([place + 0.2 for place in places], old, 0.4, label="1999")
        axes.set_xticks(list(places), values, fontsize=7.5)
        axes.set_ylabel(f"{heading(question)}, %", fontsize=9)
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
    plots[0].legend()
    with rc_context({"svg.hashsalt": "pavcodec", "svg.fonttype": "none"}):
        metadata = {"Date": None, "Description": digest(name, saved)}
        figure.savefig(picture(name), format="svg", metadata=metadata)


def problems(saved: dict[str, Any]) -> Iterator[str]:
    """Yield the faults of the page; deal the first deals again."""
    text = PAGE.read_text("utf-8")
    if [name for _, name, _ in MARKS.findall(text)] != list(EXAMPLES):
        yield f"{PAGE.name} has other examples than tools/dealer1999_page.py"
    if filled(text, saved) != text:
        yield f"{PAGE.name} is old, run tools/dealer1999_page.py"
    for name, example in EXAMPLES.items():
        failed, first = deal_1999(name, 0, FIRST)
        again = {"failed": failed, "counts": counted(first)}
        if saved[name]["where"] != example.where or saved[name]["first"] != again:
            yield f"the deals of {name} have changed, run tools/dealer1999_page.py --deal"
        drawn = picture(name)
        if not drawn.exists() or digest(name, saved) not in drawn.read_text("utf-8"):
            yield f"{drawn.name} is old, run tools/dealer1999_page.py"


def main() -> int:
    """Write the page, or compare it."""
    saved = json.loads(COUNTS.read_text("utf-8"))
    if "--deal" in sys.argv[1:]:
        names = [name for name in EXAMPLES if name in sys.argv[1:]] or list(EXAMPLES)
        saved = {name: saved.get(name) for name in EXAMPLES} | dealt(names)
        text = json.dumps(saved).replace(', "', ',\n"')
        COUNTS.write_text(f"{text}\n", encoding="utf-8")
    if "--check" in sys.argv[1:]:
        found = list(problems(saved))
        print("\n".join(found) if found else "the study of the dealer of 1999 is current")
        return 1 if found else 0
    PAGE.write_text(filled(PAGE.read_text("utf-8"), saved), encoding="utf-8")
    for name in EXAMPLES:
        draw(name, saved)
    return 0


if __name__ == "__main__":
    sys.exit(main())
