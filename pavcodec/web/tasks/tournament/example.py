"""A small set for the examples of the tasks: its keys are public, so nobody should play it."""

from __future__ import annotations

from dataclasses import replace

from pavcodec.tournament import Description, Keys
from pavcodec.tournament.club import club_phase
from pavcodec.web.tasks.files.uploads import Upload

__all__ = ["example_files"]

_KEYS = Keys.of({(1, 1): "anExampleWhoseKeysEverybodyKnows1234567890"})
_DEAL = b"N:4.KQJ832.T43.QT5 AJ93.A65.K87.K73 KQ875.T4.AQ92.J8 T62.97.J65.A9642\n"


def example_files() -> tuple[Upload, ...]:
    """Return a description, its keys, and a file with a deal that is not of the set."""
    described = Description("Example", "DJI of 3 May 2026", None, (club_phase("example", "4"),))
    published = replace(described, key_hash=_KEYS.hash).format()
    files = {"example.sqd": published, "example.sqk": _KEYS.data, "played.txt": _DEAL}
    return tuple(Upload(name=name, content=data) for name, data in files.items())
