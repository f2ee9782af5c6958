"""JSON: a list of objects, or an object a line; a board each.

There is no standard; docs/formats/data.md describes what pavcodec writes and reads.

Rule 1: `deal` is PBN's deal text, `tags` PBN's tags, `sections` the lines that follow them. Where
        these three are not enough, as for two tags with one name, `entries` has all tags.
Rule 2: `board`, `dealer` and `vulnerable` are for readers without a notion of tags; the reader uses
        them where the tags have no other values.
Rule 3: the objects of endplay have other keys.
Rule 4: hands of other programs may have any name of the seat, and be a text or a list of cards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import BinaryIO, TypeVar

from pavcodec.boards.board import Board, Context, Tag, Vulnerability
from pavcodec.boards.play import (
    CARDS,
    Auction,
    Call,
    Contract,
    auction_of,
    auction_of_dealer,
    auction_tags,
    contract_of,
    contract_tags,
    play_tag,
    played_cards,
    remarks_cut,
    strain_of,
)
from pavcodec.boards.tricks import TRICK_DIGITS, format_trick_digits
from pavcodec.cards import HAND_SIZE, SUIT_LETTERS, Seat
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.files.text import blocks, decode
from pavcodec.formats.bbo.lin import layout_of_hands, parse_suits
from pavcodec.formats.plain.lines import deal_of_hands, hands_of, reason_of, write_each
from pavcodec.formats.plain.texts import is_text, numbered_lines, shorten
from pavcodec.layout import Layout

# Boards as the library endplay has them in JSON: a list of objects.
#
# A board has `deal` with lists of cards, `auction`, `play`, `board_num` and `info`, and may have
# `vul`, `dealer`, `contract` and `claimed`. The other tags of PBN are in `info`. There is no place
# for other sections and for the marks of calls.


Object = Mapping[str, object]
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_STRAINS = dict(zip((*_SUITS, "nt"), ("S", "H", "D", "C", "NT"), strict=True))
_NAMES = {strain: name for name, strain in _STRAINS.items()}
_CALLS = {"pass": "Pass", "double": "X", "redouble": "XX"}
_PENALTIES = {call: name for name, call in _CALLS.items()}
_ENDPLAY_VULNERABLE = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}
_VULNERABLE_NAMES = {word: name for name, word in _ENDPLAY_VULNERABLE.items()}
_KEYS = {"deal", "auction", "play", "board_num"}
_NOT_IN_INFO = {
    "Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play",
    "Note",
}  # fmt: skip
_BOOK = 6

T = TypeVar("T")


def _board_of_endplay(fields: Object, problems: list[str], line: int) -> Board:
    """Return the board of an object; add the problems of its parts, and leave these out."""

    def attempt(make: Callable[[], T]) -> T | None:
        try:
            return make()
        except PavError as error:
            problems.append(str(error))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            problems.append(f"this is no board of endplay: {error}")
        return None

    layout = layout_of_hands(_hands(fields["deal"]))  # the reader reports the problem
    tags = dict(_tags(fields))
    auction = attempt(lambda: _auction(fields, tags))
    from_auction = contract_of(auction) if auction is not None else None
    has_no_result = tags.get("Result") == "?"
    tags |= attempt(lambda: _contract(fields.get("contract"), from_auction)) or {}
    if has_no_result:
        tags.pop("Result", None)
    entries = [Tag(*tag) for tag in tags.items()]
    if auction is not None and auction.calls:
        entries += auction_tags(auction)
    cards = attempt(lambda: [_card(card) for card in _list(fields["play"], "expected a list")])
    if cards:
        play = play_tag(layout, cards, strain_of(tags.get("Contract", "")))
        if play is None:
            shown = shorten(" ".join(cards))
            problems.append(f"the play is left out: the cards do not fit the hands: {shown}")
        else:
            entries.append(play)
    return Board(layout, tuple(entries), line=line)


def _card(value: object) -> str:
    """Return the name of a card, such as SA."""
    if isinstance(value, dict):
        suit, rank = str(value.get("suit")), str(value.get("rank"))
        name = f"{SUIT_LETTERS[_SUITS.index(suit)]}{rank}" if suit in _SUITS else ""
        if name in CARDS:
            return name
    raise PavError(f"a card has a suit and a rank, not {shorten(json.dumps(value))}")


def _hands(deal: object) -> dict[Seat, str]:
    """Return the hands of a deal, for `layout_of_hands`."""
    assert isinstance(deal, dict), "the caller looks"
    return {
        seat: _hand_of_cards(map(_card, _list(deal.get(seat.name.lower(), []), "expected a list")))
        for seat in Seat
    }


def _hand_of_cards(cards: Iterable[str]) -> str:
    """Return a hand in PBN's notation, of cards such as SA."""
    suits = dict.fromkeys(SUIT_LETTERS, "")
    for card in cards:
        suits[card[0]] += card[1]
    return parse_suits("".join(map(str.__add__, suits, suits.values())))


