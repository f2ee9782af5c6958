"""The public files of the corpus read as a table says that was checked by eye.

Set PAVCODEC_CORPUS to the folder to run this; the files themselves are not in the repository. Where
the table counts problems, the file was looked at: it has deals of x cards, or is made of errors.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from formats_support import corpus_folder, corpus_pbn_files, read_text

TABLE = Path(__file__).with_name("corpus_pbn.tsv")
FAULTS = [11, 15, 39, 43, 47, 51, 55, 71, 95, 772, 773, 774, 955, 957]
"""The lines with faults in the file of the standard that is made of errors."""


@pytest.mark.slow
def test_every_file_reads_as_the_table_says() -> None:
    folder = corpus_folder()
    with TABLE.open(newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    files = [str(path.relative_to(folder)) for path in corpus_pbn_files()]
    assert [row["file"] for row in rows] == files
    for row in rows:
        boards, problems = read_text((folder / row["file"]).read_bytes())
        layouts = [board.layout for board in boards if board.layout is not None]
        deals = sum(layout.is_deal for layout in layouts)
        counts = {"boards": len(boards), "layouts": len(layouts), "deals": deals}
        expected = [int(row[name]) for name in (*counts, "problems")]
        assert [*counts.values(), len(problems)] == expected, row["file"]
        for board in boards:
            if board.layout is None and board.tags.get("Deal", "").strip("?"):
                assert any(problem.line == board.line for problem in problems), board
        if row["file"].endswith("errors_10.pbn"):
            assert [problem.line for problem in problems] == FAULTS
