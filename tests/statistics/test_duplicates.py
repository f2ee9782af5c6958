"""What comes again in a collection, against counting by canonical layouts one by one."""

from __future__ import annotations

import io
import random
from collections import defaultdict
from pathlib import Path

import pytest
from formats_support import ENDING

import pavcodec as pav
from pavcodec.statistics.repeats import Finder
from pavcodec.symmetry import symmetry_of

NAMES = [
    "",
    "suits",
    "turns",
    "half-turn",
    "seats",
    "suits,turns",
    "suits,half-turn",
    "suits,seats",
]


def mixed() -> list[pav.Layout]:
    """Deals and endings, some of them again, turned and with other suits."""
    chance = random.Random(7)
    layouts: list[pav.Layout] = [*pav.numbering("deal").sample(40, seed=1)]
    layouts += pav.numbering("ending").sample(20, seed=2)
    permutations = symmetry_of("suits,seats").permutations
    layouts += [chance.choice(layouts).permuted(chance.choice(permutations)) for _ in range(80)]
    layouts += [chance.choice(layouts) for _ in range(20)]
    chance.shuffle(layouts)
    return layouts


@pytest.mark.parametrize("name", NAMES)
def test_as_by_canonical_layouts(name: str) -> None:
    layouts = mixed()
    places = defaultdict(list)
    for number, layout in enumerate(layouts, 1):
        places[layout.canonical(name)[0] if name else layout].append(number)
    found = pav.duplicates(layouts, up_to=name)
    assert (found.layouts, found.different) == (160, len(places))
    assert [(one.layout, [place.number for place in one.places]) for one in found.repeats] == [
        (layout, numbers) for layout, numbers in places.items() if len(numbers) > 1
    ]
    assert found.again == 160 - len(places)


def test_parts_of_several_files() -> None:
    deals = pav.numbering("deal").sample_many(10, seed=3)
    finder = Finder()
    for source, rows in (("a", [0, 1]), ("b", []), ("b", [2, 0]), ("a", [3, 2]), ("b", [0])):
        finder.add(deals[rows], source)
    assert [one.places for one in finder.found().repeats] == [
        (("a", 1), ("b", 2), ("b", 3)),
        (("b", 1), ("a", 4)),
    ]
    assert Finder().found().repeats == ()


def test_every_kind_of_collection(tmp_path: Path) -> None:
    deals = [*pav.numbering("deal").sample(5, seed=3)] * 2
    boards = [pav.Board(layout=deal) for deal in deals]
    path = tmp_path / "twice.pbn"
    pav.write([*boards, pav.Board(layout=None)], path)
    pav.write_archive(boards, tmp_path / "twice.pav")
    owners = pav.numbering("deal").sample_many(5, seed=3)
    with pav.open_archive(tmp_path / "twice.pav") as archive:
        for collection in (path, io.BytesIO(path.read_bytes()), archive, [owners, owners], deals):
            found = pav.duplicates(collection)
            assert (found.layouts, found.different) == (10, 5)
            assert [[place.number for place in one.places] for one in found.repeats] == [
                [number, number + 5] for number in range(1, 6)
            ]
    assert pav.duplicates(path).without_cards == 1
    assert pav.duplicates([pav.Layout.from_pbn(ENDING)]).again == 0
    with pytest.raises(pav.UnknownNameError, match="no symmetry is called 'turn'"):
        pav.duplicates(path, up_to="turn")
