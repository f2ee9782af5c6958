"""Calls of every public function and method, and values that none of their arguments may have."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from importlib.resources import files
from typing import Any, cast

import numpy as np

import pavcodec as pav

__all__ = ["calls", "parameters", "trials", "without_value"]

DEAL = pav.numbering("deal")[12345678901234567890]
PRACTICE = pav.PracticeSet("Slams", (pav.Board.make(DEAL, number=1, tags={"DealId": "deal:0"}),))
OWNERS = np.frombuffer(DEAL.owners, np.uint8).reshape(1, 52)
NUMBERS = pav.numbering("deal").rank_many(OWNERS)
ENDINGS = pav.endings("hcp(south) == 6", cards=2)
WHERE = "spades(west) == 9"
DEMO = str(files("pavcodec") / "data" / "demo.pbn")

INSTANCES: dict[str, Callable[[], Any]] = {
    "Board": lambda: pav.Board.make(DEAL, number=1),
    "BoardBatch": lambda: pav.BoardBatch(OWNERS, first=1),
    "Card": lambda: pav.Card("SA"),
    "CaseDeals": lambda: pav.case_table(WHERE).deals,
    "CaseTable": lambda: pav.case_table(WHERE),
    "Code": lambda: pav.code("dlm"),
    "ConstrainedDeals": lambda: pav.deals(WHERE),
    "ConstrainedEndings": lambda: ENDINGS,
    "Deal": lambda: DEAL,
    "Dealer1999": lambda: pav.deals_as_in_1999("hcp(south) >= 15"),
    "Estimate": lambda: pav.Estimate.of_sample(1, 2, 3),
    "Expression": lambda: pav.expression("hcp(south)"),
    "Hand": lambda: DEAL["N"],
    "Layout": lambda: pav.Layout.from_pbn("N:AK.Q.. - .32.4. -"),
    "LayoutView": lambda: pav.numbering("deal")[:50],
    "Levelled": lambda: pav.level("HandType_a = hcp(south) < 12  HandType_b = 1  condition 1"),
    "Mix": lambda: pav.mix([("hcp(south) >= 30", 1), ("hcp(south) < 30", 1)]),
    "Numbering": lambda: pav.numbering("deal"),
    "Permutation": lambda: pav.Permutation("HSDC", "ESWN"),
    "Record": lambda: pav.record("deal12"),
    "ShapeClass": lambda: pav.shape_class("any 4333"),
    "ShapeFunction": lambda: pav.shape_function("s + h"),
    "Statistics": lambda: pav.stats([DEAL]),
    "SuitLayout": lambda: pav.SuitLayout.of(DEAL, "S"),
    "Tally": lambda: pav.expected_tally(1),
    "TestedDeals": lambda: pav.deals("hcp(south) >= 20 && rnd(2) == 0"),
    "TrickTable": lambda: pav.TrickTable(bytes(20)),
    "WeightedDeals": lambda: pav.weighted("hcp(south) == 37", joint="spades(south)"),
}

VALID: dict[str, Any] = {
    "board": 1,
    "boards": [DEAL],
    "card": "SA",
    "cardinality": 52,
    "collection": [DEAL],
    "count": 2,
    "data": bytes(12),
    "deal": DEAL,
    "entropy": b"a",
    "event": "hcp(north) > 5",
    "format": "pbn",
    "function": len,
    "given": WHERE,
    "layout": DEAL,
    "mask": 5,
    "name": "deal",
    "number": 5,
    "numbers": NUMBERS,
    "owners": OWNERS,
    "permutation": pav.Permutation("HSDC", "ESWN"),
    "place": 0,
    "position": 0,
    "seat": "N",
    "seed": 7,
    "shapes": "any 4333",
    "source": "HandType_a = hcp(south) < 12  HandType_b = 1  condition 1",
    "strain": "NT",
    "suit": "S",
    "symmetry": "suits",
    "target": io.BytesIO(),
    "text": "N",
    "tricks": pav.TrickTable(bytes(20)),
    "trials": 2,
    "row": 0,
    "types": [WHERE],
    "value": 5,
    "where": WHERE,
    "after": pav.Permutation("HSDC", "ESWN"),
    "tags": {"Event": "Club"},
}
"""A value that an argument of this name may have."""

OWN: dict[str, Any] = {
    "Card.parse.text": "SA",
    "Code.parse.text": pav.code("dlm").format(DEAL, board=1),
    "Code.parse_board.text": pav.code("dlm").format(DEAL, board=1),
    **{f"ConstrainedEndings.{name}.layout": ENDINGS[0] for name in ("rank", "index", "to_bytes")},
    "Deal.owners": DEAL.owners,
    "Deal.from_pbn.text": str(DEAL),
    "Hand.from_pbn.text": "AK.Q..",
    "Layout.owners": DEAL.owners,
    "Layout.from_pbn.text": str(DEAL),
    "LayoutView.index.layout": pav.numbering("deal")[3],
    "dask_deals.n": 5,
    "dask_deals.parts": 2,
    "parts.n": 5,
    "parts.parts": 2,
    "permuted.space": pav.numbering("deal"),
    "Permutation.suits": "HSDC",
    "Permutation.seats": "ESWN",
    "SuitLayout.owners": bytes(13),
    "SuitLayout.from_text.text": "N:AQ - KJ T9",
    "SuitLayout.from_zbs.number": 4322,
    "TrickTable.tricks": bytes(20),
    "bigdeal.owner": "me",
    "code.name": "dlm",
    "distribution.number": "hcp(north)",
    "endings.cards": 2,
    "expression.value": "hcp(north)",
    "identify.text": "5",
    "open_collection.folder": "set",
    "pack_hands.owners": OWNERS,
    "record.name": "deal12",
    "shape_function.text": "s + h",
    "situation.name": "landy",
    "practice_set.situations": "two-clubs",
    "write_leveled.text": "HandType_a = hcp(south) < 12  HandType_b = 1  condition 1",
    "write_practice.practice": PRACTICE,
    "write_practice.target": "set.html",
    "turn.board": pav.Board.make(DEAL, number=1),
    "unpack_hands.hands": pav.pack_hands(OWNERS),
}
"""A value of an argument where that of its name does not fit."""


def wrong_values(parameter: inspect.Parameter) -> Iterator[Any]:
    """Yield values that an argument cannot have, by its annotation."""
    told = str(parameter.annotation)
    yield from (object(), [object()])
    if "None" not in told and parameter.default is not None:
        yield None
    if "float" not in told:
        yield 1.5
    yield "zz"


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the arguments of a function that have a type of their own."""
    found = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    plain = ("bool", "Any", "object", "self")
    return [each for each in found if each.kind not in kinds and str(each.annotation) not in plain]


