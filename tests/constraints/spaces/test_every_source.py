"""Every source of random layouts by the same laws: chances, sequence, value, errors.

Each is a space so small that all of its layouts are listed, with their exact weights.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from stream_support import deviation

import pavcodec as pav
from pavcodec import Deal, Layout, arrays
from pavcodec.constraints.counting import condition as planning
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import condition
from pavcodec.numberings.space import Space

LIMIT = 4
"""The deviates beyond which a test fails; seeds are fixed, so it does not by chance."""
REPEATS = 20
"""How often a layout is expected on average."""
FEW = "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 12 && clubs(west) >= 12"
"""170 deals: South and West have all diamonds and clubs but for one."""
KINDS = ["hcp(south) >= 11", "hascard(west, AD) || hcp(south) == 10 || hascard(south, KC)", "1"]
"""Types that overlap."""
NAMED = dict(zip(("rich", "even", "rest"), KINDS, strict=True))
Weights = Mapping[Any, Fraction | int]
Source = tuple[Space[Any], Weights]


@cache
def few() -> list[Deal]:
    return [deal for deal in pav.deals(FEW, method="counted") if isinstance(deal, Deal)]


@cache
def members(*texts: str) -> list[list[Deal]]:
    """For each text the deals that satisfy it and none before it, by looking at every deal."""
    nodes = [pav.expression(text).node for text in texts]
    found: list[list[Deal]] = [[] for _ in nodes]
    for deal in few():
        fitting = (place for place, node in enumerate(nodes) if evaluate(node, deal))
        for place in islice(fitting, 1):
            found[place].append(deal)
    return found


def is_odd(deal: Deal) -> int:
    return deal["S"].hcp % 2


def even(space: Space[Any], layouts: Iterable[Layout]) -> Source:
    """Pair a space with equal weights."""
    return space, dict.fromkeys(layouts, 1)


def fitting(text: str) -> Source:
    """Pair the deals of `FEW` and a condition with themselves."""
    return even(pav.deals(f"{FEW} && {text}"), members(text)[0])


def planned(where: str) -> Source:
    """Plan a condition within limits in which it does not fit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "WHOLE", 1)
        patch.setattr(planning, "PART", 1 << 20)
        return even(pav.deals(where), pav.deals(where, method="exact"))  # type: ignore[arg-type]


def weighted(unit: int = 1) -> Source:
    """Weights by hands and by sides; with a large unit, their sum takes more than two words."""
    weights: Any = {
        "S": ["hcp(south)", {"losers": {"0-1": 1, "else": "1/2"}}],
        "W": {"hcp": {9: 3 * unit + 1, "else": unit}},
    }
    space = pav.weighted(
        FEW, weights, joint="controls(south) + 2 * controls(west) {18: 1/3, else: 1}"
    )
    found = {}
    for deal in few():
        south, west = deal["S"], deal["W"]
        weight = Fraction(south.hcp) * (1 if south.losers <= 1 else Fraction(1, 2))
        weight *= 3 * unit + 1 if west.hcp == 9 else unit
        weight *= Fraction(1, 3) if south.controls + 2 * west.controls == 18 else 1
        if weight:
            found[deal] = weight
    assert space.model.is_wide == (unit > 1)
    return space, found


def by_types(space: Space[Any], shares: Iterable[Fraction | int], *texts: str) -> Source:
    """Pair a mix with the weights of its types, shared by the deals of each."""
    types = zip(shares, members(*texts), strict=True)
    return space, {deal: Fraction(share) / len(some) for share, some in types for deal in some}


def endings(**options: Any) -> Source:
    """The endings of an ace, a king, a queen and a jack, of any suits."""
    where = "hcp(north) == 4 && hcp(east) == 3 && hcp(south) == 2 && hcp(west) == 1"
    layouts = []
    for suits in product(range(0, 52, 13), repeat=4):
        owners = bytearray(b"\4" * 52)
        for seat, suit in enumerate(suits):
            owners[suit + seat] = seat
        layouts.append(Layout(bytes(owners)))
    return even(pav.endings(where, cards=1, **options), layouts)


SOURCES: dict[str, Callable[[], Source]] = {
    "counted": lambda: fitting("hcp(south) >= 9"),
    "counted, one-based": lambda: even(pav.deals(FEW, method="counted").one_based(), few()),
    "tested, by Python": lambda: even(
        pav.deals(pav.expression(FEW) & condition(is_odd)), [deal for deal in few() if is_odd(deal)]
    ),
    "tested, in arrays": lambda: fitting("hcp(south) != 9 && 12 / (hcp(south) - 9) > 4"),
    "tested, by chance": lambda: even(pav.deals(f"{FEW} && rnd(5) < 3"), few()),
    "planned": lambda: planned(
        f"{FEW} && (hascard(south, AD) || hascard(west, AC)) && hcp(south) + hcp(west) > 18"
    ),
    "cases": lambda: planned(
        "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 12 && hcp(south) > 9"
        " || clubs(west) == 13 && diamonds(south) == 13 && hearts(east) >= 12"
    ),
    "weighted": weighted,
    "weighted, by large numbers": lambda: weighted(10**40),
    "a mix": lambda: by_types(
        pav.mix(list(zip(KINDS, [1, "5/2", 3], strict=True)), given=FEW),
        [1, Fraction(5, 2), 3],
        *KINDS,
    ),
    "levelled": lambda: by_types(pav.level(FEW, NAMED, shares=[1, 2, 1]), [1, 2, 1], *KINDS),
    "endings": endings,
    "legal endings": lambda: endings(legal=True),
}  # fmt: skip
SLOW = "weighted, by large numbers"
"""A source that is asked for fewer layouts."""
every_source = pytest.mark.parametrize("name", SOURCES)


