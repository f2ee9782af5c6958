"""Whether the tags of many rows of Parquet are plain, by columns.

`reader.boards_of_rows` is the definition: it makes the board of each row and reports where tags and
columns disagree. Rows are plain if they have no problems and their boards have no tricks and are no
single suits. If that is not certain, the rows are not plain, and the definition reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.boards.vulnerability import Vulnerability, dealer_of_board
from pavcodec.cards import SEAT_LETTERS
from pavcodec.formats.parquet.from_numpy import text_column
from pavcodec.formats.records.boards import SUIT_TAG

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["tags_are_plain"]

_TAG_OF = {"board": "Board", "dealer": "Dealer", "vulnerable": "Vulnerable"}
"""The columns that repeat a tag."""
_BOARDS = range(1, 17)
_WORDS = {
    "dealer": text_column([*SEAT_LETTERS]),
    "vulnerable": text_column([each.value for each in Vulnerability]),
}
_CYCLES = {
    "dealer": text_column([dealer_of_board(number).letter for number in _BOARDS]),
    "vulnerable": text_column([Vulnerability.of_board(number).value for number in _BOARDS]),
}
"""The values that follow from the board number where a tag is missing."""
_PAST_NUMBERS = 10**18
"""Board numbers of tags have at most 18 digits."""


def tags_are_plain(columns: pa.RecordBatch) -> bool:
    """Return whether the boards of all rows are plain, and their tags have no problems."""
    names = [name for name in _TAG_OF if name in columns.schema.names]
    texts = {name: columns.column(name) for name in names}
    if not all(_is_known(name, column) for name, column in texts.items()):
        return False
    if "tags" not in columns.schema.names:
        return True
    tags = columns.column("tags")
    if not pa.types.is_list(tags.type) or tags.null_count:
        return False
    entries = tags.flatten()
    found = pc.struct_field(entries, "name").cast(pa.string())
    if pc.any(pc.is_in(found, pa.array([*TRICK_TAGS, SUIT_TAG]))).as_py():
        return False
    rows = np.repeat(np.arange(len(tags)), np.asarray(tags.value_lengths()))
    values = pc.struct_field(entries, "value").cast(pa.string())
    for name, column in texts.items():
        said = _first(found, values, _TAG_OF[name], rows, len(tags))
        if name in _CYCLES and "board" in texts:
            said = pc.coalesce(said, _of_boards(texts["board"], _CYCLES[name]))
        if not _holds(pc.equal(column.cast(pa.string()), said), column):
            return False
    return True


def _is_known(name: str, column: pa.Array) -> bool:
    """Return whether each value of a column is null, or one that a tag may repeat word for word."""
    if name in _WORDS:
        return _holds(pc.is_in(column.cast(pa.string()), _WORDS[name]), column)
    if pa.types.is_integer(column.type):
        return _holds(pc.and_(pc.greater(column, 0), pc.less(column, _PAST_NUMBERS)), column)
    return True


def _first(
    names: pa.Array, values: pa.Array, name: str, rows: NDArray[np.intp], count: int
) -> pa.Array:
    """Return the first value of a tag in each row; null in rows without this tag."""
    places = np.flatnonzero(np.asarray(pc.is_in(names, pa.array([name]))))
    having, first = np.unique(rows[places], return_index=True)
    taken = np.full(count, -1)
    taken[having] = places[first]
    return values.take(pa.array(taken, mask=taken < 0))


def _of_boards(numbers: pa.Array, cycle: pa.Array) -> pa.Array:
    """Return what follows from board numbers; null where they are no integers."""
    if not pa.types.is_integer(numbers.type):
        return pa.nulls(len(numbers), pa.string())
    places = (np.asarray(pc.fill_null(numbers, 1)) - 1) % len(cycle)
    return cycle.take(pa.array(places, mask=np.asarray(pc.is_null(numbers))))


def _holds(truth: pa.Array, column: pa.Array) -> bool:
    """Return whether something is true of each value of a column that is not null."""
    truth = truth.filter(pc.is_valid(column))
    return not truth.null_count and pc.all(truth).as_py() is not False
