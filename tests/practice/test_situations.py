"""The library: every situation can be counted, and has the deals that its page tells."""

from __future__ import annotations

import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.chances.figures import chances
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_script
from pavcodec.errors import UnknownNameError

MOST_NODES = 600_000
"""Models of this size are built in about half a second."""


def test_there_are_names_to_choose_from() -> None:
    names = pav.situation_names()
    assert 15 <= len(names) == len(set(names))
    situations = [pav.situation(name) for name in names]
    assert [one.name for one in situations] == names
    assert len({one.title for one in situations}) == len(names)
    assert len({one.where for one in situations}) == len(names)
    with pytest.raises(UnknownNameError, match="did you mean 'two-clubs'"):
        pav.situation("two-club")


def test_the_documentation_lists_them() -> None:
    page = (FIXTURES.parent / "docs" / "practice.md").read_text(encoding="utf-8")
    for one in map(pav.situation, pav.situation_names()):
        exact = f"{one.cardinality:,} | {chances(one.probability)}"
        assert f"| `{one.name}` | {one.summary} | {exact} |" in page.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("name", pav.situation_names())
def test_a_situation_is_counted_exactly(name: str) -> None:
    one = pav.situation(name)
    found = one.deals()
    assert found.cardinality == one.cardinality > 0
    assert found.probability == one.probability
    assert found.model.nodes <= MOST_NODES
    assert all(evaluate(found.where.node, deal) for deal in found.sample(5, seed=name))


@pytest.mark.parametrize("name", ["cardracks", "flannery-misfit"])
def test_classic_scripts_have_as_many_deals(name: str) -> None:
    script = parse_script((FIXTURES / "scripts" / f"{name}.dlr").read_text())
    assert script.condition is not None
    found = pav.deals(script.condition)
    assert isinstance(found, pav.ConstrainedDeals)
    assert found.cardinality == pav.situation(name).cardinality
