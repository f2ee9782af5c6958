"""Interrupts that act after a block: none is lost, and none acts inside of it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pavcodec.collection.engines.processes import interrupts_deferred


@pytest.fixture(autouse=True)
def same_handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before
    signal.signal(signal.SIGINT, before)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_acts_after_the_block() -> None:
    steps = []

    def block() -> None:
        with interrupts_deferred():
            interrupt()
            steps.append("rest of the block")
        steps.append("after the block")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert steps == ["rest of the block"]


def test_an_interrupt_in_an_inner_block_acts_after_the_outer_one() -> None:
    steps = []

    @interrupts_deferred()
    def outer() -> None:
        with interrupts_deferred():
            interrupt()
        steps.append("rest of the outer block")

    with pytest.raises(KeyboardInterrupt):
        outer()
    assert steps == ["rest of the outer block"]


def test_a_second_interrupt_acts_at_once() -> None:
    steps = []

    @interrupts_deferred()
    def block() -> None:
        for step in ("after the first", "after the second"):
            interrupt()
            steps.append(step)

    with pytest.raises(KeyboardInterrupt):
        block()
    assert steps == ["after the first"]


def test_without_an_interrupt_errors_come_through() -> None:
    with pytest.raises(ZeroDivisionError), interrupts_deferred():
        raise ZeroDivisionError


def test_what_ignores_interrupts_and_other_threads_stay_as_they_are() -> None:
    def handler_in_a_block() -> object:
        with interrupts_deferred():
            return signal.getsignal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(handler_in_a_block).result() is before
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert handler_in_a_block() is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
