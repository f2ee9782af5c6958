"""From the parse tree of an expression to its nodes.

lark parses a text to a tree of rules and tokens. `Builder` converts this tree to nodes: one method
`_make_RULE` for each rule of the grammar. It resolves the names of variables, checks the arguments
of functions, and collects warnings about texts that may not mean what their author expects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import count as count_from
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from pavcodec.boards.board import Vulnerability
from pavcodec.cards import (
    DECK_SIZE,
    RANK_LETTERS,
    SUIT_LETTERS,
    SUIT_SIZE,
    UNUSED,
    Card,
    Seat,
    Strain,
    Suit,
)
from pavcodec.constraints.functions import ALTERNATIVES, FUNCTIONS, POINTS, REFUSED, card_sum
from pavcodec.constraints.language.decimals import (
    IN_HUNDREDTHS,
    aligned,
    arithmetic,
    choice,
    comparison,
    integer_of,
    is_decimal,
    literal,
    meets_an_integer,
    negated,
    places_of,
    scaled_points,
    with_places,
    without_hundredths,
)
from pavcodec.constraints.language.hints import (
    instead_of_argument,
    instead_of_function,
    instead_of_seat,
    instead_of_shapes,
    instead_of_this,
    range_hint,
)
from pavcodec.constraints.language.source import MAX_DIGITS, SourceText, branches, near, words
from pavcodec.constraints.language.words import (
    ACTIONS,
    RESERVED,
    SEAT_LETTERS,
    SEATS,
    STATEMENTS,
    STRAINS,
    SUITS,
    VULNERABLE,
    VULNERABLE_SIDES,
    WORDS,
    canonical,
)
from pavcodec.constraints.nodes.syntax import (
    MAX_DEPTH,
    OPERATORS,
    And,
    Arithmetic,
    Comparison,
    HasCard,
    Holding,
    InShapes,
    Node,
    Not,
    Number,
    Or,
    Scaled,
    SmallHolding,
    conjunction,
    disjunction,
    measure_of,
    name_draws,
    name_shared_draws,
)
from pavcodec.errors import PavError, TextError, hint
from pavcodec.shapes import Shape, parse_braced_shapes, parse_shapes

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


_OPERATOR_WORDS = {"/": "division", "%": "the remainder of a division"}
Points = Sequence[int | Decimal]
"""The points of the ranks, ace first."""
T = TypeVar("T")
FOREIGN_TO_SHAPES = ("call", "shape", "braced", "points")
"""The rules of the grammar for functions that need more than the four lengths of a hand."""

_CONTRACT = re.compile(r"[xz]([1-7])(s|h|d|c|nt?)(x{0,2})", re.IGNORECASE)
_STRAIN_LETTERS = {strain.letters[0]: strain for strain in Strain}
_NUMBERED_STRAINS = [_STRAIN_LETTERS[letter] for letter in "CDHSN"]
"""The strains in the order of their numbers in Dealer3."""
_COUNTED = {*SUITS, "hcp"}
"""The functions that are compared in nearly every condition."""
_SIDES = ("ns", "ew")
_TRUTHS = (Number(0), Number(1))
_OF_TRUTH = (And, Comparison, HasCard, Holding, InShapes, Not, Or)
"""The nodes with the values 0 and 1."""


class Builder:
    """A builder of nodes, with the points of functions and the variables defined so far."""

    def __init__(
        self,
        source: SourceText,
        tree: Branch,
        pointcount: Points | None = None,
        altcount: Mapping[int, Points] | None = None,
        variables: Mapping[str, Node] | None = None,
    ) -> None:
        self.source = source
        self.used: set[str] = set()
        self.warnings: list[tuple[int, str]] = []
        self.unclear: list[tuple[int, str]] = []
        """Where `and` and `or` stand side by side, or a length stands without a comparison."""
        self.unscaled: list[int] = []
        """The places where a decimal is beside an integer that is not in hundredths."""
        self._variables: dict[str, Node] = dict(variables or {})
        self._points: dict[str, Points] = dict(POINTS)
        if pointcount is not None:
            self._points["hcp"] = pointcount
        for number, points in (altcount or {}).items():
            self._points[ALTERNATIVES[number]] = points
        self._points |= {f"pt{n}": self._points[name] for n, name in enumerate(ALTERNATIVES)}
        self._nesting = 0
        self.names: dict[Node, tuple[str, int]] = {}
        self._free_draws = count_from(1 + max(map(_draw_of, tree.find_data("call")), default=0))

    def expression(self, part: Branch) -> Node:
        """Return the node of a whole expression; raise `TextError` for a part without meaning."""
        return name_shared_draws(without_hundredths(self.node(part)))

    def integer(self, part: Branch) -> Node:
        """Return the node of an expression that is an integer; raise `TextError` for decimals."""
        node = self.expression(part)
        if is_decimal(node):
            reason = "this number has decimals, and an integer is expected"
            hint = f"compare it, or write {10 ** places_of(node)} * (…)"
            raise self.source.error_at(f"{reason}: {hint}", part)
        return node

    def scaled_like(
        self, part: Branch, numbers: Sequence[int | Decimal]
    ) -> tuple[Node, list[int], int]:
        """Return an expression and some numbers as integers of one scale, and their decimals."""
        others = [literal(n) if isinstance(n, Decimal) else Number(n) for n in numbers]
        (node, *rest), places = aligned(self.node(part), *others)
        integers = [each.value for each in rest if isinstance(each, Number)]
        return name_shared_draws(node), integers, places

    def condition(self, part: Branch) -> Node:
        """Return the node of a condition; warn if it has the same value for all deals."""
        warned = len(self.warnings)
        node = integer_of(self.expression(part))
        if len(self.warnings) == warned:  # otherwise there is a warning about a part of it
            self._warn_of_constants([part], [node])
        return node

    def assign(self, part: Branch) -> str:
        """Store the expression of a variable for the text after it, and return the name.

        Each `rnd` in it gets a number, so that it is the same draw wherever the text uses the
        variable. Raises `TextError` for a name that a variable may not have.
        """
        word = words(part)[0]
        name = str(word)
        if name in WORDS:
            reason = f"{name!r} is a word of the language and cannot be a variable"
            raise self.source.error_at(reason, word)
        if name[0].isdigit():
            raise self.source.error_at("a variable does not start with a digit", word)
        node = name_shared_draws(self.node(branches(part)[0]))
        node = self._variables[name] = name_draws(node, lambda _: next(self._free_draws))
        if not isinstance(integer_of(node), Number):
            self.names.setdefault(integer_of(node), (name, self.source.line(part)))
        self.used.discard(name)
        return name

    def node(self, part: Branch) -> Node:
        """Return the node of a part of an expression.

        The method is recursive, one level for each level of nested expressions. The callers use
        `map`, because it adds no Python frame to the stack.
        """
        make: Callable[[Branch], Node] = getattr(self, f"_make_{part.data}")
        self._nesting += 1
        if self._nesting > MAX_DEPTH:
            raise self.source.error_at(f"more than {MAX_DEPTH} operators within one another", part)
        node = make(part)
        self._nesting -= 1
        return node

    def knows(self, name: str) -> bool:
        """Return whether the text before has defined a variable of this name."""
        return name in self._variables

    def _make_number(self, part: Branch) -> Node:
        return Number(self.source.integer(words(part)[0]))

    def _make_decimal(self, part: Branch) -> Node:
        return literal(Decimal(self.source.exact(words(part)[0])))

    def _make_name(self, part: Branch) -> Node:
        name = str(part.children[0])
        node = self._variables.get(name)
        if node is not None:
            self.used.add(name)
            return node
        word = canonical(name)
        code, place = self.source.unquoted, self.source.span(part)[0]
        if word in SEATS:
            reason = f"{name!r} is a seat; {instead_of_seat(word, code[place:])}"
        elif word in FUNCTIONS and word in RESERVED:
            reason = instead_of_function(name, FUNCTIONS[word].usage, code[place:])
        elif word in ACTIONS:
            reason = f"{name!r} is an action; actions follow the word action, with commas between"
        elif word in RESERVED:
            reason = f"{name!r} is a word of the language and has no value"
            if word in ("and", "or") and (
                meant := instead_of_this(code, place, is_condition=False)
            ):
                reason = f"expected an expression, not {name!r}; {meant}"
        elif self.source.code[self.source.span(part)[1] :].lstrip().startswith("("):
            reason = near("function", name, FUNCTIONS, code, place)
        else:
            line = self.source.line_of_definition(name, part)
            reason = near("variable", name, self._variables, self.source.code, place)
            if ";" not in reason or "; known: " in reason:
                reason += hint(name.lower(), [*STATEMENTS, *ACTIONS])
            if line is not None:
                reason = (
                    f"{name!r} is defined in line {line}, after its use: definitions come first"
                )
        raise self.source.error_at(reason, part)

    def _make_call(self, part: Branch) -> Node:
        name = canonical(str(part.children[0]))
        if name in REFUSED:
            raise self.source.error_at(REFUSED[name], part)
        call = Call(self, name, part)
        given: list[Any] = []
        for index, kind in enumerate(call.kinds()):
            given.append(_READERS[kind](call, index))
        if name in self._points:
            return self._sum(given[0], given[1] if len(given) > 1 else None, self._points[name])
        made = FUNCTIONS[name].make(*given)
        return Scaled(made, 2, is_certain=False) if name in IN_HUNDREDTHS else made

    def _sum(self, seat: Seat, suit: Suit | None, points: Points) -> Node:
        """Return a sum of points, which may have decimals."""
        integers, places = scaled_points(points)
        made = card_sum(seat, suit, integers)
        return with_places(made, places) if places else made

    @property
    def variables(self) -> Mapping[str, Node]:
        """The variables defined so far, each with its expression."""
        return dict(self._variables)

    def points_of(self, name: str) -> Points:
        """Return the points of a function that is a sum over cards, ace first."""
        return self._points[name]

    def _make_shape(self, part: Branch) -> Node:
        seat = Call(self, "shape", part).seat(0)
        shapes = words(part)[-1]
        start, _ = self.source.span(shapes)
        in_braces = part.data == "braced"
        try:
            if in_braces:
                return InShapes(seat, parse_braced_shapes(str(shapes), _test_of_lengths))
            return InShapes(seat, parse_shapes(str(shapes)))
        except TextError as error:
            first, last = error.span
            hint = "" if in_braces else instead_of_shapes(str(shapes), first)
            reason = f"{error.message}{hint and f'; {hint}'}"
            raise self.source.error(reason, (start + first, start + last)) from None

    _make_braced = _make_shape

    def _make_points(self, part: Branch) -> Node:
        _, seat, *suits, counts = words(part)
        points = [self.source.exact(count, counts) for count in counts.split()]
        if len(points) > SUIT_SIZE:
            raise self.source.error_at(f"there are {SUIT_SIZE} ranks, not {len(points)}", counts)
        suit = SUITS.get(canonical(suits[0])) if suits else None
        if suits and suit is None:
            reason = f"points takes a suit here, not {str(suits[0])!r}"
            raise self.source.error_at(reason, suits[0])
        return self._sum(SEATS[seat.lower()], suit, points)

    def _make_choice(self, part: Branch) -> Node:
        nodes = list(map(self.node, branches(part)))
        self._warn_of_constants(branches(part)[:1], nodes[:1])
        self._note_scales(branches(part)[1], *nodes[1:])
        return self._joined(part, choice, *nodes)

    def _joined(self, part: Branch, join: Callable[..., T], *given: Any) -> T:
        """Return what joins numbers; its error is one of the text."""
        try:
            return join(*given)
        except PavError as error:
            raise self.source.error_at(str(error), part) from None

    def _note_scales(self, part: Branch, *nodes: Node) -> None:
        """Note the place of a decimal beside an integer, which DealerV2 does not scale."""
        if meets_an_integer(*nodes):
            self.unscaled.append(self.source.span(part)[0])

    def _join(self, join: Callable[[Sequence[Node]], Node], part: Branch) -> Node:
        nodes = [integer_of(self.node(each)) for each in branches(part)]
        for each in branches(part):
            if each.data == "call" and canonical(str(each.children[0])) in _COUNTED:
                text = self.source.shown(each)
                reason = f"'{text}' has no comparison: it is true unless it is 0"
                if compared := _COMPARED_NEXT.match(self.source.code, self.source.span(each)[1]):
                    reason += f"; is {text} {compared[1]} meant?"
                self.unclear.append((self.source.span(each)[0], reason))
        self._warn_of_constants(branches(part), nodes)
        try:
            return join(nodes)
        except PavError as error:
            raise self.source.error_at(f"with its variables, {error}", part) from None

    def _make_disjunction(self, part: Branch) -> Node:
        joined = [
            each.data == "conjunction" and not self.source.is_in_parentheses(each)
            for each in branches(part)
        ]
        if any(joined) and not all(joined):
            first = self.source.shown(branches(part)[joined.index(True)])
            reason = f"'and' binds before 'or': '{first}' is one side of it; write the parentheses"
            self.unclear.append((self.source.span(part)[0], reason))
        return self._join(disjunction, part)

    def _make_conjunction(self, part: Branch) -> Node:
        return self._join(conjunction, part)

    def _make_relation(self, part: Branch) -> Node:
        nodes = list(map(self.node, branches(part)))
        operators = [str(token) for token in words(part)]
        self._warn_of_relation(part, operators[0], list(map(without_hundredths, nodes)))
        pairs = []
        for operator, left, right in zip(operators, nodes, nodes[1:], strict=False):
            self._note_scales(part, left, right)
            pairs.append(comparison(operator, left, right))
        if len(pairs) > 1:
            self.warn(part, chain_warning(*operators[:2]))
        return conjunction(pairs)

    _make_equality = _make_relation

    def _make_arithmetic(self, part: Branch) -> Node:
        left, right = list(map(self.node, branches(part)))
        operator = str(part.children[1])
        if operator in _OPERATOR_WORDS and right == Number(0):
            raise self.source.error_at(f"{_OPERATOR_WORDS[operator]} by 0", branches(part)[1])
        self._note_scales(part, left, right)
        return self._joined(part, arithmetic, operator, left, right)

    def _make_negation(self, part: Branch) -> Node:
        return Not(integer_of(self.node(branches(part)[0])))

    def _make_minus(self, part: Branch) -> Node:
        return negated(self.node(branches(part)[0]))

    def warn(self, part: Branch | Token, reason: str) -> None:
        """Store a warning with the position of a part in the text."""
        self.warnings.append((self.source.span(part)[0], reason))

    def _warn_of_constants(self, parts: Sequence[Branch], nodes: Sequence[Node]) -> None:
        """Warn of conditions with the same value for all deals, except the constants 0 and 1."""
        for part, node, before in zip(parts, nodes, [None, *parts], strict=False):
            if measure_of(node).is_constant and node not in _TRUTHS:
                text, meant = self.source.shown(part), ""
                if before and part.data == "number" and before.data in ("relation", "equality"):
                    compared = f"{self.source.shown(branches(before)[0])} {words(before)[0]} {text}"
                    meant = f"; another value is written {compared}"
                self.warn(part, f"'{text}' is {_truth(node)}, whatever the deal{meant}")

    def _warn_of_relation(self, part: Branch, operator: str, nodes: Sequence[Node]) -> None:
        """Warn of frequent mistakes: `!a == b` for `!(a == b)`, `15-17`, and compared truths."""
        first = branches(part)[0]
        if first.data == "negation" and not self.source.is_in_parentheses(first):
            signs = f"!a {operator} b is read as (!a) {operator} b"
            self.warn(part, f"{signs}; the opposite of a comparison is !(a {operator} b)")
        elif len(nodes) == 2 and isinstance(nodes[0], _OF_TRUTH) and isinstance(nodes[1], Number):
            of, value = OPERATORS[operator].of, nodes[1].value
            if bool(of(0, value)) == bool(of(1, value)):
                always, condition = "always" if of(0, value) else "never", self.source.shown(first)
                self.warn(
                    part,
                    f"'{self.source.shown(part)}' is {always} true: '{condition}' is a condition, "
                    "with the value 1 or 0",
                )
        for node in nodes:
            match node:
                case Arithmetic("-", Number(low), Number(high)) if 0 <= low < high:
                    meant = range_hint(self.source.shown(first), low, high)
                    self.warn(part, f"{low}-{high} is the number {low - high}; {meant}")


def is_expression(part: Branch | Token) -> TypeGuard[Branch]:
    """Return whether a part of a tree is an expression."""
    return hasattr(Builder, f"_make_{getattr(part, 'data', None)}")


def chain_warning(first: str, second: str) -> str:
    """Return a warning: the meaning of a chain of comparisons here and in the classic program.

    >>> chain_warning("<", "<=")
    'a < b <= c is read as a < b && b <= c; the classic dealer reads it as (a < b) <= c'
    """
    meant = f"a {first} b && b {second} c"
    other = f"(a {first} b) {second} c"
    return f"a {first} b {second} c is read as {meant}; the classic dealer reads it as {other}"


def _test_of_lengths(condition: str) -> Callable[[Shape], bool]:
    """Return the test of lengths for the condition after `:` in a list of shapes in braces.

    A comma in it means `and`, with a lower precedence than `or`: its two sides are whole
    conditions.
    """
    joined = re.sub(r"\bor\b", ")or(", condition.replace(",", ")&&("))
    source = SourceText(f"({joined})".lower())
    tree = source.tree("expression")
    if any(next(tree.find_data(foreign), None) for foreign in FOREIGN_TO_SHAPES):
        raise source.error_at("a condition on shapes has only the lengths s, h, d and c", tree)

    def test(shape: Shape) -> bool:
        lengths = {letter: Number(length) for letter, length in zip("shdc", shape, strict=True)}
        return bool(_value(Builder(source, tree, variables=lengths).expression(tree)))

    return test


def _truth(node: Node) -> str:
    """Return a text: whether an expression that depends on no deal is true."""
    try:
        return "always true" if _value(node) else "never true"
    except PavError as error:
        return f"always in error ({error})"


def _value(node: Node) -> int:
    """Return the value of an expression that depends on no deal."""
    from pavcodec.constraints.evaluation import evaluate
    from pavcodec.layout import Layout

    return evaluate(node, Layout(bytes([UNUSED]) * DECK_SIZE))


def _draw_of(call: Branch) -> int:
    """Return the number of the draw in a call of `rnd`; 0 for a draw without a number."""
    given = branches(call)
    if canonical(str(call.children[0])) != "rnd" or len(given) != 2 or given[1].data != "number":
        return 0
    digits = words(given[1])[0]
    return int(digits) if len(digits) <= MAX_DIGITS else 0


# Calls of functions: checks of their arguments, and the nodes of the calls.


_COMPARED_NEXT = re.compile(r"[^<>=\n]*((?:[<>]=?|==)\s*\d+)")


class Call:
    """A function with its arguments; each method returns an argument of one kind.

    Every method raises `TextError`, with the place of the argument, for an argument of another
    kind.
    """

    def __init__(self, builder: Builder, name: str, part: Branch) -> None:
        self.builder = builder
        self.source = builder.source
        self.name = name
        self.part = part
        self.given = branches(part)

    def kinds(self) -> Sequence[str]:
        """Return the kinds of the arguments, by the table of functions."""
        row = FUNCTIONS[self.name]
        if not row.least <= len(self.given) <= len(row.arguments):
            many = f"{len(self.given)} argument{'s' * (len(self.given) != 1)}"
            raise self.source.error_at(f"{row.usage}, not {many}", self.part)
        return row.arguments[: len(self.given)]

    def word(self, index: int) -> str:
        """Return the text of an argument."""
        start, end = self.source.span(self.given[index])
        return self.source.text[start:end]

    def wrong(self, index: int, kind: str, known: Sequence[str] = ()) -> TextError:
        """Return the error for an argument of another kind."""
        word = self.word(index)
        hint = instead_of_argument(self.name, word, known)
        reason = f"{self.name} takes {kind} here, not {word!r}{hint and f'; {hint}'}"
        return self.source.error_at(reason, self.given[index])

    def node(self, index: int) -> Node:
        """Return an argument that is an integer."""
        node = self.builder.node(self.given[index])
        if is_decimal(node):
            raise self.wrong(index, "an integer")
        return integer_of(node)

    def seat(self, index: int) -> Seat:
        """Return an argument that is a seat, or the letter of a seat that is no variable."""
        word = self.word(index)
        letters = {} if word in self.source.defined else SEAT_LETTERS
        seat = (SEATS | letters).get(word.lower())
        if seat is None:
            raise self.wrong(index, "a seat (north, east, south or west)", list(SEATS))
        return seat

    def suit(self, index: int) -> Suit:
        """Return an argument that is a suit."""
        suit = SUITS.get(canonical(self.word(index)))
        if suit is None:
            raise self.wrong(index, "a suit (spades, hearts, diamonds or clubs)", list(SUITS))
        return suit

    def strain(self, index: int) -> Strain:
        """Return an argument that is a strain, or the number of a strain in Dealer3."""
        strain = STRAINS.get(canonical(self.word(index)))
        if self.given[index].data == "number" and self.number(index) < len(_NUMBERED_STRAINS):
            strain = _NUMBERED_STRAINS[self.number(index)]
        if strain is None:
            raise self.wrong(index, "a suit or notrump", list(STRAINS))
        return strain

    def card(self, index: int) -> Card:
        """Return an argument that is a card, rank first or suit first."""
        letters = sorted(self.word(index).upper().replace("10", "T"), key=RANK_LETTERS.find)
        if len(letters) != 2 or letters[0] not in SUIT_LETTERS or letters[1] not in RANK_LETTERS:
            raise self.wrong(index, "a card, such as AS or SA,")
        return Card.parse("".join(letters))

    def cards(self, index: int) -> str:
        """Return an argument that is a holding."""
        try:
            SmallHolding.parse(self.word(index))
        except PavError as error:
            raise self.source.error_at(str(error), self.given[index]) from None
        return self.word(index)

    def number(self, index: int) -> int:
        """Return an argument that is a literal number."""
        part = self.given[index]
        if part.data != "number":
            raise self.wrong(index, "a number")
        return self.source.integer(words(part)[0])

    def side(self, index: int) -> int:
        """Return an argument that is a side: 0 for NS, 1 for EW."""
        if self.word(index).lower() not in _SIDES:
            raise self.wrong(index, "a side, NS or EW,")
        return _SIDES.index(self.word(index).lower())

    def vulnerable(self, index: int) -> Vulnerability:
        """Return an argument that is none, ns, ew, all or both."""
        vulnerable = VULNERABLE_SIDES.get(self.word(index).lower())
        if vulnerable is None:
            raise self.wrong(index, "none, ns, ew or both")
        return vulnerable

    def vulnerability(self, index: int) -> bool:
        """Return an argument that is vul or nv, or 1 or 0 as in Dealer3."""
        vulnerable = (VULNERABLE | {"1": True, "0": False}).get(self.word(index).lower())
        if vulnerable is None:
            raise self.wrong(index, "vul or nv")
        return vulnerable

    def contract(self, index: int) -> tuple[int, Strain, int]:
        """Return an argument that is a contract, or the number of a contract in Dealer3."""
        is_number = self.given[index].data == "number"
        contract = (
            _numbered_contract(self.number(index)) if is_number else contract_of(self.word(index))
        )
        if contract is None:
            raise self.wrong(index, "a contract, such as x4S, x3N or x6HX,")
        return contract


_READERS: dict[str, Callable[[Call, int], object]] = {
    "seat": Call.seat,
    "suit": Call.suit,
    "strain": Call.strain,
    "card": Call.card,
    "cards": Call.cards,
    "number": Call.node,
    "draw": Call.number,
    "side": Call.side,
    "vulnerable": Call.vulnerable,
    "vulnerability": Call.vulnerability,
    "contract": Call.contract,
}
"""What reads an argument of each kind; the grammar reads lists of shapes and of points."""


def contract_of(text: str) -> tuple[int, Strain, int] | None:
    """Return (level, strain, doubling) of a contract such as x4S or x6HX; None for another text."""
    contract = _CONTRACT.fullmatch(text)
    if contract is None:
        return None
    level, letters, doubled = contract.groups()
    return int(level), _STRAIN_LETTERS[letters[0].upper()], len(doubled)


def _numbered_contract(number: int) -> tuple[int, Strain, int] | None:
    """Return (level, strain, doubling) of the number of a contract in Dealer3; None if unknown."""
    doubled, undoubled = divmod(number, 40)
    level, strain = divmod(undoubled, len(_NUMBERED_STRAINS))
    known = 1 <= level <= 7 and doubled <= 2
    return (level, _NUMBERED_STRAINS[strain], doubled) if known else None
