# The public names of the room `records`; each loads at its first use.

from pavcodec.records.files import Checksum as Checksum
from pavcodec.records.files import RecordFile as RecordFile
from pavcodec.records.files import SummedStream as SummedStream
from pavcodec.records.files import read_records as read_records
from pavcodec.records.files import record_blocks as record_blocks
from pavcodec.records.files import split_records as split_records
from pavcodec.records.kinds import Base5Number as Base5Number
from pavcodec.records.kinds import Base5Record as Base5Record
from pavcodec.records.kinds import Case as Case
from pavcodec.records.kinds import NumberRecord as NumberRecord
from pavcodec.records.kinds import Record as Record
from pavcodec.records.kinds import SolvedDeal as SolvedDeal
from pavcodec.records.kinds import SuitWord as SuitWord
from pavcodec.records.kinds import record as record
from pavcodec.records.kinds import record_names as record_names
