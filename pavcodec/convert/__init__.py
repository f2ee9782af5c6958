"""Reading and writing files of boards by the name or the suffix of their format."""

from pavcodec.convert.files import open_output
from pavcodec.convert.record_files import open_records, write_records
from pavcodec.convert.registry import (
    Format,
    format_names,
    format_of,
    open_boards,
    output_format,
    read,
    recognise,
    write,
)

__all__ = [
    "Format",
    "format_names",
    "format_of",
    "open_boards",
    "open_output",
    "open_records",
    "output_format",
    "read",
    "recognise",
    "write",
    "write_records",
]
