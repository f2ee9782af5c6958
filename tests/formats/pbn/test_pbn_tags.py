"""Tags: sections, duplicates, notes, what is missing, and what games inherit from one another."""

from __future__ import annotations

from io import BytesIO

from formats_support import DEAL, OTHER, read_text

from pavcodec import Seat, Vulnerability
from pavcodec.boards import Context, Tag
from pavcodec.boards.board import raise_problem
from pavcodec.formats.pbn.batches import read_pbn_batches

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


def test_sections_keep_their_lines_as_they_stand() -> None:
    board = read_text(f'[Deal "{DEAL}"]\n{SECTIONS}').board
    names = ["Deal", "Auction", "Note", "Note", "Play", "Note"]
    assert [tag.name for tag in board.entries] == [*names, "TotalScoreTable", "OptimumResultTable"]
    assert board.entries[1].lines == (
        "1D      1S 3H =1= 4S  ; end-of-line AUCTION",
        "4NT =2= X $22 {well} Pass   Pass",
        "   AP",
    )
    assert board.entries[3] == Tag("Note", "2: clubs; diamonds", (" {really}",))
    assert board.sections["Play"] == ("SK H3 S4 S3", "% an escape line", "-  -  -  H2", "*")
    assert board.sections["TotalScoreTable"] == (
        "{ Only the best }",
        '  1   581 "Sergey OSTRIKOV   ;Oleg {ODINTSEV}  " OMS',
        r'  2   226 "[Anatoly] \"Z\"" UFA',
    )
    assert board.sections["OptimumResultTable"] == ("N NT  6", "N  S 11")
    assert board.tags["TotalScoreTable"] == r"Rank\3R;PairId\5R;Names\45"

    notes = [tag.value for tag in board.entries if tag.name == "Note"]
    assert notes == ["1: non-forcing 6-9 points", "2: clubs; diamonds", "1: highest"]
    assert board.tags["Note"] == "1: non-forcing 6-9 points"


def test_of_a_tag_that_comes_twice_the_first_counts() -> None:
    tags = '[Dealer "E"]\n[Site "b"]\n[Dealer "X"]\n[Vulnerable "?"]\n'
    board = read_text(f'[Site "a"]\n[Board "1"]\n[Deal "{DEAL}"]\n{tags}').board
    assert (board.tags["Site"], board.dealer) == ("a", Seat.EAST)
    assert [tag.value for tag in board.entries if tag.name == "Site"] == ["a", "b"]
    board = read_text('{c}\n[B "1"]\n[A "2"]\nx\n[B "3"]\ny\n[C "4"]\nz\n').boards[0]
    assert list(board.tags.items()) == [("B", "1"), ("A", "2"), ("C", "4")]
    assert list(board.sections.items()) == [("A", ("x",)), ("B", ("y",)), ("C", ("z",))]


def test_missing_tags_are_no_problem_and_unknown_tags_are_kept() -> None:
    board = read_text('[BCFlags "1f"]\n[x_1 "y"]\n[lower "z"]\n').board
    assert dict(board.tags) == {"BCFlags": "1f", "x_1": "y", "lower": "z"}
    assert (board.number, board.dealer, board.vulnerable) == (None, None, None)


def test_an_escape_line_is_kept_but_says_nothing() -> None:
    board = read_text(f'[Event "x"]\n%[Deal "{OTHER}"]\n% {{\n[Deal "{DEAL}"]\n').board
    assert str(board.layout) == DEAL
    assert board.sections["Event"] == (f'%[Deal "{OTHER}"]', "% {")
    board = read_text('[Event "x"]\n %50 ; not in column 1\n100% [Site "y"]\n').board
    assert board.tags["Site"] == "y"
    assert board.sections["Event"] == (" %50 ; not in column 1", "100%")


def test_text_before_the_first_tag_is_kept_without_the_declarations() -> None:
    board = read_text('% PBN 2.1\n% EXPORT\n%Creator: x\n{hello}\n[Event "x"]\n').board
    assert board.entries[0] == Tag("", "", ("%Creator: x", "{hello}"))
    assert board.line == 5
    for line in ("% Exported by a program", "% Important: see below", "%PBNx"):
        assert read_text(f'{line}\n[Event "x"]\n').board.entries[0] == Tag("", "", (line,))
    assert read_text("{nothing here}\n; or here\n% or here\n") == ([], []), "no game"


