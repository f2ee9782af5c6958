"""The coders of archives by their definitions, in plain integers; and numbers to code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

D = 53_644_737_765_488_792_839_237_440_000


def bytes_needed(greatest: int) -> int:
    """In how many bytes the numbers up to the greatest fit."""
    return -(-greatest.bit_length() // 8)


def ordered_by_definition(numbers: Sequence[int], cardinality: int) -> bytes:
    """What `OrderedCoder` makes."""
    data = b""
    for begin in range(0, len(numbers), 256):
        group = numbers[begin : begin + 256]
        value = sum(number * cardinality**place for place, number in enumerate(group))
        data += value.to_bytes(bytes_needed(cardinality ** len(group) - 1), "little")
    return data


def sorted_by_definition(numbers: Sequence[int], cardinality: int, *, distinct: bool) -> bytes:
    """What `SortedCoder` makes."""
    size = bytes_needed(cardinality - 1)
    if len(numbers) < 2:
        return b"".join(number.to_bytes(size, "little") for number in numbers)
    gaps = [b - a - distinct for a, b in pairwise(numbers)]
    ends = numbers[0].to_bytes(size, "little") + numbers[-1].to_bytes(size, "little")
    return ends + gaps_by_definition(gaps, splits=2)


def gaps_by_definition(gaps: list[int], splits: int) -> bytes:
    """A collection of gaps: a run, or short and long ones apart."""
    n, total = len(gaps), sum(gaps)
    if n <= 1 or total == 0:
        return b""
    if not splits:
        return run_by_definition(gaps)
    sizes: dict[int | None, int] = {None: estimate(n, total) - n // 32}
    for a in sorted({gap.bit_length() for gap in gaps})[:-1]:
        short, long, between = parts(gaps, a)
        runs = [between, short, long]
        header = 8 * (1 + bytes_needed(n - 1) + bytes_needed(total))
        sizes[a] = header + sum(estimate(len(run), sum(run)) for run in runs)
    best = min(sizes, key=lambda a: sizes[a])
    if best is None:
        return bytes(1) + run_by_definition(gaps)
    short, long, between = parts(gaps, best)
    counted = len(long).to_bytes(bytes_needed(n - 1), "little")
    counted += sum(long).to_bytes(bytes_needed(total), "little")
    return (
        bytes([best + 1])
        + counted
        + run_by_definition(between)
        + gaps_by_definition(short, splits - 1)
        + gaps_by_definition(long, splits - 1)
    )


def parts(gaps: list[int], a: int) -> tuple[list[int], list[int], list[int]]:
    """The short gaps, the long ones less 2^a, and the gaps between the places of the fewer."""
    short = [gap for gap in gaps if gap < 2**a]
    long = [gap - 2**a for gap in gaps if gap >= 2**a]
    are_listed_long = len(long) <= len(short)
    places = [i for i, gap in enumerate(gaps) if (gap >= 2**a) == are_listed_long]
    bounds = [-1, *places, len(gaps)]
    return short, long, [q - p - 1 for p, q in pairwise(bounds)]


def divisor(n: int, total: int) -> tuple[int, int]:
    """The divisor d · 256^b as d and b."""
    m: int = max(1, (177 * total + 166 * n) // (256 * n))
    b = max(0, (m.bit_length() - 8) // 8)
    return m >> 8 * b, b


def estimate(n: int, total: int) -> int:
    """About how many bits a run takes."""
    if n <= 1 or total == 0:
        return 0
    d, b = divisor(n, total)
    m, s = d << 8 * b, d.bit_length() - 1
    u = (2 << s) - d
    remainders = n * (m - 1) // 2 - n * n * (m * m - 1) // (12 * total + 6 * n)
    extra = n * (d - u) * (3 * d - u) // (3 * d * d)
    quotients = max(0, total - remainders) // m
    return (n - 1) * (8 * b + s + 1) + extra + quotients


def run_by_definition(gaps: list[int]) -> bytes:
    """A run of gaps in Golomb's code."""
    n, total = len(gaps), sum(gaps)
    if n <= 1 or total == 0:
        return b""
    d, b = divisor(n, total)
    s = d.bit_length() - 1
    u = (2 << s) - d
    low, heads, extra, quotients = b"", list[int](), "", ""
    for gap in gaps[:-1]:
        q, r = divmod(gap // 256**b, d)
        head = r if r < u else (r + u) // 2
        low += (gap % 256**b).to_bytes(b, "little")
        if s >= 8:
            low += bytes([head % 256])
            head //= 256
        heads.append(head)
        extra += "" if r < u else str((r + u) % 2)
        quotients += "0" * q + "1"
    planes = "".join(str(head >> bit & 1) for bit in range(s % 8) for head in heads)
    bits = planes + extra + quotients
    stream = int(bits[::-1], 2).to_bytes(-(-len(bits) // 8), "little")
    return low + stream


def uniform(count: int, cardinality: int, seed: int = 1) -> list[int]:
    """Sorted random numbers, equal ones perhaps among them."""
    random = Random(seed)
    return sorted(random.randrange(cardinality) for _ in range(count))


def distinct_uniform(count: int, cardinality: int, seed: int = 1) -> list[int]:
    """A random set of numbers."""
    random, found = Random(seed), set[int]()
    while len(found) < count:
        found.add(random.randrange(cardinality))
    return sorted(found)


def in_groups(count: int, size: int, width: int, cardinality: int = D, seed: int = 1) -> list[int]:
    """A random set of numbers, so many within `width` of each other."""
    random = Random(seed)
    centres = uniform(count // size, cardinality - width, seed)
    return sorted({c + offset for c in centres for offset in random.sample(range(width), size)})
