"""Automata in the kernel and by definition: each call of toy decks and of hands is compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from constraints_models import Deck, hcp
from model_support import CONDITIONS, FOUR, at_least, model_in

from pavcodec import Seat, kernel
from pavcodec.constraints.counting import automaton as diagrams
from pavcodec.constraints.counting import pairs
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.model import WeightDiagram, build_model, outcomes_of
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import And, Node
from pavcodec.kernel import reference

Results = Callable[[dict[str, Any], Any], list[Any]]


def _merged(given: dict[str, Any], _: object) -> list[Any]:
    width, starts, counts = given["letters"], given["starts"], given["counts"]
    first, last = given["first"], given["last"]
    rows = [given["rows"].reshape(-1, width)[starts[c] :][: counts[c]] for c in range(first, last)]
    classes = given["classes"][: starts[first + 1] - starts[first]]
    return [classes, counts, *rows]


def _multiplied(given: dict[str, Any], card: int) -> list[Any]:
    widths, parts = given["widths"][: card + 1], given["parts"]
    made = given["made"].reshape(-1)[: widths[given["first"] : card].sum() * given["letters"]]
    return [card, widths, given["nodes"].reshape(-1)[: widths[card] * parts], made]


def _trimmed(given: dict[str, Any], _: object) -> list[Any]:
    starts = given["left_starts"][: given["last"] + 2]
    left = given["left"].reshape(-1)[: starts[-2] * given["letters"]]
    return [starts, left, given["reached"][: starts[-1] - starts[-2]]]


def _joined(given: dict[str, Any], count: int) -> list[Any]:
    if count < 0:
        return [count]
    return [count, given["sizes"], given["reached"][:count], given["children"]]


def _counted(given: dict[str, Any], living: int) -> list[Any]:
    part = slice(given["starts"][given["first"]], given["starts"][given["last"]])
    return [living, given["ways"][part], given["children"][part]]


def _kept(given: dict[str, Any], _: object) -> list[Any]:
    starts = given["left_starts"][given["first"] + 1 : given["last"] + 1]
    part = slice(given["kept"], starts[-1])
    results = [given[name][part] for name in ("left_items", "left_ways", "left_children")]
    return [starts, *results]


RESULTS: dict[str, Results] = {
    "rows_number": lambda a, n: [n, a["places"], a["different"].reshape(-1)[: n * a["width"]]],
    "automata_decide": lambda a, _: [a["decided"]],
    "automata_multiply": _multiplied,
    "automaton_merge": _merged,
    "automaton_trim": _trimmed,
    "automaton_arrive": lambda a, _: [a["after"]],
    "automaton_sum": lambda a, _: [a["ways"]],
    "blocks_incoming": lambda a, _: [a["begins"], a["edges"][: a["begins"][-1]]],
    "blocks_join": _joined,
    "blocks_count": _counted,
    "blocks_keep": _kept,
}
"""What each function gives, without what it needs in between and what stays unwritten."""


KINDS = ["the last hand", "three hands", "two sums", "a chain of hands", "or across hands"]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Run the kernel and the definition at each call; return the functions that were called."""
    called: set[str] = set()

    def of(name: str) -> Callable[..., Any]:
        compiled, defined = kernel.bind(name), getattr(reference, name)
        names = [argument.name for argument in kernel._signatures()[name].arguments]

        def call(*arguments: Any) -> Any:
            copies = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
            result, expected = compiled(*arguments), defined(*copies)
            given, other = (dict(zip(names, each, strict=True)) for each in (arguments, copies))
            for one, two in zip(
                RESULTS[name](given, result), RESULTS[name](other, expected), strict=True
            ):
                assert np.array_equal(one, two), name
            called.add(name)
            return result

        return call

    for name in RESULTS:
        monkeypatch.setattr(kernel, name, of(name), raising=False)
    return called


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_whole_toy_decks(name: str, compared: set[str]) -> None:
    conditions, _ = CONDITIONS[name]
    members = len(FOUR.members(And(tuple(conditions))))
    truths = [FOUR.compiler().truth(each) for each in conditions]
    assert model_in(FOUR, conditions).cardinality == members
    assert count_layouts(truths, FOUR.sizes) == members
    numbers = [FOUR.compiler().diagram(hcp(Seat(0))), FOUR.compiler().diagram(hcp(Seat(1)))]
    weight = WeightDiagram.of(numbers[0], lambda points: Fraction(points + 10**30))
    assert build_model(truths, FOUR.sizes, [weight]).words == members
    assert sum(outcomes_of(truths, numbers, FOUR.sizes).values()) == members
    assert {"automaton_merge", "automaton_trim"} <= compared


@pytest.mark.slow
def test_other_decks(compared: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With layers and tasks that are cut into many calls."""
    monkeypatch.setattr(diagrams, "_AT_ONCE", 5)
    monkeypatch.setattr(diagrams, "_FEW", 3)
    monkeypatch.setattr(pairs, "_WORK", 4)
    for deck in (Deck(2, 3, (2, 2, 1, 1)), Deck(1, 6, (4, 2)), Deck(2, 4, (3, 3, 2))):
        conditions: list[Node] = [at_least(hcp(Seat(0)), 5), at_least(hcp(Seat(1)), 3)]
        members = len(deck.members(And(tuple(conditions))))
        truths = [deck.compiler().truth(each) for each in conditions]
        assert model_in(deck, conditions).cardinality == members
        assert count_layouts(truths, deck.sizes) == members
    assert compared >= RESULTS.keys() - {"automaton_arrive", "automaton_sum", "rows_number"}


@pytest.mark.slow
@pytest.mark.usefixtures("compared")
def test_hands() -> None:
    """Products of several parts of real hands, in which some part decides."""
    where = "losers(north) < 4 && aces(south) > 2 || kings(east) == spades(east)"
    diagram = Compiler(sizes=(13,) * 4).truth(parse_expression(where))
    assert set(diagram.values.tolist()) == {0, 1}


@pytest.mark.parametrize("width", [1, 2, 5])
def test_rows_are_numbered_as_they_come(width: int) -> None:
    rows = np.random.default_rng(width).integers(-1, 3, (200, width)).astype(np.int32)
    rows[::7] = np.int32(2**31 - 1)
    results = []
    for number in (kernel.rows_number, reference.rows_number):
        different, places = np.empty_like(rows), np.empty(len(rows), np.int64)
        count = number(rows, width, len(rows), diagrams.hash_table(len(rows)), different, places)
        assert np.array_equal(different[places], rows)
        results.append((count, different[:count].tolist(), places.tolist()))
    assert results[0] == results[1]


@pytest.mark.parametrize("size", ["one hand", "a chain of hands"])
def test_words_and_their_numbers(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the functions of the reference themselves, with what is no word and no number."""
    model = model_in(FOUR, CONDITIONS[size][0])
    total = model.cardinality
    numbers = np.array([divmod(k, 1 << 64) for k in (*range(0, total, 5), 0)], np.uint64)
    results = []
    for bind in (kernel.bind, lambda name, *first: partial(getattr(reference, name), *first)):
        monkeypatch.setattr(kernel, "bind", bind)
        walk = replace(model)
        words, again = np.zeros((len(numbers), 8), np.uint8), np.zeros_like(numbers)
        walk.unrank_rows(len(numbers), numbers, words)
        words[-1] = 3
        assert walk.rank_rows(len(numbers), words, again) == len(numbers) - 1
        assert np.array_equal(numbers[:-1], again[:-1])
        results.append(words.tolist())
    assert results[0] == results[1]
