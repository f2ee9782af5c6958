"""Counts and models of real deals by blocks of pairs and by turns; threads, limits, Ctrl-C."""

from __future__ import annotations

import subprocess
import sys
import time
from random import Random

import numpy as np
import pytest
from model_support import rank_of
from oracles import limbs

from pavcodec import ModelTooLarge
from pavcodec.constraints.counting import pairs, turns
from pavcodec.constraints.counting.automaton import Diagram
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.model import build_model
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import (
    conjunction,
    parts_of,
)
from pavcodec.limits import ProductTooLarge

FOUR_HANDS = (13,) * 4
REAL = {
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "two shapes": "shape(north, any 4333) && hcp(north) >= 28 && spades(south) >= 5",
    "odd cards": "hascard(east, 2D) && hcp(east) <= 4 && !hascard(west, 3D)"
    " && shape(west, any 4432)",
    "three hands": "spades(west) == 9 && hearts(east) == 6 && clubs(east) == 6 && aces(south) == 2",
    "four hands": "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1"
    " && spades(north) == 7 && spades(south) > spades(west)",
    "tens": "tens(north) + spades(south) >= 9 && hearts(north) == 6 && losers(south) <= 4",
    "nothing": "hcp(north) >= 25 && hcp(south) >= 16",
}


def diagrams_of(name: str) -> list[Diagram]:
    compiler = Compiler(sizes=FOUR_HANDS)
    return [compiler.truth(part) for part in parts_of(parse_expression(REAL[name]))]


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_counts_by_turns_are_those_of_models(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the length of runs nor threads matter, and models are equal node by node."""
    diagrams = diagrams_of(name)
    model = build_model(diagrams, FOUR_HANDS)
    for threads, targets in ((1, 1 << 10), (3, 1)):
        monkeypatch.setattr("pavcodec.limits.available", lambda threads=threads: threads)
        monkeypatch.setattr(turns, "_TARGETS", targets)
        monkeypatch.setattr(pairs, "_WORK", 1000 * threads)
        assert count_layouts(diagrams, FOUR_HANDS) == model.cardinality
        again = build_model(diagrams, FOUR_HANDS)
        for one, other in zip(model.layers, again.layers, strict=True):
            assert np.array_equal(one.children, other.children)
            assert np.array_equal(one.ways, other.ways)
    assert bool(model.cardinality) == (name != "nothing")


@pytest.mark.parametrize("threads", [1, 4])
def test_a_model_that_is_too_large(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pavcodec.limits.available", lambda: threads)
    diagrams = diagrams_of("three hands")
    nodes = build_model(diagrams, FOUR_HANDS).nodes
    a_node = 4 + 16 + 3 * 4
    for memory in (1, a_node * 50):
        with pytest.raises(ModelTooLarge, match=r"^too many states: [\d,]+ before card \d+$"):
            build_model(diagrams, FOUR_HANDS, memory=memory)
        with pytest.raises(ProductTooLarge):
            count_layouts(diagrams, FOUR_HANDS, memory=memory)
    assert build_model(diagrams, FOUR_HANDS, memory=100 * a_node * nodes).nodes == nodes


@pytest.mark.slow
def test_a_limit_of_states() -> None:
    """It stops at the same card with any memory."""
    diagrams = diagrams_of("three hands")
    whole = build_model(diagrams, FOUR_HANDS)
    states = max(len(layer.ways) for layer in whole.layers)  # others lead nowhere in a half
    assert build_model(diagrams, FOUR_HANDS, widest=2 * states).nodes == whole.nodes
    for most in (0, 1, 100, states // 2, states - 1):
        told = set()
        for memory in (1 << 30, 1 << 32):
            with pytest.raises(ProductTooLarge) as caught:
                build_model(diagrams, FOUR_HANDS, memory=memory, widest=most)
            told.add((caught.value.states, caught.value.card))
        assert len(told) == 1


H = """shape(north, any 4441) && hcp(north) >= 11 && hcp(north) <= 15
    && shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 10 && hcp(south) <= 12
    && hearts(east) >= 6 && hcp(east) >= 5 && hcp(east) <= 10 && hcp(west) <= 7"""


@pytest.mark.slow
def test_the_four_hands_of_the_published_example() -> None:
    """The count, the order and the members of a model of 14 million nodes."""
    parts = parts_of(parse_expression(H))
    model = Condition(conjunction(parts)).build()
    assert model.cardinality == 604399695908326950971304
    assert 13_000_000 < model.nodes < 15_000_000
    random, total = Random(7), model.cardinality
    places = sorted({0, total - 1, *(random.randrange(total) for _ in range(20))})
    found = [model.unrank(place) for place in places]
    assert found == sorted(found)
    assert [rank_of(model, word) for word in found] == places
    compiler = Compiler()
    conditions = [compiler.truth(part) for part in parts]
    assert all(condition.value(word) == 1 for word in found for condition in conditions)
    owners = np.empty((len(places), 52), np.uint8)
    model.unrank_rows(len(places), limbs(places), owners)
    assert [bytes(row) for row in owners] == found
    changed = bytes([found[0][0] ^ 1, *found[0][1:]])
    assert rank_of(model, changed) is None


PROGRAM = """
import os, signal, sys
import numpy
from pavcodec import kernel
from pavcodec.constraints.counting import pairs
from pavcodec.cli import main

known = {module}.{name}
calls = 0

def interrupted(*arguments, **named):
    global calls
    calls += 1
    if calls == {calls}:
        os.kill(os.getpid(), signal.SIGINT)
    return known(*arguments, **named)

{module}.{name} = interrupted
sys.exit(main(["count", "--explain", sys.argv[1]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "calls"),
    [("pairs", "_after", 22), ("kernel", "blocks_join", 70)],
    ids=["going forward", "putting together"],
)
def test_counting_is_interrupted(module: str, name: str, calls: int) -> None:
    """The signal comes in the middle of millions of states, while other threads work."""
    program = PROGRAM.format(module=module, name=name, calls=calls)
    done = subprocess.run([sys.executable, "-c", program, H], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (130, b"")
    assert b"Traceback" not in done.stderr


def test_tasks_that_wait_are_dropped() -> None:
    begun: list[int] = []

    def task(number: int) -> None:
        begun.append(number)
        time.sleep(0.002)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), pairs.workers() as threads:
        pairs.Workers(threads.pool, 2).results(task, [(number,) for number in range(1000)])
    assert len(begun) < 1000
