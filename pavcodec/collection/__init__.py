"""Collections in parts: plans as values, parts that any machine can make, and their manifest.

A `plan` says what each part is; its making writes one: `deals` in an `order`, sorted sets of
`distinct`, or parts `derived` from the files of a `source`. `run` makes and checks parts on an
engine, and `stored` and `manifest` are the files of a folder, which others may have written.
`collection` and `dask_deals` are all this for Python.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
