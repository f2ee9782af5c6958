"""JSON: a list of objects, or an object a line; a board each.

There is no standard; docs/formats/json.md describes what pavcodec writes and reads.

Rule 1: `deal` is PBN's deal text, `tags` PBN's tags, `sections` the lines that follow them. Where
        these three are not enough, as for two tags with one name, `entries` has all tags.
Rule 2: `board`, `dealer` and `vulnerable` are for readers without a notion of tags; the reader uses
        them where the tags have no other values.
Rule 3: `endplay_json` reads the objects of endplay, which have other keys.
Rule 4: hands of other programs may have any name of the seat, and be a text or a list of cards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from pavcodec.formats.plain.texts import is_text, numbered_lines, shorten
from pavcodec.formats.programs.lines import deal_of_hands, hands_of, reason_of, write_each
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
_TOLD = {"Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result"}
_BOOK = 6


def is_endplay(found: Object) -> bool:
    """Return whether an object is a board of endplay."""
    return found.keys() >= _KEYS and isinstance(found["deal"], dict)


def board_of_endplay(found: Object, complain: Callable[[str], None], line: int) -> Board:
    """Return the board of an object; report wrong parts of it, and leave them out."""

    def attempt(make: Callable[[], object]) -> object:
        try:
            return make()
        except (PavError, KeyError, TypeError, ValueError, AttributeError) as error:
            told = "" if isinstance(error, PavError) else "this is no board of endplay: "
            complain(f"{told}{error}")
            return None

    layout = layout_of_hands(_hands(found["deal"]))  # the reader reports the problem
    tags = dict(_tags(found))
    auction = attempt(lambda: _auction(found, tags))
    contract = contract_of(auction) if isinstance(auction, Auction) else None
    told = attempt(lambda: _contract(found.get("contract"), contract))
    has_no_result = tags.get("Result") == "?"
    tags |= told if isinstance(told, dict) else {}
    if has_no_result:
        tags.pop("Result", None)
    entries = [Tag(*tag) for tag in tags.items()]
    if isinstance(auction, Auction) and auction.calls:
        entries += auction_tags(auction)
    cards = attempt(lambda: [_card(card) for card in _endplay_list(found["play"])])
    if isinstance(cards, list) and cards:
        play = play_tag(layout, cards, strain_of(tags.get("Contract", "")))
        if play is None:
            shown = shorten(" ".join(cards))
            complain(f"the play is left out: the cards do not fit the hands: {shown}")
        else:
            entries.append(play)
    return Board(layout, tuple(entries), line=line)


def _endplay_list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise PavError(f"expected a list, not {shorten(json.dumps(value))}")
    return value


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
    assert isinstance(deal, dict), "is_endplay looks"
    hands = {}
    for seat in Seat:
        cards = [_card(card) for card in _endplay_list(deal.get(seat.name.lower(), []))]
        suits = "".join(s + "".join(c[1] for c in cards if c[0] == s) for s in SUIT_LETTERS)
        hands[seat] = parse_suits(suits)
    return hands


def _tags(found: Object) -> Iterator[tuple[str, str]]:
    """Yield the tags of `info` and of the keys beside it."""
    info = found.get("info")
    if isinstance(info, dict):
        yield from ((name, each) for name, each in info.items() if isinstance(each, str))
    if found["board_num"] is not None:
        yield "Board", str(found["board_num"])
    if found.get("dealer"):
        yield "Dealer", Seat.parse(str(found["dealer"])[:1]).letter
    if (vul := found.get("vul")) is not None:
        yield "Vulnerable", _ENDPLAY_VULNERABLE.get(str(vul), str(vul))


def _auction(found: Object, tags: Mapping[str, str]) -> Auction | None:
    calls = [_call(call) for call in _endplay_list(found["auction"])]
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
    assert board.layout is not None, "boards without cards were left out"
    assert board.dealer is not None, "boards without a dealer were left out"

    def attempt(make: Callable[[], object], what: str) -> object:
        try:
            return make()
        except PavError as error:
            reason = f"the {what} is left out: {error}"
            context.problem(board.line, reason, board.tags.get("Board"))
            return None

    auction = attempt(lambda: auction_of_dealer(board), "auction")
    calls = auction.calls if isinstance(auction, Auction) else ()
    made: dict[str, object] = {
        "deal": _deal(board),
        "auction": [_call_object(call) for call in calls],
        "play": [],
        "board_num": board.number,
        "info": _info(board),
        "dealer": board.dealer.name.lower(),
        "claimed": True,
    }
    strain = strain_of(board.tags.get("Contract", ""))
    cards = attempt(lambda: played_cards(board, strain), "play")
    made["play"] = [_card_object(card) for card in cards] if isinstance(cards, list) else []
    if board.vulnerable is not None:
        made["vul"] = _VULNERABLE_NAMES[board.vulnerable.value]
    if contract := _contract_object(board.tags):
        made["contract"] = contract
    return made


def _info(board: Board) -> dict[str, str]:
    """Return the tags without keys of their own, with the tricks as digits."""
    found = {name: each for name, each in board.tags.items() if _is_info(board, name)}
    if board.tricks is not None:
        found.setdefault(TRICK_DIGITS, format_trick_digits(board.tricks))
    if board.number is None and board.tags.get("Board", "") not in ("", "?"):
        found["Board"] = board.tags["Board"]
    if _has_no_result(board.tags):
        found["Result"] = "?"  # beside a contract, endplay has a number of tricks in any case
    return found


def _has_no_result(tags: Mapping[str, str]) -> bool:
    contract = _contract_object(tags)
    return bool(contract and contract["level"]) and tags.get("Result", "") in ("", "?")


def _is_info(board: Board, name: str) -> bool:
    is_section = remarks_cut(board.sections.get(name, ())).strip()
    return name not in {*_TOLD, "Auction", "Play", "Note"} and not is_section


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
    made: dict[str, object] = (
        {"penalty": _PENALTIES[call.word]}
        if call.word in _PENALTIES
        else {"level": int(call.word[0]), "denom": _NAMES[call.word[1:]]}
    )
    made["alertable"] = call.alert
    return made | ({"announcement": call.note} if call.note else {})


def _contract_object(tags: Mapping[str, str]) -> dict[str, object]:
    """Return the contract; None unless contract and result are known."""
    text, declarer = tags.get("Contract", "").upper(), tags.get("Declarer", "")
    strain = strain_of(text)
    made: dict[str, object] = {"level": 0, "denom": "nt", "declarer": "north", "penalty": ""}
    if text == "PASS":
        return made | {"result": 0}
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


T = TypeVar("T")


_BETWEEN = re.compile(r"[\s,\[\]]*")
_CUT = 1 << 16
_NEXT_OBJECT = re.compile(r"^\s*\{", re.MULTILINE)
_SUIT_NAMES = {name: place for place, name in enumerate(("spades", "hearts", "diamonds", "clubs"))}
_SUIT_PLACES = _SUIT_NAMES | {letter.lower(): n for n, letter in enumerate(SUIT_LETTERS)}
_WORDS = {"": None, "none": "None", "ns": "NS", "ew": "EW", "all": "All", "both": "All"}
_VULNERABLE = _WORDS | {"o": "None", "-": "None", "n": "NS", "e": "EW", "b": "All"}


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
    place, line = 0, 1
    while (start := _end_of_gap(text, place)) < len(text):
        line += text.count("\n", place, start)
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
        place = end
        if place > _CUT:  # json counts the lines before each fault, so the text begins near it
            text, place = text[place:], 0


def _end_of_gap(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


def _board(value: object, line: int, context: Context) -> Iterator[Board]:
    """Yield the board of a value; report other values."""
    if not isinstance(value, dict):
        context.problem(line, f"expected an object with a board, not {shorten(json.dumps(value))}")
        return
    found = {str(key).lower(): each for key, each in value.items()}
    wrong: list[str] = []
    if is_endplay(found):
        board = _attempt(lambda each: board_of_endplay(each, wrong.append, line), found, wrong)
        for reason in wrong:
            context.problem(line, reason, _text(found["board_num"]) or None)
        if board is not None:
            yield board
        return
    entries = _attempt(_entries, found, wrong) or ()
    layout = _attempt(_layout, found, wrong)
    told = _told(found, Board(layout, entries), wrong)
    if layout is None and not entries and not told and not wrong:
        wrong.append(f"this object holds no board: {shorten(json.dumps(value))}")
    for reason in wrong:
        context.problem(line, reason, _text(found.get("board")) or None)
    if layout is not None or entries or told:
        yield Board(layout, (*told, *entries), line=line)


def _attempt(make: Callable[[Object], T], found: Object, wrong: list[str]) -> T | None:
    """Return the result of `make`; if it raises `PavError`, add the reason and return None."""
    try:
        return make(found)
    except PavError as error:
        wrong.append(str(error))
        return None


def _text(value: object) -> str:
    """Return a text unchanged; empty for other values (the decoder makes texts of numbers)."""
    return value if isinstance(value, str) else ""


def _entries(found: Object) -> tuple[Tag, ...]:
    """Return the tags of an object: `entries`, or else `tags` with their `sections`."""
    if "entries" in found:
        return tuple(map(_entry, _list(found["entries"], "entries")))
    tags = found.get("tags", {})
    sections = found.get("sections", {})
    if not isinstance(tags, dict) or not isinstance(sections, dict):
        raise PavError("tags and sections are objects: names and what they have")
    made = []
    for name, value in tags.items():
        if not isinstance(value, str):
            raise PavError(f"the tag {name!r} has a text, not {shorten(json.dumps(value))}")
        made.append(Tag(name, value, _lines(sections.get(name, []))))
    for name, section in sections.items():
        if name not in tags:
            made.append(Tag(name, "", _lines(section)))
    return tuple(made)


def _entry(value: object) -> Tag:
    """Return the tag of one of `entries`: name, value and perhaps lines."""
    parts = value if isinstance(value, list) else []
    if not 2 <= len(parts) <= 3 or not all(isinstance(part, str) for part in parts[:2]):
        raise PavError(
            f"an entry is [name, value] or [name, value, lines], not {json.dumps(value)}"
        )
    return Tag(parts[0], parts[1], _lines(parts[2]) if len(parts) == 3 else ())


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise PavError(f"{what} are a list, not {shorten(json.dumps(value))}")
    return value


def _lines(value: object) -> tuple[str, ...]:
    """Return the lines of a section."""
    lines = value.split("\n") if isinstance(value, str) else _list(value, "the lines of a section")
    if not all(isinstance(line, str) for line in lines):
        raise PavError(f"the lines of a section are texts, not {shorten(json.dumps(value))}")
    return tuple(map(str, lines))


def _told(found: Object, board: Board, wrong: list[str]) -> tuple[Tag, ...]:
    """Return the tags of `board`, `dealer` and `vulnerable` that the other tags do not imply."""
    tags = []
    number = _text(found.get("board")) or _text(found.get("number"))
    if number and "Board" not in board.tags:
        tags.append(Tag("Board", number))
    known = Board(None, (*tags, *board.entries))
    seat = _attempt(_dealer, found, wrong)
    if seat is not None and "Dealer" not in board.tags and known.dealer != seat:
        tags.append(Tag("Dealer", seat.letter))
    side = _attempt(_vulnerability, found, wrong)
    if side is not None and "Vulnerable" not in board.tags and known.vulnerable != side:
        tags.append(Tag("Vulnerable", side.value))
    return tuple(tags)


def _dealer(found: Object) -> Seat | None:
    text = _text(found.get("dealer"))
    return Seat.parse(text) if text else None


def _vulnerability(found: Object) -> Vulnerability | None:
    word = _text(found.get("vulnerable") or found.get("vul") or found.get("vulnerability"))
    if word.lower() not in _VULNERABLE:
        raise PavError(f"vulnerability {word!r} is not one of None NS EW All")
    return Vulnerability.parse(_VULNERABLE[word.lower()] or "")


def _layout(found: Object) -> Layout | None:
    """Return the cards of an object, or None."""
    deal = found.get("deal")
    if isinstance(deal, str) and deal not in ("", "?"):
        try:
            return layout_of_deal(deal)
        except TextError as error:
            raise PavError(f"{error.message}: {shorten(deal)}") from None
    hands = next((each for each in (deal, found.get("hands")) if isinstance(each, dict)), found)
    by_seat = {}
    lower = {str(key).lower(): value for key, value in hands.items()}
    for seat in Seat:
        given = lower.get(seat.letter.lower(), lower.get(seat.name.lower()))
        # in the object itself, north may be the name of a player
        if given is not None and (hands is not found or not _is_name(given)):
            by_seat[seat] = _hand(given)
    return layout_of_hands(by_seat) if by_seat else None


def layout_of_deal(text: str) -> Layout:
    """Return the layout of a PBN deal text."""
    return Layout.from_pbn(text, lenient=True)


def _is_name(value: object) -> bool:
    """Return whether a value is a text that is no hand."""
    return isinstance(value, str) and not re.fullmatch(r"[SHDCAKQJT2-9.10\s-]*", value.upper())


def _hand(value: object) -> str:
    """Return a hand in PBN's notation: of a text, of cards, or of suits by their names."""
    if isinstance(value, dict):
        suits = [""] * len(SUIT_LETTERS)
        for name, ranks in value.items():
            place = _SUIT_PLACES.get(str(name).lower())
            if place is None:
                raise PavError(f"{name!r} is no suit; expected S H D C or their names")
            suits[place] = "".join(map(_text, ranks)) if isinstance(ranks, list) else _text(ranks)
        value = ".".join(suits)
    if isinstance(value, list):
        cards = [_text(card).upper().replace("10", "T") for card in value]
        if any(len(card) != 2 or card[0] not in SUIT_LETTERS for card in cards):
            raise PavError(
                f"a hand is a list of cards such as SA, not {shorten(json.dumps(value))}"
            )
        return parse_suits(
            "".join(suit + "".join(c[1] for c in cards if c[0] == suit) for suit in SUIT_LETTERS)
        )
    if not isinstance(value, str):
        raise PavError(f"a hand is a text such as AK.Q.32.T9, not {shorten(json.dumps(value))}")
    text = "".join(value.split())
    if text.count(".") == len(SUIT_LETTERS) - 1:
        return parse_suits("".join(map(str.__add__, SUIT_LETTERS, map(_ranks, text.split(".")))))
    return "-" if text in ("-", "") else parse_suits(text)