def _tags(fields: Object) -> Iterator[tuple[str, str]]:
    """Yield the tags of `info` and of the keys beside it."""
    info = fields.get("info")
    if isinstance(info, dict):
        yield from ((name, value) for name, value in info.items() if isinstance(value, str))
    if fields["board_num"] is not None:
        yield "Board", str(fields["board_num"])
    if fields.get("dealer"):
        yield "Dealer", Seat.parse(str(fields["dealer"])[:1]).letter
    if (vul := fields.get("vul")) is not None:
        yield "Vulnerable", _ENDPLAY_VULNERABLE.get(str(vul), str(vul))


def _auction(fields: Object, tags: Mapping[str, str]) -> Auction | None:
    calls = [_call(call) for call in _list(fields["auction"], "expected a list")]
    dealer = Board(None, tuple(Tag(*tag) for tag in tags.items())).dealer
    if calls and dealer is None:
        raise PavError("the auction is left out: there is no dealer")
    return Auction(dealer, tuple(calls)) if dealer is not None else None


def _call(value: object) -> Call:
    if not isinstance(value, dict):
        raise PavError(f"a call is an object, not {shorten(json.dumps(value))}")
    word = _CALLS.get(str(value.get("penalty")))
    if word is None:
        word = f"{int(str(value['level']))}{_STRAINS[str(value['denom'])]}"
    return Call(word, bool(value.get("alertable")), str(value.get("announcement") or "").strip())


def _contract(value: object, from_auction: Contract | None) -> dict[str, str]:
    """Return Declarer, Contract and Result; without a contract, those of the auction."""
    if not isinstance(value, dict):
        return contract_tags(from_auction) if from_auction is not None else {}
    level = int(str(value["level"]))
    if not level:
        return {"Declarer": "", "Contract": "Pass"}
    penalty = str(value.get("penalty") or "").upper().replace("PASS", "")
    tags = {
        "Declarer": Seat.parse(str(value["declarer"])[:1]).letter,
        "Contract": f"{level}{_STRAINS[str(value['denom'])]}{penalty}",
    }
    if value.get("result") is not None:
        tags["Result"] = str(level + _BOOK + int(str(value["result"])))
    return tags


