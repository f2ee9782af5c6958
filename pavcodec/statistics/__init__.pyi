# The public names of the room `statistics`; each loads at its first use.

from pavcodec.statistics.repeats import Duplicates as Duplicates
from pavcodec.statistics.repeats import duplicates as duplicates
from pavcodec.statistics.report import Statistics as Statistics
from pavcodec.statistics.report import Table as Table
from pavcodec.statistics.report import stats as stats
from pavcodec.statistics.tally import Tally as Tally
from pavcodec.statistics.tally import expected_tally as expected_tally
