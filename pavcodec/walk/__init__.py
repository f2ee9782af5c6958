"""The partition walk: words in dictionary order to numbers and back, for any counter."""

from pavcodec.walk.counters import AnyOwner, Counter, FixedSizes, LimitedSizes
from pavcodec.walk.walk import NotAMemberError, Walk, rank_by_definition, unrank_by_definition

__all__ = [
    "AnyOwner",
    "Counter",
    "FixedSizes",
    "LimitedSizes",
    "NotAMemberError",
    "Walk",
    "rank_by_definition",
    "unrank_by_definition",
]
