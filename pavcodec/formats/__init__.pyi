# The public names of the room `formats`; each loads at its first use.

from pavcodec.formats.arrays import forget_solved as forget_solved
from pavcodec.formats.arrays import read_owners as read_owners
from pavcodec.formats.arrays import read_solved as read_solved
from pavcodec.formats.arrays import use_solved as use_solved
from pavcodec.formats.arrays import write_owners as write_owners
from pavcodec.formats.format import Format as Format
from pavcodec.formats.records.boards import open_records as open_records
from pavcodec.formats.records.boards import write_records as write_records
from pavcodec.formats.registry import format_names as format_names
from pavcodec.formats.registry import format_of as format_of
from pavcodec.formats.registry import open_boards as open_boards
from pavcodec.formats.registry import output_format as output_format
from pavcodec.formats.registry import read as read
from pavcodec.formats.registry import recognise as recognise
from pavcodec.formats.registry import write as write
