"""The partition walk: rank and unrank words in dictionary order, for any counter."""

from pavcodec.walk.counters import Counter, FixedSizes, LimitedSizes
from pavcodec.walk.folded import FoldedWalk, walk_of
from pavcodec.walk.walk import ByCounter, NotAMemberError, Walk

__all__ = [
    "ByCounter",
    "Counter",
    "FixedSizes",
    "FoldedWalk",
    "LimitedSizes",
    "NotAMemberError",
    "Walk",
    "walk_of",
]