def write_endplay_json(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a list with an object a line for each board that has cards; return how many."""
    written = 0
    for board in boards:
        if board.layout is None:
            continue
        if max(board.layout.sizes) > HAND_SIZE or board.dealer is None:
            reason = "endplay needs a dealer, and at most 13 cards in a hand"
            context.problem(board.line, f"{reason}: '{board.layout}'", board.tags.get("Board"))
            continue
        data = json.dumps(_object(board, context), ensure_ascii=False)
        stream.write((b",\n" if written else b"[\n") + data.encode("utf-8", "backslashreplace"))
        written += 1
    if written:
        stream.write(b"\n]\n")
    return written


def _object(board: Board, context: Context) -> dict[str, object]:
    assert board.dealer is not None, "boards without a dealer were left out"

    def attempt(make: Callable[[], T], what: str) -> T | None:
        try:
            return make()
        except PavError as error:
            reason = f"the {what} is left out: {error}"
            context.problem(board.line, reason, board.tags.get("Board"))
            return None

    auction = attempt(lambda: auction_of_dealer(board), "auction")
    strain = strain_of(board.tags.get("Contract", ""))
    cards = attempt(lambda: played_cards(board, strain), "play")
    fields: dict[str, object] = {
        "deal": _deal(board),
        "auction": [_call_object(call) for call in (auction.calls if auction else ())],
        "play": [_card_object(card) for card in cards or ()],
        "board_num": board.number,
        "info": _info(board),
        "dealer": board.dealer.name.lower(),
        "claimed": True,
    }
    if board.vulnerable is not None:
        fields["vul"] = _VULNERABLE_NAMES[board.vulnerable.value]
    if contract := _contract_object(board.tags):
        fields["contract"] = contract
    return fields


def _info(board: Board) -> dict[str, str]:
    """Return the tags without keys of their own, with the tricks as digits."""
    tags, sections = board.tags, board.sections
    info = {
        name: value
        for name, value in tags.items()
        if name not in _NOT_IN_INFO and not remarks_cut(sections.get(name, ())).strip()
    }
    if board.tricks is not None:
        info.setdefault(TRICK_DIGITS, format_trick_digits(board.tricks))
    if board.number is None and tags.get("Board", "") not in ("", "?"):
        info["Board"] = tags["Board"]
    contract = _contract_object(tags)
    if contract and contract["level"] and tags.get("Result", "") in ("", "?"):
        info["Result"] = "?"  # beside a contract, endplay has a number of tricks in any case
    return info


def _card_object(card: str) -> dict[str, str]:
    return {"suit": _SUITS[SUIT_LETTERS.index(card[0])], "rank": card[1]}


def _deal(board: Board) -> dict[str, object]:
    """Return the hands, with the leader and the trump suit of the contract."""
    assert board.layout is not None
    owners = board.layout.owners
    strain = strain_of(board.tags.get("Contract", "")) or "NT"
    declarer = board.tags.get("Declarer", "").removeprefix("^")
    first = Seat.parse(declarer).next if declarer in tuple("NESW") else Seat.NORTH
    hands: dict[str, object] = {
        seat.name.lower(): [_card_object(card) for n, card in enumerate(CARDS) if owners[n] == seat]
        for seat in Seat
    }
    trump = _NAMES["NT" if strain == "N" else strain]
    return hands | {"first": first.name.lower(), "trump": trump, "curtrick": []}


def _call_object(call: Call) -> dict[str, object]:
    fields: dict[str, object] = (
        {"penalty": _PENALTIES[call.word]}
        if call.word in _PENALTIES
        else {"level": int(call.word[0]), "denom": _NAMES[call.word[1:]]}
    )
    fields["alertable"] = call.alert
    return fields | ({"announcement": call.note} if call.note else {})


def _contract_object(tags: Mapping[str, str]) -> dict[str, object]:
    """Return the contract; empty unless it is known."""
    text, declarer = tags.get("Contract", "").upper(), tags.get("Declarer", "")
    strain = strain_of(text)
    if text == "PASS":
        return {"level": 0, "denom": "nt", "declarer": "north", "penalty": "", "result": 0}
    result = tags.get("Result", "")
    if not strain or not text[0].isdigit() or declarer not in tuple("NESW"):
        return {}
    taken = int(result) if result.isdecimal() and int(result) <= HAND_SIZE else None
    return {
        "level": int(text[0]),
        "denom": _NAMES["NT" if strain == "N" else strain],
        "declarer": Seat.parse(declarer).name.lower(),
        "penalty": "x" * text.count("X"),
        "result": 0 if taken is None else taken - int(text[0]) - _BOOK,
    }


_VALUE_BEGINS = re.compile(r"[^\s,\[\]]")
_CUT = 1 << 16
_NEXT_OBJECT = re.compile(r"^\s*\{", re.MULTILINE)
_SUIT_LETTER_OF = dict(zip((*_SUITS, *SUIT_LETTERS.lower()), SUIT_LETTERS * 2, strict=True))
_VULNERABLE = {
    "": "",
    **dict.fromkeys(("none", "o", "-"), "None"),
    **dict.fromkeys(("ns", "n"), "NS"),
    **dict.fromkeys(("ew", "e"), "EW"),
    **dict.fromkeys(("all", "both", "b"), "All"),
}


def read_json(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of a list of objects, or of objects one after another.

    The whole text is in memory. An object that is no board is a problem, and so is text that is no
    JSON; the reader then continues at the next line that begins with a brace.
    """
    text = decode(b"".join(blocks(stream))).rstrip("\x1a")
    if not is_text(text[:1024].replace("\n", " ").replace("\t", " ")):
        context.problem(1, "this is no text: expected JSON")
        return
    parse = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str).raw_decode
    offset, line = 0, 1
    while begins := _VALUE_BEGINS.search(text, offset):
        start = begins.start()
        line += text.count("\n", offset, start)
        try:
            value, end = parse(text, start)
        except (ValueError, RecursionError) as error:
            following = _NEXT_OBJECT.search(text, start + 1)
            end = following.start() if following else len(text)
            why = str(error).split(":")[0] if isinstance(error, ValueError) else "too deep"
            wrong = shorten(text[start : start + 60].split("\n")[0])
            context.problem(line, f"this is no JSON ({why}): {wrong}")
        else:
            yield from _board(value, line, context)
        line += text.count("\n", start, end)
        offset = end
        if offset > _CUT:  # json counts the lines before each fault, so the text begins near it
            text, offset = text[offset:], 0