@cache
def source_of(name: str) -> Source:
    return SOURCES[name]()


@pytest.mark.slow
@every_source
def test_every_layout_comes_as_often_as_its_weight_says(name: str) -> None:
    space, weights = source_of(name)
    drawn = (2 if name == SLOW else REPEATS) * len(weights)
    counts = Counter(map(bytes, space.sample_many(drawn, seed=name)))
    assert set(counts) <= {layout.owners for layout in weights}
    found = [counts[layout.owners] for layout in weights]
    assert abs(deviation(found, weights.values())) < LIMIT
    for count, weight in zip(found, weights.values(), strict=True):
        expected = float(drawn * weight / sum(weights.values()))
        assert abs(count - expected) < 6 * max(1, expected) ** 0.5


@pytest.mark.slow
def test_the_kinds_are_what_they_are_called() -> None:
    kinds = {name: source_of(name)[0] for name in SOURCES}
    for name, space in kinds.items():
        kind = name.split(",")[0]
        assert space.is_tested == (kind in ("tested", "planned", "cases"))
        assert bool(space.plan) == (kind in ("planned", "cases"))
        assert ("+" in space.plan) == (kind == "cases")
        assert space.is_uniform == (kind not in ("weighted", "a mix", "levelled"))


@pytest.mark.slow
@every_source
def test_all_faces_give_the_same_sequence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one, in batches, as arrays and as numbers; from any place on, by any threads."""
    monkeypatch.setattr(arrays, "_AT_ONCE", 50)
    space, _ = source_of(name)
    many, seed = 60 if name == SLOW else 300, "Lisbon"
    whole = space.sample(many, seed=seed, start=3)
    assert len(whole) == many
    assert {type(layout) for layout in whole} == {space.layout_type}
    for threads in (None, 1, 3):
        rows = space.sample_many(many, seed=seed, start=3, threads=threads)
        assert rows.dtype == np.uint8
        assert rows.shape == (many, 52)
        assert [row.tobytes() for row in rows] == [layout.owners for layout in whole]
    for start, count in ((0, many), (17, 40), (many - 5, 5), (7, 0)):
        part = whole[start : start + count]
        assert space.sample(count, seed=seed, start=3 + start) == part
        assert list(islice(space.samples(2 * many, seed=seed, start=3 + start), count)) == part
        rows = space.sample_many(count, seed=seed, start=3 + start)
        assert list(map(bytes, rows)) == [layout.owners for layout in part]
    if space.layout_type is Deal:
        numbers = space.draw(many, seed=seed, start=3).tolist()
        rank = pav.numbering("deal").rank
        assert [high << 64 | low for high, low in numbers[::7]] == list(map(rank, whole[::7]))


@every_source
def test_different_layouts_are_those_that_did_not_come_before(name: str) -> None:
    space, weights = source_of(name)
    most = min(30, len(weights))
    different = space.sample(most, seed=7, start=2, distinct=True)
    assert different == list(dict.fromkeys(space.sample(9 * most, seed=7, start=2)))[:most]
    rows = space.sample_many(most, seed=7, start=2, distinct=True)
    assert list(map(bytes, rows)) == [layout.owners for layout in different]
    if isinstance(getattr(space, "cardinality", None), int):
        with pytest.raises(pav.NumberError, match="different ones cannot be drawn from"):
            space.sample(len(weights) + 1, seed=7, distinct=True)


@pytest.mark.slow
@every_source
def test_a_source_is_a_value(name: str) -> None:
    space: Any
    space, weights = source_of(name)
    other = SOURCES[name]()[0]
    assert (space, hash(space)) == (other, hash(other))
    twin = pickle.loads(pickle.dumps(space))
    assert (twin, str(twin), repr(twin)) == (space, str(space), repr(space))
    assert hash(twin) == hash(space)
    assert twin.sample(3, seed=7) == space.sample(3, seed=7) != space.sample(3, seed=8)
    assert space.sample(9) != space.sample(9), "a fresh seed each time"
    assert space not in [source_of(each)[0] for each in SOURCES if each != name]
    if not isinstance(space, pav.Mix) and name != "tested, by chance":
        assert all(layout in space for layout in weights)
        assert not any(deal in space for deal in {*few(), pav.numbering("deal")[-1]} - {*weights})


WRONG: dict[str, tuple[type[Exception], dict[str, Any]]] = {
    "a count is 0 or more, not -1": (pav.NumberError, {"count": -1}),
    "a count is an integer, not 1.5": (TypeError, {"count": 1.5}),
    "a count is an integer, not '2'": (TypeError, {"count": "2"}),
    "(0 or more|samples 0 to .*), not -1": (pav.NumberError, {"start": -1}),
    f"(at most 2.48|samples 0 to) .* not {2**64}": (pav.NumberError, {"start": 2**64}),
    f"a seed is a number from 0 to {2**128 - 1}, not -1": (pav.NumberError, {"seed": -1}),
    "threads are 1 or more, not 0": (pav.NumberError, {"threads": 0}),
    "'float' object cannot be interpreted as an integer": (TypeError, {"threads": 1.5}),
}


@pytest.mark.parametrize("reason", WRONG)
def test_wrong_arguments(reason: str) -> None:
    error, changed = WRONG[reason]
    for space, _ in map(source_of, SOURCES):
        faces: list[Callable[..., Any]] = [space.sample_many, space.draw]
        faces += [] if "threads" in changed else [space.sample, space.samples]
        for face in faces:
            with pytest.raises(error, match=reason):
                face(**{"count": 1, "seed": 7} | changed)
