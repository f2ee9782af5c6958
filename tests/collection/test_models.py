"""Models of collections: built once by the driver, and sent to each worker process."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from making_support import Built, MadeInMemory, Watched
from packages import needs

import pavcodec as pav
from pavcodec.collection import run
from pavcodec.collection.engines import engine_of
from pavcodec.collection.run import Prepared, prepared
from pavcodec.constraints.counting import condition
from pavcodec.constraints.counting.recent import forget_models

SPACES: dict[str, Callable[[], Any]] = {
    "a condition": lambda: "shape(north, any 4333) && hcp(south) >= 15",
    "a method": lambda: pav.deals("hcp(south) >= 21", method="counted"),
    "a test": lambda: "hcp(south) >= 20 && rnd(2) == 1",
    "endings": lambda: pav.endings("spades(south) == 2", cards=3),
    "legal endings": lambda: pav.endings("spades(south) == 2", cards=3, legal=True),
    "a mix": lambda: pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12 && rnd(2) == 1", 2)]),
}


def parts_of(name: str) -> Any:
    """Return a plan of four parts."""
    return pav.parts(SPACES[name](), 40, parts=4, seed=7, to="lines")


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_the_preparation_has_all_models(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = pickle.dumps(prepared(parts_of(name).making))
    forget_models()
    monkeypatch.setattr(condition, "build_model", lambda *_, **__: pytest.fail("it builds one"))
    again: Prepared = pickle.loads(prepare)
    again()
    assert again.models
    making: Any = again.making
    made = MadeInMemory(pav.parts(making.space, 40, parts=4, seed=7, to="lines"))(2)
    monkeypatch.undo()
    forget_models()
    assert made.sha256 == MadeInMemory(parts_of(name))(2).sha256


@pytest.mark.slow
def test_the_driver_builds_no_model_again() -> None:
    where = pav.deals("hcp(south) >= 21")
    plan_of_parts = pav.parts(where, 40, parts=4, seed=7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(condition, "build_model", lambda *_, **__: pytest.fail("it builds one"))
        assert len(prepared(plan_of_parts.making).models) == 1


def test_large_models_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    making = parts_of("a condition").making
    [sent] = prepared(making).models
    counted = sent.model.counted
    assert counted
    size = sum(each.children.nbytes + each.ways.nbytes for each in counted.layers)
    monkeypatch.setattr(run, "MOST_SENT", size)
    assert len(prepared(making).models) == 1
    monkeypatch.setattr(run, "MOST_SENT", size - 1)
    assert not prepared(making).models


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", [None, "local"])
class TestWorkers:
    def run(self, plan_of_parts: Any, scheduler: str | None) -> list[Built]:
        """Return what the workers made, in the order of the parts."""
        if scheduler:
            needs("distributed")
        run = engine_of(2, scheduler).run(
            MadeInMemory(plan_of_parts),
            range(len(plan_of_parts)),
            prepare=Watched(prepared(plan_of_parts.making)),
        )
        found: Any = dict(run)
        return [found[index] for index in sorted(found)]

    def test_no_worker_builds_a_model(self, scheduler: str | None) -> None:
        plan_of_parts = parts_of("a mix")
        found = self.run(plan_of_parts, scheduler)
        assert [each.models for each in found] == [()] * 4
        here = [MadeInMemory(plan_of_parts)(index).sha256 for index in range(4)]
        assert [each.sha256 for each in found] == here

    def test_a_worker_builds_the_model_of_weights_once(self, scheduler: str | None) -> None:
        weights: Any = {"S": {"hearts": {3: 1, 4: "2.5", 7: 1}}}
        space = pav.weighted("hcp(south) == 37", weights)
        found = self.run(pav.parts(space, 80, parts=8, seed=7, to="lines"), scheduler)
        assert {each.models for each in found} == {("build_model",)}
