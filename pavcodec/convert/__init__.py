"""Reading and writing files of boards by the name or the suffix of their format."""

from typing import TYPE_CHECKING

from pavcodec._lazy import loader
from pavcodec.convert.format import Format
from pavcodec.convert.recognition import format_names, format_of, open_boards, recognise
from pavcodec.convert.record_files import open_records, write_records
from pavcodec.convert.registry import output_format, read, write
from pavcodec.formats.output import open_output

if TYPE_CHECKING:
    from pavcodec.convert.arrays import read_owners, write_owners

__all__ = [
    "Format",
    "format_names",
    "format_of",
    "open_boards",
    "open_output",
    "open_records",
    "output_format",
    "read",
    "read_owners",
    "recognise",
    "write",
    "write_owners",
    "write_records",
]

__getattr__ = loader(
    __name__, dict.fromkeys(("read_owners", "write_owners"), "pavcodec.convert.arrays")
)
