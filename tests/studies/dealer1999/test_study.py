"""The study of the bias: its counts are what the dealer deals, and say what the page says."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest
from oracles import FIXTURES

import pavcodec as pav

ROOT = FIXTURES.parent


def tool() -> ModuleType:
    """The tool that makes the page."""
    path = ROOT / "tools" / "dealer1999_page.py"
    spec = importlib.util.spec_from_file_location("dealer1999_page", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # for its dataclass
    spec.loader.exec_module(module)
    return module


TOOL: Any = tool()
KEPT = json.loads((ROOT / "tools" / "dealer1999_counts.json").read_text("utf-8"))


def test_distance() -> None:
    even = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert TOOL.distance({"a": 1, "b": 1}, even) == 0
    assert TOOL.distance({"a": 3, "b": 1}, even) == Fraction(1, 4)
    assert TOOL.distance({"c": 5}, even) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", TOOL.EXAMPLES)
def test_the_counts_are_of_all_deals(name: str) -> None:
    kept, example = KEPT[name], TOOL.EXAMPLES[name]
    for question in example.questions:
        assert sum(kept["counts"][question].values()) == TOOL.DEALS - kept["failed"]
        assert sum(kept["exact"][question].values()) == TOOL.DEALS
        known = TOOL.exact(example.where, question)
        assert sum(known.values()) == 1
        assert kept["exact"][question].keys() | kept["counts"][question].keys() <= known.keys()


def test_the_first_deals_are_dealt_again() -> None:
    failed, counts = TOOL.deal_1999("even", 0, TOOL.FIRST)
    assert {"failed": failed, "counts": TOOL.counted(counts)} == KEPT["even"]["first"]


@pytest.mark.slow
def test_exact_shares_are_those_of_the_odds() -> None:
    where = "shape(north, any 4333)"
    assert TOOL.exact(where, "north pattern") == {"4-3-3-3": 1}
    found = pav.distribution("hcp(south)", given=where)
    assert TOOL.exact(where, "south points") == {str(each): found[each] for each in found}
    shapes = Counter(TOOL.exact(where, "north shape").values())
    assert shapes == {Fraction(1, 4): 4}


@pytest.mark.slow
def test_the_page_and_the_plots_are_current() -> None:
    text = TOOL.PAGE.read_text("utf-8")
    assert TOOL.filled(text, KEPT) == text
    for name in TOOL.EXAMPLES:
        assert TOOL.digest(name, KEPT) in TOOL.picture(name).read_text("utf-8")
