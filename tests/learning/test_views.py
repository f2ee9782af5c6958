"""Deals as arrays: what the programs themselves return, the definition, and back."""

from __future__ import annotations

import json
import pickle
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.arrays import Owners

ROOT = Path(__file__).parents[2]
VECTORS = [
    json.loads(line) for line in (FIXTURES / "vectors" / "features.jsonl").read_text().splitlines()
]
VIEWS = [view.name for view in pav.feature_views()]
WITH_OWNERS = [view.name for view in pav.feature_views() if view.gives != "nothing"]
SIDES = ("None", "NS", "EW", "All")
NUMBERS = ("int8", "uint16", "float16", "float32", "float64")
OTHER_DTYPES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("onehot", "openspiel", "pgx-observation", "rlcard"), ("bool", *NUMBERS)),
    "ben": NUMBERS,
}


def view_named(name: str) -> pav.FeatureView:
    return next(view for view in pav.feature_views() if view.name == name)


def array_of(vector: dict[str, Any]) -> Any:
    """Return the array of a vector: its values, or the places where it is not 0."""
    if "values" in vector:
        return np.array(vector["values"], vector["dtype"])
    found = np.zeros(vector["shape"], vector["dtype"])
    for place, value in vector.get("nonzero", [[place, 1] for place in vector.get("ones", [])]):
        found.flat[place] = value
    return found


def rows_of(some: list[pav.Layout]) -> Owners:
    return np.array([list(layout.owners) for layout in some], np.uint8).reshape(-1, 52)


def only(owners: Owners, seats: Any) -> Owners:
    """Return layouts in which only the hand of a seat is left."""
    return np.where(owners == np.reshape(seats, (-1, 1)), owners, 4).astype(np.uint8)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['view']}-{v['pbn'][:8]}")
def test_the_programs_return_these_arrays(vector: dict[str, Any]) -> None:
    deal, view, seat = pav.Deal.from_pbn(vector["pbn"]), vector["view"], vector.get("seat")
    sides = vector.get("vulnerable", "None")
    expected = array_of(vector)
    found = pav.features(deal, view, seat=seat, vulnerable=sides)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert np.array_equal(found, expected)
    named = view_named(view)
    assert (named.dtype, named.shape) == (expected.dtype.name, expected.shape)
    if named.gives != "nothing":
        back = pav.owners_of_features(expected[None], view, seat=seat)
        owners = rows_of([deal])
        whole = owners if named.is_lossless else only(owners, "NESW".index(seat or "N"))
        assert np.array_equal(back, whole)


@pytest.mark.parametrize("numbering", ["deal", "ending", "base5"])
def test_hands_have_a_column_for_a_card(numbering: str) -> None:
    """Of cards that nobody holds as well; in the order of each view, the first seat first."""
    owners = pav.numbering(numbering).sample_many(50, seed=7)
    rows, cards = np.nonzero(owners < 4)
    for view, seat in product(("onehot", "openspiel", "rlcard", "ben", "ben52"), range(4)):
        order, hands = view_named(view).order, (owners[rows, cards] + 4 - seat) % 4
        expected = np.zeros((50, 4, order.width))
        np.add.at(expected, (rows, hands, order.places[cards]), 1)
        assert np.array_equal(pav.features(owners, view, seat=seat), expected)
        if f"{view}-hand" in VIEWS:
            first = pav.features(owners, f"{view}-hand", seat=seat)
            assert np.array_equal(first, expected[:, 0])


@pytest.mark.parametrize("view", WITH_OWNERS)
def test_owners_come_back_from_each_seat(view: str) -> None:
    owners = pav.numbering("deal").sample_many(1000, seed=7)
    seats = (np.arange(1000) % 4).astype(np.uint8)
    named = view_named(view)
    there = pav.features(owners, view, seat=seats)
    expected = owners if named.is_lossless else only(owners, seats)
    assert np.array_equal(pav.owners_of_features(there, view, seat=seats), expected)
    for seat in pav.Seat:
        alone = pav.features(owners[seats == seat], view, seat=seat)
        assert np.array_equal(alone, there[seats == seat])
        back = pav.owners_of_features(alone.astype(np.float64), view, seat=seat.letter)
        assert np.array_equal(back, expected[seats == seat])


def test_layouts_come_back_with_their_unused_cards() -> None:
    owners = pav.numbering("ending").sample_many(500, seed=7)
    for view in ("onehot", "openspiel", "rlcard", "ben52", "dds"):
        there = pav.features(owners, view, seat="W")
        assert np.array_equal(pav.owners_of_features(there, view, seat="W"), owners)


