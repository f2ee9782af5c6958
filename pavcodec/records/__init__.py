"""Records: values in a fixed number of bytes, and files of such records."""

from pavcodec.records.case_files import CASE_BLOCK, CASE_FOOT, CASES_IN_BLOCK, CaseBlock, CaseFoot
from pavcodec.records.cases import Case
from pavcodec.records.catalogue import record, record_names
from pavcodec.records.checksum import Checksum, SummedStream
from pavcodec.records.double_dummy import SolvedDeal
from pavcodec.records.files import RecordFile, read_records, record_blocks, split_records
from pavcodec.records.numbers import Base5Number, Base5Record, NumberRecord
from pavcodec.records.record import Record
from pavcodec.records.zbs import SuitWord

__all__ = [
    "CASES_IN_BLOCK",
    "CASE_BLOCK",
    "CASE_FOOT",
    "Base5Number",
    "Base5Record",
    "Case",
    "CaseBlock",
    "CaseFoot",
    "Checksum",
    "NumberRecord",
    "Record",
    "RecordFile",
    "SolvedDeal",
    "SuitWord",
    "SummedStream",
    "read_records",
    "record",
    "record_blocks",
    "record_names",
    "split_records",
]