MADE_BY_PAVCODEC = {
    "Archive", "Base5Number", "Case", "CaseDeals", "CaseListing", "CaseRow", "CaseTable", "Code",
    "ConstrainedDeals", "ConstrainedEndings", "Damage", "Dealer1999", "Distribution", "Duplicates",
    "Expression", "FeatureView", "HandLimits", "LayoutView", "Legality", "LevelRow", "LevelTable",
    "Levelled", "LeveledScript", "LineOfPlay", "Mix", "MixType", "Numbering", "PlainScript",
    "PlayedTrick", "Position", "PracticeSet", "Problem",
    "Reading", "Record", "RecordFile", "Repair", "Resampled", "SampledDistribution", "Situation",
    "SolvedDeal", "Statistics", "SuitWord", "Tag", "TestedDeals", "WeightedDeals",
    "WeightedDistribution", "Encoded",
}  # fmt: skip
"""Results, and records of results: their constructors are not for users and check nothing."""

ENUMERATIONS = {"Rank", "Seat", "Strain", "Suit", "Vulnerability"}
"""Their constructors have arguments of `enum`; `tests/test_cards.py` has their own."""

NOT_FOR_USERS = {
    "count_values", "having",
    "none_passed", "unchecked", "refusal", "check", "place_of", "steps_after", "total_before",
    "rows", "row", "parse_at", "word", "tricks", "candidate", "at",
}  # fmt: skip
"""Methods of other modules of the package, which pass valid values: they are not documented."""

OF_PYTHON = {
    "as_integer_ratio", "bit_count", "bit_length", "conjugate", "count", "from_bytes", "get",
    "index", "is_integer", "isdisjoint", "items", "keys", "to_bytes", "values",
}  # fmt: skip
"""What Python's own classes define, such as `int`, `Mapping` and `Sequence`."""

