"""Ending: whether legal play can reach an ending, why not, or a line of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from operator import itemgetter
from typing import Any, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.play import board_of_line
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Card, Seat, Strain
from pavcodec.errors import LayoutError, MissingExtraError, PavError, TextError
from pavcodec.layout import Layout
from pavcodec.legal import Legality, PlayedTrick, legality
from pavcodec.numberings import numbering
from pavcodec.questions.asking import Answer, FieldTextError, QuestionError, as_in, ask
from pavcodec.questions.coders import board_of_text
from pavcodec.questions.inputs import Inputs, OfEach, Problems, boards_of, named_format
from pavcodec.questions.tables import table_lines
from pavcodec.questions.words import cards_text, seat_letter, strain_letters


@dataclass(frozen=True)
class Ending(OfEach):
    """Check whether legal play can reach an ending, and show how."""

    name: ClassVar[str] = "ending"
    examples: ClassVar[str] = """\
  pavcodec ending 'N:A... K... Q... J...'
  pavcodec ending --denomination NT --on-lead S 'N:AK.Q.. J9.K.. .A.K4. .J.Q3.'
  pavcodec ending --table H3,H2 'N:A..2. K... Q... J..4.'"""
    details: ClassVar[str] = """\
An ending is a deal text with equally many cards in each hand; the players have played all other
cards. For a legal ending, ending prints a deal and all tricks that lead to it; for an illegal one,
the reason. The exit code is 1 if an ending is illegal.

ending also prints the double-dummy tricks of the side whose turn it is, the best cards, which take
them, and the best play that follows the line of play. Hands of up to four cards are looked up;
larger ones need endplay: pip install 'pavcodec[club]'.

In the middle of a trick, the players who have played have one card fewer. --table names their cards
in the order of play; without it, any cards will do.

