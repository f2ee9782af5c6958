"""Sets of deals in codes that were considered, in bits a number: `python benchmarks/coders.py`.

Sizes of the other codes are worked out from the gaps; those of pavcodec are of what it writes. All
are in blocks of 8192 numbers, each with its first number and its last one, 12 bytes each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import numpy as np

import pavcodec as pav
from pavcodec.archive import SortedCoder, multiset_bits, set_bits

D = pav.numbering("deal").cardinality
BLOCK = 8192
ENDS = 2 * 96


def rice(gaps: list[int], _: list[int]) -> int:
    """Count unary quotients and remainders of the best k bits; k takes a byte."""
    most = max(gaps, default=0).bit_length() + 1
    return 8 + min(sum(gap >> k for gap in gaps) + len(gaps) * (k + 1) for k in range(most))


def golomb(gaps: list[int], _: list[int]) -> int:
    """Count the same with the best divisor of 8 significant bits, which takes two bytes."""
    mean = max(1, sum(gaps) // max(1, len(gaps)))
    scale = max(0, mean.bit_length() - 7)
    around = {max(1, (mean >> scale) * part // 16) << scale for part in range(1, 24)}
    return 16 + min(golomb_bits(gaps, divisor) for divisor in around)


def golomb_bits(gaps: list[int], divisor: int) -> int:
    """Count unary quotients and truncated binary remainders."""
    width = (divisor - 1).bit_length()
    short = (1 << width) - divisor
    return sum(gap // divisor + 1 + width - (gap % divisor < short) for gap in gaps)


def elias_fano(_: list[int], numbers: list[int]) -> int:
    """Count low bits as they are and the high ones in unary steps, without an index."""
    span, count = numbers[-1] - numbers[0], len(numbers)
    low = max(0, (span // count).bit_length() - 1)
    return count * (low + 1) + (span >> low)


def interpolative(_: list[int], numbers: list[int]) -> int:
    """Count the bits of each middle number among those that its neighbours leave."""
    todo, bits = [(1, len(numbers) - 1, numbers[0], numbers[-1])], 0
    while todo:
        begin, end, low, high = todo.pop()
        if begin < end:
            middle = (begin + end) // 2
            bits += (high - low).bit_length()
            todo.append((begin, middle, low, numbers[middle]))
            todo.append((middle + 1, end, numbers[middle], high))
    return bits


def bits_a_number(code: Callable[[list[int], list[int]], int], numbers: list[int]) -> float:
    """Return what a code takes in blocks."""
    bits = 0
    distinct = len(set(numbers)) == len(numbers)
    for block in blocks(numbers):
        bits += ENDS + code([b - a - distinct for a, b in pairwise(block)], block)
    return bits / len(numbers)


def pavcodec_bits(numbers: list[int]) -> float:
    """Return what pavcodec writes."""
    coder = SortedCoder(D, distinct=len(set(numbers)) == len(numbers))
    sizes = (
        len(coder.encode(np.array([[x >> 64, x & (1 << 64) - 1] for x in block], np.uint64)))
        for block in blocks(numbers)
    )
    return 8 * sum(sizes) / len(numbers)


def blocks(numbers: list[int]) -> Iterator[list[int]]:
    return (numbers[begin : begin + BLOCK] for begin in range(0, len(numbers), BLOCK))


def uniform(count: int, below: int = D) -> list[int]:
    random = Random(count)
    return sorted(random.randrange(below) for _ in range(count))


def groups(count: int, size: int) -> list[int]:
    random = Random(count)
    return sorted(
        {start + random.randrange(1 << 20) for start in uniform(count) for _ in range(size)}
    )


def many_widths() -> list[int]:
    random, found = Random(1), set[int]()
    for start in uniform(40, D - (1 << 90)):
        width = 1 << random.randrange(10, 90)
        found |= {start + random.randrange(width) for _ in range(random.randrange(1000))}
    return sorted(found)


def constrained(condition: str) -> list[int]:
    deals = pav.deals(condition)
    assert isinstance(deals, pav.ConstrainedDeals)
    rows = deals.draw(20_000, seed=1)
    return sorted({high << 64 | low for high, low in rows.tolist()})


def collections() -> Iterator[tuple[str, list[int], str]]:
    """Give names, sorted numbers, and bounds where there are any."""
    for count in (10**3, 10**5):
        yield f"{count:,} at random", uniform(count), f"{float(set_bits(D, count)):.3f}"
    for count in (10**6, 10**7):
        part = uniform(10 * BLOCK, D * 10 * BLOCK // count)
        yield f"{count:,} at random", part, f"{float(set_bits(D, count)):.3f}"
    yield "South 20+ HCP", constrained("hcp(south) >= 20"), ""
    yield "West 9 spades", constrained("spades(west) == 9"), ""
    yield "groups of 10 within 2^20", groups(2000, 10), ""
    yield "40 groups of many widths", many_widths(), ""
    repeated = sorted(uniform(2000) * 8)
    yield "2,000 deals 8 times each", repeated, f"{float(multiset_bits(D, 2000)) / 8:.3f}"


def main() -> None:
    """Print the table."""
    codes = [elias_fano, interpolative, rice, golomb]
    print("| numbers | bound | Elias-Fano | interpolative | Rice | Golomb | pavcodec |")
    print("| --- " * 7 + "|")
    for name, numbers, bound in collections():
        figures = [bits_a_number(code, numbers) for code in codes] + [pavcodec_bits(numbers)]
        print("|", " | ".join([name, bound, *(f"{bits:.3f}" for bits in figures)]), "|", flush=True)


if __name__ == "__main__":
    main()
