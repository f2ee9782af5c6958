"""The canonical text of expressions.

`parse_expression(format_node(node)) is node` holds for every node that the parser makes. Nodes with
a draw without a number are the exception: there the result is equal, but another object. Python
functions have no text; they are shown as `<name>`.

A text of up to `MOST_WRITTEN_OUT` characters has no variables. In a longer text, each part that
occurs in several places is a variable, defined in a line before. So the length of the text is
proportional to the size of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from itertools import count as count_from
from typing import NamedTuple

from pavcodec.cards import Seat, Strain, Suit
from pavcodec.constraints.nodes.syntax import (
    MAX_DEPTH,
    OPERATORS,
    And,
    Arithmetic,
    Choice,
    Comparison,
    HandValue,
    HasCard,
    Holding,
    Imps,
    InShapes,
    Length,
    Negate,
    Node,
    Not,
    Number,
    Or,
    Par,
    Python,
    Random,
    Scaled,
    Score,
    Tricks,
    bottom_up,
    children,
    distinct,
    measure_of,
    name_draws,
)
from pavcodec.layout.hand import SumOverCards
from pavcodec.shapes import format_shapes

MOST_WRITTEN_OUT = 2000
"""The greatest length, in characters, of a text without variables."""
_WORTH_A_NAME = 24
"""The least length, in characters, of a repeated part that becomes a variable."""
_DEEPEST = 100
"""The greatest depth of nested parts in one line of a text with variables."""

_CHOICE, _OR = 0, OPERATORS["||"].binding
_UNARY = 1 + max(each.binding for each in OPERATORS.values())
_ATOM = _UNARY + 1
_Part = Callable[[Node, int], str]
"""From a node and the least binding strength to its text, in parentheses if it binds less."""


def format_node(node: Node) -> str:
    """Return the canonical text of an expression.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> format_node(parse_expression("HCP(North)>=12 and ((shape(south,any 4333+any 4432)))"))
    'hcp(north) >= 12 && shape(south, any 4333 + any 4432)'
    >>> format_node(parse_expression("hcp(north, heart)", pointcount=[6, 4, 2, 1, 1]))
    'points(north, hearts, 6 4 2 1 1)'
    """
    definitions, [text] = _texts_of([node])
    return "\n".join([*definitions, text])


def format_mix(types: Sequence[tuple[Node, Fraction | None]]) -> str:
    """Return the canonical text of the types of a mix; a type is a condition and a weight or None.

    >>> from fractions import Fraction
    >>> format_mix([(Number(1), Fraction(5, 2)), (Choice(Number(1), Number(0), Number(1)), None)])
    '1 : 5/2, (1 ? 0 : 1)'
    """
    definitions, texts = _texts_of([condition for condition, _ in types], [_OR] * len(types))
    return "\n".join([*definitions, _joined(texts, types)])


def format_mix_script(
    types: Sequence[tuple[Node, Fraction | None]], given: Node | None = None
) -> str:
    """Return a script with a mix and, if `given`, the condition that all its types satisfy.

    >>> format_mix_script([(Number(1), None)], given=Length(Seat.NORTH, Suit.CLUBS))
    'condition clubs(north) mix 1'
    """
    conditions = [condition for condition, _ in types]
    leasts = [_OR] * len(types)
    if given is None:
        definitions, texts = _texts_of(conditions, leasts)
        return "\n".join([*definitions, f"mix {_joined(texts, types)}"])
    definitions, [first, *texts] = _texts_of([given, *conditions], [_CHOICE, *leasts])
    return "\n".join([*definitions, f"condition {first} mix {_joined(texts, types)}"])


def _joined(texts: Sequence[str], types: Sequence[tuple[Node, Fraction | None]]) -> str:
    weights = (weight for _, weight in types)
    pairs = zip(texts, weights, strict=True)
    return ", ".join(text if weight is None else f"{text} : {weight}" for text, weight in pairs)


def _texts_of(
    nodes: Sequence[Node], leasts: Sequence[int] = (_CHOICE,)
) -> tuple[list[str], list[str]]:
    """Return (lines that define variables, a text for each node); all texts share the variables.

    Parentheses enclose the text of a node that binds less than its value in `leasts`.

    >>> length = Length(Seat.NORTH, Suit.CLUBS)
    >>> long = Or(tuple(Comparison("==", length, Number(n)) for n in range(200)))
    >>> _texts_of([length, Number(3)], [_CHOICE, _CHOICE])
    ([], ['clubs(north)', '3'])
    >>> lines, texts = _texts_of([Not(long), long], [_CHOICE, _CHOICE])
    >>> lines[0][:52], texts
    ('v1 = clubs(north) == 0 || clubs(north) == 1 || clubs', ['!v1', 'v1'])
    """
    texts = _Texts()
    for node in bottom_up(*nodes):
        line = texts.add(node)
        if len(line.text) > MOST_WRITTEN_OUT or line.depth > MAX_DEPTH:
            break
    else:
        written = list(map(texts.part, nodes, leasts))
        if sum(map(len, written)) <= MOST_WRITTEN_OUT:
            return [], written
    return _with_variables(nodes, leasts)


def format_short(
    node: Node, most: int = 100, names: Mapping[Node, tuple[str, int]] | None = None
) -> str:
    """Return the text of an expression for a message, cut after `most` characters.

    The text has the name of each part that `names` contains.

    >>> both = And(tuple(Length(seat, Suit.CLUBS) for seat in Seat))
    >>> format_short(both, 21), format_short(both, 21, {both.parts[1]: ("ours", 2)})
    ('clubs(north) && club…', 'clubs(north) && ours…')
    """
    known = names or {}
    texts = _Texts(most=most)
    for part in bottom_up(node, known=lambda part: part is not node and part in known):
        for child in children(part):
            if child in known:
                texts.name(child, known[child][0])
        texts.add(part)
    return texts.part(node, _CHOICE)


class _Line(NamedTuple):
    """The text of a node, its binding strength, and the depth of nested parts in the text."""

    text: str
    binding: int
    depth: int


class _Texts:
    """A writer of nodes from the bottom up; `is_defined` decides which nodes become variables.

    Without it, none does. A text that is longer than `most` characters is cut.
    """

    def __init__(
        self, is_defined: Callable[[Node, _Line], bool] | None = None, most: int | None = None
    ) -> None:
        self.definitions: list[str] = []
        self._is_defined = is_defined
        self._most = most
        self._lines: dict[int, _Line] = {}

    def add(self, node: Node) -> _Line:
        """Write and store the line of a node; the lines of its children exist already."""
        binding, text = _written(node, self.part)
        depth = 1 + max((self._lines[id(child)].depth for child in children(node)), default=0)
        line = _Line(self._cut(text), binding, depth)
        if self._is_defined is not None and self._is_defined(node, line):
            name = f"v{len(self.definitions) + 1}"
            self.definitions.append(f"{name} = {line.text}")
            line = _Line(name, _ATOM, 1)
        self._lines[id(node)] = line
        return line

    def name(self, node: Node, name: str) -> None:
        """Store a name as the text of a node."""
        self._lines[id(node)] = _Line(name, _ATOM, 1)

    def part(self, node: Node, least: int) -> str:
        """Return the stored text of a node, in parentheses if it binds less than `least`."""
        line = self._lines[id(node)]
        return self._cut(f"({line.text})") if line.binding < least else line.text

    def _cut(self, text: str) -> str:
        if self._most is None or len(text) <= self._most:
            return text
        return f"{text[: self._most - 1]}…"


def _with_variables(nodes: Sequence[Node], leasts: Sequence[int]) -> tuple[list[str], list[str]]:
    """Write nodes; a part that occurs in several places, or very deep, becomes a variable.

    Each occurrence of a draw without a number is a draw of its own. So a part with such a draw
    becomes no variable because of its number of places.
    """
    if any(node.is_loose and measure_of(node).depth > _DEEPEST for node in nodes):
        nodes = [_numbered(node) for node in nodes]
    places = Counter(id(node) for node in nodes)
    for node in distinct(*nodes):
        places.update(map(id, children(node)))

    def is_defined(node: Node, line: _Line) -> bool:
        is_shared = places[id(node)] > 1 and len(line.text) >= _WORTH_A_NAME
        return (is_shared and not node.is_loose) or line.depth >= _DEEPEST

    texts = _Texts(is_defined)
    for node in bottom_up(*nodes):
        texts.add(node)
    written = list(map(texts.part, nodes, leasts))
    if texts.definitions and written[0].startswith(("-", "(")):  # would continue the line before
        name = f"v{len(texts.definitions) + 1}"
        texts.definitions.append(f"{name} = {written[0]}")
        written[0] = name
    return texts.definitions, written


def _numbered(node: Node) -> Node:
    """Give every draw without a number a new number."""
    free = count_from(1 + max(d.draw or 0 for d in distinct(node) if isinstance(d, Random)))
    return name_draws(node, lambda _: next(free))


def _written(node: Node, part: _Part) -> tuple[int, str]:  # noqa: PLR0911 (a case a kind of node)
    """Return the binding strength and the text of a node; `part` writes its operands."""
    match node:
        case Number(value):
            return _UNARY, str(value)
        case Scaled(Number(value), places):
            return _UNARY, f"{Decimal(value).scaleb(-places):f}"
        case Scaled(operand, places):
            binding = OPERATORS["*"].binding
            return binding, f"{Decimal(1).scaleb(-places):f} * {part(operand, binding + 1)}"
        case Negate(operand):
            least = _ATOM if isinstance(operand, Number) else _UNARY
            return _UNARY, f"-{part(operand, least)}"
        case Not(operand):
            return _UNARY, f"!{part(operand, _UNARY)}"
        case Arithmetic(sign, left, right) | Comparison(sign, left, right):
            binding = OPERATORS[sign].binding
            least = binding + isinstance(node, Comparison)  # arithmetic groups from left to right
            return binding, f"{part(left, least)} {sign} {part(right, binding + 1)}"
        case And(parts) | Or(parts):
            sign = "&&" if isinstance(node, And) else "||"
            binding = OPERATORS[sign].binding
            return binding, f" {sign} ".join(part(each, binding + 1) for each in parts)
        case Choice(condition, then, otherwise):
            yes = f"{part(condition, _OR)} ? {part(then, _OR)}"
            return _CHOICE, f"{yes} : {part(otherwise, _CHOICE)}"
        case Python(_, name):
            return _ATOM, f"<{name}>"
    return _ATOM, _call(node, part)


def _call(node: Node, part: _Part) -> str:
    """Return the text of a call of a function."""
    given: list[Seat | Suit | Strain | str | None]
    match node:
        case HandValue("points", seat, suit, SumOverCards(weights)):
            last = max((rank for rank, weight in enumerate(weights) if weight), default=0)
            name, given = "points", [seat, suit, " ".join(map(str, weights[: last + 1]))]
        case HandValue(name, seat, suit):
            given = [seat, suit]
        case Length(seat, suit):
            name, given = _argument(suit), [seat]
        case Holding(seat, suit, holding):
            name, given = "holding", [seat, suit, str(holding)]
        case InShapes(seat, shapes):
            name, given = "shape", [seat, format_shapes(shapes)]
        case HasCard(seat, card):
            name, given = "hascard", [seat, f"{card.rank.letter}{card.suit.letter}"]
        case Tricks(seat, strain):
            name, given = "tricks", [seat, strain]
        case Par(side, vulnerable):
            name, given = "par", ["NSEW"[2 * side : 2 * side + 2], vulnerable.value.lower()]
        case Score(vulnerable, level, strain, doubled, tricks):
            contract = f"x{level}{strain.letters[0]}{'X' * doubled}"
            name, given = "score", ["vul" if vulnerable else "nv", contract, part(tricks, _CHOICE)]
        case Imps(operand):
            name, given = "imps", [part(operand, _CHOICE)]
        case Random(operand, draw):
            name, given = "rnd", [part(operand, _CHOICE), None if draw is None else str(draw)]
        case _:
            raise TypeError(f"{node!r} is no node of an expression")
    return f"{name}({', '.join(_argument(each) for each in given if each is not None)})"


def _argument(word: Seat | Suit | Strain | str) -> str:
    return word if isinstance(word, str) else word.name.lower()


# Names of parts of a condition for messages: a variable, or the text, cut when it is long.
#
# A node does not contain names of variables, because one node may have no name or several. A script
# has a table of names, and `named` makes this table available to the messages of a block of code.


Names = Mapping[Node, tuple[str, int]]
"""From a node to the variable with that value, and the line that defines the variable."""

_NAMES: ContextVar[Names] = ContextVar("names of variables")
_NO_NAMES: Names = {}


def use_names(names: Names) -> None:
    """Use these names of variables in all later messages of the current context."""
    _NAMES.set(names)


@contextmanager
def named(names: Names) -> Iterator[None]:
    """Use these names of variables in the messages of a `with` block.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> script = parse_script("strong = hcp(north) > 19 strong && hcp(south) < 5")
    >>> with named(script.names):
    ...     print(show(script.condition), show(script.condition.parts[0]))
    'strong && hcp(south) < 5' strong (line 1)
    """
    token = _NAMES.set(names)
    try:
        yield
    finally:
        _NAMES.reset(token)


def show(node: Node) -> str:
    """Return the name of a part for a message: a variable with its line, or the quoted text."""
    names = _NAMES.get(_NO_NAMES)
    return show_text(node) if node in names else f"'{show_text(node)}'"


def show_text(node: Node) -> str:
    """Return the name of a part for a table: as `show`, but without quotes."""
    names = _NAMES.get(_NO_NAMES)
    return "{} (line {})".format(*names[node]) if node in names else format_short(node, names=names)


def place_of(nodes: Iterable[Node]) -> str:
    """Return the first node that is a variable, as in ' in strong (line 3)'; '' if none is.

    >>> place_of([])
    ''
    """
    names = _NAMES.get(_NO_NAMES)
    variable = next((node for node in nodes if node in names), None)
    return "" if variable is None else f" in {show(variable)}"
