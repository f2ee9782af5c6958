"""The par of conditions against `SidesParBin` of DDS, which DealerV2 calls."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from pavcodec import Deal, PavError, Seat, numbering
from pavcodec.boards.batch import owners_of
from pavcodec.cards import Strain
from pavcodec.constraints.evaluation import Evaluation, evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.scripts.report import run_actions
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


def _by_dds(dds: Any, table: np.ndarray, vulnerable: int) -> Any:
    """Return what `SidesParBin` finds for a table of strains and seats if North bids first."""
    asked, sides = dds.ddTableResults(), (dds.parResultsMaster * 2)()
    for place, strain in enumerate(_OF_DDS):
        for seat in Seat:
            asked.resTable[place][seat] = int(table[strain, seat])
    dds.SidesParBin(asked, sides, vulnerable)
    return sides[0]


@pytest.mark.slow
def test_par_and_its_contract_are_those_of_dds() -> None:
    """As `values` and `printrpt` have them, in all vulnerabilities."""
    dds = pytest.importorskip("endplay._dds")
    solver, deals = _Tricks(5), numbering("deal").sample(300, seed=11)
    script = parse_script(f"action {', '.join(f'printrpt(parcontract({w}))' for w in _VULNERABLE)}")
    out = io.StringIO()
    run_actions(script.actions, [Evaluation(deal, tricks=solver) for deal in deals], out)
    shown = iter(out.getvalue().splitlines())
    scores = {
        word: expression(f"par(NS, {word})").values(owners_of(deals), tricks=solver)
        for word in _VULNERABLE
    }
    theirs = expression("par(EW, both)").values(owners_of(deals), tricks=solver)
    assert (scores["both"] == -theirs).all()
    for place, deal in enumerate(deals):
        for word, code in _VULNERABLE.items():
            found = _by_dds(dds, solver.tables[deal], code)
            assert found.score == scores[word][place]
            first = found.contracts[0]
            star = "*" if first.underTricks else " "
            seats = ("N", "E", "S", "W", "NS", "EW")[first.seats]
            contract = f"{first.level}{'NSHDC'[first.denom]}{star} by {seats} {word}"
            assert next(shown) == f" ' {contract}'"
    assert not [*shown]


def test_everybody_passes_where_no_contract_is_made() -> None:
    out = io.StringIO()
    deal = Evaluation(numbering("deal").unrank(0), tricks=lambda *_: 6)
    run_actions(parse_script("action printrpt(parcontract)").actions, [deal], out)
    assert out.getvalue() == " 'pass none'\n"


def test_words_and_endings() -> None:
    assert parse_expression("par(ns)") is parse_expression("PAR(NS, None)")
    assert parse_expression("par(EW, both)") is parse_expression("par(ew, all)")
    with pytest.raises(PavError, match="whole deals"):
        evaluate(parse_expression("par(NS)"), Layout.from_pbn("N:A... K... Q... J..."))
