"""Write the grammar's diagram and the tables of functions and of programs; --check compares them.

The diagram comes from `grammar.lark`, with railroad-diagrams; the tables come from
`pavcodec.constraints.functions` and `pavcodec.constraints.scripts.check`.
"""

from __future__ import annotations

import html
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lark import Token, Tree
from lark.load_grammar import load_grammar

from pavcodec.constraints.functions import FUNCTIONS, PROGRAMS
from pavcodec.constraints.language.source import grammar
from pavcodec.constraints.scripts.check import CONSTRUCTS, REFUSED, SAME, Construct

ROOT = Path(__file__).parent.parent
DIAGRAM = ROOT / "docs" / "constraints" / "grammar.svg"
DEALER = ROOT / "docs" / "constraints" / "dealer.md"
LANGUAGE = ROOT / "docs" / "constraints" / "language.md"
MARKS = re.compile(r"(<!-- table of \w+ -->\n).*(<!-- end of the table -->)", re.DOTALL)

SHOWN_ALONE = {
    *("script", "statement", "predeal", "mixture", "weighing", "action", "element", "expression"),
}
"""Rules with a diagram of their own, in addition to those that are used in several places."""
WORDS = {
    "SEAT": "seat",
    "SEAT_BEFORE_CARDS": "letter of a seat",
    "LETTER": "letter of a seat",
    "NUMBER": "number",
    "NAME": "name",
    "STRING": "text in quotes",
    "HOLDING": "suit and cards",
    "SUIT_OF": "suit",
    "FUNCTION": "function",
    "SHAPES": "list of shapes",
    "SHAPES_IN_BRACES": "list of shapes for braces",
    "COUNTS": "numbers, ace first",
    "WEIGHT": "weight",
    "DECIMAL": "decimal number",
    "SEAT_OF_WEIGHTS": "seat and :",
    "FUNCTION_OF_HAND": "function of a hand",
    "ENTRY": "values or else",
    "NEWLINE": "\\n",
    "_SEPARATOR": "; or ,",
}
"""The names of terminals that have more than one word."""
SPELT = {
    "_NOT": ["!", "not"],
    "RELATION": ["<", "<=", ">", ">="],
    "PRINTHANDS": ["printcompact", "printoneline"],
    "PRINTHANDS_OF": ["printcompact", "printoneline"],
}
"""Terminals with a pattern that does not list their words."""
KEYWORD = re.compile(r"/(\w+)(?:\\b|\(\?[=!].*\))?/i")
STYLE = """\
path { stroke: #555; stroke-width: 2; fill: none }
text { font: 14px monospace; text-anchor: middle; fill: #222 }
text.rule { font: bold 15px sans-serif; text-anchor: start }
rect { stroke: #555; stroke-width: 2; fill: #eef6ee }
g.non-terminal rect { fill: #eeeef8 }
g.non-terminal text { font-family: sans-serif }
rect.ground { fill: #fff; stroke: none }
"""
GAP, MARGIN, TITLE = 16, 12, 24


class Grammar:
    """The rules and terminals of the grammar, in their written form."""

    def __init__(self, text: str) -> None:
        loaded, _ = load_grammar(text, "grammar.lark", [], False)
        self.rules = {str(name).lstrip("_"): tree for name, _, tree, _ in loaded.rule_defs}
        self.terminals = {str(name): tree for name, (tree, _) in loaded.term_defs}
        used = Counter(
            str(leaf.name).lstrip("_")
            for tree in self.rules.values()
            for value in tree.find_data("value")
            for leaf in value.children
            if type(leaf).__name__ == "NonTerminal"
        )
        self.shown = [
            name for name in self.rules if used[name] != 1 or name in SHOWN_ALONE or name == "atom"
        ]

    def diagram(self, name: str) -> object:
        """Return the diagram of a rule."""
        from railroad import Diagram

        return Diagram(self.drawn(self.rules[name]), type="complex")

    def drawn(self, tree: Tree[Token]) -> object:
        """Return a part of a rule as an item of a diagram."""
        from railroad import Choice, OneOrMore, Optional, Sequence, ZeroOrMore

        parts = [child for child in tree.children if isinstance(child, Tree)]
        if tree.data == "expansions":
            drawn = [self.drawn(part) for part in parts]
            return drawn[0] if len(drawn) == 1 else Choice(0, *drawn)
        if tree.data == "expansion":
            drawn = [self.drawn(part) for part in parts]
            return drawn[0] if len(drawn) == 1 else Sequence(*drawn)
        if tree.data == "maybe":
            return Optional(self.drawn(parts[0]))
        if tree.data == "alias":
            return self.drawn(parts[0])
        if tree.data == "expr":
            of = {"?": Optional, "*": ZeroOrMore, "+": OneOrMore}
            return of[str(tree.children[1])](self.drawn(parts[0]))
        return self.leaf(tree.children[0])

    def leaf(self, leaf: object) -> object:
        """Return a word, or a rule, or the content of a rule that is used only here."""
        from railroad import Choice, NonTerminal, Terminal

        if isinstance(leaf, Tree):
            return Terminal(str(leaf.children[0])[1:-1])
        name = str(leaf.name)  # type: ignore[attr-defined]  # lark's own symbols
        if type(leaf).__name__ == "NonTerminal":
            rule = name.lstrip("_")
            return NonTerminal(rule) if rule in self.shown else self.drawn(self.rules[rule])
        if name in WORDS:
            return NonTerminal(WORDS[name])
        words = SPELT.get(name) or list(self.words(name))
        return Terminal(words[0]) if len(words) == 1 else Choice(0, *map(Terminal, words))

    def words(self, name: str) -> Iterator[str]:
        """Yield the words of a terminal."""
        for literal in self.terminals[name].find_data("literal"):
            text = str(literal.children[0])
            keyword = KEYWORD.fullmatch(text)
            if keyword is None and text[0] == "/":
                raise SystemExit(f"{name} is {text}: add its name to tools/language_pages.py")
            yield keyword[1] if keyword else text[1:-1]


