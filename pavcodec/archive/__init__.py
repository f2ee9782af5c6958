"""Archives: collections of numbers in the fewest bytes, with what the bounds of that are.

A *coder* makes the numbers of one block into bytes and back; `OrderedCoder` keeps their order,
`SortedCoder` keeps sets and multisets. The names are loaded when they are first used.

>>> from pavcodec.archive import OrderedCoder, ordered_bits
>>> OrderedCoder(52).at((7 + 52 * 9).to_bytes(2, "little"), count=2, index=1)
9
>>> ordered_bits(52), float(ordered_bits(52))
(Fraction(2850219859, 500000000), 5.700439718)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.archive.archive import Archive
    from pavcodec.archive.bounds import multiset_bits, ordered_bits, set_bits
    from pavcodec.archive.coder import Coder
    from pavcodec.archive.files import append_archive, open_archive, write_archive
    from pavcodec.archive.ordered import OrderedCoder
    from pavcodec.archive.sets import SortedCoder

__all__ = [
    "Archive",
    "Coder",
    "OrderedCoder",
    "SortedCoder",
    "append_archive",
    "multiset_bits",
    "open_archive",
    "ordered_bits",
    "set_bits",
    "write_archive",
]

_HOMES = {
    "Archive": ".archive",
    "append_archive": ".files",
    "open_archive": ".files",
    "write_archive": ".files",
    "Coder": ".coder",
    "OrderedCoder": ".ordered",
    "SortedCoder": ".sets",
    "multiset_bits": ".bounds",
    "ordered_bits": ".bounds",
    "set_bits": ".bounds",
}

__getattr__ = loader(__name__, _HOMES)
