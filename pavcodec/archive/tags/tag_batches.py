"""The metadata column of batches of boards, without a `Board` for each row.

Rule 1: `encode_metadata` of the boards is the definition; the bytes are equal.
Rule 2: The tags of a batch depend on its first board and, in the other boards, on the board number
        modulo 16. The definition computes the first 17 rows; each later row k has the items of row
        k - 16.
Rule 3: Only the identities of deals depend on the cards. They are computed as an array.
Rule 4: For a batch to which these rules do not apply, the boards are encoded one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pavcodec.archive.tags.envelope import seal
from pavcodec.archive.tags.tag_columns import MOST_PARTS, ItemRuns, NameRuns, assemble, spell
from pavcodec.archive.tags.text_columns import RULE, encode_text
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.tricks import NOT_SOLVED, RESULT_TABLE, TRICK_TAGS
from pavcodec.errors import LayoutError
from pavcodec.numberings import numbering, numbering_names

__all__ = ["encode_batches"]

_CYCLE = 16
"""The period of dealer and vulnerability in board numbers."""
_PAST_NUMBERS = 10**18
"""The first board number that no rule can reach by counting."""


def encode_batches(batches: Sequence[BoardBatch], *, tricks_apart: bool = False) -> bytes | None:
    """Return `encode_metadata` of the boards of batches; None if it needs the single boards.

    With `tricks_apart`, boards with tricks have an empty tag OptimumResultTable instead.

    The result is b"" for boards without tags. Raise `PavError` if the text is too long.

    >>> deals = numbering("deal")
    >>> batch = BoardBatch(deals.sample_many(1000, seed=7), first=1, tags={"Event": "Club"})
    >>> len(encode_batches([batch]))
    18
    """
    names: NameRuns = []
    columns: dict[str, ItemRuns] = {}
    before: Mapping[str, str] = {}
    for batch in batches:
        spelled = _spell_batch(batch, before, tricks_apart=tricks_apart)
        if spelled is None:
            return None
        of_all, items = spelled
        names.append((of_all, len(batch)))
        for name, runs in items.items():
            columns.setdefault(name, []).extend(runs)
        before = _last_values(batch, before)
    if sum(len(of_all) * rows for of_all, rows in names) > MOST_PARTS:
        return None
    if not columns:
        return b""
    return seal(assemble(names, columns), sum(rows for _, rows in names))


def _spell_batch(
    batch: BoardBatch, before: Mapping[str, str], *, tricks_apart: bool
) -> tuple[tuple[str, ...], dict[str, ItemRuns]] | None:
    """Return the tag names of each board, and the items of each name; None as above."""
    first = 0 if batch.first is None else batch.first
    if batch.needs_origin or not 0 <= first <= _PAST_NUMBERS - len(batch):
        return None
    if not {"Deal", "DealId", *TRICK_TAGS}.isdisjoint(batch.tags):
        return None
    has_tables = batch.has_tricks
    if has_tables and not (tricks_apart and _are_solved(batch)):
        return None
    some = replace(batch.rows(0, min(len(batch), 1 + _CYCLE)), numbers=None, tricks=None)
    ((names, _),), columns = spell(list(some), before)
    for name, items in columns.items():
        columns[name] = list(_continued(items, len(batch)))
    if batch.numbers is not None:
        identities = _identities(batch)
        if identities is None:
            return None
        columns["DealId"] = identities
        names += ("DealId",)
    if has_tables:
        columns[RESULT_TABLE] = [(b"", len(batch))]
        names += (RESULT_TABLE,)
    return names, columns


def _are_solved(batch: BoardBatch) -> bool:
    """Return whether every board of a batch has results."""
    return batch.tricks is not None and bool((batch.tricks != NOT_SOLVED).any(axis=1).all())


def _continued(runs: ItemRuns, rows: int) -> Iterator[tuple[bytes, int]]:
    """Yield the items of `rows` rows; `runs` are those of the first 17."""
    items = [item for item, run in runs for _ in range(run)]
    first, cycle = items[0], items[1:]
    yield first, 1
    if not cycle or cycle.count(cycle[0]) == len(cycle):
        yield from [(item, rows - 1) for item in cycle[:1]]
        return
    whole, rest = divmod(rows - 1, len(cycle))
    for item in cycle * whole + cycle[:rest]:
        yield item, 1


def _identities(batch: BoardBatch) -> ItemRuns | None:
    """Return the items of the identities; None if some layouts are not in their numbering."""
    name, numbers = batch.numbering, batch.numbers
    assert numbers is not None
    follow = np.zeros(len(batch), np.bool_)
    if name in numbering_names():
        try:
            follow = (numbering(name).rank_many(batch.owners) == numbers).all(axis=1)
        except LayoutError:
            return None
    rule = RULE + encode_text(name)
    if follow.all():
        return [(rule, len(batch))]
    pairs = zip(follow.tolist(), numbers.tolist(), strict=True)
    return [
        (rule if follows else encode_text(f"{name}:{high << 64 | low}"), 1)
        for follows, (high, low) in pairs
    ]


def _last_values(batch: BoardBatch, before: Mapping[str, str]) -> Mapping[str, str]:
    """Return the last values of all tags up to the end of a batch."""
    last = replace(batch.rows(len(batch) - 1, len(batch)), tricks=None)
    return {**before, **last.board(0).tags}
