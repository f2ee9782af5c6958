"""Tags: sections, duplicates, notes, what is missing, and what games inherit from one another."""

from __future__ import annotations

from formats_support import DEAL, OTHER, read_text

from pavcodec import Seat, Vulnerability
from pavcodec.boards import Tag

SECTIONS = r"""[Auction "N"]
1D      1S 3H =1= 4S  ; end-of-line AUCTION
4NT =2= X $22 {well} Pass   Pass
   AP
[Note "1: non-forcing 6-9 points"]
[Note "2: clubs; diamonds"] {really}
[Play "W"]
SK H3 S4 S3
% an escape line
-  -  -  H2
*
[Note "1: highest"]
[TotalScoreTable "Rank\3R;PairId\5R;Names\45"]
{ Only the best }
  1   581 "Sergey OSTRIKOV   ;Oleg {ODINTSEV}  " OMS
  2   226 "[Anatoly] \"Z\"" UFA
[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]
N NT  6
N  S 11
"""


ENTRIES = {
    SECTIONS: [
        Tag("Auction", "N", (
            "1D      1S 3H =1= 4S  ; end-of-line AUCTION", "4NT =2= X $22 {well} Pass   Pass",
            "   AP",
        )),
        Tag("Note", "1: non-forcing 6-9 points"),
        Tag("Note", "2: clubs; diamonds", (" {really}",)),
        Tag("Play", "W", ("SK H3 S4 S3", "% an escape line", "-  -  -  H2", "*")),
        Tag("Note", "1: highest"),
        Tag("TotalScoreTable", r"Rank\3R;PairId\5R;Names\45", (
            "{ Only the best }", '  1   581 "Sergey OSTRIKOV   ;Oleg {ODINTSEV}  " OMS',
            r'  2   226 "[Anatoly] \"Z\"" UFA',
        )),
        Tag("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R", ("N NT  6", "N  S 11")),
    ],
    '[BCFlags "1f"]\n[x_1 "y"]\n[lower "z"]\n': [
        Tag("BCFlags", "1f"), Tag("x_1", "y"), Tag("lower", "z"),
    ],
    f'[Event "x"]\n%[Deal "{OTHER}"]\n% {{\n[Deal "{DEAL}"]\n': [
        Tag("Event", "x", (f'%[Deal "{OTHER}"]', "% {")), Tag("Deal", DEAL),
    ],
    '[Event "x"]\n %50 ; not in column 1\n100% [Site "y"]\n': [
        Tag("Event", "x", (" %50 ; not in column 1", "100%")), Tag("Site", "y"),
    ],
    '% PBN 2.1\n% EXPORT\n%Creator: x\n{hello}\n[Event "x"]\n': [
        Tag("", "", ("%Creator: x", "{hello}")), Tag("Event", "x"),
    ],
    **{
        f'{line}\n[Event "x"]\n': [Tag("", "", (line,)), Tag("Event", "x")]
        for line in ("% Exported by a program", "% Important: see below", "%PBNx")
    },
    '[Auction "N"]\n1C Pass [Play "W"] SA\n': [
        Tag("Auction", "N", ("1C Pass",)), Tag("Play", "W", (" SA",)),
    ],
}  # fmt: skip


def test_tags_keep_their_lines_as_they_stand() -> None:
    for text, entries in ENTRIES.items():
        board = read_text(text).board
        assert board.entries == tuple(entries)
        assert (str(board.layout) == DEAL) == ("Deal" in board.tags)
    assert read_text("{nothing here}\n; or here\n% or here\n") == ([], []), "no game"


def test_of_a_tag_that_comes_twice_the_first_counts() -> None:
    tags = '[Dealer "E"]\n[Site "b"]\n[Dealer "X"]\n[Vulnerable "?"]\n'
    board = read_text(f'[Site "a"]\n[Board "1"]\n[Deal "{DEAL}"]\n{tags}').board
    assert (board.tags["Site"], board.dealer) == ("a", Seat.EAST)
    assert [tag.value for tag in board.entries if tag.name == "Site"] == ["a", "b"]
    board = read_text('{c}\n[B "1"]\n[A "2"]\nx\n[B "3"]\ny\n[C "4"]\nz\n').boards[0]
    assert list(board.tags.items()) == [("B", "1"), ("A", "2"), ("C", "4")]
    assert list(board.sections.items()) == [("A", ("x",)), ("B", ("y",)), ("C", ("z",))]


