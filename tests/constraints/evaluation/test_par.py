"""The par of conditions against `SidesParBin` of DDS, which DealerV2 calls."""

from __future__ import annotations

import numpy as np
import pytest

from pavcodec import Deal, PavError, Seat, numbering
from pavcodec.cards import Strain
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.layout import Layout

_VULNERABLE = {"none": 0, "both": 1, "ns": 2, "ew": 3}
_OF_DDS = [Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP]


class _Tricks:
    """A solver with tricks at random for each deal, those of the sides close to 13 in sum."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.tables: dict[Deal, np.ndarray] = {}

    def __call__(self, deal: Deal, seat: Seat, strain: Strain) -> int:
        if deal not in self.tables:
            ours = self.rng.integers(0, 14, (5, 1))
            table = np.where(np.arange(4) % 2, 13 - ours, ours)
            self.tables[deal] = np.clip(table + self.rng.integers(-1, 2, (5, 4)), 0, 13)
        return int(self.tables[deal][strain, seat])


def test_par_is_that_of_dds_for_2000_deals() -> None:
    dds = pytest.importorskip("endplay._dds")
    solver, deals = _Tricks(5), numbering("deal").sample_many(500, seed=11)
    for word, code in _VULNERABLE.items():
        ours = expression(f"par(NS, {word})").values(deals, tricks=solver)
        theirs = expression(f"par(EW, {word})").values(deals, tricks=solver)
        assert (ours == -theirs).all()
        for table, found in zip(solver.tables.values(), ours.tolist(), strict=True):
            asked, sides = dds.ddTableResults(), (dds.parResultsMaster * 2)()
            for place, strain in enumerate(_OF_DDS):
                for seat in Seat:
                    asked.resTable[place][seat] = int(table[strain, seat])
            dds.SidesParBin(asked, sides, code)
            assert sides[0].score == found


def test_words_and_endings() -> None:
    assert parse_expression("par(ns)") is parse_expression("PAR(NS, None)")
    assert parse_expression("par(EW, both)") is parse_expression("par(ew, all)")
    with pytest.raises(PavError, match="whole deals"):
        evaluate(parse_expression("par(NS)"), Layout.from_pbn("N:A... K... Q... J..."))
