"""Records: construct, construct's compiled parsers, and the quick way, on the same bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.records.declarations import bit_table

COUNT = 2000
NAMES = pav.record_names()


@cache
def values(name: str) -> list[Any]:
    """Values for a record, the same in every run."""
    rng = random.Random(name)
    deals, base5 = pav.numbering("deal"), pav.numbering("base5")
    places = [rng.randrange(deals.cardinality) for _ in range(COUNT)]
    layouts = [base5[rng.randrange(base5.cardinality)] for _ in range(COUNT)]
    tables = [pav.TrickTable(bytes(rng.choices(range(14), k=20))) for _ in range(COUNT)]
    made: dict[str, Callable[[], Iterable[Any]]] = {
        "base5-16": lambda: (pav.Base5Number(base5.rank(layout), 5) for layout in layouts),
        "deal13": lambda: map(deals.unrank, places),
        "layout20": lambda: layouts,
        "zbs-diagram": lambda: layouts,
        "zbs-word": lambda: (
            pav.SuitWord(pav.SuitLayout.of(each, 0), joined=True) for each in layouts
        ),
        "zrd": lambda: zip(map(deals.unrank, places), tables, strict=True),
        "gib-library": lambda: zip(map(deals.unrank, places), tables, strict=True),
        "zdd": lambda: tables,
        "case16": lambda: (pav.Case(total >> 25, 7, 8, 9, 16) for total in places),
    }
    return list(made.get(name, lambda: places)())


@cache
def data(name: str) -> bytes:
    """Return the records of the values."""
    return pav.record(name).build_many(values(name))


def timed(benchmark: Any, name: str, call: Callable[[], object], count: int = COUNT) -> None:
    """Time a call for so many records of a kind."""
    benchmark.group = name
    benchmark.extra_info["items"] = count
    benchmark.pedantic(call, rounds=5, warmup_rounds=1)


def pieces(name: str, count: int) -> list[bytes]:
    """Return the first records, each for itself."""
    size = pav.record(name).size
    return [data(name)[start : start + size] for start in range(0, count * size, size)]


FEW = COUNT // 10
"""What construct parses bit by bit takes long."""


@pytest.mark.parametrize("name", NAMES)
def test_parse_yardstick_construct(benchmark: Any, name: str) -> None:
    parse, records = bit_table(name).declaration.parse, pieces(name, FEW)
    timed(benchmark, f"parse {name}", lambda: [parse(each) for each in records], FEW)


@pytest.mark.parametrize("name", NAMES)
def test_parse_compiled_construct(benchmark: Any, name: str) -> None:
    parse, records = bit_table(name).declaration.compile().parse, pieces(name, FEW)
    timed(benchmark, f"parse {name}", lambda: [parse(each) for each in records], FEW)


@pytest.mark.parametrize("name", NAMES)
def test_parse_by_declaration(benchmark: Any, name: str) -> None:
    parse, records = pav.record(name).parse_by_declaration, pieces(name, FEW)
    timed(benchmark, f"parse {name}", lambda: [parse(each) for each in records], FEW)


@pytest.mark.parametrize("name", NAMES)
def test_parse(benchmark: Any, name: str) -> None:
    parse, records = pav.record(name).parse, pieces(name, COUNT)
    timed(benchmark, f"parse {name}", lambda: [parse(each) for each in records])


@pytest.mark.parametrize("name", NAMES)
def test_parse_many(benchmark: Any, name: str) -> None:
    parse_many, whole = pav.record(name).parse_many, data(name)
    timed(benchmark, f"parse {name}", lambda: list(parse_many(whole)))


@pytest.mark.parametrize("name", NAMES)
def test_build_yardstick_construct(benchmark: Any, name: str) -> None:
    whole = bit_table(name).declaration
    fields = [whole.parse(each) for each in pieces(name, FEW)]
    timed(benchmark, f"build {name}", lambda: [whole.build(each) for each in fields], FEW)


@pytest.mark.parametrize("name", NAMES)
def test_build_compiled_construct(benchmark: Any, name: str) -> None:
    whole = bit_table(name).declaration
    fields = [whole.parse(each) for each in pieces(name, FEW)]
    build = whole.compile().build
    timed(benchmark, f"build {name}", lambda: [build(each) for each in fields], FEW)


@pytest.mark.parametrize("name", NAMES)
def test_build_by_declaration(benchmark: Any, name: str) -> None:
    build, few = pav.record(name).build_by_declaration, values(name)[:FEW]
    timed(benchmark, f"build {name}", lambda: [build(each) for each in few], FEW)


@pytest.mark.parametrize("name", NAMES)
def test_build_many(benchmark: Any, name: str) -> None:
    build_many, all_values = pav.record(name).build_many, values(name)
    timed(benchmark, f"build {name}", lambda: build_many(all_values))