def _board(value: object, line: int, context: Context) -> Iterator[Board]:
    """Yield the board of a value; report other values."""
    if not isinstance(value, dict):
        context.problem(line, f"expected an object with a board, not {shorten(json.dumps(value))}")
        return
    fields = {str(key).lower(): field for key, field in value.items()}
    problems: list[str] = []
    if fields.keys() >= _KEYS and isinstance(fields["deal"], dict):
        board = _attempt(lambda: _board_of_endplay(fields, problems, line), problems)
        for problem in problems:
            context.problem(line, problem, _text(fields["board_num"]) or None)
        if board is not None:
            yield board
        return
    entries = _attempt(lambda: _entries(fields), problems) or ()
    layout = _attempt(lambda: _layout(fields), problems)
    more = _more_tags(fields, Board(layout, entries), problems)
    if layout is None and not entries and not more and not problems:
        problems.append(f"this object holds no board: {shorten(json.dumps(value))}")
    for problem in problems:
        context.problem(line, problem, _text(fields.get("board")) or None)
    if layout is not None or entries or more:
        yield Board(layout, (*more, *entries), line=line)


def _attempt(make: Callable[[], T], problems: list[str]) -> T | None:
    """Return what `make` returns; if it raises `PavError`, add the reason and return None."""
    try:
        return make()
    except PavError as error:
        problems.append(str(error))
        return None


def _text(value: object) -> str:
    """Return a text unchanged; empty for other values (the decoder makes texts of numbers)."""
    return value if isinstance(value, str) else ""


def _entries(fields: Object) -> tuple[Tag, ...]:
    """Return the tags of an object: `entries`, or else `tags` with their `sections`."""
    if "entries" in fields:
        return tuple(map(_entry, _list(fields["entries"], "entries are a list")))
    tags = fields.get("tags", {})
    sections = fields.get("sections", {})
    if not isinstance(tags, dict) or not isinstance(sections, dict):
        raise PavError("tags and sections are objects: names and what they have")
    entries = []
    for name, value in tags.items():
        if not isinstance(value, str):
            raise PavError(f"the tag {name!r} has a text, not {shorten(json.dumps(value))}")
        entries.append(Tag(name, value, _lines(sections.get(name, []))))
    for name, section in sections.items():
        if name not in tags:
            entries.append(Tag(name, "", _lines(section)))
    return tuple(entries)


def _entry(value: object) -> Tag:
    """Return the tag of one of `entries`: name, value and perhaps lines."""
    parts = value if isinstance(value, list) else []
    if not 2 <= len(parts) <= 3 or not all(isinstance(part, str) for part in parts[:2]):
        raise PavError(
            f"an entry is [name, value] or [name, value, lines], not {json.dumps(value)}"
        )
    return Tag(parts[0], parts[1], _lines(parts[2]) if len(parts) == 3 else ())


def _list(value: object, expected: str) -> list[object]:
    if not isinstance(value, list):
        raise PavError(f"{expected}, not {shorten(json.dumps(value))}")
    return value


def _lines(value: object) -> tuple[str, ...]:
    expected = "the lines of a section are a list"
    lines = value.split("\n") if isinstance(value, str) else _list(value, expected)
    if not all(isinstance(line, str) for line in lines):
        raise PavError(f"the lines of a section are texts, not {shorten(json.dumps(value))}")
    return tuple(map(str, lines))