--to pbn, or -o FILE.pbn, writes a board for each legal ending: the deal and its play, with the
denomination in a contract of one."""

    takes: ClassVar[tuple[str, str]] = "LAYOUT", "endings, or files of them; - or none is stdin"
    nothing: ClassVar[str] = "no endings"
    gives_boards: ClassVar[bool] = True

    layout: str = ask(
        "an ending, as in 'N:A... K... Q... J...', in any notation",
        default="", flag="", label="The cards that the players still hold",
    )  # fmt: skip
    denomination: str | None = ask(
        "only lines of play in this denomination: NT, S, H, D or C (default: any)",
        default=None, group="lines of play", metavar="STRAIN", read=strain_letters,
        label="Denomination", most=10,
    )  # fmt: skip
    first_leader: str | None = ask(
        "only lines in which this seat led to the first trick",
        default=None, group="lines of play", metavar="SEAT", read=seat_letter,
        label="Led to the first trick", most=10,
    )  # fmt: skip
    on_lead: str | None = ask(
        "only lines after which this seat is on lead",
        default=None, group="lines of play", metavar="SEAT", read=seat_letter,
        label="On lead now", most=10,
    )  # fmt: skip
    table: str | None = ask(
        "the cards on the table, as in SA,S3",
        default=None, group="lines of play", metavar="CARDS", read=cards_text,
        label="Cards on the table", most=40,
    )  # fmt: skip
    from_format: str | None = as_in(Inputs, "from_format")

    keys: ClassVar[dict[str, str]] = {
        "ending": "the cards in the notation of PBN",
        "legal": "whether legal play can reach the ending",
        "on_lead": "the seat on lead, if it is known",
        "table": "the cards on the table, if some are",
        "reason": "why no play reaches it",
        "denominations": "NT S H D C in which play reaches it",
        "deal": "a deal from which play reaches it",
        "denomination": "the denomination of this play",
        "tricks": "the tricks: the leader, the cards in the order of play, and the winner; null "
        "for an incomplete trick",
        "double_dummy": "the tricks of the side whose turn it is, by the seat on lead, or to play, "
        "and by strain; without endplay only for hands of one to four cards",
        "best_cards": "the cards that give this seat's side so many tricks",
        "best_play": "the tricks after those, with the best play of both sides",
    }

    def find(self) -> Verdict:
        """Return the verdict on the ending."""
        layout = board_of_text(self.layout, "layout").layout
        assert layout is not None
        self._check_words()
        try:
            return self.of_layout(layout)
        except PavError as error:
            raise QuestionError("{said}", "layout", said=error) from None

    def of_layout(self, layout: Layout) -> Verdict:
        """Return the verdict on a layout; raise `LayoutError` if it is no ending."""
        return Verdict(
            legality(
                layout,
                denomination=self.denomination or None,
                first_leader=self.first_leader or None,
                on_lead=self.on_lead or None,
                table=self._cards or None,
            )
        )

    def answers(self, inputs: Sequence[str], problems: Problems) -> Iterator[Verdict]:
        """Return the verdict on each ending."""
        return (verdict for _, _, verdict in self._verdicts(inputs, problems))

    def to_write(
        self, inputs: Sequence[str], problems: Problems
    ) -> tuple[Iterator[Board], Context]:
        """Return the deal and the play of each legal ending; an illegal one is a problem."""

        def boards() -> Iterator[Board]:
            number = 0
            for source, line, verdict in self._verdicts(inputs, problems):
                found = verdict.legality
                if found.line is None:
                    problems.report(source, line, f"{found.reason}: '{found.layout}'")
                else:
                    number += 1
                    yield board_of_line(found.line, number)

        return boards(), Context("endings", problems)

    def _verdicts(
        self, inputs: Sequence[str], problems: Problems
    ) -> Iterator[tuple[str, int | None, Verdict]]:
        """Yield each ending's place and verdict; report boards that are no endings."""
        named, ranks = named_format(self), numbering("deal")
        for source, board in boards_of(inputs, problems, format_name=named, ranks=ranks):
            if board.layout is None:
                continue
            try:
                yield source, board.line, self.of_layout(board.layout)
            except LayoutError as error:
                problems.report(source, board.line, f"{error}: '{board.layout}'")

    @property
    def _cards(self) -> list[str]:
        return (self.table or "").replace(",", " ").split()

    def _check_words(self) -> None:
        """Raise an error with its field for a text that is no strain, no seat or no card."""
        for field, read in (
            ("denomination", strain_letters),
            ("first_leader", seat_letter),
            ("on_lead", seat_letter),
        ):
            text = getattr(self, field)
            try:
                read(text or "N")
            except PavError as error:
                raise QuestionError("{said}", field, said=error) from None
        for card in self._cards:
            try:
                Card.parse(card)
            except PavError as error:
                text = self.table or ""
                start = text.index(card)
                marked = TextError(str(error), text, (start, start + len(card)))
                raise FieldTextError("table", marked) from None


def ending(layout: str, **fields: Any) -> Answer:
    """Return whether legal play can reach an ending, as the command `ending` does.

    The fields are those of `Ending`. The answer has `lines()` for the screen, `to_dict()` for JSON.

    >>> ending("N:A... K... Q... J...", denomination="S").to_dict()["legal"]
    True
    """
    return Ending(layout, **fields).answer()