def test_a_tag_may_follow_section_data_on_the_same_line() -> None:
    board = read_text('[Auction "N"]\n1C Pass [Play "W"] SA\n').board
    assert board.sections == {"Auction": ("1C Pass",), "Play": (" SA",)}


def inherited(*games: str) -> list[dict[str, str]]:
    """Return the tags of each game."""
    reading = read_text("\n\n".join(games))
    assert reading.problems == []
    return [dict(board.tags) for board in reading.boards]


def test_a_number_sign_copies_the_value_of_the_game_before() -> None:
    first, second, third, fourth = inherited(
        '[Event "a"]\n[Site "s"]',
        '[Event "#"]\n[Site "t"]',
        '[Event "#"]\n[Site "#"]',
        '[Room "r"]',
    )
    assert second == {"Event": "a", "Site": "t"}
    assert third == {"Event": "a", "Site": "t"}
    assert fourth == {"Room": "r"}
    assert first == {"Event": "a", "Site": "s"}


def test_two_number_signs_stand_until_another_value_comes() -> None:
    games = inherited(
        '[Event "##a"]\n[Board "1"]',
        '[Board "2"]',
        f'[Deal "{DEAL}"]\n[Event "b"]',
        '[Board "4"]',
        '[Event "##c"]\n[Site "##s"]',
        '[Event "#"]',
        '[Board "7"]',
    )
    assert [game.get("Event") for game in games] == ["a", "a", "b", None, "c", "c", None]
    assert [game.get("Site") for game in games] == [None] * 4 + ["s", "s", "s"]

    text = f'[Event "##a"]\n[Board "1"]\n[Deal "{DEAL}"]\n[Board "2"]\n[Deal "{OTHER}"]\n'
    assert [board.tags["Event"] for board in read_text(text).boards] == ["a", "a"]
    assert inherited('[Event "#1 pairs"]', '[Site "x"]') == [{"Event": "#1 pairs"}, {"Site": "x"}]


def test_the_header_of_a_table_may_be_inherited_but_its_rows_are_its_own() -> None:
    reading = read_text('[ScoreTable "Rank;MP"]\n1 60\n\n[ScoreTable "#"]\n1 55\n')
    assert reading.problems == []
    assert reading.boards[1].entries == (Tag("ScoreTable", "Rank;MP", ("1 55",)),)


def test_some_tags_never_inherit() -> None:
    for name in ("Declarer", "Contract", "Auction", "Play", "Note"):
        for value in ("#", "##N"):
            games = inherited(f'[{name} "E"]', f'[{name} "{value}"]', '[Board "3"]')
            assert games == [{name: "E"}, {name: value}, {"Board": "3"}]
    for value in ("#", "##N", f"##{DEAL}"):
        reading = read_text(f'[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "{value}"]\n\n[Board "3"]\n')
        assert reading.layouts == [DEAL, None, None]
        assert (reading.problem.line, reading.problem.board) == (4, "2")


def test_nothing_to_inherit_is_a_problem() -> None:
    reading = read_text('[Board "1"]\n[Scoring "#"]\n\n[Board "2"]\n[Site "#"]\n\n[Site "x"]\n')
    assert (reading.problem.line, reading.problem.board) == (5, "2")
    assert reading.problem.reason == '[Site "#"] takes the value of the game before, which has none'
    assert [board.tags.get("Site") for board in reading.boards] == [None, "", "x"]
    text = '[Section "#"]\n[Board "1"]\n\n[Section "#"]\n[Board "2"]\n'
    reading = read_text(text)
    assert reading.problems == []
    assert [board.tags["Section"] for board in reading.boards] == ["", ""]
    assert read_text(text, strict=True).problem.line == 1


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


def test_owners_of_files_of_pavlicek_are_those_of_the_boards() -> None:
    context = Context("event.pbn", raise_problem)
    batches = list(read_pbn_batches(BytesIO(PAVLICEK.encode()), context))
    layouts = [board.layout for board in read_text(PAVLICEK).boards if board.layout is not None]
    assert [row.tobytes() for batch in batches for row in batch.with_cards().owners] == [
        bytes(layout.owners) for layout in layouts
    ]
