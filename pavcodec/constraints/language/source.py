"""From a text to a parse tree, and the error messages for texts that do not follow the grammar.

Comments are replaced by blanks before parsing, so that positions in the tree are positions in the
text. The grammar is in `grammar.lark`. The first text that is parsed imports lark and reads the
tables of the parser, which the installation made.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pavcodec.constraints.functions import FUNCTIONS, REFUSED
from pavcodec.constraints.language.hints import (
    instead_of_argument,
    instead_of_name,
    instead_of_this,
    open_bracket,
    word_before,
)
from pavcodec.constraints.language.words import (
    CLASSIC_STATEMENTS,
    RESERVED,
    SEATS,
    SUITS,
    WORDS,
    canonical,
    spellings_of,
)
from pavcodec.constraints.nodes.syntax import MAX_DEPTH
from pavcodec.errors import TextError, hint

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput
    from lark.parsers.lalr_interactive_parser import InteractiveParser

    Branch = Tree[Token]


MAX_DIGITS = 18
"""The greatest number of digits of a number."""

_NOT_CODE = re.compile(
    r'"[^"]*"|(?P<comment>/\*.*?\*/|//[^\n]*|#[^\n]*)|(?P<open>/\*|")', re.DOTALL
)
_OPEN_TITLE = re.compile(r'^([ \t]*title[ \t]*"[^"\n]*)\n', re.MULTILINE | re.IGNORECASE)
"""A title without its closing quote, which ends with its line in DealerV2."""
_PARAMETER = re.compile(r"/\*.*?\*/|//[^\n]*|#[^\n]*|(?P<parameter>\$(?P<number>[0-9]))", re.DOTALL)
_ASSIGNED = re.compile(r"\b([^\W\d]\w*)\s*=(?!=)")
_NO_VARIABLES = {
    *("HOLDING", "MIX", "WEIGHT_OF", "SEED", "SHAPES", "SHAPES_IN_BRACES", "COUNTS", "WEIGHT"),
    "ENTRY",
}
"""Terminals that keep their type even if their text is the name of a variable."""

_WORD = re.compile(r"\w+|[=!<>]=|&&|\|\||.", re.DOTALL)
_MOST_SHOWN, _MOST_NAMED = 80, 15

_STARTS_EXPRESSION = {
    *("NUMBER", "DECIMAL", "NAME", "SEAT", "LPAR", "MINUS", "_NOT"),
    *("FUNCTION", "SUIT_OF", "SHAPE", "POINTS", "BRACED"),
}
_OPERATORS = {
    *("PLUS", "MINUS", "TIMES", "DIVIDE", "MODULO"),
    *("EQUALITY", "RELATION", "_AND", "_OR", "QMARK"),
}
STATEMENT_TERMINALS = {
    *("GENERATE", "PRODUCE", "SEED", "DEALER", "VULNERABLE", "PREDEAL", "POINTCOUNT"),
    *("ALTCOUNT", "CONDITION", "MIX", "WEIGHT_OF", "ACTION", "TITLE", "OPENER", "STARTBOARD"),
}
_ACTIONS = {
    *("PRINTALL", "PRINTEW", "PRINTPBN", "PRINT", "PRINTES", "AVERAGE", "FREQUENCY"),
    *("PRINTHANDS", "PRINTHANDS_OF", "PRINTNS", "PRINTSIDE", "PRINTRPT", "CSVRPT"),
    *("EXPORT", "BKTFREQ", "EVALCONTRACT"),
}
_NAMED = {*FUNCTIONS, *RESERVED, *REFUSED}
_WORDS = {
    "SEAT": "a seat (north, east, south or west)",
    "NUMBER": "a number",
    "NAME": "a word",
    "SUIT_OF": "a length, such as spades(north) == 5",
    "WEIGHT": "a weight, such as 35, 2.5 or 1/3",
    "DECIMAL": "a decimal number",
    "ENTRY": "an entry, such as 12: 1, 14-16: 5 or else: 1",
    "SEAT_OF_WEIGHTS": "a seat, as in north: hcp {12: 1, 13: 3}",
    "FUNCTION_OF_HAND": "a function of the hand, such as hcp {12: 1, 13: 3}",
    "SHAPES": "a list of shapes, such as any 4333 + 5xxx",
    "SHAPES_IN_BRACES": "a list of shapes, such as 5+Mxxx + (4432)",
    "COUNTS": "points, such as 4 3 2 1",
    "HOLDING": "a holding, such as SAQ5",
    "STRING": 'a text in "…"',
    "LBRACE": "'{'",
    "LPAR": "'('",
    "COMMA": "','",
    "COLON": "':'",
    "EQUAL": "'='",
    "IS": "'=='",
    "RPAR": "')'",
    "RBRACE": "'}'",
    "$END": "the end",
}


class SourceText:
    """A text in the language; its methods make every `TextError` about the text.

    `code` is the text with blanks for comments, `unquoted` the code with blanks between
    quotes, `comments` the spans of the comments, `defined` the names of variables that the text
    defines, and `tokens` the tokens of the last parse.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments: list[tuple[int, int]] = []
        self.code = self._without_comments()
        self.unquoted = re.sub(
            r'"[^"]*"', lambda match: f'"{" " * (len(match[0]) - 2)}"', self.code
        )
        self.defined = frozenset(_ASSIGNED.findall(self.unquoted)) - WORDS
        self.tokens: list[Token] = []

    def _without_comments(self) -> str:
        several_lines: list[int] = []  # where texts begin that do not end in their line

        def blank(match: re.Match[str]) -> str:
            if match["open"] == "/*":
                raise self.error("the closing */ is missing", match.span())
            if match["open"]:
                start = (several_lines or [match.start()])[0]
                raise self.error('the closing " is missing', (start, start + 1))
            if not match["comment"]:
                several_lines.extend([match.start()] if "\n" in match[0] else [])
                return match[0]
            self.comments.append(match.span())
            return re.sub(r"[^\n]", " ", match[0])

        try:
            code = _NOT_CODE.sub(blank, self.text)
        except TextError:
            closed = _OPEN_TITLE.sub(r'\1"', self.text)
            if closed == self.text:
                raise
            self.comments.clear()
            several_lines.clear()
            code = _NOT_CODE.sub(blank, closed)
        return code.replace("\ufeff", " ")  # byte-order marks

    def error(self, message: str, span: tuple[int, int]) -> TextError:
        """Return the error for a slice of the text."""
        return TextError(message, self.text, span)

    def error_at(self, message: str, part: Branch | Token) -> TextError:
        """Return the error for a part of the tree."""
        return self.error(message, self.span(part))

    def span(self, part: Branch | Token) -> tuple[int, int]:
        """Return the span (start, end) of a part of the tree in the text."""
        from lark import Token

        if isinstance(part, Token):
            start = part.start_pos or 0
            return start, start + len(part)
        meta = part.meta
        return (0, len(self.text)) if meta.empty else (meta.start_pos, meta.end_pos)

    def shown(self, part: Branch | Token) -> str:
        """Return the text of a part of the tree for a message: one line, cut when it is long."""
        start, end = self.span(part)
        text = " ".join(self.code[start:end].split())
        return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"

    def is_in_parentheses(self, part: Branch) -> bool:
        """Return whether the text has parentheses around a part; the tree itself has none."""
        start: int = getattr(part.meta, "container_start_pos", part.meta.start_pos)
        return start < part.meta.start_pos

    def line(self, part: Branch | Token) -> int:
        """Return the number of the line in which a part of the tree starts."""
        return self.line_at(self.span(part)[0])

    def line_at(self, position: int) -> int:
        """Return the number of the line of a place in the text; the first line is 1."""
        return self.text.count("\n", 0, position) + 1

    def line_of_definition(self, name: str, part: Branch) -> int | None:
        """Return the line of the first definition of a variable after a part, or None."""
        definitions = _ASSIGNED.finditer(self.unquoted, self.span(part)[1])
        return next((self.line_at(each.start()) for each in definitions if each[1] == name), None)

    def integer(self, token: Token) -> int:
        """Return the value of a number; raise `TextError` if it has too many digits."""
        if len(token) > MAX_DIGITS:
            raise self.error_at(f"a number has at most {MAX_DIGITS} digits", token)
        return int(token)

    def exact(self, text: str, token: Token | None = None) -> int | Decimal:
        """Return the value of a number, which may have decimals; it keeps their number.

        `token` is the part of the text that an error shows, if the number is no token itself.
        """
        from lark import Token

        if sum(map(str.isdigit, text)) > MAX_DIGITS:
            at = text if isinstance(text, Token) else token
            assert at is not None
            raise self.error_at(f"a number has at most {MAX_DIGITS} digits", at)
        return Decimal(f"{text}0" if text.endswith(".") else text) if "." in text else int(text)

    def signed(self, part: Branch) -> int | Decimal:
        """Return the value of a number with an optional minus, which may have decimals."""
        *minus, token = words(part)
        return -self.exact(token) if minus else self.exact(token)

    def tree(self, start: str) -> Branch:
        """Parse the text by a rule, such as `script` or `expression`.

        Raises `TextError` for a text that does not follow the rule or is nested too deeply.
        """
        from lark.exceptions import UnexpectedInput

        try:
            parser = self._fed(start, self.code)
            tree: Branch = parser.feed_eof(self.tokens[-1] if self.tokens else None)
        except UnexpectedInput as error:
            raise self._unexpected(start, self._place(error)) from None
        self._check_depth(tree)
        return tree

    def _fed(self, start: str, code: str, most: int | None = None) -> InteractiveParser:
        """Return a parser that has read the tokens of a text, at most `most`.

        A word that the text defines as a variable is a NAME. `tokens` has the tokens that were
        read, also if the next one is an error.
        """
        parser = _parser(start).parse_interactive(code)
        self.tokens = []
        for token in islice(parser.lexer_thread.lex(parser.parser_state), most):
            if token in self.defined and token.type not in _NO_VARIABLES:
                token.type = "NAME"
            parser.feed_token(token)
            self.tokens.append(token)
        return parser

    def _place(self, error: UnexpectedInput) -> int:
        """Return the position where parsing failed; the end of the text if its end is missing."""
        token: Token | None = getattr(error, "token", None)
        position: int | None = getattr(error, "pos_in_stream", None)
        is_end = token is not None and token.type == "$END"
        return len(self.code) if position is None or is_end else position

    def _check_depth(self, tree: Branch) -> None:
        level = [tree]
        for _ in range(MAX_DEPTH + 4):  # a script, a statement and a list are above expressions
            level = [child for branch in level for child in branches(branch)]
            if not level:
                return
        raise self.error_at(f"more than {MAX_DEPTH} operators within one another", level[0])

    def _unexpected(self, start: str, position: int) -> TextError:
        """Return the error for a place where the grammar expects something else."""
        # the failing token may have changed the parser, so the text before is read again
        accepted = set(self._fed(start, self.code, len(self.tokens)).accepts())
        match = _WORD.match(self.code, position) if self.code[position:].strip() else None
        end = len(self.code.rstrip())
        span = match.span() if match else (end, end + 1)
        wrong_call = self._unknown_function(span[0])
        if wrong_call is not None:
            return wrong_call
        if not self.code.strip() and start == "expression":
            reason = "the condition is empty: expected an expression, such as hcp(north) >= 12"
            return self.error(reason, span)
        actual = f"'{match[0]}'" if match else "the end"
        if match and not match[0].isprintable():
            actual = f"the character U+{ord(match[0]):04X}"
        expected = _expected(accepted)
        hint = ""
        if match and _WORDS["SEAT"] in expected:
            hint = instead_of_argument("", match[0], list(SEATS))
        hint = hint or instead_of_this(
            self.unquoted, span[0], is_condition=start.endswith("expression")
        )
        reason = f"expected {_list_of(expected)}, not {actual}{hint and f'; {hint}'}"
        return self.error(reason, span)

    def following(self, start: str) -> set[str]:
        """Return the terminals that the grammar accepts after the text, by a rule.

        The set is empty if no text that starts with this one follows the rule.

        >>> sorted(SourceText("dealer").following("script"))
        ['LETTER', 'SEAT']
        """
        from lark.exceptions import UnexpectedInput

        try:
            return set(self._fed(start, self.code.rstrip()).accepts())
        except UnexpectedInput:
            return set()

    def _unknown_function(self, position: int) -> TextError | None:
        """Return the error for an unknown function before the innermost open parenthesis.

        Returns None if there is no such function.
        """
        is_call = self.unquoted[position : position + 1] == "("
        bracket = position if is_call else open_bracket(self.unquoted, position)
        called = None if bracket is None else word_before(self.unquoted, bracket)
        if called is None or called[1].isdigit() or canonical(called[1]) in _NAMED:
            return None
        reason = near("function", called[1], FUNCTIONS, self.unquoted, called.start(1))
        return self.error(reason, called.span(1))


