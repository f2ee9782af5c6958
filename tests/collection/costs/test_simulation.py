"""The simulation of collections: a definition tick by tick, and closed forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec.collection.costs.chances import Chances
from pavcodec.collection.costs.simulation import simulate
from pavcodec.collection.costs.values import HOUR, SECOND, Cluster, Job, Prices
from pavcodec.errors import NumberError

JOB = Job(deals=10**6, parts=100, nanoseconds=2000, bits=96)
PART = 20_000  # microseconds of a part of JOB


@dataclass(eq=False)
class Body:
    """A worker of the definition: what it does, and until when."""

    number: int
    does: str = "starts"
    until: int | None = 0
    life: int = 0
    dies: int | None = None
    part: int = -1
    spent: int = 0


class Ticks:
    """A simulation microsecond by microsecond: the definition of `simulate`, for toy values."""

    def __init__(self, job: Job, cluster: Cluster, seed: int) -> None:
        self.job, self.cluster, self.chances = job, cluster, Chances(seed)
        self.parts = list(range(job.parts))
        self.tries = dict.fromkeys(self.parts, -1)
        self.bodies = [Body(number) for number in range(cluster.workers)]
        self.queues: dict[str, list[Body]] = {"asks": [], "puts": []}
        self.found = {"deaths": 0, "puts": 0, "lost": 0, "work": 0, "paid": 0}
        self.stored = self.now = 0

    def run(self) -> dict[str, int]:
        for body in self.bodies:
            self.live(body)
        while True:
            while self.changes():
                pass
            if self.stored == self.job.parts:
                return self.found | {"time": self.now + self.job.parts * self.cluster.row}
            self.now += 1
            for body in self.bodies:
                self.found["paid"] += body.does != "is away"
                body.spent += body.does == "makes"

    def changes(self) -> bool:
        """Do what happens in this microsecond, and return whether there was anything."""
        dying = [body for body in self.bodies if body.dies == self.now]
        for body in dying:
            self.die(body)
        served = [queue[0] for queue in self.queues.values() if queue and queue[0].until is None]
        for body in served:
            body.until = self.now + self.time_of_service(body)
        ended = [body for body in self.bodies if body.until == self.now]
        for body in ended:
            self.end(body)
        asking = [body for body in self.bodies if body.does == "is idle"][: len(self.parts)]
        for body in asking:
            body.part = self.parts.pop(0)
            self.begin(body, "asks", None)
        return bool(dying or served or ended or asking)

    def begin(self, body: Body, does: str, time: int | None) -> None:
        body.does, body.until = does, None if time is None else self.now + time
        if does in self.queues:
            self.queues[does].append(body)

    def live(self, body: Body) -> None:
        if self.cluster.lifetime:
            lives = self.chances.lifetime(self.cluster.lifetime, body.number, body.life)
            body.dies = self.now + lives
        self.begin(body, "starts", self.cluster.start)

    def die(self, body: Body) -> None:
        self.found["deaths"] += 1
        self.found["lost"] += body.spent
        if body.does in ("asks", "makes", "puts"):
            self.parts.insert(0, body.part)
        for queue in self.queues.values():
            queue[:] = [each for each in queue if each is not body]
        body.dies, body.spent, body.life = None, 0, body.life + 1
        self.begin(body, "is away", self.cluster.replaced)

    def time_of_service(self, body: Body) -> int:
        if body.does == "asks":
            return self.cluster.task
        bandwidth = self.cluster.bandwidth
        return self.job.bytes_of(body.part) * SECOND // bandwidth if bandwidth else 0

    def make(self, body: Body) -> None:
        self.tries[body.part] += 1
        slow = self.chances.is_slow(self.cluster.slow, body.part, self.tries[body.part])
        body.spent = 0
        time = self.job.time_of(body.part) * (self.cluster.slowness if slow else 1)
        self.begin(body, "makes", time)

    def end(self, body: Body) -> None:
        """End what a worker does now, and begin the next."""
        if body.does in self.queues:
            self.queues[body.does].remove(body)
        if body.does == "is away":
            self.live(body)
        elif body.does == "asks":
            self.make(body)
        elif body.does == "makes":
            self.begin(body, "puts", None)
        elif body.does == "puts":
            self.put(body)
        else:
            self.begin(body, "is idle", None)

    def put(self, body: Body) -> None:
        self.found["puts"] += 1
        tries = self.tries[body.part]
        if self.chances.is_refused(self.cluster.refused, body.part, tries):
            self.found["lost"] += body.spent
            self.make(body)
            return
        self.stored += 1
        self.found["work"] += body.spent
        body.spent = 0
        self.begin(body, "is idle", None)


CLUSTERS = st.builds(
    Cluster,
    workers=st.integers(1, 4),
    start=st.integers(0, 30),
    slow=st.sampled_from([0, 2, 3]),
    slowness=st.integers(1, 4),
    task=st.sampled_from([0, 1, 7, 31]),
    bandwidth=st.sampled_from([0, 10**6, 3 * 10**5]),
    refused=st.sampled_from([0, 3]),
    row=st.integers(0, 3),
)
JOBS = st.builds(
    Job,
    deals=st.integers(20, 100),
    parts=st.integers(1, 12),
    nanoseconds=st.integers(1000, 9000),
    bits=st.sampled_from([8, 24]),
)


def compared(job: Job, cluster: Cluster, seed: int) -> None:
    found = simulate(job, cluster, seed=seed)
    expected = Ticks(job, cluster, seed).run()
    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.slow
@settings(deadline=None)
@given(JOBS, CLUSTERS, st.integers(0, 99))
def test_events_are_those_of_each_microsecond(job: Job, cluster: Cluster, seed: int) -> None:
    compared(job, replace(cluster, slow=0, refused=0), seed)


@pytest.mark.slow
@settings(deadline=None)
@given(JOBS, CLUSTERS, st.integers(0, 99), st.integers(200, 900), st.integers(0, 60))
def test_one_worker_with_all_faults_is_that_of_each_microsecond(
    job: Job, cluster: Cluster, seed: int, lifetime: int, replaced: int
) -> None:
    one = replace(cluster, workers=1, start=min(cluster.start, 10), lifetime=lifetime + 1000)
    compared(job, replace(one, replaced=replaced), seed)


@pytest.mark.slow
@settings(deadline=None)
@given(JOBS, CLUSTERS, st.integers(0, 99), st.integers(1000, 3000), st.integers(0, 60))
def test_several_workers_with_all_faults_lose_and_repeat_nothing(
    job: Job, cluster: Cluster, seed: int, lifetime: int, replaced: int
) -> None:
    found = simulate(job, replace(cluster, lifetime=lifetime, replaced=replaced), seed=seed)
    parts = [job.time_of(part) for part in range(job.parts)]
    slowness = cluster.slowness if cluster.slow else 1
    assert sum(parts) <= found.work <= sum(parts) * slowness
    assert found.puts >= job.parts
    assert found.paid <= (found.time - job.parts * cluster.row) * cluster.workers
    assert found.work + found.lost <= found.paid
    assert all(0 <= share <= 1 for share in found.shares.values())


@pytest.mark.parametrize("workers", [1, 2, 3, 7, 100, 128])
def test_without_faults_the_parts_come_in_rounds(workers: int) -> None:
    found = simulate(JOB, Cluster(workers=workers, start=500, row=3))
    assert found.time == 500 + -(-100 // workers) * PART + 300
    assert (found.work, found.lost, found.deaths) == (100 * PART, 0, 0)


def test_a_slow_scheduler_gives_one_part_after_the_other() -> None:
    found = simulate(JOB, Cluster(workers=50, task=1000))
    assert found.time == 100 * 1000 + PART
    assert found.bottleneck == "scheduler"


def test_a_slow_store_takes_one_part_after_the_other() -> None:
    put = 5000
    bandwidth = JOB.bytes_of(0) * SECOND // put
    found = simulate(JOB, Cluster(workers=50, bandwidth=bandwidth))
    assert found.time == PART + 100 * put
    assert found.bottleneck == "store"


def mean_of(values: list[int]) -> tuple[float, float]:
    """The mean, and its standard error."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, sqrt(variance / len(values))


