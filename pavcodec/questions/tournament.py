"""Tournaments: the boards of a seed of Big Deal, and sets of boards that anybody can check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from secrets import token_bytes
from typing import Any, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row
from pavcodec.errors import NumberError, PavError
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.questions.asking import Answer, Question, QuestionError, ask, note
from pavcodec.tournament import BigDealSeed
from pavcodec.tournament.bigdeal import RANDOM_SIZE
from pavcodec.tournament.notice import seed_boards

# Boards of Big Deal: those that its program makes from the same seed and owner.


_MOST_BOARDS = 1_000_000
_BOARDS = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7}))?")


def board_range(text: str) -> range:
    """Return the board numbers of a text.

    >>> board_range("16"), board_range("17-32")
    (range(1, 17), range(17, 33))
    """
    match = _BOARDS.fullmatch(text.strip())
    if match is None:
        raise PavError(f"expected boards such as 16 or 17-32, not {text!r}")
    low, high = (1, int(match[1])) if match[2] is None else (int(match[1]), int(match[2]))
    if not 1 <= low <= high <= _MOST_BOARDS:
        raise PavError(f"expected boards from 1 to {_MOST_BOARDS}, not {text!r}")
    return range(low, high + 1)


def _range_text(text: str) -> str:
    board_range(text)
    return text


@dataclass(frozen=True)
class BigDeal(Question):
    """Deal the boards of a seed of the program Big Deal."""

    name: ClassVar[str] = "bigdeal"
    gives_boards: ClassVar[bool] = True
    examples: ClassVar[str] = """\
  pavcodec bigdeal --owner me --seed 000102030405060708090a0b0c0d0e0f10111213
  pavcodec bigdeal --owner 'Bridge Club' -n 17-32 --to pbn -o second.pbn
  pavcodec bigdeal --wizard leftkey --entropy rightkey --entropy original -n 6"""
    details: ClassVar[str] = """\
A seed of Big Deal 2 is 20 random bytes and the name of the owner; the same seed gives the same
deals here and in Big Deal. --seed gives the bytes, as -h in Big Deal; --entropy gives texts, and
their hash is the bytes, as -e in Big Deal's wizard mode -W. Without either, bigdeal takes random
bytes from the system and prints them on the error stream.

Boards may start at any number; the first board has the first deal of the seed."""

    owner: str = ask(
        "the owner of the program (required)",
        default="", flag="--owner --wizard -W", group="seed", metavar="TEXT",
        label="Owner", most=200,
    )  # fmt: skip
    seed: str | None = ask(
        "the random bytes, 40 hexadecimal digits",
        default=None, group="seed", metavar="HEX", label="Seed", most=100,
    )  # fmt: skip
    entropy: tuple[str, ...] = ask(
        "a text; the hash of all texts gives the random bytes; may be repeated",
        default=(), flag="-e --entropy", group="seed", metavar="TEXT", label="Or a text", most=500,
    )  # fmt: skip
    boards: str = ask(
        "the number of boards, or their range, as in 17-32 (default: 16)",
        default="16", flag="-n", group="boards", metavar="N", read=_range_text,
        label="Boards", most=20,
    )  # fmt: skip
    numbering: str = ask(
        "the numbering of --to numbers and --json (default: bigdeal, Big Deal's own; one of "
        f"{', '.join(numbering_names())})",
        default="bigdeal", flag="--as", group="numbering", metavar="NUMBERING", most=100,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "owner": "the owner of the program",
        "seed": "the random bytes in hexadecimal digits",
        "boards": "the boards, each with its number in the numbering and its deal",
    }

    def find(self) -> SeedBoards:
        """Return the boards; without a seed, those of random bytes of the system."""
        if self.seed is not None and self.entropy:
            raise QuestionError("{seed} and {entropy} do not go together", "seed")
        if not self.owner:
            reason = "{owner} is required: a seed of Big Deal includes its owner"
            raise QuestionError(reason, "owner")
        try:
            numbers = board_range(self.boards)
        except PavError as error:
            raise QuestionError("{boards}: {said}", "boards", said=error) from None
        answer = SeedBoards(self._seed(), numbers, numbering(self.numbering))
        if self.seed is None and not self.entropy:
            digits = answer.seed.random.hex()
            note(f"seed {digits}")
            answer.again = replace(self, seed=digits)
        return answer

    def _seed(self) -> BigDealSeed:
        owner = _bytes(self.owner)
        if self.entropy:
            return BigDealSeed.from_entropy(owner, b"".join(map(_bytes, self.entropy)))
        if self.seed is None:
            return BigDealSeed(token_bytes(RANDOM_SIZE), owner)
        try:
            return BigDealSeed.from_hex(owner, self.seed.strip())
        except NumberError as error:
            raise QuestionError("{seed}: {said}", "seed", said=error) from None


def _bytes(text: str) -> bytes:
    """Return the original bytes of a command-line argument, in any encoding."""
    return text.encode("utf-8", "surrogateescape")


def bigdeal(owner: str, **fields: Any) -> Answer:  # noqa: ANN401 (of the question)
    """Return the boards of a seed of the program Big Deal, as the command `bigdeal` deals them.

    The fields are those of `BigDeal`. The answer has `boards()`.

    >>> print(bigdeal("me", seed="000102030405060708090a0b0c0d0e0f10111213", boards="1"))
    N:Q87632..K8732.J3 J95.984.T4.KQ765 K.AQJ632.AQ5.T92 AT4.KT75.J96.A84
    """
    return BigDeal(owner=owner, **fields).answer()


@dataclass
class SeedBoards(Answer):
    """The boards of a seed of Big Deal."""

    seed: BigDealSeed
    numbers: range
    ranks: Numbering

    @property
    def context(self) -> Context:
        """The context in which a format writes the boards."""
        return Context("bigdeal", numbering=self.ranks)

    def boards(self) -> Iterator[Board]:
        """Yield the boards."""
        return seed_boards(self.seed, self.numbers)

    def lines(self) -> Iterator[str]:
        """Yield the deals as text."""
        return (str(board.layout) for board in self.boards())

    def documents(self) -> Iterator[dict[str, Any]]:
        """Yield the boards for JSON."""
        return (board_row(board, "board number deal", self.ranks) for board in self.boards())

    def to_dict(self) -> dict[str, Any]:
        """Return the boards for JSON, with their seed."""
        owner = self.seed.owner.decode("utf-8", "replace")
        return {"owner": owner, "seed": self.seed.random.hex(), "boards": list(self.documents())}
