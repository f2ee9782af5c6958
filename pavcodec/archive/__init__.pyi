# The public names of the room `archive`; each loads at its first use.

from pavcodec.archive.archive import Archive as Archive
from pavcodec.archive.archive import Found as Found
from pavcodec.archive.archive import open_archive as open_archive
from pavcodec.archive.coding.coder import Coder as Coder
from pavcodec.archive.coding.coder import OrderedCoder as OrderedCoder
from pavcodec.archive.coding.coder import multiset_bits as multiset_bits
from pavcodec.archive.coding.coder import ordered_bits as ordered_bits
from pavcodec.archive.coding.coder import set_bits as set_bits
from pavcodec.archive.coding.sorted import SortedCoder as SortedCoder
from pavcodec.archive.operations import deduplicate_archive as deduplicate_archive
from pavcodec.archive.operations import intersect_archives as intersect_archives
from pavcodec.archive.operations import merge_archives as merge_archives
from pavcodec.archive.operations import subtract_archives as subtract_archives
from pavcodec.archive.operations import unite_archives as unite_archives
from pavcodec.archive.stream import Damage as Damage
from pavcodec.archive.stream import Repair as Repair
from pavcodec.archive.stream import repair_archive as repair_archive
from pavcodec.archive.stream import verify_archive as verify_archive
from pavcodec.archive.writer import append_archive as append_archive
from pavcodec.archive.writer import write_archive as write_archive
