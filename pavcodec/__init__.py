"""Convert bridge deals and endings to exact numbers and back.

The lists below name the public names. Python loads the module of a name at its first use, so
`import pavcodec` is fast.

>>> import pavcodec as pav
>>> hands = "N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853"
>>> deal = pav.Deal.from_pbn(hands)
>>> deals = pav.numbering("deal")
>>> deals.rank(deal)
12345678901234567890123456789
>>> deals.unrank(deals.rank(deal)) == deal
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._homes import HOMES
from pavcodec._lazy import loader
from pavcodec._version import __version__

if TYPE_CHECKING:
    from pavcodec.archive import (
        Archive,
        Damage,
        Repair,
        append_archive,
        deduplicate_archive,
        intersect_archives,
        merge_archives,
        open_archive,
        repair_archive,
        subtract_archives,
        unite_archives,
        verify_archive,
        write_archive,
    )
    from pavcodec.arrays.numberings.legal import are_legal
    from pavcodec.arrays.numberings.symmetry import canonical_many
    from pavcodec.arrays.owners.masks import pack_hands, unpack_hands
    from pavcodec.boards import Board, Problem, Tag, Vulnerability
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.boards.turning import turn
    from pavcodec.cards import Card, Rank, Seat, Strain, Suit
    from pavcodec.codes import Encoded, Reading, code, code_names, encode_all
    from pavcodec.codes.card_codes import Code
    from pavcodec.collection import (
        Collection,
        OpenedCollection,
        dask_deals,
        open_collection,
        parts,
        parts_from,
        stats_of_parts,
        verify_collection,
    )
    from pavcodec.constraints import (
        ConstrainedDeals,
        ConstrainedEndings,
        Estimate,
        Expression,
        Levelled,
        LevelRow,
        LevelTable,
        Mix,
        MixType,
        Play,
        Position,
        Share,
        TestedDeals,
        WeightedDeals,
        deals,
        endings,
        expression,
        forget_models,
        level,
        mix,
        position,
        shape_class,
        shape_function,
        weighted,
    )
    from pavcodec.errors import (
        ConstraintWarning,
        LayoutError,
        ModelTooLarge,
        NumberError,
        PavError,
        ReadError,
        RecordError,
        TextError,
        UnknownNameError,
    )
    from pavcodec.formats import (
        forget_solved,
        open_records,
        read,
        read_owners,
        read_solved,
        use_solved,
        write,
        write_owners,
        write_records,
    )
    from pavcodec.formats.pasted.identify import identify
    from pavcodec.layout import Deal, Hand, Layout, SuitLayout, TrickTable
    from pavcodec.learning import (
        Batches,
        CardCheck,
        CardFile,
        DataCard,
        Evidence,
        FeatureView,
        Overlaps,
        Resampled,
        batches,
        check_card,
        check_splits,
        feature_views,
        features,
        owners_of_features,
        read_card,
        resample,
        splits,
        write_data_card,
    )
    from pavcodec.legal import Legality, LineOfPlay, PlayedTrick, legality
    from pavcodec.numberings import (
        LayoutView,
        Numbering,
        identity,
        numbering,
        numbering_names,
    )
    from pavcodec.numberings.permuted import PermutedNumbering, permuted
    from pavcodec.numberings.sorted_sample import SortedSample
    from pavcodec.odds import (
        Distribution,
        SampledDistribution,
        WeightedDistribution,
        distribution,
        probability,
    )
    from pavcodec.practice import (
        PracticeSet,
        Situation,
        practice_set,
        situation,
        situation_names,
        write_practice,
    )
    from pavcodec.printing.pages import print_boards
    from pavcodec.records import (
        Base5Number,
        Case,
        Record,
        RecordFile,
        SolvedDeal,
        SuitWord,
        record,
        record_names,
    )
    from pavcodec.sampling import fresh_seed
    from pavcodec.shapes import ShapeClass, ShapeFunction
    from pavcodec.solving.many import solve_many
    from pavcodec.solving.par import par_many
    from pavcodec.statistics import Duplicates, Statistics, Tally, duplicates, expected_tally, stats
    from pavcodec.studies.cases import (
        CaseDeals,
        CaseListing,
        CaseRow,
        CaseTable,
        NotCasesError,
        case_table,
        deals_by_cases,
        open_cases,
    )
    from pavcodec.studies.dealer1999 import (
        Dealer1999,
        DealFailedError,
        HandLimits,
        NotLimitsError,
        deals_as_in_1999,
    )
    from pavcodec.symmetry import Permutation, class_count
    from pavcodec.tournament import BigDealSeed, create_event, open_event

__all__ = [
    "Archive",
    "Base5Number",
    "Batches",
    "BigDealSeed",
    "Board",
    "BoardBatch",
    "Card",
    "CardCheck",
    "CardFile",
    "Case",
    "CaseDeals",
    "CaseListing",
    "CaseRow",
    "CaseTable",
    "Code",
    "Collection",
    "ConstrainedDeals",
    "ConstrainedEndings",
    "ConstraintWarning",
    "Damage",
    "DataCard",
    "Deal",
    "DealFailedError",
    "Dealer1999",
    "Distribution",
    "Duplicates",
    "Encoded",
    "Estimate",
    "Evidence",
    "Expression",
    "FeatureView",
    "Hand",
    "HandLimits",
    "Layout",
    "LayoutError",
    "LayoutView",
    "Legality",
    "LevelRow",
    "LevelTable",
    "Levelled",
    "LineOfPlay",
    "Mix",
    "MixType",
    "ModelTooLarge",
    "NotCasesError",
    "NotLimitsError",
    "NumberError",
    "Numbering",
    "OpenedCollection",
    "Overlaps",
    "PavError",
    "Permutation",
    "PermutedNumbering",
    "Play",
    "PlayedTrick",
    "Position",
    "PracticeSet",
    "Problem",
    "Rank",
    "ReadError",
    "Reading",
    "Record",
    "RecordError",
    "RecordFile",
    "Repair",
    "Resampled",
    "SampledDistribution",
    "Seat",
    "ShapeClass",
    "ShapeFunction",
    "Share",
    "Situation",
    "SolvedDeal",
    "SortedSample",
    "Statistics",
    "Strain",
    "Suit",
    "SuitLayout",
    "SuitWord",
    "Tag",
    "Tally",
    "TestedDeals",
    "TextError",
    "TrickTable",
    "UnknownNameError",
    "Vulnerability",
    "WeightedDeals",
    "WeightedDistribution",
    "__version__",
    "append_archive",
    "are_legal",
    "batches",
    "canonical_many",
    "case_table",
    "check_card",
    "check_splits",
    "class_count",
    "code",
    "code_names",
    "create_event",
    "dask_deals",
    "deals",
    "deals_as_in_1999",
    "deals_by_cases",
    "deduplicate_archive",
    "distribution",
    "duplicates",
    "encode_all",
    "endings",
    "expected_tally",
    "expression",
    "feature_views",
    "features",
    "forget_models",
    "forget_solved",
    "fresh_seed",
    "identify",
    "identity",
    "intersect_archives",
    "legality",
    "level",
    "merge_archives",
    "mix",
    "numbering",
    "numbering_names",
    "open_archive",
    "open_cases",
    "open_collection",
    "open_event",
    "open_records",
    "owners_of_features",
    "pack_hands",
    "par_many",
    "parts",
    "parts_from",
    "permuted",
    "position",
    "practice_set",
    "print_boards",
    "probability",
    "read",
    "read_card",
    "read_owners",
    "read_solved",
    "record",
    "record_names",
    "repair_archive",
    "resample",
    "shape_class",
    "shape_function",
    "situation",
    "situation_names",
    "solve_many",
    "splits",
    "stats",
    "stats_of_parts",
    "subtract_archives",
    "turn",
    "unite_archives",
    "unpack_hands",
    "use_solved",
    "verify_archive",
    "verify_collection",
    "weighted",
    "write",
    "write_archive",
    "write_data_card",
    "write_owners",
    "write_practice",
    "write_records",
]

__getattr__ = loader(
    __name__, {name: home for home, names in HOMES.items() for name in names.split()}
)


def __dir__() -> list[str]:
    return sorted(set(__all__) | set(globals()))
