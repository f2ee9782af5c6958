"""Threads and processes: what the documentation states of sharing, drawing and pickling."""

from __future__ import annotations

import ctypes
import multiprocessing
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import forkserver
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from process_support import drawn

import pavcodec as pav
from pavcodec import kernel
from pavcodec.constraints.expressions import condition, hcp

WHERE = "hcp(south) >= 20 && spades(north) >= 5"
TESTED = "hcp(south) >= 20 && rnd(2) == 1"
DEAL = pav.numbering("deal")[12345678901234567890]


SPACES: tuple[Callable[[], Any], ...] = (
    lambda: pav.numbering("deal"),
    lambda: pav.numbering("ending"),
    lambda: pav.numbering("andrews", one_based=True),
    lambda: pav.numbering("deal-suits"),
    lambda: pav.deals(WHERE),
    lambda: pav.deals(TESTED),
    lambda: pav.endings("spades(south) == 2", cards=3),
    lambda: pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12", "2.5")]),
    lambda: pav.case_table("spades(west) == 9").deals,
)


def values() -> list[Any]:
    """Return values that are not spaces."""
    return [
        DEAL,
        DEAL["N"],
        pav.Card("SA"),
        pav.SuitLayout.of(DEAL, "S"),
        pav.TrickTable(bytes(20)),
        pav.Board.make(DEAL, number=1, tags={"Event": "Club"}),
        pav.Permutation("HSDC", "ESWN"),
        pav.numbering("deal")[5:500:7],
        pav.distribution("hcp(north)", given=WHERE),
        pav.distribution("hcp(north)", given=WHERE, simulate=20),
        pav.probability("hcp(north) >= 5", simulate=20),
        pav.Estimate.of_sample(1, 2, 3),
        pav.shape_class("any 4333"),
        pav.situation("landy"),
        pav.record("deal12"),
        pav.code("dlm"),
        pav.Vulnerability.NS,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(SPACES)))
def test_threads_draw_from_one_space_as_one_thread_does(place: int) -> None:
    """The first draws of all threads meet: they build the model and the loops together."""
    space, other = SPACES[place](), SPACES[place]()
    start = Barrier(6)

    def work(number: int) -> Any:
        start.wait()
        many = getattr(space, "sample_many", space.sample)(500, seed=number)
        return drawn(space, number), [bytes(getattr(one, "owners", one)) for one in many]

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(work, range(6)))
    for number, (few, many) in enumerate(found):
        assert few == drawn(other, number)
        assert many[:30] == [one.owners for one in other.sample(30, seed=number)]
        assert len(many) == 500


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_processes_draw_from_pickled_spaces(method: Any) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"the system has no {method}")
    every = [make() for make in SPACES]
    if method == "fork":  # the threads of this process must not hold anything
        every = every[:5]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        for space in every:
            found = list(pool.map(partial(drawn, space), [0, 40]))
            assert found == [drawn(space, 0), drawn(space, 40)]
    if method == "forkserver":  # this process has only one, and other tests need more modules in it
        forkserver._forkserver._stop()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_values_and_spaces_are_pickled_without_tables() -> None:
    for value in [*values(), *(make() for make in SPACES)]:
        if hasattr(value, "sample"):
            value.sample(1, seed=7)  # so that there are tables
        data = pickle.dumps(value)
        assert len(data) < 4000
        again = pickle.loads(data)
        assert type(again) is type(value)
        assert again == value or str(again) == str(value)


RACE = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import pavcodec as pav
start = Barrier(12)
def use(number):
    start.wait()
    for name in pav.__all__[number::3] + pav.__all__[:number:-2]:
        getattr(pav, name)
    return pav.deals("hcp(south) >= 20").sample(2, seed=7)
with ThreadPoolExecutor(12) as threads:
    found = list(threads.map(use, range(12)))
assert all(each == found[0] for each in found)
print(found[0][0])
"""


@pytest.mark.slow
def test_threads_load_names_at_the_same_time() -> None:
    """In a new process, twelve threads load all public names and one model."""
    command = [sys.executable, "-W", "error", "-c", RACE]
    root = Path(pav.__file__).parents[1]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.stderr == ""
    assert done.stdout.strip() == str(pav.deals("hcp(south) >= 20").sample(1, seed=7)[0])


def test_expressions_are_shared_and_pickled() -> None:
    rule = (hcp("south") >= 15) & ~(hcp("north") >= 5)
    assert str(pickle.loads(pickle.dumps(rule))) == str(rule)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(pav.deals(condition(lambda deal: deal["N"].hcp > 12)))


@pytest.mark.slow
def test_threads_read_one_archive_and_one_file(tmp_path: Path) -> None:
    some = pav.numbering("deal").sample(3000, seed=7)
    numbers = [pav.numbering("deal").rank(deal) for deal in some]
    pav.write_archive(some, tmp_path / "some.pav")
    pav.write_records(numbers, tmp_path / "some.deal12")
    with (
        pav.open_archive(tmp_path / "some.pav") as archive,
        pav.open_records(tmp_path / "some.deal12") as records,
        ThreadPoolExecutor(6) as threads,
    ):
        places = [(71 * place) % 3000 for place in range(900)]
        read = list(threads.map(lambda place: (archive[place].layout, records[place]), places))
    assert read == [(some[place], numbers[place]) for place in places]


def test_the_kernel_releases_the_lock_of_the_interpreter() -> None:
    """A library of ctypes does, unless it is for calls into Python."""
    assert type(kernel._library()) is ctypes.CDLL