def test_the_players_of_a_pgx_hand_may_hold_their_cards_in_any_order() -> None:
    owners = pav.numbering("deal").sample_many(200, seed=7)
    there = pav.features(owners, "pgx").reshape(-1, 4, 13)
    mixed = np.random.default_rng(7).permuted(there, axis=2).reshape(-1, 52)
    assert np.array_equal(pav.owners_of_features(mixed, "pgx"), owners)


def test_vulnerability_for_each_row() -> None:
    deal = pav.numbering("deal").sample(1, seed=7)[0]
    for view in pav.feature_views():
        cases = list(product("NESW", SIDES if view.has_vulnerability else ["None"]))
        seats = np.array(["NESW".index(seat) for seat, _ in cases])
        sides = np.array([[word in ("NS", "All"), word in ("EW", "All")] for _, word in cases])
        rows = rows_of([deal] * len(cases))
        found = pav.features(rows, view.name, seat=seats, vulnerable=sides)
        for row, (seat, word) in zip(found, cases, strict=True):
            one = pav.features(deal, view.name, seat=seat, vulnerable=word)
            assert np.array_equal(row, one), (view.name, seat, word)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["onehot", "pgx", "ben-bidding"])
def test_threads_and_parts_do_not_change_the_arrays(view: str) -> None:
    owners = pav.numbering("deal").sample_many((1 << 14) + 5, seed=7)
    before = owners.copy()
    found = pav.features(owners, view, seat="E", threads=2)
    assert np.array_equal(found, pav.features(owners, view, seat="E", threads=1))
    step = pav.features(owners[::-3], view, seat="E")
    assert np.array_equal(step, found[::-3])
    assert np.array_equal(owners, before), "what is given is not changed"


def test_other_dtypes_and_byte_orders_have_the_same_values() -> None:
    owners = pav.numbering("deal").sample_many(50, seed=7)
    for view in pav.feature_views():
        own = pav.features(owners, view.name, seat="S")
        swapped = own.dtype.newbyteorder("S")
        others: tuple[Any, ...] = (swapped, *OTHER_DTYPES.get(view.name, ()))
        for dtype in others:
            found = pav.features(owners, view.name, seat="S", dtype=dtype)
            assert found.dtype == dtype
            assert (found == own).all(), (view.name, dtype)
            if view.gives != "nothing":
                there = pav.owners_of_features(own, view.name, seat="S")
                assert (pav.owners_of_features(found, view.name, seat="S") == there).all()


def test_no_deals() -> None:
    for view in VIEWS:
        found = pav.features(np.empty((0, 52), np.uint8), view, seat="N")
        assert found.shape == (0, *view_named(view).shape)
        if view in WITH_OWNERS:
            assert pav.owners_of_features(found, view, seat="N").shape == (0, 52)


def test_owners_that_are_no_deal_are_refused_with_their_row() -> None:
    owners = pav.numbering("deal").sample_many(3, seed=7)
    wrong, uneven, unused = owners.copy(), owners.copy(), owners.copy()
    wrong[1, 5] = 5
    uneven[2, owners[2] == 0] = 1
    unused[2, 0] = 4
    for view in pav.feature_views():
        with pytest.raises(pav.LayoutError, match="row 1: an owner is 0 to 4, not 5"):
            pav.features(wrong, view.name, seat="N")
        if view.needs_deals:
            reason = f"row 2: view '{view.name}' needs deals, 13 cards a hand"
            for rows in (uneven, unused):
                with pytest.raises(pav.LayoutError, match=reason):
                    pav.features(rows, view.name)


NO_VIEWS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"view": "pgy"}, pav.UnknownNameError, r"no view is called 'pgy'.*pgx"),
    ({"view": "ben-bidding"}, TypeError, "view 'ben-bidding' shows what one seat sees"),
    ({"view": "pgx", "vulnerable": "NS"}, TypeError, "view 'pgx' has no vulnerability"),
    ({"seat": "X"}, pav.UnknownNameError, "expected N, E, S or W"),
    ({"seat": np.zeros(3, np.uint8)}, TypeError, r"an array uint8\[2\], not uint8\[3\]"),
    ({"seat": np.array([0, 4])}, TypeError, "row 1: a seat is 0 to 3, not 4"),
    (
        {"view": "pgx-observation", "seat": "N", "vulnerable": np.array([1, 0])},
        TypeError,
        r"vulnerability is an array bool\[2, 2\], not int64\[2\]",
    ),
    *(
        ({"view": view, "seat": "N", "dtype": dtype}, TypeError, "dtype")
        for view, dtype in [
            ("ben", "bool"), ("onehot", "U3"), ("onehot", "complex64"), ("pgx", "int8"),
            ("pgx-key", "int16"), ("dds", "uint8"), ("ben-bidding", "int32"), ("onehot", "x"),
        ]
    ),
]  # fmt: skip