def test_lifetimes_are_exponential() -> None:
    times = [Chances(7).lifetime(10**9, 0, life) for life in range(4000)]
    mean, error = mean_of(times)
    assert abs(mean - 10**9) < 4 * error
    for share in (0.25, 1.0, 2.0):  # how many are longer
        expected = exp(-share)
        longer = sum(time > share * 10**9 for time in times) / len(times)
        assert abs(longer - expected) < 4 * sqrt(expected * (1 - expected) / len(times))


@pytest.mark.slow
@pytest.mark.parametrize("lifetime", [PART // 2, PART, 5 * PART])
def test_one_worker_needs_the_expected_time_of_restarts(lifetime: int) -> None:
    away = 700
    job = Job(deals=10**5, parts=10, nanoseconds=2000, bits=96)
    outcomes = [
        simulate(job, Cluster(workers=1, lifetime=lifetime, replaced=away), seed=seed)
        for seed in range(150)
    ]
    tries = exp(PART / lifetime) - 1  # the expected deaths for a part
    mean, error = mean_of([found.time for found in outcomes])
    assert abs(mean - 10 * (lifetime + away) * tries) < 4 * error
    mean, error = mean_of([found.lost for found in outcomes])
    assert abs(mean - 10 * (lifetime * tries - PART)) < 4 * error
    mean, error = mean_of([found.deaths for found in outcomes])
    assert abs(mean - 10 * tries) < 4 * error


def test_refused_puts_are_made_again() -> None:
    tries = [simulate(JOB, Cluster(workers=3, refused=4), seed=seed).puts for seed in range(100)]
    mean, error = mean_of(tries)
    assert abs(mean - 100 * 4 / 3) < 4 * error


def test_slow_parts_take_their_share() -> None:
    cluster = Cluster(workers=1, slow=5, slowness=4)
    mean, error = mean_of([simulate(JOB, cluster, seed=seed).time for seed in range(100)])
    assert abs(mean - 100 * PART * (1 + 3 / 5)) < 4 * error


def test_a_seed_has_its_faults_on_every_machine() -> None:
    job = Job(deals=10**10, parts=10**3, nanoseconds=2000, bits=616)
    cluster = Cluster(
        workers=20, start=3 * SECOND, lifetime=HOUR, replaced=60 * SECOND, slow=50, slowness=3,
        task=600, bandwidth=10**8, refused=100, row=300,
    )  # fmt: skip
    found = simulate(job, cluster, seed=7)
    again = simulate(job, cluster, seed=7)
    assert found == again
    assert (found.time, found.deaths, found.puts) == VECTOR


VECTOR = (7769166381, 46, 1005)


def test_prices_are_exact() -> None:
    found = simulate(JOB, Cluster(workers=1))
    prices = Prices(
        core_hour=Fraction(1), terabyte_month=Fraction(20), thousand_puts=Fraction(1, 2)
    )
    assert found.price(prices) == Fraction(2, 3600) + Fraction(1, 20)
    assert JOB.price_of_month(prices) == Fraction(12 * 20, 10**6)


@pytest.mark.parametrize(
    ("kind", "values", "reason"),
    [
        (Cluster, {"workers": 0}, "1 worker or more"),
        (Cluster, {"workers": 1, "task": -1}, "task is an integer from 0 on, not -1"),
        (Cluster, {"workers": 1, "refused": 1}, "never has a part"),
        (Cluster, {"workers": 1, "slowness": 0}, "1 time or more"),
        (Job, {"deals": 5, "parts": 6, "nanoseconds": 1, "bits": 1}, "5 deals make 1 to 5 parts"),
    ],
)
def test_impossible_values_are_refused(kind: Any, values: dict[str, int], reason: str) -> None:
    with pytest.raises(NumberError, match=reason):
        kind(**values)
