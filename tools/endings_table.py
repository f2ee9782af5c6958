"""Make the table of the tricks of small endings, `pavcodec/data/endings.xz`; print figures.

python tools/endings_table.py            writes the file, in about a minute
python tools/endings_table.py --check    compares it with the present one
python tools/endings_table.py --figures  prints those of docs/small-endings.md, in some minutes
"""

from __future__ import annotations

import lzma
import sys
from collections import Counter
from math import comb, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.cards import SUIT_SIZE, Seat, Strain
from pavcodec.solving.endings import (
    LARGEST_TABLE,
    all_words,
    lengths_of,
    made_tables,
    orders_of,
    owners_of_words,
    tables_of_package,
    tricks_of_endings,
)
from pavcodec.solving.many import NO_PLAY
from pavcodec.solving.plays import tricks_of_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILE = Path(__file__).parents[1] / "pavcodec" / "data" / "endings.xz"


def main() -> None:
    """Write the file, compare what it holds, or print the figures."""
    if sys.argv[1:] == ["--figures"]:
        for size in range(1, LARGEST_TABLE + 1):
            for strain in (Strain.NOTRUMP, Strain.SPADES):
                print(size, strain.letters)
                for name, counts in figures(size, strain).items():
                    print(f"  {name}: {dict(sorted(counts.items()))}", flush=True)
        return
    data = made_tables(LARGEST_TABLE).data.tobytes()
    if sys.argv[1:] == ["--check"]:
        if data != tables_of_package().data.tobytes():
            sys.exit(f"{FILE.name} holds other tables")
        return
    preset = 9 | lzma.PRESET_EXTREME
    FILE.write_bytes(lzma.compress(data, check=lzma.CHECK_SHA256, preset=preset))


def figures(size: int, strain: Strain) -> dict[str, Counter[Any]]:
    """Return how many endings have each value of some figures; North leads.

    `lead`: the tricks that North and South take when North leads, minus when East leads. `trumps`:
    their tricks with these trumps, minus those in notrump. `best`: how many of North's cards take
    them; touching cards are one card, `any` card may do, or North has `one` card.
    """
    words = all_words(size)
    found: dict[str, Counter[Any]] = {"lead": Counter(), "trumps": Counter(), "best": Counter()}
    for lengths in lengths_of(size, trumps=strain > 0):
        owners = owners_of_words(lengths, words)

        def north_leads(trump: Strain, held: NDArray[np.uint8] = owners) -> NDArray[np.int64]:
            return size - tricks_of_endings(held, [(Seat.WEST, trump)])[:, 0].astype(np.int64)

        tricks = north_leads(strain)
        if_east_leads = tricks_of_endings(owners, [(Seat.NORTH, strain)])[:, 0]
        by_card = tricks_of_cards(owners, strain, Seat.NORTH)
        different = by_card != NO_PLAY
        inner = different.reshape(-1, len(Seat), SUIT_SIZE)
        inner[:, :, 1:] &= ~_is_held_above(owners)
        best = (different & (by_card == tricks[:, None])).sum(axis=1)
        plays = different.sum(axis=1)
        ways = orders_of(lengths[strain > 0 :]) * prod(comb(SUIT_SIZE, each) for each in lengths)
        for name, values in (
            ("lead", tricks - if_east_leads),
            ("trumps", tricks - north_leads(Strain.NOTRUMP)),
            ("best", np.where(plays == 1, -1, np.where(best == plays, 0, best))),
        ):
            for value, count in zip(*np.unique(values, return_counts=True), strict=True):
                found[name][int(value)] += int(count) * ways
    found["best"] = Counter(
        {{-1: "one", 0: "any"}.get(best, str(best)): n for best, n in found["best"].items()}
    )
    return found


def _is_held_above(owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for all cards but the aces whether North has the next higher card as well."""
    suits = owners.reshape(-1, len(Seat), SUIT_SIZE)
    return np.asarray(suits[:, :, :-1] == Seat.NORTH)


if __name__ == "__main__":
    main()
