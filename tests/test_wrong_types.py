"""Every public function and method refuses values of wrong types, and says what it expects.

The calls are generated: each argument in turn gets values that no such argument may have. The
answer is a `TypeError` or a `PavError` that names the value or its type, never an error from inside
and never a result.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from wrong_types import DEAL, OWNERS, calls, parameters, trials, without_value

import pavcodec as pav

CALLS = dict(calls())


def fault_of(wrong: Any, parameter: Any, call: Any) -> str:
    """Return what is wrong with the answer to a wrong argument; nothing for a good one."""
    try:
        found = call()
    except (TypeError, pav.PavError) as error:
        shown = str(error)
        names = (type(wrong).__name__, str(wrong), repr(str(wrong)[:1]))
        is_named = isinstance(wrong, list) or any(name in shown for name in names)
        return "" if is_named else f"{error!r} names no {wrong!r}"
    except OSError:
        return "" if isinstance(wrong, str) else "it is no name of a file"
    except Exception as error:  # noqa: BLE001 (any other error is a fault)
        return f"from inside: {error!r}"
    takes_text = isinstance(wrong, str) and any(
        word in str(parameter.annotation) for word in ("str", "Seed", "CardsLike", "ConditionLike")
    )
    return "" if takes_text else f"it returns {found!r:.60}"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CALLS))
def test_wrong_types_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function = CALLS[name]
    if without_value(name, function):
        pytest.skip("its arguments have no value here")
    faults = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for parameter, wrong, call in trials(name, function):
            if fault := fault_of(wrong, parameter, call):
                faults.append(f"{parameter.name}={wrong!r:.24}: {fault}")
    assert not faults, "\n".join(faults)


def written(boards: Any, target: Any = None) -> int:
    return pav.write(boards, io.BytesIO() if target is None else target, format="pbn")


def tagged(tags: Any) -> object:
    return pav.Board.make(DEAL, tags=tags)


HINTS: dict[str, tuple[Callable[[Any], object], Any]] = {
    "no suit is called 'spaeds'; did you mean 'spades'? Expected S,": (DEAL["N"].suit, "spaeds"),
    "no vulnerability is called 'xx'; expected None, NS, EW or All": (pav.Vulnerability, "xx"),
    "owners are bytes, not 'str'; Deal.from_pbn reads texts": (pav.Deal, "N:AK - - -"),
    "a board has a Layout, not 'str'": (pav.Board, "N:AK - - -"),
    "put one into a list": (pav.Hand, 5),
    "a Hand takes several cards, as in ['SA', 'HK'], not 'AK.Q..'; Hand.from_pbn": (
        pav.Hand,
        "AK.Q..",
    ),
    "a contract is a seat and a strain": (pav.TrickTable(bytes(20)).__getitem__, "N"),
    "tags are a mapping": (tagged, [1]),
    "tags are texts by name, not 5 by 'Event'": (tagged, {"Event": 5}),
    "entries of a board are a tuple": (lambda x: pav.Board(DEAL, x), ("Event",)),
    "written one after another, as in [board], not 'Deal'": (written, DEAL),
    "written one after another, as in [board], not 'Board'": (written, pav.Board.make(DEAL)),
    "boards and layouts are written, not 'int'": (written, [5]),
    "to a path or a stream of bytes, not 'StringIO'": (partial(written, [DEAL]), io.StringIO()),
    "weights are four numbers by seat": (lambda x: pav.deals_as_in_1999("1", weights=x), 5),
    "a board number is 1 or more, not -5": (lambda x: pav.Board.make(DEAL, number=x), -5),
    "a board number is 1 or more, not -3": (pav.Vulnerability.of_board, -3),
}
"""What is said beside the type: what is nearest, or how it is done."""


@pytest.mark.parametrize("message", HINTS)
def test_what_is_said_helps(message: str) -> None:
    function, argument = HINTS[message]
    with pytest.raises((TypeError, pav.UnknownNameError, pav.NumberError)) as caught:
        function(argument)
    assert message in str(caught.value)


HUGE = 10**5000
MASKED = np.ma.masked_array(np.zeros((1, 52), np.uint8))
HALF = pav.Board.make(DEAL, number=1, tags={"Event": "\ud800"})
ODD_VALUES: list[Callable[[], object]] = [
    lambda: pav.Board.make(DEAL, number=HUGE),
    lambda: pav.Board(DEAL, HUGE),  # type: ignore[arg-type]
    lambda: pav.Board(DEAL).with_results(MASKED),  # type: ignore[arg-type]
    lambda: pav.BoardBatch(OWNERS, tricks=HUGE),  # type: ignore[arg-type]
    lambda: pav.code("bba").format(DEAL, board=HUGE),
    lambda: pav.deals(HUGE),
    lambda: pav.deals("hcp(south) > 9", method=MASKED),  # type: ignore[call-overload]
    lambda: pav.duplicates([DEAL], up_to=MASKED),  # type: ignore[arg-type]
    lambda: pav.features(OWNERS, "dds", dtype="9" * 5000),
    lambda: pav.legality(DEAL, table=HUGE),  # type: ignore[arg-type]
    lambda: pav.numbering("deal").rank_many(MASKED),
    lambda: pav.Permutation(HUGE, "NESW"),  # type: ignore[arg-type]
    lambda: pav.position(hands=MASKED),  # type: ignore[arg-type]
    lambda: pav.practice_set("landy", HUGE),
    lambda: pav.practice_set("landy", 1, start=1 << 63),
    lambda: pav.practice_set("landy", 1, seed=HUGE),
    lambda: pav.print_boards([HALF], io.BytesIO(), format="html"),
    lambda: pav.print_boards([DEAL], io.BytesIO(), format=HUGE),  # type: ignore[arg-type]
    lambda: pav.ShapeFunction(max)(5, 5, 5, 5),
    lambda: pav.stats([DEAL], level=HUGE),  # type: ignore[arg-type]
    lambda: pav.TrickTable(bytes(20))[HUGE],  # type: ignore[index]
    lambda: pav.expected_tally(1).add_tricks([bytes(19)]),
    lambda: pav.weighted("hcp(south) == 37", joint=HUGE),
    lambda: pav.write([HALF], io.BytesIO(), format="lin"),
    lambda: pav.write([HALF], io.BytesIO(), format=HUGE),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("call", ODD_VALUES, ids=range(len(ODD_VALUES)))
def test_values_without_a_text_or_a_truth(call: Callable[[], object]) -> None:
    with pytest.raises((TypeError, pav.PavError)):
        call()


def test_a_huge_count_of_samples_is_no_limit() -> None:
    tested = pav.deals("hcp(south) >= 20 && rnd(2) == 0")
    assert isinstance(tested, pav.TestedDeals)
    assert next(tested.samples(HUGE, seed=7)) == next(tested.samples(1, seed=7))


@pytest.mark.parametrize("path", ["a\0", "a\ud800", "file:///a\0"], ids=ascii)
@pytest.mark.parametrize(
    "call",
    [
        lambda path: list(pav.read(path)),
        lambda path: list(pav.read_owners(path)),
        lambda path: pav.write([DEAL], path, format="pbn"),
        lambda path: pav.write_archive([DEAL], path),
        lambda path: pav.print_boards([DEAL], path, format="html"),
        pav.open_archive,
        pav.verify_archive,
        pav.open_collection,
        pav.verify_collection,
        lambda path: pav.parts_from(path, to="new"),
        lambda path: pav.append_archive([DEAL], path),
        pav.open_event,
        pav.open_cases,
    ],
)
def test_what_cannot_be_the_name_of_a_file(call: Callable[[str], object], path: str) -> None:
    with pytest.raises(pav.PavError, match="is no name of a file"):
        call(path)


def test_nearly_all_functions_are_called() -> None:
    left = [name for name, function in CALLS.items() if without_value(name, function)]
    assert len(left) <= 67, left
    assert sum(len(parameters(function)) for function in CALLS.values()) > 300
