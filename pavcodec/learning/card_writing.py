"""Make the data card of files that exist: counts, checksums, and no deal in two of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.errors import PavError
from pavcodec.formats import output_format
from pavcodec.formats.arrays import read_owners
from pavcodec.learning.cards import CardFile, DataCard, file_of, versions, write_card
from pavcodec.learning.classes import class_numbers
from pavcodec.learning.overlaps import deals_are, overlaps_of
from pavcodec.numberings import numbering
from pavcodec.sampling import Seed, seed_of

if TYPE_CHECKING:
    from pavcodec.arrays.words.limbs import Limbs

__all__ = ["write_data_card"]


def write_data_card(  # noqa: PLR0913 (keywords)
    files: Mapping[str, str | os.PathLike[str]],
    stem: str | os.PathLike[str],
    *,
    space: object = None,
    seed: Seed | None = None,
    start: int = 0,
    format: str | None = None,
    apart: str | None = None,
    licence: str = "",
    command: str = "",
) -> DataCard:
    """Write the data card of files beside them, `stem.card.json` and `stem.card.md`; return it.

    `files` has the path of each split, all in the folder of `stem`. The card has the condition and
    the number of deals of `space`, the seed and the first sample if they are given, and `command`,
    with which anyone can make the files again. `apart` is the symmetry up to which deals are
    compared, and `format` that of the files if their suffix does not show it. Raises `PavError` if
    two files share a deal, or if a file stands in another folder, and `TypeError` for files without
    names of splits and for a condition as text instead of its space.

    >>> import pathlib, tempfile
    >>> import pavcodec as pav
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> space = pav.deals("hcp(south) >= 20")
    >>> parts = pav.splits(100, "0.9/0.1")
    >>> for name, part in parts.items():
    ...     rows = space.sample_many(len(part), seed=7, start=part.start)
    ...     _ = pav.write_owners(rows, folder / f"{name}.npy")
    >>> card = pav.write_data_card(
    ...     {name: folder / f"{name}.npy" for name in parts}, folder / "set", space=space, seed=7
    ... )
    >>> [each.deals for each in card.files], pav.check_card(folder / "set.card.json").is_right
    ([90, 10], True)
    """
    given: object = files
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"files are given by split, as in {{'train': 'train.npy'}}, not {kind!r}")
    if isinstance(space, str):
        raise TypeError(f"space is the result of a call such as deals({space!r}), not a text")
    name = os.fspath(stem)
    found: list[CardFile] = []
    numbers: dict[str, list[Limbs]] = {}
    for split, source in files.items():
        path = os.fspath(source)
        if os.path.dirname(os.path.abspath(path)) != os.path.dirname(os.path.abspath(name)):
            raise PavError(f"{path}: the files of a set stand beside their card, {name}")
        kind = output_format(path, format).name
        parts = read_owners(path, format=format, strict=True)
        numbers[split] = [class_numbers(owners, apart) for owners in parts]
        found.append(file_of(path, split, sum(map(len, numbers[split])), kind))
    overlaps = overlaps_of(numbers, apart)
    for (one, other), count in overlaps.common.items():
        raise PavError(f"{deals_are(count)} in {one} and in {other}, as {overlaps.example}")
    total = getattr(space, "cardinality", None)
    share = Fraction(total, numbering("deal").cardinality) if isinstance(total, int) else None
    card = DataCard(
        os.path.basename(name),
        "" if seed is None else str(seed_of(seed)),
        str(getattr(space, "name", "") or getattr(space, "where", "")),
        "" if share is None else str(total),
        "" if share is None else str(share),
        command,
        tuple(found),
        start=start,
        apart=apart or "",
        licence=licence,
        versions=versions(),
    )
    write_card(card, name)
    return card
