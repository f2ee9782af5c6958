"""What reads and writes each format, imported when the first stream is read or written.

The formats of clubs and of programs have theirs in `clubs` and `programs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.formats.catalogue.format import Codec

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.boards.board import Board
    from pavcodec.boards.context import Context

__all__ = [
    "endplay_json",
    "handviewer",
    "html",
    "json",
    "lin",
    "lines",
    "numbers",
    "parquet",
    "pav",
    "pbn",
    "rbn",
    "read_line_owners",
    "read_number_owners",
    "read_parquet_owners",
    "read_pav_owners",
    "read_pbn_owners",
    "read_record_owners",
    "survey_parquet",
    "survey_pbn",
    "svg",
    "write_line_batches",
    "write_number_batches",
    "write_parquet_batches",
    "write_pav_batches",
    "write_pbn_batches",
    "write_record_batches",
    "zbs",
]


def pbn() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.pbn.reader import read_pbn
    from pavcodec.formats.pbn.writer import write_pbn

    return read_pbn, write_pbn


def lines() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.plain.texts import read_lines, write_lines

    return read_lines, write_lines


def numbers() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.plain.texts import read_numbers, write_numbers

    return read_numbers, write_numbers


def lin() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.bbo.lin import read_lin
    from pavcodec.formats.bbo.lin_writer import write_lin

    return read_lin, write_lin


def handviewer() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.bbo.handviewer import read_handviewer, write_handviewer

    return read_handviewer, write_handviewer


def rbn(name: str) -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.rbn.streams import read_rbn, read_rbx, write_rbn, write_rbx

    return (read_rbn, write_rbn) if name == "rbn" else (read_rbx, write_rbx)


def json(name: str) -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.programs.json_boards import read_json, write_json, write_json_lines

    return read_json, write_json if name == "json" else write_json_lines


def endplay_json() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.programs.endplay_json import write_endplay_json
    from pavcodec.formats.programs.json_boards import read_json

    return read_json, write_endplay_json


def zbs() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.records.boards import read_zbs, write_zbs

    return read_zbs, write_zbs


def parquet() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.parquet.files import read_parquet, write_parquet

    return read_parquet, write_parquet


def pav() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.archive.stream import read_pav, write_pav

    return read_pav, write_pav


def html() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.drawings.pages import read_page, write_html

    return read_page, write_html


def svg() -> Codec:
    """Import the reader and the writer."""
    from pavcodec.formats.drawings.pages import read_page, write_svg

    return read_page, write_svg


def read_line_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Read owners; see the function of this name."""
    from pavcodec.formats.plain.batch_readers import read_line_owners as call

    return call(stream, context)


def read_number_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Read owners; see the function of this name."""
    from pavcodec.formats.plain.batch_readers import read_number_owners as call

    return call(stream, context)


def read_record_owners(stream: BinaryIO, context: Context, *, name: str) -> Iterator[Owners]:
    """Read owners; see the function of this name."""
    from pavcodec.formats.plain.batch_readers import read_record_owners as call

    return call(stream, context, name=name)


def read_pbn_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Read owners; see the function of this name."""
    from pavcodec.formats.pbn.owners import read_pbn_owners as call

    return call(stream, context)


def read_parquet_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Read owners; see the function of this name."""
    from pavcodec.formats.parquet.files import read_parquet_owners as call

    return call(stream, context)


def read_pav_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Read owners; see the function of this name."""
    from pavcodec.archive.stream import read_pav_owners as call

    return call(stream, context)


def write_line_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches; see the function of this name."""
    from pavcodec.formats.plain.batch_writers import write_line_batches as call

    return call(batches, stream, context)


def write_number_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches; see the function of this name."""
    from pavcodec.formats.plain.batch_writers import write_number_batches as call

    return call(batches, stream, context)


def write_record_batches(
    batches: Iterable[BoardBatch], stream: BinaryIO, context: Context, *, name: str
) -> int:
    """Write batches; see the function of this name."""
    from pavcodec.formats.plain.batch_writers import write_record_batches as call

    return call(batches, stream, context, name=name)


def write_pbn_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches; see the function of this name."""
    from pavcodec.formats.pbn.batches import write_pbn_batches as call

    return call(batches, stream, context)


def write_parquet_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches; see the function of this name."""
    from pavcodec.formats.parquet.files import write_parquet_batches as call

    return call(batches, stream, context)


def write_pav_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches; see the function of this name."""
    from pavcodec.archive.stream import write_pav_batches as call

    return call(batches, stream, context)


def survey_pbn(stream: BinaryIO, context: Context) -> Iterator[Owners | Board]:
    """Yield owners and boards; see the function of this name."""
    from pavcodec.formats.pbn.owners import survey_pbn as call

    return call(stream, context)


def survey_parquet(stream: BinaryIO, context: Context) -> Iterator[Owners | Board]:
    """Yield owners and boards; see the function of this name."""
    from pavcodec.formats.parquet.files import survey_parquet as call

    return call(stream, context)