def _ranks(text: str) -> str:
    return text.replace("-", "")


def _dump(board: Board) -> bytes:
    return json.dumps(board.to_dict(), ensure_ascii=False).encode("utf-8", "backslashreplace")


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
_LINE = re.compile(_HANDS)
_RULES_LINE = re.compile(_RULES)
_ONE_LINE = (re.compile(rf"{_HANDS}[ ,]+{_RULES}"), re.compile(rf"{_RULES}[ ,]+{_HANDS}"))
_BEN_VULNERABLE = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "N-S",
    Vulnerability.EW: "E-W",
    Vulnerability.ALL: "Both",
}
_BEN_CALLS = {"Pass": "P"}


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
        elif _LINE.fullmatch(text):
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
        auction = _ben_auction(Seat.parse(dealer), rules["calls"])
    except PavError as error:
        context.problem(line, str(error))
        auction = None
    contract = None if auction is None else contract_of(auction)
    if contract is not None:
        tags += [Tag(*tag) for tag in contract_tags(contract).items()]
    more = auction_tags(auction) if auction is not None else []
    yield Board(layout, (*tags, *more), line=line)


def _ben_auction(dealer: Seat, calls: str) -> Auction | None:
    """Return the auction of calls, if there are any."""
    return auction_of(Board(None, (Tag("Auction", dealer.letter, (calls,)),)))


def write_ben(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write two lines for each deal, and return how many."""
    return write_each(boards, stream, context, lambda board: _text_of(board, context))


def _text_of(board: Board, context: Context) -> str:
    hands = " ".join(hands_of(board))
    dealer, vulnerable = board.dealer, board.vulnerable
    if dealer is None or vulnerable is None:
        raise ReadError("BEN needs a dealer and a vulnerability")
    try:
        auction = auction_of_dealer(board)
    except PavError as error:
        context.problem(board.line, f"the auction is left out: {error}", board.tags.get("Board"))
        auction = None
    calls = [] if auction is None else auction.calls
    words = [
        (_BEN_CALLS.get(call.word) or call.word.removesuffix("T")) + ("*" if call.alert else "")
        for call in calls
    ]
    return f"{hands}\n{' '.join([dealer.letter, _BEN_VULNERABLE[vulnerable], *words])}\n"
