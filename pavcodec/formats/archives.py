"""The format `pav`, whose files the archive reads and writes."""

from __future__ import annotations

from pavcodec.formats.format import ArrayCodec, Codec, lossless_format

__all__ = ["PAV"]


def _codec() -> Codec:
    from pavcodec.archive.stream import read_pav, write_pav

    return Codec(read_pav, write_pav)


def _arrays() -> ArrayCodec:
    from pavcodec.archive.stream import read_pav_batches, write_pav_batches

    return ArrayCodec(read_pav_batches, write_pav_batches)


PAV = lossless_format(
    "pav",
    (".pav",),
    "an archive: all boards in few bytes, with checksums and an index",
    codec=_codec,
    arrays=_arrays,
    numbering="deal",
    is_text=False,
    is_durable=True,
    starts=(b"PAVARC1\n",),
)