def with_parameters(text: str, values: Mapping[str, str]) -> str:
    """Return a script of DealerV2 with the values of its parameters, `$0` to `$9`.

    Comments stay as they are. Raises `TextError` for a parameter without a value.

    >>> with_parameters("hcp($1) >= $2  # $3", {"1": "south", "2": "12"})
    'hcp(south) >= 12  # $3'
    >>> with_parameters("hcp(south) >= $2", {})
    Traceback (most recent call last):
        ...
    pavcodec.errors.TextError: the script has a parameter $2: give its value, as in --set 2=12
      hcp(south) >= $2
                    ^^
    """
    pieces, end = [], 0
    for match in _PARAMETER.finditer(text):
        if match["number"] is None:
            continue
        number = match["number"]
        if number not in values:
            reason = (
                f"the script has a parameter ${number}: give its value, as in --set {number}=12"
            )
            raise TextError(reason, text, match.span("parameter"))
        pieces += [text[end : match.start()], values[number]]
        end = match.end()
    return "".join([*pieces, text[end:]])


def elements(part: Branch) -> list[Branch | Token]:
    """Return the children of a branch, without the placeholders of optional parts."""
    return [child for child in part.children if child]


def branches(part: Branch) -> list[Branch]:
    """Return the children of a branch that are branches."""
    from lark import Tree

    return [child for child in part.children if isinstance(child, Tree)]


