"""Packed hands of many layouts are the masks of their hands."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import pavcodec as pav

NAMES = ["deal", "balanced", "ending", "base5"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_masks_of_hands(name: str) -> None:
    layouts = pav.numbering(name).sample(300, seed=name)
    owners = pav.numbering(name).sample_many(300, seed=name)
    hands = pav.pack_hands(owners)
    assert hands.tolist() == [[hand.mask for hand in layout] for layout in layouts]
    assert np.array_equal(pav.unpack_hands(hands), owners)


def test_all_owners_of_the_first_and_last_cards() -> None:
    owners = np.full((5**4, 52), 4, np.uint8)
    owners[:, [0, 12, 13, 51]] = list(product(range(5), repeat=4))
    hands = pav.pack_hands(owners, threads=1)
    layouts = [pav.Layout(row.tobytes()) for row in owners]
    assert hands.tolist() == [[hand.mask for hand in layout] for layout in layouts]
    assert np.array_equal(pav.unpack_hands(hands, threads=1), owners)


@pytest.mark.slow
def test_threads_and_strides_do_not_matter() -> None:
    owners = pav.numbering("deal").sample_many(40_000, seed=1)
    hands = pav.pack_hands(owners, threads=1)
    assert np.array_equal(pav.pack_hands(owners, threads=2), hands)
    assert np.array_equal(pav.pack_hands(owners[::3]), hands[::3])
    assert np.array_equal(pav.unpack_hands(hands[::-7]), owners[::-7])
    assert pav.unpack_hands(np.empty((0, 4), np.uint64)).shape == (0, 52)


def test_what_is_no_layout() -> None:
    owners = pav.numbering("deal").sample_many(20_000, seed=1)
    hands = pav.pack_hands(owners)
    owners[17_000, 5] = 5
    with pytest.raises(pav.LayoutError, match="row 17000: an owner is 0 to 4, not 5"):
        pav.pack_hands(owners)
    for change, reason in ((1 << 52, "past 51"), (int(hands[7, 1]) & -int(hands[7, 1]), "share")):
        wrong = hands.copy()
        wrong[7, 0] |= np.uint64(change)
        with pytest.raises(pav.LayoutError, match=f"row 7: .*{reason}"):
            pav.unpack_hands(wrong)
    with pytest.raises(TypeError, match=r"hands are an array uint64\[n, 4\]"):
        pav.unpack_hands(owners)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"owners are an array uint8\[n, 52\]"):
        pav.pack_hands(hands)  # type: ignore[arg-type]