A_DEAL, OTHER_DEAL = f'[Deal "{DEAL}"]\n', f'[Deal "{OTHER}"]\n'
INHERITED: dict[str, tuple[dict[str, str], ...]] = {  # the tags of each game
    '[E "a"]\n[S "s"]\n\n[E "#"]\n[S "t"]\n\n[E "#"]\n[S "#"]\n\n[R "r"]\n': (
        {"E": "a", "S": "s"}, {"E": "a", "S": "t"}, {"E": "a", "S": "t"}, {"R": "r"},
    ),
    '[E "##a"]\n[B "1"]\n\n[B "2"]\n\n[E "b"]\n\n[B "4"]\n': (
        {"E": "a", "B": "1"}, {"B": "2", "E": "a"}, {"E": "b"}, {"B": "4"},
    ),
    '[E "##c"]\n[S "##s"]\n\n[E "#"]\n\n[B "7"]\n': (
        {"E": "c", "S": "s"}, {"E": "c", "S": "s"}, {"B": "7", "S": "s"},
    ),
    f'[E "##a"]\n[B "1"]\n{A_DEAL}[B "2"]\n{OTHER_DEAL}': (
        {"E": "a", "B": "1", "Deal": DEAL}, {"B": "2", "Deal": OTHER, "E": "a"},
    ),
    '[E "#1 pairs"]\n\n[S "x"]\n': ({"E": "#1 pairs"}, {"S": "x"}),
    '[S "#"]\n[B "1"]\n\n[S "#"]\n[B "2"]\n': ({"S": "", "B": "1"}, {"S": "", "B": "2"}),
    **{
        f'[{name} "E"]\n\n[{name} "{value}"]\n\n[B "3"]\n': (
            {name: "E"}, {name: value}, {"B": "3"},
        )
        for name in ("Declarer", "Contract", "Auction", "Play", "Note") for value in ("#", "##N")
    },
}  # fmt: skip


def test_number_signs_inherit_the_values_of_the_games_before() -> None:
    for text, games in INHERITED.items():
        boards, problems = read_text(text)
        assert problems == [], text
        assert [dict(board.tags) for board in boards] == list(games)
    boards, problems = read_text('[ScoreTable "Rank;MP"]\n1 60\n\n[ScoreTable "#"]\n1 55\n')
    assert problems == []  # the rows of a table are its own
    assert boards[1].entries == (Tag("ScoreTable", "Rank;MP", ("1 55",)),)


def test_nothing_to_inherit_is_a_problem() -> None:
    for value in ("#", "##N", f"##{DEAL}"):  # a deal never inherits
        reading = read_text(f'{A_DEAL}\n[Board "2"]\n[Deal "{value}"]\n\n[Board "3"]\n')
        assert reading.layouts == [DEAL, None, None]
        assert (reading.problem.line, reading.problem.board) == (4, "2")
    reading = read_text('[Board "1"]\n[Scoring "#"]\n\n[Board "2"]\n[Site "#"]\n\n[Site "x"]\n')
    assert (reading.problem.line, reading.problem.board) == (5, "2")
    assert reading.problem.reason == '[Site "#"] takes the value of the game before, which has none'
    assert [board.tags.get("Site") for board in reading.boards] == [None, "", "x"]
    assert read_text('[Site "#"]\n', strict=True).problem.line == 1


def test_few_tags_may_stand_for_the_games_that_follow() -> None:
    """Else a file of some hundred kilobytes could mean gigabytes."""
    tags = "".join(f'[T{n} "##x"]\n' for n in range(300))
    reading = read_text(tags + "\n" + '[Board "1"]\n\n' * 20)
    assert len(reading.boards) == 21
    assert len(reading.boards[-1].tags) == 1 + 256
    assert len(reading.problems) == 300 - 256
    reason = "more than 256 tags stand with '##': [T256] does not"
    assert reading.problems[0].reason == reason


PAVLICEK = f"""% PBN (c) 2021 rpbridge.net
[Date "2014.07.??"]
[Event "Spingold"]
[West "Brogeland"]
[Board "62"]
[Dealer "E"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[Contract "6C"]

[West "Nunes"]
[Contract "6SX"]

[Board "7"]
[Deal "{OTHER}"]

[Vulnerable "All"]

[Board "8"]
[West "Zia"]
"""


def test_further_records_of_a_board_in_files_of_pavlicek_have_its_deal() -> None:
    boards = read_text(PAVLICEK).boards
    assert [str(board.layout) for board in boards] == [DEAL, DEAL, OTHER, OTHER, "None"]
    assert [board.number for board in boards] == [62, 62, 7, 7, 8]
    assert dict(boards[1].tags) == {
        "Date": "2014.07.??", "Event": "Spingold", "Board": "62", "Dealer": "E",
        "Vulnerable": "None", "Deal": DEAL, "West": "Nunes", "Contract": "6SX",
    }  # fmt: skip
    assert boards[3].vulnerable is Vulnerability.ALL
    assert boards[3].line == 17
    other = read_text(PAVLICEK.replace("rpbridge", "example"))
    assert [board.layout is None for board in other.boards] == [False, True, False, True, True]
    assert [board.layout is None for board in read_text(PAVLICEK, strict=True).boards] == [
        board.layout is None for board in other.boards
    ]