def _more_tags(fields: Object, board: Board, problems: list[str]) -> tuple[Tag, ...]:
    """Return the tags of `board`, `dealer` and `vulnerable` that the other tags do not imply."""
    tags = []
    number = _text(fields.get("board")) or _text(fields.get("number"))
    if number and "Board" not in board.tags:
        tags.append(Tag("Board", number))
    known = Board(None, (*tags, *board.entries))
    letter = _text(fields.get("dealer"))
    seat = _attempt(lambda: Seat.parse(letter), problems) if letter else None
    if seat is not None and "Dealer" not in board.tags and known.dealer != seat:
        tags.append(Tag("Dealer", seat.letter))
    side = _attempt(lambda: _vulnerability(fields), problems)
    if side is not None and "Vulnerable" not in board.tags and known.vulnerable != side:
        tags.append(Tag("Vulnerable", side.value))
    return tuple(tags)


def _vulnerability(fields: Object) -> Vulnerability | None:
    word = _text(fields.get("vulnerable") or fields.get("vul") or fields.get("vulnerability"))
    if word.lower() not in _VULNERABLE:
        raise PavError(f"vulnerability {word!r} is not one of None NS EW All")
    return Vulnerability.parse(_VULNERABLE[word.lower()])


def _layout(fields: Object) -> Layout | None:
    """Return the cards of an object, or None."""
    deal = fields.get("deal")
    if isinstance(deal, str) and deal not in ("", "?"):
        try:
            return Layout.from_pbn(deal, lenient=True)
        except TextError as error:
            raise PavError(f"{error.message}: {shorten(deal)}") from None
    hands = next((some for some in (deal, fields.get("hands")) if isinstance(some, dict)), fields)
    by_seat = {}
    lower = {str(key).lower(): value for key, value in hands.items()}
    for seat in Seat:
        hand = lower.get(seat.letter.lower(), lower.get(seat.name.lower()))
        # in the object itself, north may be the name of a player
        if hand is not None and (hands is not fields or not _is_name(hand)):
            by_seat[seat] = _hand(hand)
    return layout_of_hands(by_seat) if by_seat else None


def _is_name(value: object) -> bool:
    """Return whether a value is a text that is no hand."""
    return isinstance(value, str) and not re.fullmatch(r"[SHDCAKQJT2-9.10\s-]*", value.upper())


def _hand(value: object) -> str:
    """Return a hand in PBN's notation: of a text, of cards, or of suits by their names."""
    if isinstance(value, dict):
        suits = dict.fromkeys(SUIT_LETTERS, "")
        for name, ranks in value.items():
            suit = _SUIT_LETTER_OF.get(str(name).lower())
            if suit is None:
                raise PavError(f"{name!r} is no suit; expected S H D C or their names")
            suits[suit] = "".join(map(_text, ranks)) if isinstance(ranks, list) else _text(ranks)
        value = ".".join(suits.values())
    if isinstance(value, list):
        cards = [_text(card).upper().replace("10", "T") for card in value]
        if any(len(card) != 2 or card[0] not in SUIT_LETTERS for card in cards):
            raise PavError(
                f"a hand is a list of cards such as SA, not {shorten(json.dumps(value))}"
            )
        return _hand_of_cards(cards)
    if not isinstance(value, str):
        raise PavError(f"a hand is a text such as AK.Q.32.T9, not {shorten(json.dumps(value))}")
    text = "".join(value.split())
    if text.count(".") == len(SUIT_LETTERS) - 1:
        holdings = text.replace("-", "").split(".")
        return parse_suits("".join(map(str.__add__, SUIT_LETTERS, holdings)))
    return "-" if text in ("-", "") else parse_suits(text)


def _dump(board: Board) -> bytes:
    return json.dumps(board.to_dict(), ensure_ascii=False).encode("utf-8", "backslashreplace")


def line_of(board: Board) -> str | None:
    """Return the line of a board in JSON Lines; None if it has half of a character."""
    text = f"{json.dumps(board.to_dict(), ensure_ascii=False)}\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        return None
    return text


