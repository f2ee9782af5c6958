"""The facts of a folder of parts, by its plan and its rows; no part is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pavcodec.cli.output.folders import is_folder, ranges_text
from pavcodec.cli.output.streams import Problems

__all__ = ["facts_of_collection"]


def facts_of_collection(
    path: str, problems: Problems, *, lists_parts: bool
) -> dict[str, object] | None:
    """Return the facts of a collection, with `lists_parts` also those of each part.

    Parts that are not there are a problem. An input that is no collection has no facts.
    """
    if not is_folder(path):
        return None
    from pavcodec.collection.stored import is_collection, open_collection

    if not is_collection(path):
        return None
    opened = open_collection(path)
    rows, plan = opened.rows, opened.plan
    missing = [index for each in rows.missing() for index in each]
    if missing:
        which = ranges_text(missing)
        problems.report(str(opened.storage), None, f"{which} not there, of {len(plan)}")
    facts: dict[str, object] = {
        "file": str(opened.storage),
        "format": "collection",
        "what": f"a folder of {len(plan):,} parts, {plan.making.suffix}",
        **dict(_described(plan.making.describe())),
        "parts": rows.made,
        "boards": rows.rows,
        "bytes": rows.bytes,
    }
    if rows.rows:
        facts["bits_per_deal"] = round(rows.bytes * 8 / rows.rows, 3)
    if not missing:
        facts["sha256"] = opened.sha256
    if lists_parts:
        facts |= {"plan": opened.description, "rows": [row.to_dict() for row in rows]}
    return facts | {"problems": len(missing)}


def _described(making: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield what a making says about its parts, as (head, text); `source` has the rest."""
    for key, value in making.items():
        if key == "source" and isinstance(value, Mapping):
            inner = value.get("making")
            if isinstance(inner, Mapping):
                yield "source", " ".join(text for _, text in _described(inner))
            else:
                yield "source", f"{value.get('files')} files"
        elif isinstance(value, Mapping):
            if key not in ("boards", "reading"):
                yield from _described(value, key)
        elif key == "kind":
            yield "made_by", f"pavcodec {'deal' if value in ('deals', 'set') else value}"
        elif isinstance(value, str | int) and key not in ("format", "cardinality", "stream"):
            yield (before if key == "name" else key), str(value)