MAPPINGS = {
    "CaseTable", "CaseListing", "Distribution", "SampledDistribution", "WeightedDistribution",
    "Statistics",
}  # fmt: skip
"""A key that they do not have is a `KeyError`, as in any mapping, and `in` is false."""

ANY_VALUE = {
    "Board.line", "Board.parse", "BoardBatch.origin", "BoardBatch.more",
    "BoardBatch.each", "BoardBatch.numbering",
    "BoardBatch.tags", "ShapeFunction.where.value", "ShapeFunction.__contains__.key",
    "ShapeFunction.__getitem__.shape",
    "Expression.values.tricks", "turn.numbering",
    "use_solved.format", "use_solved.report", "duplicates.up_to", "duplicates.format",
    "duplicates.numbering", "duplicates.report", "stats.format", "stats.numbering", "stats.report",
    "deduplicate_archive.target", "level.shares", "identify.report",
}  # fmt: skip
"""Values of any type, arguments of readers in the package, and those that other arguments need."""

EXTRA: dict[str, dict[str, Any]] = {
    "print_boards": {"format": "html"},
    "read": {"source": DEMO},
    "read_owners": {"source": DEMO},
    "write": {"format": "pbn"},
    "write_owners": {"format": "pbn"},
}
"""Arguments without which other faults come first."""


def calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the names of all public functions, constructors and methods, with the callables."""
    for name in cast("Any", pav).__all__:
        value = getattr(pav, name)
        if not isinstance(value, type):
            if callable(value):
                yield name, value
        elif not issubclass(value, Exception):
            if name not in MADE_BY_PAVCODEC | ENUMERATIONS:
                yield name, value
            yield from _methods(name, value)


def _methods(name: str, value: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    instance = INSTANCES[name]() if name in INSTANCES else None
    plain = () if name in MAPPINGS | ENUMERATIONS else ("__contains__", "__getitem__", "__call__")
    for method in sorted(dir(value)):
        hidden = method.startswith("_") and method not in plain
        is_value = isinstance(inspect.getattr_static(value, method), property | cached_property)
        if hidden or is_value or method in NOT_FOR_USERS:
            continue
        found = getattr(value if instance is None else instance, method, None)
        home = getattr(getattr(found, "__func__", None), "__module__", "") or ""
        if method in OF_PYTHON and not home.startswith("pavcodec"):
            continue
        is_method = callable(found) and not isinstance(found, type)
        if is_method and (instance is not None or inspect.ismethod(found)):
            yield f"{name}.{method}", found  # type: ignore[misc] # it is callable


def without_value(name: str, function: Callable[..., Any]) -> list[str]:
    """Return the arguments that have no value here, so that the function is not called."""
    needed = [each for each in parameters(function) if each.default is each.empty]
    keys = [(f"{name}.{each.name}", each.name) for each in needed]
    return [key for key, own in keys if key not in OWN and own not in VALID]


def trials(
    name: str, function: Callable[..., Any]
) -> Iterator[tuple[inspect.Parameter, Any, Callable[[], Any]]]:
    """Yield calls in which one argument is wrong, with this argument and its value."""
    every = list(inspect.signature(function).parameters.values())
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    needed = [each for each in every if each.default is each.empty and each.kind not in kinds]
    valid: dict[str, Any] = {
        each.name: OWN.get(f"{name}.{each.name}", VALID.get(each.name)) for each in needed
    }
    valid |= EXTRA.get(name, {})
    for parameter in parameters(function):
        if f"{name}.{parameter.name}" in ANY_VALUE:
            continue
        for wrong in wrong_values(parameter):
            given = {**valid, parameter.name: wrong}
            places = [each.name for each in every if each.kind is each.POSITIONAL_ONLY]
            first = [given.pop(place) for place in places if place in given]
            yield parameter, wrong, partial(_called, function, first, given)


def _called(function: Callable[..., Any], first: list[Any], given: dict[str, Any]) -> Any:
    """Call a function, and take the first item of an iterator."""
    found = function(*first, **given)
    return next(found, None) if hasattr(found, "__next__") else found
