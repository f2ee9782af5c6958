"""Counting keeps within the memory that it may take: as text, as it is charged, and in fact."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pavcodec import ModelTooLarge, NumberError
from pavcodec.limits import MemoryBudget, ProductTooLarge, format_size, memory_of

MIB = 1 << 20


@given(st.integers(1, 10**14), st.sampled_from(["", "K", "m", "G", "t"]))
def test_sizes_as_text(number: int, unit: str) -> None:
    expected = number * 1024 ** ["", "K", "m", "G", "t"].index(unit)
    for text in (f"{number}{unit}", f" {number} {unit} ", f"{number}{unit}b"):
        assert memory_of(text) == expected
    if unit:
        assert memory_of(f"{number}{unit}iB") == expected


@pytest.mark.parametrize("text", ["", "G", "1.5G", "-1", "1e9", "2P", "2 G B", "1" * 16, "\u0661"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(NumberError, match=r"^a size is a number and K, M, G or T, not"):
        memory_of(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1 KB"),
        (100 << 10, "100 KiB"),
        (999_999, "999.9 KB"),
        (4 << 30, "4 GiB"),
        (4_312_345_678, "4.3 GB"),
        (5 << 40, "5 TiB"),
    ],
)
def test_sizes_for_people(size: int, text: str) -> None:
    """Exact in binary units, else never more than there is, to a tenth."""
    assert format_size(size) == text
    assert memory_of(size) == size


def test_the_error_survives_pickling() -> None:
    error = ProductTooLarge(1234, 5)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.args) == (ProductTooLarge, str(error), error.args)


@given(
    st.integers(0, 10**6), st.lists(st.integers(0, 999), max_size=9), st.integers(1, 99),
    st.integers(0, 99),
)  # fmt: skip
def test_as_many_states_fit_as_are_said_to(
    memory: int, layers: list[int], resident: int, transient: int
) -> None:
    def take(room: MemoryBudget, states: int) -> None:
        room.take(card=0, states=states, resident=resident * states, transient=transient * states)

    room = MemoryBudget(memory)
    with suppress(ProductTooLarge):
        for states in layers:
            take(room, states)
    assume(room.resident + room.transient <= memory)
    most = room.most(resident, transient)
    with pytest.raises(ProductTooLarge):
        take(MemoryBudget(memory, room.resident, room.transient), most + 1)
    take(room, most)


WIDE = " || ".join(
    f"{function}({seat}) > {least}"
    for function, least in (("hcp", 10), ("spades", 5), ("losers", 8), ("controls", 4))
    for seat in ("north", "east", "south")
)
"""A product of twelve parts."""


def main(where: str, memory: str) -> None:
    """Count in a process of its own; print the memory before, the most, and what came out."""
    from pavcodec import deals

    deals("hcp(north) == 2 && hcp(south) == 3").cardinality  # noqa: B018 (loads all that counts)
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    try:
        outcome = str(deals(where, memory=int(memory)).cardinality)
    except ModelTooLarge as error:
        outcome = str(error)
    print(json.dumps([before, resident("VmHWM"), outcome]))


def resident(name: str) -> int:
    """The bytes of this process now, or the most that they were."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) << 10
    raise LookupError(name)


@pytest.mark.slow
@pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK), reason="nobody tells the memory of a process"
)
@pytest.mark.parametrize(
    ("where", "memory", "outcome"),
    [
        ("hcp(north) == 11 && losers(south) == 7", 64, "1111333367920934607018746400"),
        (WIDE, 128, "more than 128 MiB"),
    ],
)
def test_a_process_keeps_within_its_memory(where: str, memory: int, outcome: str) -> None:
    command = [sys.executable, __file__, where, str(memory * MIB)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    before, most, found = json.loads(done.stdout)
    assert outcome in found
    assert most - before < (memory + 24) * MIB


if __name__ == "__main__":
    main(*sys.argv[1:])
