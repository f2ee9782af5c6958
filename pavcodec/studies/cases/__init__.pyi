# The public names of the room `studies.cases`; each loads at its first use.

from pavcodec.studies.cases.cells import NotCasesError as NotCasesError
from pavcodec.studies.cases.cells import Plan as Plan
from pavcodec.studies.cases.files import CaseListing as CaseListing
from pavcodec.studies.cases.files import open_cases as open_cases
from pavcodec.studies.cases.sequence import CaseDeals as CaseDeals
from pavcodec.studies.cases.sequence import CaseRow as CaseRow
from pavcodec.studies.cases.sequence import CaseSequence as CaseSequence
from pavcodec.studies.cases.table import CaseTable as CaseTable
from pavcodec.studies.cases.table import case_table as case_table
from pavcodec.studies.cases.table import deals_by_cases as deals_by_cases
