"""Values of many layouts at once are those of the definition, row by row, errors as well."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from itertools import product
from typing import Any

import numpy as np
import pytest
from constraints_models import EDGES
from constraints_support import nodes
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec import Deal, Layout, PavError, Seat, Strain, arrays
from pavcodec.constraints import vectors
from pavcodec.constraints.columns import values_of
from pavcodec.constraints.evaluation import Evaluation
from pavcodec.constraints.expressions import condition, expression, hcp, points, spades
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import Arithmetic, Length, Negate, Node, Number, Random
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.vectors import Vector, VectorAnswer, Vectors
from pavcodec.layout.layout import layout_from_owners
from pavcodec.sampling import Stream

RANDOM_DEALS = pav.numbering("deal").sample(400, seed="batches")


def rows_of(some: Sequence[Layout]) -> Any:
    """The owners of layouts, an array."""
    return np.array([list(layout.owners) for layout in some], np.uint8).reshape(-1, 52)


def solver(deal: Deal, seat: Seat, strain: Strain) -> int:
    """Tricks that depend on all there is."""
    return (deal.owners[seat] + 3 * deal.owners[7 * strain]) % 14


def by_definition(
    node: Node, some: Sequence[Layout], seed: int = 7, start: int = 0
) -> list[int] | tuple[int, str]:
    """The values one by one, or the first row that has none, with the reason."""
    found = []
    for row, layout in enumerate(some):
        chance = Stream(seed).chance(start + row)
        try:
            value = Evaluation(layout_from_owners(layout.owners), chance, solver).value(node)
        except PavError as error:
            return row, str(error)
        if not -(2**63) <= value < 2**63:
            return row, f"the value {value} does not fit in 64 bits"
        found.append(value)
    return found


def check(node: Node, some: Sequence[Layout], **options: Any) -> None:
    """Compare with the definition."""
    seed, start = options.get("seed", 7), options.get("start", 0)
    expected = by_definition(node, some, seed, start)
    arguments = {"seed": seed, "tricks": solver, **options}
    if isinstance(expected, tuple):
        row, reason = expected
        with pytest.raises(PavError, match=f"^{re.escape(f'row {row}: {reason}')}$"):
            values_of(node, rows_of(some), **arguments)
    else:
        values = values_of(node, rows_of(some), **arguments)
        assert values.dtype == np.int64
        assert values.tolist() == expected


TEXTS = [
    "hcp(north) / (spades(south) - 5)",
    "0 && hcp(north) / (spades(south) - 5)",
    "1 || hcp(north) / (spades(south) - spades(south))",
    "spades(south) != 5 && hcp(north) / (spades(south) - 5) > 2",
    "spades(south) == 5 || hcp(north) / (spades(south) - 5) > 2",
    "spades(south) == 5 ? 7 : hcp(north) / (spades(south) - 5)",
    "spades(south) == 5 ? hcp(north) / (spades(south) - 5) : 7",
    "(spades(south) == 5 ? 1 : hcp(north) / (spades(south) - 5)) + 12 / spades(west)",
    "hcp(north) > 30 && 1 / (spades(south) - 5) || hcp(north) > 25 && 1 / (spades(south) - 5)",
    "hcp(north) > 20 ? 3 / (spades(south) - 5) : rnd(2) / (spades(south) - 6)",
    "4 / (hcp(north) - 40) / (spades(south) - 13)",
    *("(hcp(north) - 9) / 4", "(hcp(north) - 9) % 4", "40 / (1 + spades(west))", "-7 % 3"),
    *("7 / (spades(north) - 20)", "(spades(north) - 5) % (spades(east) - 20)"),
    "imps(score(vul, x4S, spades(north) + 5) - score(nv, x3NXX, hcp(south) - 2))",
    *("rnd(6)", "hcp(north) > 9 && rnd(3) && rnd(5)", "rnd(2) && hcp(north) > 9 && rnd(9)"),
    *("hcp(north) > 9 || rnd(3) == 1", "rnd(1 + hcp(south), 1) + rnd(9)"),
    "spades(north) > 3 ? rnd(5) : hearts(north) > 3 ? 50 : 100 + rnd(2)",
    "rnd(6, 1) + 10 * rnd(6, 1) + 100 * rnd(6, 2)",
    "hcp(north) > 8 && (hcp(south) > 8 ? rnd(2) : 1) && tricks(west, spades) > 3",
    *("score(vul, x3N, tricks(south, notrump))", "1 && rnd(2, 4) == rnd(2, 4)"),
    "hcp(north) > 12 ? tricks(north, spades) : 3 * (hcp(south) > 10 && rnd(7) > 2)",
]
"""Where the definition comes to a division or a draw, and where it does not."""


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str) -> None:
    node = parse_expression(text)
    check(node, [*EDGES, *RANDOM_DEALS[:200]])
    for place in range(0, 100, 13):
        check(node, RANDOM_DEALS[place : place + 7])


some_layouts = st.lists(deals() | layouts() | sparse_layouts(), max_size=6)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(nodes(), some_layouts, st.integers(0, 2**64), st.integers(0, 2**64 - 6))
def test_any_expression(node: Node, some: list[Layout], seed: int, start: int) -> None:
    check(node, some, seed=seed, start=start)


def test_bounds_of_arithmetic() -> None:
    """All that two numbers give lies within the bounds, for all small intervals."""
    intervals = [(low, high) for low in range(-2, 3) for high in range(low, 3)]
    for (low, high), (least, most) in product(intervals, repeat=2):
        left, right = (
            Vector(*interval, work=lambda _: VectorAnswer(np.array(0)))
            for interval in ((low, high), (least, most))
        )
        pairs = list(product(range(low, high + 1), range(least, most + 1)))
        for operator in "+-*/%":
            lower, upper = vectors._bounds(operator, left, right)
            for one, other in pairs:
                if other or operator in "+-*":
                    node = Arithmetic(operator, Number(one), Number(other))
                    assert lower <= Evaluation(EDGES[0]).value(node) <= upper


wide = st.builds(
    lambda bits, more, sign: Number(sign * (2**bits + more)),
    st.integers(28, 66), st.integers(-2, 2), st.sampled_from([-1, 1]),
)  # fmt: skip
small = st.builds(Length, st.sampled_from(Seat), st.sampled_from(pav.Suit))
wide_nodes = st.recursive(
    wide | small,
    lambda parts: (
        st.builds(Arithmetic, st.sampled_from("+-*/%"), parts, parts)
        | parts.map(Negate)
        | st.builds(lambda left, right: Arithmetic("+", left, right), parts, small)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(wide_nodes, st.lists(deals(), min_size=1, max_size=3))
def test_numbers_near_the_ends_of_64_bits(node: Node, some: list[Layout]) -> None:
    check(node, some)


MOST = 2**63 - 1


@pytest.mark.parametrize(
    ("number", "is_vector"),
    [
        (expression(MOST), True),
        (expression(-MOST), True),
        (expression(-MOST - 1), False),
        (expression(MOST + 1) - 1, False),
        (expression(2**62) * 2 - 1, False),
        (expression(2**62 - 1) * 2 + 1 - spades("north"), True),
        (expression(MOST - 12) + spades("north"), False),
        (expression(MOST - 13) + spades("north"), True),
        (points("north", [10**21]) > 0, False),
        (points("north", [-(2**59), 2**59]), True),
        (points("north", [-(2**60), 2**60 + 2**59]), False),
        (expression(MOST + 1) > hcp("north"), False),
        ((hcp("north") > 5).then(expression(10**20) % 7, 2), False),
    ],
    ids=str,
)
def test_what_has_room_in_64_bits(number: Expression, is_vector: bool) -> None:
    vector = Vectors(number.node).of(number.node)
    assert (vector is not None and not vector.by_row) == is_vector
    check(number.node, RANDOM_DEALS[:50])


QUOTIENT = "hcp(north) / spades(north) >= 2"
VOIDS = [*RANDOM_DEALS[:80], *pav.deals("spades(north) == 0").sample(40, seed=7)]


def outcome(text: str, deal: Layout) -> bool | None:
    """What the evaluator says, from left to right; None for an error."""
    with suppress(PavError):
        return bool(Evaluation(deal).value(parse_expression(text)))
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        f"{QUOTIENT} && spades(north) > 0",
        f"(spades(north) ? {QUOTIENT} : hcp(north) > 9) && hcp(east) > 4",
        f"cccc(north) * 9999999999999999 > hcp(south) && {QUOTIENT}",
    ],
)
def test_a_space_holds_what_the_evaluator_says(text: str) -> None:
    """A deal with an error is none of the space, or the error of its membership."""
    space, found = pav.deals(text), set()
    for deal in VOIDS:
        said = outcome(text, deal)
        with suppress(PavError) if said is None else nullcontext():
            found.add(deal in space)
            assert (deal in space) == bool(said)
    assert found == {True, False}


@pytest.mark.slow
def test_a_part_that_is_counted_guards_wherever_it_stands() -> None:
    first, last = f"spades(north) > 0 && {QUOTIENT}", f"{QUOTIENT} && spades(north) > 0"
    assert {outcome(first, deal) for deal in VOIDS} == {True, False}
    assert {outcome(last, deal) for deal in VOIDS} == {True, False, None}
    assert pav.deals(first).cardinality == pav.deals(last).cardinality
    assert pav.deals(first).sample(5, seed=7) == pav.deals(last).sample(5, seed=7)


@pytest.mark.parametrize("text", ["hcp(north) - spades(east)", "hcp(north) > 9 && rnd(4) == 1"])
def test_threads_chunks_and_strides_change_nothing(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, owners = parse_expression(text), rows_of(RANDOM_DEALS)
    expected = by_definition(node, RANDOM_DEALS)
    monkeypatch.setattr(arrays, "_AT_ONCE", 37)
    for threads in (1, 2, 5, None):
        assert values_of(node, owners, seed=7, threads=threads).tolist() == expected
    wide_rows = np.zeros((len(owners), 104), np.uint8)
    wide_rows[:, ::2] = owners
    frozen = owners.copy()
    frozen.flags.writeable = False
    for same in (wide_rows[:, ::2], np.asfortranarray(owners), frozen):
        assert values_of(node, same, seed=7).tolist() == expected
    backwards = by_definition(node, RANDOM_DEALS[::-1])
    assert values_of(node, owners[::-1], seed=7).tolist() == backwards
    assert np.array_equal(owners, rows_of(RANDOM_DEALS)), "they are not changed"
    none = values_of(node, owners[:0], seed=7)
    assert (none.dtype.name, none.shape) == ("int64", (0,))


def test_arguments_that_are_wrong() -> None:
    owners, test = rows_of(RANDOM_DEALS[:3]), expression("rnd(2)")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"threads": 0}, "threads are 1 or more, not 0"),
        ({"seed": -1}, "a seed is a number from 0"),
        ({"start": -1}, "a seed has samples 0 to"),
        ({"start": 2**64 - 2}, "a seed has samples 0 to"),
    ]
    for arguments, reason in wrong:
        with pytest.raises(pav.NumberError, match=reason):
            test.values(owners, **arguments)
    narrow = r"owners are an array uint8\[n, 52\], not uint8\[3, 51\]"
    for use in (test.values, pav.ConstrainedDeals.of(hcp("north")).contains_many):
        with pytest.raises(TypeError, match=narrow):
            use(owners[:, :51])
    owners[2, 17] = 5
    for text in ("hcp(north)", "rnd(6)"):
        with pytest.raises(pav.LayoutError, match=r"^row 2: owners are 52 bytes of 0 to 4"):
            expression(text).values(owners)


def test_chance_without_a_seed_is_fresh() -> None:
    owners, die = rows_of(RANDOM_DEALS), expression("rnd(1000)")
    assert not np.array_equal(die.values(owners), die.values(owners))
    assert np.array_equal(die.values(owners, seed="a"), die.values(owners, seed="a"))


def test_functions_of_python_are_asked_for_the_rows_that_come_to_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arrays, "_AT_ONCE", 37)
    asked: list[tuple[Layout, int]] = []

    @condition
    def strange(deal: Deal) -> int:
        asked.append((deal, threading.get_ident()))
        return deal["S"].shape[0] > 3

    some = [*RANDOM_DEALS, *map(Layout.from_pbn, ["N:AK... Q... - -", "N:AK65.AQ.. J... - -"])]
    test = (expression("hcp(north) > 9") & strange) | (expression("hcp(north)") == 5)
    values = (test & (expression("spades(north)") > 0)).values(rows_of(some), threads=3)
    assert values.tolist() == by_definition((test & (expression("spades(north)") > 0)).node, some)
    asked.clear()
    simple = (expression("hcp(north) > 9") & strange).values(rows_of(some), threads=3)
    reached = [layout for layout in some if layout["N"].hcp > 9]
    assert [layout for layout, _ in asked] == reached
    assert {type(layout) for layout, _ in asked} == {Deal, Layout}
    assert {thread for _, thread in asked} == {threading.get_ident()}
    assert simple.sum() == sum(layout["S"].shape[0] > 3 for layout in reached)


def test_errors_of_functions_of_python_are_their_own() -> None:
    def broken(deal: Deal) -> int:
        if deal["N"].hcp > 18:
            raise ZeroDivisionError("mine")
        return 1

    first = next(row for row, deal in enumerate(RANDOM_DEALS) if deal["N"].hcp > 18)
    with pytest.raises(ZeroDivisionError, match="mine") as raised:
        condition(broken).values(rows_of(RANDOM_DEALS))
    assert raised.value.__notes__ == [f"in row {first}"]
    with pytest.raises(TypeError, match="must return a bool or an integer"):
        condition(lambda _: None).values(rows_of(RANDOM_DEALS))  # type: ignore[arg-type,return-value]


@pytest.mark.slow
def test_what_stands_in_several_places_is_worked_once() -> None:
    """Also a draw whose bound is a draw, and a function below many operators."""
    calls = Counter[Deal]()

    @condition
    def counted(deal: Deal) -> int:
        calls[deal] += 1
        return deal["S"].hcp

    chain = counted + expression("rnd(6)")
    for place in range(60):
        chain = (chain > place).then(chain % 50 + 1, chain - 1) + chain % 7
    check(chain.node, RANDOM_DEALS[:50])
    assert set(calls.values()) == {2}, "once by the definition, and once in the array"
    die = Random(Random(Number(6)), 1)
    check(Arithmetic("+", Arithmetic("+", die, Random(Number(9))), die), RANDOM_DEALS[:50])


def test_contains_many() -> None:
    some = [*RANDOM_DEALS[:200], Layout(bytes(52))]
    some += pav.endings("1", cards=3).sample(50, seed=8)
    for space in (
        *map(pav.deals, ("hcp(north) > 9", "spades(west) + clubs(east) == 7", "1")),
        pav.endings("hcp(north) > 4", cards=3),
    ):
        assert not isinstance(space, pav.TestedDeals)
        found = space.contains_many(rows_of(some))
        assert found.dtype == np.bool_
        assert found.tolist() == [layout in space for layout in some]
        assert found.any()


def test_contains_many_asks_the_condition_of_members_only() -> None:
    space = pav.ConstrainedDeals.of(expression("12 / (13 - losers(north)) > 0"))
    nobody = Layout(bytes([0] * 13 + [4] * 39))
    assert space.contains_many(rows_of([nobody, *RANDOM_DEALS[:2]])).tolist() == [False, True, True]
