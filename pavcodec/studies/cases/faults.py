"""Find faults in cases from a file, also if the file has a valid checksum.

Cases are valid if they have the hands and columns of the file's foot, if each hand can hold its
cards next to the other hand, if each case has the ways of its calculation, and if all cases are in
the order of the study. Then each number is a deal, and each deal has one number.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pavcodec.records.bits.arrays import split_rows
from pavcodec.records.bits.specifications import specification
from pavcodec.records.cases import HONOURS_OFF, PATTERN_OFF
from pavcodec.studies.cases.cells.cells import binomials
from pavcodec.studies.cases.cells.deck import BRIDGE
from pavcodec.studies.cases.cells.plan import Plan

__all__ = ["fault_of_cases"]

_WORD = 64
_SHAPE_BITS, _HONOUR_BITS = 10, 16
_NEAR = 1e-9

Numbers = NDArray[np.int64]
Hand = tuple[Numbers, Numbers]
"""The shapes and the honours of a hand, for each case."""


def fault_of_cases(plan: Plan, data: bytes, before: int, total: int) -> str | None:
    """Return the fault of the cases in a block of a file; None if they are valid.

    `before` and `total` are the running totals before the block and at its end.
    """
    case = specification("case16")
    columns, are_good = split_rows(case, np.frombuffer(data, np.uint8).reshape(-1, case.size))
    totals, *others = columns
    shapes_1, shapes_2, honours_1, honours_2 = (each.astype(np.int64) for each in others)
    hands = [(shapes_1, honours_1), (shapes_2, honours_2)]
    for place, (shapes, maps) in enumerate(hands):
        listed = place < len(plan.seats)
        if ((shapes < PATTERN_OFF) != (listed and plan.patterns)).any():
            return "they have other columns than the listing"
        if ((maps < HONOURS_OFF) != (listed and plan.honours)).any():
            return "they have other columns than the listing"
    hands = hands[: len(plan.seats)]
    if any((shapes > PATTERN_OFF).any() for shapes, _ in hands) or not are_good.all():
        return "they have unused bits that are not 0"
    ways = _ways(plan, hands)
    if ways is None:
        return "a hand cannot have these cards"
    if (np.diff(_keys(hands)) <= 0).any():
        return "they are not in order"
    high, low = totals.T
    return None if _add_up(low, high, ways, before, total) else "their ways do not add up"


def _ways(plan: Plan, hands: list[Hand]) -> tuple[NDArray[np.uint64], NDArray[np.float64]] | None:
    """Return the ways of cases, modulo 2^64 and approximately; None if a hand is impossible."""
    lengths, by_suit, _ = _tables()
    left = np.array([len(group) for group in plan.groups])[:, None]
    chosen = binomials(len(BRIDGE.suit_cards(0)) * BRIDGE.suits)
    exact, about = np.ones(len(hands[0][0]), np.uint64), np.ones(len(hands[0][0]))
    named = np.zeros(len(exact), np.int64)
    for shapes, each in hands:
        maps = each if plan.honours else np.zeros_like(each)
        held = by_suit[:, maps]
        needs = lengths[:, shapes] - held
        if not plan.patterns:
            needs = BRIDGE.hand_size - held.sum(axis=0, keepdims=True)
        if (named & maps).any() or (needs < 0).any() or (needs > left).any():
            return None
        for sizes, many in zip(np.broadcast_to(left, needs.shape), needs, strict=True):
            ways = chosen[sizes, many]
            exact *= ways
            about *= ways
        left, named = left - needs, named | maps
    return exact, about


def _keys(hands: list[Hand]) -> Numbers:
    """Return numbers that have the same order as the cases."""
    _, _, places = _tables()
    keys = np.zeros(len(hands[0][0]), np.int64)
    of_shape = np.zeros(PATTERN_OFF + 1, np.int64)
    of_shape[list(BRIDGE.place_of_shape)] = list(BRIDGE.place_of_shape.values())
    for shapes, maps in hands:
        keys = keys << _SHAPE_BITS | of_shape[shapes]
        keys = keys << _HONOUR_BITS | places[maps]
    return keys


@cache
def _tables() -> tuple[Numbers, Numbers, Numbers]:
    """Return the lengths by shape, the honours of each suit by map, and the order of the maps.

    The first two arrays have a row for each suit.
    """
    lengths = np.zeros((BRIDGE.suits, PATTERN_OFF + 1), np.int64)
    for index, shape in BRIDGE.shape_of.items():
        lengths[:, index] = shape
    maps = np.arange(HONOURS_OFF + 1)
    bits = [maps >> bit & 1 for bit in range(BRIDGE.suits * BRIDGE.honours)]
    rows = [bits[first : first + BRIDGE.honours] for first in range(0, len(bits), BRIDGE.honours)]
    by_suit = np.array([np.sum(row, axis=0) for row in reversed(rows)])
    worth = [place % BRIDGE.honours + 1 for place in range(len(bits))]
    points = np.array(worth) @ np.array(bits)
    places = np.empty(len(maps), np.int64)
    places[np.lexsort((-maps, points))] = maps
    return lengths, by_suit, places


def _add_up(
    low: NDArray[np.uint64],
    high: NDArray[np.uint64],
    ways: tuple[NDArray[np.uint64], NDArray[np.float64]],
    before: int,
    total: int,
) -> bool:
    """Return whether running totals, as two words, grow by the ways up to a total.

    Two differences are equal if their lower words are equal and their values are approximately so.
    """
    exact, about = ways
    lower = np.concatenate([np.array([before & (1 << _WORD) - 1], np.uint64), low])
    upper = np.concatenate([np.array([before >> _WORD], np.uint64), high])
    steps = lower[1:] - lower[:-1]
    borrowed = (lower[1:] < lower[:-1]).astype(np.float64)
    more = upper[1:].astype(np.float64) - upper[:-1].astype(np.float64) - borrowed
    sizes = more * 2.0**_WORD + steps.astype(np.float64)
    if int(high[-1]) << _WORD | int(low[-1]) != total:
        return False
    return bool((steps == exact).all() and (np.abs(sizes - about) <= _NEAR * about).all())
