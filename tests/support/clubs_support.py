"""The formats of clubs by plain loops: what the tests of these formats compare with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from oracles import FIXTURES

from pavcodec import Board, Deal

FOLDER = FIXTURES / "formats"
ORDERED = ("bri", "dge", "ber", "rzd", "goe")
"""Formats that have the deals in order, and no numbers."""
NUMBERED = ("dlm", "dup", "bhg", "cds", "hrf", "csv")
CLUBS = (*NUMBERED, *ORDERED)
SIZES = {"bri": 128, "dge": 128, "dup": 156, "ber": 52, "rzd": 13, "cds": 14, "hrf": 128}
VULNERABLE = [
    "-", "NS", "EW", "All", "NS", "EW", "All", "-", "EW", "All", "-", "NS", "All", "-", "NS", "EW",
]  # fmt: skip
RANKS, SUITS, SEATS = "AKQJT98765432", "SHDC", "NESW"
NO_BOARD = "aaaaaabffffffkkkkkklpppppp"
"""The letters of a board that there is not."""


def bdset36(name: str) -> bytes:
    """The file of Big Deal in a format."""
    return (FOLDER / f"bdset36.{name}").read_bytes()


def cards_of(deal: Deal, seat: int) -> list[int]:
    return [card for card in range(52) if deal.owners[card] == seat]


def bri(deal: Deal) -> bytes:
    return "".join(f"{card + 1:02}" for seat in range(3) for card in cards_of(deal, seat)).encode()


def signed(deal: Deal, seat: int, signs: Sequence[str]) -> str:
    """A hand as text: the sign of each suit, then its ranks."""
    text = ""
    for suit in range(4):
        text += signs[suit]
        for card in cards_of(deal, seat):
            text += RANKS[card % 13] if card // 13 == suit else ""
    return text


def dge(deal: Deal) -> bytes:
    return "".join(signed(deal, seat, "\x06\x03\x04\x05") for seat in range(4)).encode()


def by_ranks(deal: Deal, turn: int) -> bytes:
    """A byte a rank, two bits a suit, spades highest."""
    return bytes(
        sum((deal.owners[13 * suit + rank] + turn) % 4 << 6 - 2 * suit for suit in range(4))
        for rank in range(13)
    )


def letters(deal: Deal) -> str:
    pairs = zip(deal.owners[::2], deal.owners[1::2], strict=True)
    return "".join("abcdefghijklmnop"[4 * one + other] for one, other in pairs)


def checked(text: str, number: int) -> str:
    """Letters of DLM with their check."""
    check = number
    for letter in text:
        check ^= ord(letter)
    return f"{text}{check:03}"


def borel(deal: Deal, number: int) -> str:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    seats = [(number - 1 + turn) % 4 for turn in range(4)]
    return "".join(alphabet[card] for seat in seats for card in cards_of(deal, seat))


def row(deal: Deal, number: int) -> str:
    vulnerable = VULNERABLE[(number - 1) % 16]
    hands = [signed(deal, seat, "....")[1:].split(".") for seat in range(4)]
    fields = [suit for hand in hands for suit in hand]
    fields += [str(number), f"{SEATS[(number - 1) % 4]}/{vulnerable}"]
    return ",".join(f'"{field}"' for field in fields)


def dlm(deals: Sequence[Deal], first: int, headline: str) -> Iterator[str]:
    last = first + len(deals) - 1
    yield from ("[Document]", f"Headline={headline}", "Status=Show", "Duplicates=0")
    yield from (f"From board={first}", f"To board={last}", "Next board to duplimate=0")
    yield from ("PrintOuts=0", "Crypto key=0", f"Checksum={first ^ last ^ 1}")
    for number in range(1, 100):
        here = letters(deals[number - first]) if first <= number <= last else NO_BOARD
        yield f"Duplicates {number:02}=0"
        yield f"Board {number:02}={checked(here, number)}"


def by_hand(name: str, deals: Sequence[Deal], first: int = 1, *, headline: str = "") -> bytes:
    """The bytes of a file of deals, numbered from the first on where the format has numbers."""
    last = first + len(deals) - 1
    numbers = range(first, last + 1)
    each: Iterable[bytes]
    if name == "dlm":
        return "".join(f"{line}\r\n" for line in dlm(deals, first, headline)).encode()
    if name == "bhg":
        lines = ["", *[""] * (first - 1), *map(borel, deals, numbers)]
        return "".join(f"{line}\n" for line in lines).encode()
    if name == "csv":
        return "".join(f"{row(deal, n)}\n" for deal, n in zip(deals, numbers, strict=True)).encode()
    if name == "bri":
        each = (bri(deal) + b" " * 32 + bytes(18) for deal in deals)
    elif name == "dge":
        each = (dge(deal) + bytes(60) for deal in deals)
    elif name == "dup":
        end = f"YN{first:<3}0 {last:02} ".encode()
        each = (bri(deal) + dge(deal) + end for deal in deals)
    elif name == "ber":
        each = (bytes(b"1234"[owner] for owner in deal.owners) for deal in deals)
    elif name == "rzd":
        header = len(deals).to_bytes(2, "little") + b" " * 11
        each = (header, *(by_ranks(deal, 0) for deal in deals))
    elif name == "cds":
        each = (bytes([n]) + by_ranks(deal, 1) for deal, n in zip(deals, numbers, strict=True))
    else:
        each = map(hrf, deals, numbers)
    return b"".join(each)


def hrf(deal: Deal, number: int) -> bytes:
    hands = "".join(signed(deal, seat, SUITS) for seat in range(4))
    return f"{number}{hands}".encode().ljust(128)


def deals_in(boards: Iterable[Board]) -> list[object]:
    return [board.layout for board in boards]