def write_json(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:  # noqa: ARG001
    """Write a list with an object a line, and return how many boards there were."""
    written = 0
    for board in boards:
        stream.write((b",\n" if written else b"[\n") + _dump(board))
        written += 1
    stream.write(b"\n]\n" if written else b"[]\n")
    return written


def write_json_lines(
    boards: Iterable[Board],
    stream: BinaryIO,
    context: Context,  # noqa: ARG001 (all writers take one)
) -> int:
    """Write an object a line, and return how many boards there were."""
    written = 0
    for board in boards:
        stream.write(_dump(board) + b"\n")
        written += 1
    return written


# The boards of BEN, a robot, and of Bridge Bidding Analyser: `.ben`.
#
#     ben = { [ "# " remark newline ] hands newline dealer " " vulnerable { " " call } newline }
#
# Rule 1: the hands are N E S W, suits between dots; the vulnerability is `None N-S E-W Both`; a
# star at a call is an alert. Lines that start with `#` are remarks. Rule 2: dealer and
# vulnerability may be in the line of the hands, before or after them, and the parts may be in
# quotes with a comma between: such files exist.


_BEN_SUITS = r"[AKQJT2-9]*(?:\.[AKQJT2-9]*){3}"
_HANDS = rf"(?P<hands>{_BEN_SUITS}(?: +{_BEN_SUITS}){{3}})"
_RULES = r"(?P<dealer>[NESW]) +(?P<vulnerable>None|N-S|E-W|Both)(?P<calls>(?: +[A-Za-z0-9*]+)*)"
_HANDS_LINE = re.compile(_HANDS)
_RULES_LINE = re.compile(_RULES)
_ONE_LINE = (re.compile(rf"{_HANDS}[ ,]+{_RULES}"), re.compile(rf"{_RULES}[ ,]+{_HANDS}"))
_BEN_VULNERABLE = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "N-S",
    Vulnerability.EW: "E-W",
    Vulnerability.ALL: "Both",
}


def read_ben(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each four hands; lines that are not of the format are problems."""
    held: tuple[int, str] | None = None  # hands whose dealer is in the next line
    for line, raw in numbered_lines(stream, context):
        text = " ".join(raw.replace("'", " ").replace('"', " ").split())
        whole = next(filter(None, (form.fullmatch(text) for form in _ONE_LINE)), None)
        rules = _RULES_LINE.fullmatch(text)
        if held is not None and rules is None:
            yield from _ben_board(*held, None, context)
            held = None
        if whole is not None:
            yield from _ben_board(line, whole["hands"], whole, context)
        elif rules is not None and held is not None:
            yield from _ben_board(*held, rules, context)
            held = None
        elif _HANDS_LINE.fullmatch(text):
            held = line, text
        else:
            expected = "four hands, or dealer, vulnerability and calls as in 'E N-S P 1C'"
            context.problem(line, f"expected {expected}: {shorten(text)}")
    if held is not None:
        yield from _ben_board(*held, None, context)


def _ben_board(
    line: int, hands: str, rules: re.Match[str] | None, context: Context
) -> Iterator[Board]:
    """Yield the board of its lines; report lines that are no board."""
    try:
        layout = deal_of_hands(hands.split())
    except PavError as error:
        context.problem(line, f"{reason_of(error)}: {shorten(hands)}")
        return
    if rules is None:
        context.problem(line, f"there is no dealer behind the hands {shorten(hands)}")
        yield Board(layout, line=line)
        return
    dealer, vulnerable = rules["dealer"], Vulnerability.parse(rules["vulnerable"])
    assert vulnerable is not None, "the pattern has its words alone"
    tags = [Tag("Dealer", dealer), Tag("Vulnerable", vulnerable.value)]
    try:
        auction = auction_of(Board(None, (Tag("Auction", dealer, (rules["calls"],)),)))
    except PavError as error:
        context.problem(line, str(error))
        auction = None
    contract = None if auction is None else contract_of(auction)
    if contract is not None:
        tags += [Tag(*tag) for tag in contract_tags(contract).items()]
    more = auction_tags(auction) if auction is not None else []
    yield Board(layout, (*tags, *more), line=line)


def write_ben(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write two lines for each deal, and return how many."""
    return write_each(boards, stream, context, partial(_ben_text, context))


def _ben_text(context: Context, board: Board) -> str:
    hands = " ".join(hands_of(board))
    dealer, vulnerable = board.dealer, board.vulnerable
    if dealer is None or vulnerable is None:
        raise ReadError("BEN needs a dealer and a vulnerability")
    try:
        auction = auction_of_dealer(board)
    except PavError as error:
        context.problem(board.line, f"the auction is left out: {error}", board.tags.get("Board"))
        auction = None
    words = [
        ("P" if call.word == "Pass" else call.word.removesuffix("T")) + ("*" if call.alert else "")
        for call in (auction.calls if auction else ())
    ]
    return f"{hands}\n{' '.join([dealer.letter, _BEN_VULNERABLE[vulnerable], *words])}\n"