def test_arguments_that_fit_no_view() -> None:
    owners = pav.numbering("deal").sample_many(2, seed=7)
    for arguments, error, reason in NO_VIEWS:
        with pytest.raises(error, match=reason):
            pav.features(owners, **arguments)
    with pytest.raises(TypeError, match=r"owners are an array uint8\[n, 52\], not int64\[2, 52\]"):
        pav.features(owners.astype(np.int64))


def test_numbers_that_are_no_integers_are_refused() -> None:
    owners = pav.numbering("deal").sample_many(3, seed=7)
    for view in ("pgx", "pgx-key", "dds", "onehot", "openspiel-deal"):
        for wrong in (0.5, np.nan, -1e300, 1e300, np.inf):
            array = pav.features(owners, view).astype(np.float64)
            array[1].flat[0] += wrong
            with pytest.raises(pav.LayoutError, match="row 1: "):
                pav.owners_of_features(array, view)


NO_LAYOUTS: list[tuple[str, Any, Any, str]] = [
    ("onehot", (1, 0, 3), 2, "row 1: view 'onehot' has only 0 and 1"),
    ("onehot", (1, slice(0, 2), 3), 1, "row 1: two hands hold"),
    ("pgx", (1, slice(0, 2)), 7, "row 1: view 'pgx' has each number"),
    ("openspiel-deal", (0, 0), 52, "row 0: view 'openspiel-deal' has"),
    ("pgx-key", (1, 0), 4**13, "row 1: a number is an integer from"),
    ("pgx-key", (1, 0), 0, "row 1: a hand has 13 cards"),
    ("dds", (0, 0, 0), 2, "row 0: a number is an integer with"),
    ("dds", (0, slice(0, 2), 0), 4, "row 0: two hands hold"),
    ("pgx-observation", (1, slice(428, 480)), 0, "row 1: a hand has"),
    ("openspiel-observation", (1, 0), 0, "row 1: this observation"),
    ("ben", (0, 0, 0), 0, "several deals have the same array"),
    ("ben-hand", (0, 0), 0, "several deals have the same array"),
    ("ben-bidding", (0, 0), 0, "several deals have the same array"),
]


def test_arrays_that_no_layout_has() -> None:
    owners = pav.numbering("deal").sample_many(2, seed=7)
    for view, place, value, reason in NO_LAYOUTS:
        array = pav.features(owners, view, seat="N")
        array[place] = value
        with pytest.raises(pav.LayoutError, match=reason):
            pav.owners_of_features(array, view, seat="N")
    others: list[tuple[Any, str, str]] = [
        (np.zeros((1, 4, 51)), "ben52", r"view 'ben52' is an array of shape \[n, 4, 52\], not"),
        ([[0] * 52], "pgx", "not 'list'"),
        (np.zeros((1, 52), "U1"), "pgx", "not <U1"),
        (np.zeros((1, 52), "V2"), "pgx", r"not \|V2"),
    ]
    for wrong, view, reason in others:
        with pytest.raises(TypeError, match=reason):
            pav.owners_of_features(wrong, view)


def test_the_page_lists_the_views() -> None:
    page = (ROOT / "docs" / "learning" / "index.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `")][: len(VIEWS)]
    assert rows == [
        f"| `{view.name}` | `{view.dtype}{list(view.shape)}` | {view.order.text} | {view.summary} "
        f"| {view.gives} |"
        for view in pav.feature_views()
    ]


def test_the_listing_of_views() -> None:
    for view in pav.feature_views():
        assert pickle.loads(pickle.dumps(view)) == view
        cards = view.order.cards()
        assert len(cards) == view.order.width
        assert sorted("".join(name[1:] for name in cards)) == sorted("AKQJT98765432" * 4)
    assert view_named("ben").order.cards()[6:9] == ["S8", "S765432", "HA"]
    assert view_named("rlcard").order.cards()[0] == "C2"
    king = int(pav.Card.parse("HK"))
    names = ("ben52", "openspiel", "pgx", "rlcard")
    assert [int(view_named(name).order.places[king]) for name in names] == [14, 46, 25, 37]
