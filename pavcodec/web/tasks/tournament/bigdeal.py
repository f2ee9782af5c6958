"""Boards of Big Deal: those that its program makes from the same seed and owner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from secrets import token_bytes

from pydantic import Field, field_validator

from pavcodec.boards import Context
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.numberings import numbering
from pavcodec.tournament import BigDealSeed
from pavcodec.tournament.bigdeal import RANDOM_SIZE
from pavcodec.tournament.dealing import seed_boards
from pavcodec.web.tasks.boards import BoardView, board_view
from pavcodec.web.tasks.limits import PAGE_BOARDS
from pavcodec.web.tasks.media import MEDIA_TYPES, file_of
from pavcodec.web.tasks.shell import option
from pavcodec.web.tasks.task import Answer, Download, Question, Task
from pavcodec.web.tasks.tournament.sent import MOST_BOARDS

__all__ = ["BIG_DEAL", "BIG_DEAL_FILE", "BigDealAnswer", "BigDealQuestion", "big_deal"]

_BOARDS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


class BigDealQuestion(Question):
    """A seed of Big Deal: the owner of the program, and random bytes or a text instead of them."""

    owner: str = Field(max_length=200, description="the owner of the program, as Big Deal has it")
    seed: str = Field(
        "", max_length=100, description="40 hexadecimal digits; without them, the system draws them"
    )
    entropy: str = Field(
        "", max_length=500, description="a text whose hash is the seed, as in -e of bigdealx -W"
    )
    boards: str = Field("24", max_length=20, description="the boards, such as 24 or 17-32")
    show: bool = Field(default=False, description="show the boards: not if you play them")

    @field_validator("owner")
    @classmethod
    def _check_owner(cls, text: str) -> str:
        if not text or not text.isprintable():
            raise ValueError("name the owner of the program, exactly as Big Deal has it")
        return text

    @field_validator("boards")
    @classmethod
    def _check_boards(cls, text: str) -> str:
        found = _BOARDS.fullmatch(text.strip())
        low, high = (found[1], found[2]) if found else ("0", "0")
        low, high = (int(low), int(high)) if high else (1, int(low))
        if not 1 <= low <= high <= MOST_BOARDS:
            raise ValueError(
                f"expected boards such as 24 or 17-32, up to {MOST_BOARDS:,}, not {text!r}"
            )
        return text.strip()

    @property
    def numbers(self) -> range:
        """The numbers of the boards."""
        low, dash, high = self.boards.partition("-")
        return range(int(low), int(high) + 1) if dash else range(1, int(low) + 1)


class BigDealFileQuestion(BigDealQuestion):
    """The boards of a seed as a file."""

    to: str = Field("pbn", max_length=100, description="the format, such as pbn or dup")


class BigDealAnswer(Answer):
    """The seed of boards, and the boards on demand."""

    owner: str
    seed: str = Field(description="the random bytes in hexadecimal digits")
    boards: str
    shown: tuple[BoardView, ...] = Field(description="the boards, only with `show`")


def big_deal(question: BigDealQuestion) -> BigDealAnswer:
    """Return the boards of a seed of Big Deal."""
    seed = _seed(question)
    numbers = question.numbers
    if question.show and len(numbers) > PAGE_BOARDS:
        raise PavError(f"a page shows at most {PAGE_BOARDS} boards: save a file instead")
    shown = seed_boards(seed, numbers) if question.show else iter(())
    return BigDealAnswer(
        owner=question.owner,
        seed=seed.random.hex(),
        boards=f"{numbers[0]}-{numbers[-1]}",
        shown=tuple(map(board_view, shown)),
        command=f"{_command(question, seed)} --to pbn",
        python="\n".join(_python(question, seed)),
    )


def big_deal_file(question: BigDealFileQuestion) -> Download:
    """Return the boards of a seed of Big Deal in a format."""
    target = format_of(question.to)
    stream = BytesIO()
    context = Context("bigdeal", numbering=numbering("bigdeal"))
    target.write(seed_boards(_seed(question), question.numbers), stream, context)
    name = f"bigdeal{target.suffixes[0] if target.suffixes else '.txt'}"
    return file_of(name, stream.getvalue())


def _seed(question: BigDealQuestion) -> BigDealSeed:
    """Return the seed of a question; raise `PavError` for a wrong one."""
    owner = question.owner.encode()
    if question.seed and question.entropy:
        raise PavError("a seed has either digits or a text, not both")
    if question.entropy:
        return BigDealSeed.from_entropy(owner, question.entropy.encode())
    if question.seed:
        return BigDealSeed.from_hex(owner, question.seed.strip())
    return BigDealSeed(token_bytes(RANDOM_SIZE), owner)


def _command(question: BigDealQuestion, seed: BigDealSeed) -> str:
    owner = option("--owner", question.owner)
    return f"pavcodec bigdeal {owner} --seed {seed.random.hex()} -n {question.boards}"


def _python(question: BigDealQuestion, seed: BigDealSeed) -> Iterator[str]:
    numbers = question.numbers
    yield "import pavcodec as pav"
    yield ""
    yield f"owner = {question.owner!r}.encode()"
    yield f"seed = pav.BigDealSeed.from_hex(owner, {seed.random.hex()!r})"
    yield f"numbers = range({numbers.start}, {numbers.stop})"
    yield "boards = ["
    yield "    pav.Board.make(deal, number=number) for number, deal in zip(numbers, seed.deals())"
    yield "]"


_EXAMPLE = {
    "owner": "Golden Test Owner",
    "seed": "000102030405060708090a0b0c0d0e0f10111213",
    "boards": "4",
}
BIG_DEAL = Task(
    "tournament/bigdeal",
    "Return the boards that Big Deal makes from a seed.",
    big_deal,
    BigDealQuestion(**_EXAMPLE, show=True),
)
BIG_DEAL_FILE = Task(
    "tournament/bigdeal/file",
    "Return the boards of a seed of Big Deal in a format.",
    big_deal_file,
    BigDealFileQuestion(**_EXAMPLE, to="goe"),
    media_types=MEDIA_TYPES,
)
