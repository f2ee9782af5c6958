"""Collections in parts: plans as values, parts that any machine can make, and their manifest.

Each name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.collection.collection import Collection, parts
    from pavcodec.collection.making import make_part
    from pavcodec.collection.manifest import Row
    from pavcodec.collection.plan import EvenRanges, Making, Part, Plan, Ranges

__all__ = [
    "Collection",
    "EvenRanges",
    "Making",
    "Part",
    "Plan",
    "Ranges",
    "Row",
    "make_part",
    "parts",
]

_HOMES = {
    "Collection": ".collection",
    "EvenRanges": ".plan",
    "Making": ".plan",
    "Part": ".plan",
    "Plan": ".plan",
    "Ranges": ".plan",
    "Row": ".manifest",
    "make_part": ".making",
    "parts": ".collection",
}

__getattr__ = loader(__name__, _HOMES)
