"""Portable Bridge Notation."""

from __future__ import annotations

from pavcodec.formats.format import ArrayCodec, Codec, Label, lossless_format


def _codec() -> Codec:
    from pavcodec.formats.pbn.reader import read_pbn
    from pavcodec.formats.pbn.writer import write_pbn

    return Codec(read_pbn, write_pbn)


def _arrays() -> ArrayCodec:
    from pavcodec.formats.pbn.batches import read_pbn_batches, write_pbn_batches

    return ArrayCodec(read_pbn_batches, write_pbn_batches)


PBN = lossless_format(
    "pbn",
    (".pbn",),
    "Portable Bridge Notation 2.1: import format read, export format written",
    codec=_codec,
    arrays=_arrays,
    is_written_again=True,
    is_apart=True,
    media="text/x-pbn",
    label=Label("For programs", "PBN", "most programs", 1),
)