def words(part: Branch) -> list[Token]:
    """Return the children of a branch that are tokens."""
    from lark import Token

    return [child for child in part.children if isinstance(child, Token)]


def near(kind: str, name: str, known: Iterable[str], code: str = "", position: int = 0) -> str:
    """Return a message about an unknown name, with the nearest known name or with all names.

    >>> near("function", "hpc", ["hcp", "losers"])
    "no function is called 'hpc'; did you mean 'hcp'?"
    >>> near("function", "xyz", ["hcp", "losers"])
    "no function is called 'xyz'; known: hcp, losers"
    """
    instead = instead_of_name(name, code, position)
    if instead:
        return f"no {kind} is called {name!r}; {instead}"
    names = list(known)
    close = hint(name.lower(), names)
    if not close and names:
        more = ", …" if len(names) > _MOST_NAMED else ""
        close = f"; known: {', '.join(names[:_MOST_NAMED])}{more}"
    return f"no {kind} is called {name!r}{close}"


def _expected(accepted: set[str]) -> list[str]:
    """Return the descriptions of the accepted terminals, for a message."""
    left = set(accepted)
    named = []
    if "HOLDING" in left:
        left.discard("COMMA")  # the comma after a seat is optional
    if "PLUS" in left:
        named.append("an operator")
        left -= _OPERATORS
    if "CONDITION" in left:
        named.append("a statement")
        left -= STATEMENT_TERMINALS | _STARTS_EXPRESSION | {"$END"}
    if "PRINTALL" in left:
        named.append("an action")
        left -= _ACTIONS | _STARTS_EXPRESSION | {"STRING", "NEWLINE"}
    if "_NOT" in left:
        named.append("an expression")
        left -= _STARTS_EXPRESSION
    return named + [words for terminal, words in _WORDS.items() if terminal in left]


