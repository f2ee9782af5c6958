"""Collections in parts: plans as values, parts that any machine can make, and their manifest.

Each name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.collection.check import Check
    from pavcodec.collection.collection import Collection, parts, verify_collection
    from pavcodec.collection.derived.face import parts_from, stats_of_parts
    from pavcodec.collection.lazy.dask_deals import dask_deals
    from pavcodec.collection.making import make_part
    from pavcodec.collection.manifest import Row, Rows
    from pavcodec.collection.plan import Making, Part, Plan, Ranges
    from pavcodec.collection.run import Made
    from pavcodec.collection.stored import OpenedCollection, open_collection

__all__ = [
    "Check",
    "Collection",
    "Made",
    "Making",
    "OpenedCollection",
    "Part",
    "Plan",
    "Ranges",
    "Row",
    "Rows",
    "dask_deals",
    "make_part",
    "open_collection",
    "parts",
    "parts_from",
    "stats_of_parts",
    "verify_collection",
]

_HOMES = {
    "Check": ".check",
    "Collection": ".collection",
    "Made": ".run",
    "Making": ".plan",
    "OpenedCollection": ".stored",
    "Part": ".plan",
    "Plan": ".plan",
    "Ranges": ".plan",
    "Row": ".manifest",
    "Rows": ".manifest",
    "dask_deals": ".lazy.dask_deals",
    "make_part": ".making",
    "open_collection": ".stored",
    "parts": ".collection",
    "parts_from": ".derived.face",
    "stats_of_parts": ".derived.face",
    "verify_collection": ".collection",
}

__getattr__ = loader(__name__, _HOMES)
