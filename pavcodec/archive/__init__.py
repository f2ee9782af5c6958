"""Archives: collections of deals, stored as numbers in few bytes, and lower bounds for their size.

A *coder* converts the numbers of one block to bytes and back. `OrderedCoder` preserves the order of
the numbers; `SortedCoder` stores sets and multisets. A name is imported when it is first used.

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
    from pavcodec.archive.coding.bounds import multiset_bits, ordered_bits, set_bits
    from pavcodec.archive.coding.coder import Coder
    from pavcodec.archive.coding.ordered import OrderedCoder
    from pavcodec.archive.coding.sorted import SortedCoder
    from pavcodec.archive.files import append_archive, open_archive, write_archive
    from pavcodec.archive.lookup import Found
    from pavcodec.archive.operations import (
        deduplicate_archive,
        intersect_archives,
        merge_archives,
        subtract_archives,
        unite_archives,
    )
    from pavcodec.archive.repair import Damage, Repair, repair_archive, verify_archive

__all__ = [
    "Archive",
    "Coder",
    "Damage",
    "Found",
    "OrderedCoder",
    "Repair",
    "SortedCoder",
    "append_archive",
    "deduplicate_archive",
    "intersect_archives",
    "merge_archives",
    "multiset_bits",
    "open_archive",
    "ordered_bits",
    "repair_archive",
    "set_bits",
    "subtract_archives",
    "unite_archives",
    "verify_archive",
    "write_archive",
]

_HOMES = {
    "verify_archive": ".repair",
    "repair_archive": ".repair",
    "Repair": ".repair",
    "Damage": ".repair",
    "unite_archives": ".operations",
    "subtract_archives": ".operations",
    "merge_archives": ".operations",
    "intersect_archives": ".operations",
    "deduplicate_archive": ".operations",
    "Archive": ".archive",
    "append_archive": ".files",
    "open_archive": ".files",
    "write_archive": ".files",
    "Found": ".lookup",
    "Coder": ".coding.coder",
    "OrderedCoder": ".coding.ordered",
    "SortedCoder": ".coding.sorted",
    "multiset_bits": ".coding.bounds",
    "ordered_bits": ".coding.bounds",
    "set_bits": ".coding.bounds",
}

__getattr__ = loader(__name__, _HOMES)
