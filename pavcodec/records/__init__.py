"""Records: values in a fixed number of bytes, and files of such records.

`import pavcodec.records` loads the catalogue; the other names load at their first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader
from pavcodec.records.catalogue import record, record_names

if TYPE_CHECKING:
    from pavcodec.records.case_files import (
        CASE_BLOCK,
        CASE_FOOT,
        CASES_IN_BLOCK,
        CaseBlock,
        CaseFoot,
    )
    from pavcodec.records.cases import Case
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

_HOMES = {
    "CASES_IN_BLOCK": ".case_files",
    "CASE_BLOCK": ".case_files",
    "CASE_FOOT": ".case_files",
    "Base5Number": ".numbers",
    "Base5Record": ".numbers",
    "Case": ".cases",
    "CaseBlock": ".case_files",
    "CaseFoot": ".case_files",
    "Checksum": ".checksum",
    "NumberRecord": ".numbers",
    "Record": ".record",
    "RecordFile": ".files",
    "SolvedDeal": ".double_dummy",
    "SuitWord": ".zbs",
    "SummedStream": ".checksum",
    "read_records": ".files",
    "record_blocks": ".files",
    "split_records": ".files",
}

__getattr__ = loader(__name__, _HOMES)
