"""The modules of the public names of the package, which imports each at its first use."""

HOMES = {
    "pavcodec.archive": (
        "Archive Damage Repair append_archive deduplicate_archive intersect_archives "
        "merge_archives open_archive repair_archive subtract_archives unite_archives "
        "verify_archive write_archive"
    ),
    "pavcodec.arrays.numberings.legal": "are_legal",
    "pavcodec.arrays.numberings.symmetry": "canonical_many",
    "pavcodec.arrays.owners.masks": "pack_hands unpack_hands",
    "pavcodec.boards": "Board Problem Tag Vulnerability",
    "pavcodec.boards.batch": "BoardBatch",
    "pavcodec.boards.turning": "turn",
    "pavcodec.cards": "Card Rank Seat Strain Suit",
    "pavcodec.codes": "Encoded Reading code code_names encode_all",
    "pavcodec.codes.card_codes": "Code",
    "pavcodec.collection": (
        "Collection OpenedCollection dask_deals open_collection parts parts_from stats_of_parts "
        "verify_collection"
    ),
    "pavcodec.constraints": (
        "ConstrainedDeals ConstrainedEndings Estimate Expression LevelRow LevelTable Levelled "
        "Mix MixType Play Position Share TestedDeals WeightedDeals deals endings expression "
        "forget_models level mix position shape_class shape_function weighted"
    ),
    "pavcodec.errors": (
        "ConstraintWarning LayoutError ModelTooLarge NumberError PavError ReadError RecordError "
        "TextError UnknownNameError"
    ),
    "pavcodec.formats": (
        "forget_solved open_records read read_owners read_solved use_solved write write_owners "
        "write_records"
    ),
    "pavcodec.formats.pasted.identify": "identify",
    "pavcodec.layout": "Deal Hand Layout SuitLayout TrickTable",
    "pavcodec.learning": (
        "Batches CardCheck CardFile DataCard Evidence FeatureView "
        "Overlaps Resampled batches check_card check_splits feature_views "
        "features owners_of_features read_card resample splits write_data_card"
    ),
    "pavcodec.legal": "Legality LineOfPlay PlayedTrick legality",
    "pavcodec.numberings": "LayoutView Numbering identity numbering numbering_names",
    "pavcodec.numberings.permuted": "PermutedNumbering permuted",
    "pavcodec.numberings.sorted_sample": "SortedSample",
    "pavcodec.odds": (
        "Distribution SampledDistribution WeightedDistribution distribution probability"
    ),
    "pavcodec.practice": (
        "PracticeSet Situation practice_set situation situation_names write_practice"
    ),
    "pavcodec.printing.pages": "print_boards",
    "pavcodec.records": (
        "Base5Number Case Record RecordFile SolvedDeal SuitWord record record_names"
    ),
    "pavcodec.sampling": "fresh_seed",
    "pavcodec.shapes": "ShapeClass ShapeFunction",
    "pavcodec.solving.many": "solve_many",
    "pavcodec.solving.par": "par_many",
    "pavcodec.statistics": "Duplicates Statistics Tally duplicates expected_tally stats",
    "pavcodec.studies.cases": (
        "CaseDeals CaseListing CaseRow CaseTable NotCasesError case_table deals_by_cases open_cases"
    ),
    "pavcodec.studies.dealer1999": (
        "DealFailedError Dealer1999 HandLimits NotLimitsError deals_as_in_1999"
    ),
    "pavcodec.symmetry": "Permutation class_count",
    "pavcodec.tournament": "BigDealSeed create_event open_event",
}
