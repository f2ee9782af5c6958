"""The partition walk: rank and unrank words in dictionary order, for any counter."""

from pavcodec.walk.counters import AnyOwner, Counter, FixedSizes, LimitedSizes
from pavcodec.walk.folded import FoldedWalk, walk_of
from pavcodec.walk.walk import (
    ByCounter,
    NotAMemberError,
    Walk,
    rank_by_definition,
    unrank_by_definition,
)

__all__ = [
    "AnyOwner",
    "ByCounter",
    "Counter",
    "FixedSizes",
    "FoldedWalk",
    "LimitedSizes",
    "NotAMemberError",
    "Walk",
    "rank_by_definition",
    "unrank_by_definition",
    "walk_of",
]
