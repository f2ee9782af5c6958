"""A condition as one value, and the models that equal conditions of a process share."""

from __future__ import annotations

import gc
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.constraints.counting import condition, recent
from pavcodec.constraints.counting import model as model_module
from pavcodec.constraints.counting.recent import (
    building,
    forget_models,
    recent_model,
    remember_model,
)
from pavcodec.limits import LruCache

WHERE = "hcp(north) == 37 && spades(south) == 4"


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The nodes of all models that are built."""
    built: list[int] = []
    original = model_module.build_model

    def build(*args: Any, **options: Any) -> Any:
        model = original(*args, **options)
        built.append(model.nodes)
        return model

    monkeypatch.setattr(condition, "build_model", build)
    forget_models()
    return built


def space(where: str = WHERE, memory: int | str = "4G") -> pav.ConstrainedDeals:
    found = pav.deals(where, memory=memory)
    assert isinstance(found, pav.ConstrainedDeals)
    return found


def test_equal_conditions_share_a_model(builds: list[int]) -> None:
    spaces: list[Any] = [space(), space(WHERE.replace(" ", "")), pav.deals(pav.expression(WHERE))]
    models = {id(one.model) for one in spaces}
    assert len(builds) == len(models) == 1
    forget_models()
    assert id(space().model) not in models
    assert len(builds) == 2
    _ = pav.deals(WHERE, method="counted").model
    _ = pav.deals(WHERE, method="exact")
    assert len(builds) == 3  # under another name, since a plan may count another part
    for cards in (3, 4, 3):
        _ = pav.endings("spades(south) == 2", cards=cards).model
    assert len(builds) == 5


def test_a_model_counts_only_for_limits_not_below_its_own(builds: list[int]) -> None:
    large = space(memory="1G").model
    assert space(memory="2G").model is large
    small = space(memory="100M").model
    assert small is not large
    assert len(builds) == 2
    assert space(memory="100M").model is small is space().model
    with pytest.raises(pav.ModelTooLarge):
        _ = space(memory=large.memory - 1).model
    assert space(memory="100M").model is small


def test_the_least_recently_used_models_go(
    monkeypatch: pytest.MonkeyPatch, builds: list[int]
) -> None:
    size = space().model.memory
    monkeypatch.setattr(recent, "_LEAST", 1)
    monkeypatch.setattr(recent, "MOST_MEMORY", 2 * size)
    monkeypatch.setattr(recent, "_models", LruCache(2 * size))
    model: Any = space().model
    for name in "abc":
        remember_model(name, replace(model, limit=0))
    gc.collect()
    assert [recent_model(name, 1 << 30) is None for name in "abc"] == [True, False, False]
    remember_model("d", model)  # b goes
    assert recent_model("b", 1 << 30) is None
    assert recent_model("d", 1 << 30) is model
    assert builds


def test_a_large_model_is_shared_while_a_space_holds_it(
    monkeypatch: pytest.MonkeyPatch, builds: list[int]
) -> None:
    monkeypatch.setattr(recent, "MOST_MEMORY", 1)
    first = space()
    assert space().model is first.model
    key = replace(first.condition, is_planned=True).key
    assert recent_model(key, 1 << 40) is first.model
    del first
    gc.collect()
    assert recent_model(key, 1 << 40) is None
    _ = space().model
    assert len(builds) == 2


def test_threads_build_a_model_once(builds: list[int]) -> None:
    start = Barrier(8)

    def draw(number: int) -> Any:
        start.wait()
        method: Any = ("plan", "counted")[number % 2]
        return pav.deals(WHERE, method=method).sample(5, seed=7)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(draw, range(8)))
    assert found == [space().sample(5, seed=7)] * 8
    assert len(builds) == 2
    assert not recent._building


def test_an_error_lets_the_next_thread_build() -> None:
    with pytest.raises(ZeroDivisionError), building("x"), building("x"):
        _ = 1 // 0
    assert not recent._building


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_child_of_a_fork_has_locks_of_its_own() -> None:
    """While another thread holds those of its parent, that of a model too."""
    held = recent._building["x"] = recent._Building()
    with recent._lock, recent._models._lock, held.lock:
        child = os.fork()
        if not child:
            recent_model("x", 1)
            with building("x"):
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    del recent._building["x"]
