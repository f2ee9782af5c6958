"""Archives: collections of deals, stored as numbers in few bytes, and lower bounds for their size.

An archive is a header, blocks of boards, an index and an end (`container`). `spaces` gives numbers
a meaning. A block has numbers, which a *coder* of `coding` converts to bytes and back, then tricks
(`tricks`) and other tags (`tags`); `block_codec` joins them. `OrderedCoder` preserves the order of
the numbers; `SortedCoder` stores sets and multisets. `archive` reads by position, `stream` from
start to end; `writer`, `files`, `operations` and `repair` make archives.

>>> from pavcodec.archive import OrderedCoder, ordered_bits
>>> OrderedCoder(52).at((7 + 52 * 9).to_bytes(2, "little"), count=2, index=1)
9
>>> ordered_bits(52), float(ordered_bits(52))
(Fraction(2850219859, 500000000), 5.700439718)
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
