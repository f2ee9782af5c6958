"""Deal: which deals, how many, in which order, and what their boards share.

The deals of a draw come from a source (`sources`); a command writes them, and a page shows them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from pavcodec.boards import Board, Context, Vulnerability
from pavcodec.cards import Seat
from pavcodec.collection.session import Session
from pavcodec.errors import NumberError, PavError
from pavcodec.questions.asking import (
    Answer,
    Asker,
    Question,
    QuestionError,
    ask,
    asking,
    refuse_together,
)
from pavcodec.questions.deals import Deals, Endings, Request
from pavcodec.questions.shares import Fields, Types, Weights
from pavcodec.questions.sources import (
    FEW,
    DealSource,
    Dealt,
    Draw,
    OrderedSource,
    RemainingSource,
    dealt_of,
    list_all,
    suit_weight,
)
from pavcodec.questions.words import seat_letter, vulnerability_word, whole
from pavcodec.sampling import fresh_seed, parse_seed, preface

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.constraints.language.script import Script
    from pavcodec.formats import Format
    from pavcodec.layout import Deal


def suit_weight_text(text: str) -> str:
    """Return the text of a weight of a suit; raise `PavError` for another text."""
    suit_weight(text)
    return text


# The fields.


@dataclass(frozen=True, kw_only=True)
class Remains(Question):
    """The field of what remains of deals."""

    remaining: bool = ask(
        "print what remains of each deal, without the cards of --play, --played and --unused",
        default=False, group="known cards", local=True,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Draws(Question):
    """The fields of a draw: how many deals, and in which order."""

    n: int | None = ask(
        "the number of deals (default: 1, or as the script says)",
        default=None, flag="-n", group="random draw", metavar="N", read=whole, most=100_000,
    )  # fmt: skip
    seed: str | None = ask(
        "a number below 2^128, or a text (default: a fresh number)",
        default=None, group="random draw", metavar="SEED", most=200,
    )  # fmt: skip
    start: int = ask(
        "skip the first K deals (default: 0)",
        default=0, group="random draw", metavar="K", read=whole, most=1 << 48,
    )  # fmt: skip
    distinct: bool = ask("skip repeated deals", default=False, group="random draw")
    all: bool = ask(
        "list the deals in the order of their numbers instead of drawing",
        default=False, group="random draw", local=True,
    )  # fmt: skip
    permuted: bool = ask(
        "deal no deal twice, in any part of the run: the order is a permutation by the seed",
        default=False, group="random draw",
    )  # fmt: skip
    sorted: bool = ask(
        "deal N different deals in the order of their numbers; a .pav file of them is a set",
        default=False, group="random draw",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Rules(Question):
    """The fields of what all boards share."""

    dealer: str | None = ask(
        "the dealer of every board", default=None, group="boards", metavar="SEAT", read=seat_letter,
        most=5,
    )  # fmt: skip
    vulnerable: str | None = ask(
        "the vulnerability of every board: none, NS, EW or all",
        default=None, group="boards", metavar="WORD", read=vulnerability_word, most=5,
    )  # fmt: skip
    rotate: bool = ask(
        "set dealer and vulnerability by the board number, and ignore those of the script",
        default=False, group="boards",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Methods(Question):
    """The fields of the methods of the studies."""

    method: str = ask(
        "plan: count the largest part of the condition that is quick to count, and test the "
        "rest; exact: count all parts, however long it takes; test: test all parts; cases: list "
        "the two most constrained hands, and select on the rest; 1999: the biased dealer of 1999, "
        "for comparison (default: plan)",
        default="plan", group="method", choices=("plan", "exact", "test", "cases", "1999"),
    )  # fmt: skip
    listing: str | None = ask(
        "deal from a listing of 'pavcodec cases -o'; a condition selects among its deals",
        default=None, group="method", metavar="FILE", local=True,
    )  # fmt: skip
    suit_weight: tuple[str, ...] = ask(
        "the weight of a suit for --method 1999, as in 'diamonds(west) : 3'; may be repeated",
        default=(), group="method", metavar="WEIGHT", read=suit_weight_text, most=16,
    )  # fmt: skip


@dataclass(frozen=True)
class Which(Weights, Types, Endings, Deals, Remains, Draws, Rules):
    """Which deals, how many, in which order, and what their boards share."""

    condition: str | None = ask(
        "the condition, or the text of a script (default: all deals)",
        default=None, flag="", metavar="EXPR",
    )  # fmt: skip


@dataclass(frozen=True)
class Dealing(Which, Methods):
    """Deal boards of a condition; a seed always gives the same boards."""

    name: ClassVar[str] = "deal"
    keys: ClassVar[dict[str, str]] = {
        "seed": "the seed: with it, the same question has the same boards",
        "boards": "the boards, as 'deal --json' prints them",
    }

    def find(self) -> Drawn:
        """Return the deals, as many as the question or its script says."""
        check(self)
        request = self.request(self.condition, "condition")
        dealt = dealt_of(self, request)
        with asking(Asker()):  # without the notes that fields replace statements of a script
            seed = None if self.all else chosen_seed(given_seed(self), request)
            source = source_of(self, request, dealt, seed)
            session = session_of(self, request, dealt, source, seed)
        asked = replace(self, n=source.count, seed=None if seed is None else str(seed))
        if self.remaining:
            source = RemainingSource(source, self.position())
        return Drawn(asked, source, session)


@dataclass
class Drawn(Answer):
    """Deals of a question, which has their number and their seed now."""

    asked: Dealing
    source: DealSource
    session: Session

    def boards(self) -> Iterator[Board]:
        """Yield the boards."""
        return boards_of(self.source, self.session, self.source.deals())

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """Return the seed and the boards for JSON, or the first of them."""
        numbered = enumerate(self.source.deals(), start=self.session.start + 1)
        rows = islice(zip(numbered, self.source.extras(), strict=False), most)
        boards = [self.session.row(*each) | extra for each, extra in rows]
        return {"seed": self.asked.seed, "boards": boards}

    def write(self, target: Format, stream: BinaryIO) -> None:
        """Write all boards in a format, as the command does."""
        source, session = self.source, self.session
        if isinstance(source, OrderedSource) and source.order.is_sorted and target.name == "pav":
            from pavcodec.collection.distinct import write_set_archive

            write_set_archive(source.space, source.positions(), stream)
            return
        first_lines = preface(session.where, session.generator)
        context = Context("deal", numbering=session.ranks, preface=first_lines)
        if is_in_batches(source, target):
            target.write_batches(batches_of(source, session, target), stream, context)
        elif target.is_cards_only:
            target.write(map(Board, source.deals()), stream, context)
        else:
            target.write(boards_of(source, session, source.deals(), target.cycle), stream, context)

    @property
    def again(self) -> Dealing:  # type: ignore[override]
        """The question with its seed and its number of deals."""
        return replace(self.asked, memory=None)

    def documents(self) -> Iterator[Any]:
        """Yield the boards, each of which the command prints by itself."""
        yield from self.to_dict()["boards"]

    def lines(self) -> Iterator[str]:
        """Yield each deal as text."""
        return map(str, self.source.deals())


def deal(condition: str | None = None, **fields: Any) -> Drawn:  # noqa: ANN401 (of the question)
    """Deal at random, as the command `deal` does.

    The fields are those of `Dealing`. The answer has `boards()`, `lines()` for the screen and
    `to_dict()` for JSON.

    >>> print(deal("hcp(south) >= 20", n=1, seed="7"))
    N:QJT2.K92.A3.7542 4.JT763.8542.T63 A85.A4.KQ76.AKJ8 K9763.Q85.JT9.Q9
    """
    answer = Dealing(condition, **fields).answer()
    assert isinstance(answer, Drawn)
    return answer


# The decisions.


_APART = (
    "all seed",
    "all distinct",
    "listing method",
    "cards listing",
    "cards method=cases",
    "remaining cards",
    "rotate dealer",
    "rotate vulnerable",
    "permuted sorted",
    *(
        f"{order} {other}"
        for order in ("permuted", "sorted")
        for other in ("all", "distinct", "mix", "level", "weights", "method=1999")
    ),
)
"""Fields that exclude each other."""


def check(asked: Fields) -> None:
    """Raise `QuestionError` for fields that exclude each other."""
    refuse_together(asked, _APART)
    text = (asked.condition or "").strip()
    if text.isdecimal() and text not in ("0", "1"):
        raise QuestionError(
            f"{text} is a number and no condition: use {{n}} {text} to deal {text}", "condition"
        )
    if asked.sorted and asked.start:
        raise QuestionError("{sorted} deals a whole set: {start} goes with {permuted}", "start")


def order_name(asked: Fields) -> str | None:
    """Return the name of the order that the fields choose; None for plain draws."""
    return "permuted" if asked.permuted else "sorted" if asked.sorted else None


def overrides(request: Request, option: str, statement: str, *, both: object) -> None:
    """Warn if an option replaces a statement of the script."""
    if both:
        request.warn(f"{option} replaces {statement!r}")


def given_seed(asked: Fields) -> int | None:
    """Return the seed of the fields, if they have one."""
    if asked.seed is None:
        return None
    try:
        return parse_seed(asked.seed)
    except NumberError as error:
        raise QuestionError("{seed}: {said}", "seed", said=error) from None


def chosen_seed(given: int | None, request: Request) -> int:
    """Return the seed of the fields, else of the script, else a fresh one."""
    script = request.script
    if script is not None and script.seed is not None:
        overrides(request, "--seed", f"seed {script.seed}", both=given is not None)
        return script.seed if given is None else given
    return fresh_seed() if given is None else given


def rules_of(
    asked: Fields, request: Request, *, by_number: bool = False
) -> tuple[Seat | None, Vulnerability | None]:
    """Return dealer and vulnerability of the fields, else of the script; None for neither.

    With `by_number`, the script is ignored.
    """
    field = "dealer"
    try:
        dealer = None if asked.dealer is None else Seat.parse(asked.dealer)
        field, word = "vulnerable", asked.vulnerable
        vulnerable = None if word is None else Vulnerability(vulnerability_word(word))
    except PavError as error:
        raise QuestionError(f"{{{field}}}: {{said}}", field, said=error) from None
    script = request.script
    if script is None or by_number:
        return dealer, vulnerable
    if dealer is not None:
        overrides(request, "--dealer", "dealer", both=script.dealer is not None)
    if vulnerable is not None:
        overrides(request, "--vulnerable", "vulnerable", both=script.vulnerable is not None)
    return (
        script.dealer if dealer is None else dealer,
        script.vulnerable if vulnerable is None else vulnerable,
    )


def classic_count(script: Script) -> int:
    """Return the number of deals of a script without `produce`."""
    from pavcodec.constraints.language.actions import Average, EvalContract, Frequency

    tabulating = Average | EvalContract | Frequency
    tabulates = all(isinstance(action, tabulating) for action in script.actions)
    return 100_000 if script.actions and tabulates else 40


def source_of(asked: Fields, request: Request, dealt: Dealt, seed: int | None) -> DealSource:
    """Return the source of the deals; without a seed, all are listed."""
    script = request.script
    produce = None if script is None else script.produce
    if asked.all or asked.n is not None:
        option = "-n" if asked.n is not None else "--all"
        overrides(request, option, f"produce {produce}", both=produce is not None)
    if seed is None:
        return list_all(dealt.space, asked.n, asked.start)
    number = asked.n if asked.n is not None else produce
    if number is None:
        number = 1 if script is None else classic_count(script)
    name = order_name(asked)
    if name is not None:
        given = dealt.weighted or dealt.mix or dealt.space
        return OrderedSource(given, name, seed, asked.start, number)
    tries = None if script is None else script.generate
    return dealt.source(Draw(number, seed, asked.start, asked.distinct, tries))


def session_of(
    asked: Fields, request: Request, dealt: Dealt, source: DealSource, seed: int | None
) -> Session:
    """Return what the boards of a source share."""
    dealer, vulnerable = rules_of(asked, request, by_number=asked.rotate)
    return Session(
        seed, asked.start, source.method(dealt.method), dealt.where, source.ranks, dealer,
        vulnerable, asked.script or None,
    )  # fmt: skip


# The boards of a source.


def boards_of(
    source: DealSource, session: Session, deals: Iterator[Deal], cycle: int | None = None
) -> Iterator[Board]:
    """Yield the boards of the deals of a source; after `cycle` boards, numbers begin again."""
    numbers: Iterator[int] = count(session.start + 1)
    if cycle is not None:
        numbers = ((number - 1) % cycle + 1 for number in numbers)
    numbered = zip(numbers, deals, strict=False)
    if not source.is_named:
        return (session.board(*each) for each in numbered)
    kinds = (extra["type"] for extra in source.extras())
    return (session.board(*each, kind) for each, kind in zip(numbered, kinds, strict=False))


def batches_of(source: DealSource, session: Session, target: Format) -> Iterator[BoardBatch]:
    """Yield the boards of a source in batches, with what the format keeps."""
    numbered: Iterator[tuple[Owners, Limbs | None]] = source.numbered()
    if not target.keeps_tag("DealId"):
        numbered = ((owners, None) for owners in source.batches())
    number = session.start + 1
    for owners, numbers in numbered:
        yield session.batch(number, owners, numbers)
        number += len(owners)


def is_in_batches(source: DealSource, target: Format) -> bool:
    """Return whether the boards of a source are written in batches."""
    in_turn = source.is_named or target.cycle is not None
    return source.count >= FEW and (target.is_cards_only or not in_turn)