def _list_of(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


_TABLES = "grammar.tables"
_RULES = "expression", "script"
"""The rules of most texts, whose tables are kept."""


@cache
def _parser(start: str) -> Lark:
    """Return the parser of a rule, by the kept tables if they are those of grammar and lark."""
    from lark import Lark

    with suppress(OSError, pickle.PickleError, EOFError, KeyError):
        kept = pickle.loads(_home().joinpath(_TABLES).read_bytes())  # noqa: S301 (own, as code is)
        if kept["of"] == _made_of():
            return Lark.load(BytesIO(kept[start]))
    return _new_parser(start)


def _new_parser(start: str) -> Lark:
    from lark import Lark

    return Lark(
        grammar(),
        parser="lalr",
        lexer="contextual",
        start=start,
        propagate_positions=True,
        maybe_placeholders=True,
    )


def keep_tables() -> None:
    """Write the tables of the parsers beside the grammar; the installation does, since it is slow.

    Making them takes 0.1 s at each start, and reading them a tenth of that.
    """
    kept: dict[str, object] = {"of": _made_of()}
    for start in _RULES:
        tables = BytesIO()
        _new_parser(start).save(tables)
        kept[start] = tables.getvalue()
    Path(str(_home()), _TABLES).write_bytes(pickle.dumps(kept))


def _made_of() -> tuple[str, str]:
    """Return the version of lark and the grammar, which the tables depend on."""
    from lark import __version__

    return __version__, grammar()


def grammar() -> str:
    """Return the grammar, with the words of the table of functions."""
    text = _home().joinpath("grammar.lark").read_text(encoding="utf-8")
    by_rules = {*SUITS, "shape", "points"}  # functions with rules of their own
    functions = [word for name in FUNCTIONS if name not in by_rules for word in spellings_of(name)]
    suits = [word for suit in SUITS for word in spellings_of(suit)]
    lists = {
        "FUNCTIONS": [*functions, *REFUSED],
        "SUITS": suits,
        "STATEMENTS": CLASSIC_STATEMENTS,
    }
    for mark, some in lists.items():
        text = text.replace(f"%{mark}%", "|".join(some))
    return text


def _home() -> Traversable:
    return files("pavcodec.constraints.language")