@dataclass
class Verdict(Answer):
    """Whether play can reach an ending; the reason if not, else a deal and a line of play."""

    legality: Legality

    def __post_init__(self) -> None:
        self.is_fault = not self.legality

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        found = self.legality
        row: dict[str, Any] = {"ending": str(found.layout), "legal": bool(found)}
        row["on_lead"] = None if found.on_lead is None else found.on_lead.letter
        row["table"] = None if found.table is None else list(map(str, found.table))
        if self._tricks:
            names = [strain.letters for strain in Strain]
            both = {seat: [*zip(names, each, strict=True)] for seat, each in self._tricks.items()}
            row["double_dummy"] = {
                s: {name: n for name, (n, _) in each} for s, each in both.items()
            }
            row["best_cards"] = {
                s: {name: [*map(str, best)] for name, (_, best) in each} for s, each in both.items()
            }
        line = found.line
        if line is None:
            return row | {"reason": found.reason}
        return row | {
            "denominations": [strain.letters for strain in found.denominations],
            "deal": str(line.deal),
            "denomination": line.denomination.letters,
            "tricks": [*map(_json, line.tricks)],
            **({"best_play": [*map(_json, self._best_play)]} if self._tricks else {}),
        }

    def lines(self) -> Iterator[str]:
        """Yield the verdict, and the play as a table."""
        found = self.legality
        yield str(found.layout)
        line = found.line
        if line is None:
            yield from (f"not legal: {found.reason}", *self._trick_lines(), "")
            return
        yield f"legal in {', '.join(strain.letters for strain in found.denominations)}"
        yield f"a line of play in {line.denomination.letters}, from the deal"
        yield str(line.deal)
        if line.tricks:
            yield from _play_lines(line.tricks)
        yield from self._trick_lines()
        yield ""

    @cached_property
    def _tricks(self) -> dict[str, list[tuple[int, tuple[Card, ...]]]]:
        """Return the tricks of a side and its best cards, by the seat whose turn it is and strain.

        Before a trick, each seat may lead. There are none without cards, and none of large hands
        without a solver.
        """
        import numpy as np

        from pavcodec.solving.plays import best_of, tricks_of_cards

        layout, table, leader = self.legality.layout, self.legality.table, self.legality.on_lead
        if table is None or not max(layout.sizes):
            return {}
        leaders = [leader] if table and leader is not None else [*Seat]
        seats, strains = np.array([*product(leaders, Strain)], np.uint8).T
        owners = np.frombuffer(layout.owners, np.uint8)[None].repeat(len(seats), axis=0)
        played = np.array([[*table]], np.uint8).repeat(len(seats), axis=0)
        try:
            tricks = tricks_of_cards(owners, strains, seats, played, threads=1)
        except MissingExtraError:
            return {}
        best = map(best_of, tricks)
        return {
            Seat((leader + len(table)) % len(Seat)).letter: [next(best) for _ in Strain]
            for leader in leaders
        }

    @cached_property
    def _best_play(self) -> tuple[PlayedTrick, ...]:
        """Return the best play that follows the line of play, if both are known."""
        from pavcodec.solving.plays import best_play

        line, table = self.legality.line, self.legality.table
        if line is None or not line.tricks or not self._tricks:
            return ()
        last = line.tricks[-1]
        leader = last.leader if last.winner is None else last.winner
        return best_play(self.legality.layout, line.denomination, leader, table or ())

    def _trick_lines(self) -> Iterator[str]:
        """Yield the tricks of the side whose turn it is by its best cards, and the best play."""
        if not self._tricks:
            return
        turn = "to play" if self.legality.table else "on lead"
        yield f"double-dummy tricks of the side {turn}, and the best cards"
        by_strain = zip(Strain, *self._tricks.values(), strict=True)
        yield from table_lines(
            (turn, *self._tricks),
            [
                [strain.letters, *(f"{most}: {_by_suit(best)}" for most, best in row)]
                for strain, *row in by_strain
            ],
        )
        if self._best_play:
            assert self.legality.line is not None
            yield f"the best play in {self.legality.line.denomination.letters}"
            yield from _play_lines(self._best_play, HAND_SIZE + 1 - len(self._best_play))


def _by_suit(cards: Iterable[Card]) -> str:
    """Return cards with each suit named once, as in `SAK H2`."""
    suits = groupby(map(str, cards), itemgetter(0))
    return " ".join(suit + "".join(card[1] for card in each) for suit, each in suits)


def _play_lines(tricks: Sequence[PlayedTrick], first: int = 1) -> Iterator[str]:
    """Yield tricks as a table; they are numbered from `first` on."""
    rows = [_cells(number, trick) for number, trick in enumerate(tricks, first)]
    return table_lines(("trick", "led by", *SEAT_LETTERS, "won by"), rows)


def _json(trick: PlayedTrick) -> dict[str, Any]:
    """Return a trick for JSON."""
    return {
        "leader": trick.leader.letter,
        "cards": [str(card) for card in trick.cards],
        "winner": None if trick.winner is None else trick.winner.letter,
    }


def _cells(number: int, trick: PlayedTrick) -> list[str]:
    """Return a row of the play table."""
    cards = trick.by_seat
    played = [str(cards[seat]) if seat in cards else "-" for seat in Seat]
    won = "-" if trick.winner is None else trick.winner.letter
    return [str(number), trick.leader.letter, *played, won]