def picture(drawn: Grammar) -> str:
    """Return all diagrams in one picture, from top to bottom."""
    parts, y, width = [], MARGIN, 0
    for name in drawn.shown:
        diagram = drawn.diagram(name)
        out = io.StringIO()
        diagram.writeSvg(out.write)  # type: ignore[attr-defined]
        size = diagram.attrs  # type: ignore[attr-defined]
        parts.append(f'<text class="rule" x="{MARGIN}" y="{y + 15}">{html.escape(name)}</text>')
        parts.append(f'<g transform="translate({MARGIN} {y + TITLE})">{out.getvalue()}</g>')
        y += TITLE + round(float(size["height"])) + GAP
        width = max(width, round(float(size["width"])))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2 * MARGIN}" height="{y}" '
        f'viewBox="0 0 {width + 2 * MARGIN} {y}">'
    )
    body = "\n".join(parts)
    ground = '<rect class="ground" width="100%" height="100%"/>'
    return f"{head}\n<style>\n{STYLE}</style>\n{ground}\n{body}\n</svg>\n"


def functions() -> str:
    """Return the table of functions in Markdown."""
    rows = ["| function | also called | value |", "|---|---|---|"]
    for row in FUNCTIONS.values():
        example = " or ".join(map(code, row.example.split(" or ")))
        others = " ".join(map(code, (*row.spellings, *row.elsewhere)))
        rows.append(f"| {example} | {others} | {row.meaning} |")
    return "\n".join(rows)


def constructs() -> str:
    """Return the table of constructs in Markdown."""
    columns = ["dealer, BBO", "DealerV2", "Dealer3"]
    rows = [
        f"| construct | example | {' | '.join(columns)} | pavcodec |",
        f"|{' --- |' * (len(columns) + 3)}",
    ]
    for construct in CONSTRUCTS.values():
        readings = [cell(construct, program) for program in PROGRAMS if program != "bbo"]
        cells = [construct.name, code(construct.example), *readings, construct.here]
        rows.append(f"| {' | '.join(each.replace('|', '&#124;') for each in cells)} |")
    return "\n".join(rows)


def cell(construct: Construct, program: str) -> str:
    """Return in a word or a sentence how a program reads a construct."""
    reading = construct.readings[program]
    if reading == SAME:
        return "accepted" if construct.is_refused else "the same"
    return f"**{reading}**" if reading == REFUSED else reading


def code(text: str) -> str:
    """Return a text in Markdown's code format, also if it contains a bar."""
    return f"<code>{html.escape(text, quote=False)}</code>" if "|" in text else f"`{text}`"


def with_table(page: Path, table: str) -> str:
    """Return the text of a page with a table between its marks."""
    text = page.read_text(encoding="utf-8")
    return MARKS.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text)


def main() -> int:
    """Write the diagram and the tables, or compare them."""
    made = {
        DIAGRAM: picture(Grammar(grammar())),
        LANGUAGE: with_table(LANGUAGE, functions()),
        DEALER: with_table(DEALER, constructs()),
    }
    old = [
        path
        for path, text in made.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        names = ", ".join(path.name for path in old)
        print(
            f"{names}: old, run tools/language_pages.py"
            if old
            else "the language's pages are current"
        )
        return 1 if old else 0
    for path in old:
        path.write_text(made[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
