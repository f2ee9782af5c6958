"""A condition as one value: each thing that counting derives from it is computed once."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.constraints.counting import condition as home
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.language.parser import parse_expression

WHERE = "hcp(south) == 37 && hcp(north) == 1"


@pytest.mark.parametrize("method", ["plan", "exact", "test"])
@pytest.mark.parametrize("where", [WHERE, f"{WHERE} && 1", "hcp(south) == 37"])
def test_a_model_is_built_once(where: str, method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()
    for name in ("format_node", "build_model"):
        real = getattr(home, name)

        def counted(*args: Any, name: str = name, real: Any = real, **options: Any) -> Any:
            calls[name] += 1
            return real(*args, **options)

        monkeypatch.setattr(home, name, counted)
    space = pav.deals(where, method=method)
    counted_space: Any = space.counted if isinstance(space, pav.TestedDeals) else space
    assert counted_space.cardinality == counted_space.model.cardinality
    assert calls["format_node"] <= 1 + where.endswith("&& 1")
    assert calls["build_model"] <= 1


def test_a_pickle_holds_the_definition_only() -> None:
    condition = Condition(parse_expression(WHERE), sizes=(5, 5, 5, 5, 32), legal=True)
    size = len(pickle.dumps(condition))
    assert condition.model.cardinality == 0
    again = pickle.loads(pickle.dumps(condition))
    assert (again, len(pickle.dumps(condition))) == (condition, size)
    assert (again.memory, again.key) == (condition.memory, condition.key)


def test_conditions_are_equal_whatever_memory_they_may_take() -> None:
    node = parse_expression(WHERE)
    assert Condition(node) == Condition(node, 1000)
    assert Condition(node) != Condition.of_endings(node, 5)
    assert Condition.of_endings(node, 5) != Condition.of_endings(node, 5, legal=True)


def test_a_condition_of_its_own_parts_is_itself() -> None:
    condition = Condition(parse_expression(f"{WHERE} && 1"))
    plain = condition.of(condition.parts)
    assert plain.text == WHERE
    assert plain.of(plain.parts) is plain
    assert plain.of(()).text == "1"
