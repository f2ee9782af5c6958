"""The command lines and the lines of Python that give the answers of questions about deals."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from shlex import quote
from typing import TYPE_CHECKING

from pavcodec.constraints.nodes.format import format_node
from pavcodec.web.tasks.deal.reading import ConditionQuestion, Reading

if TYPE_CHECKING:
    from pavcodec.constraints.nodes.syntax import Node

__all__ = ["command_of", "python_of"]


def command_of(
    name: str, question: ConditionQuestion, reading: Reading, options: Iterable[str] = ()
) -> str:
    """Return the command line of a question; a script is its standard input.

    >>> question = ConditionQuestion(condition="hcp(south) >= 20", hands=["N SA"])
    >>> command_of("deal", question, Reading(None, None, (), (), ()), ["-n 8"])
    "pavcodec deal 'hcp(south) >= 20' --hand 'N SA' -n 8"
    """
    words = ["pavcodec", name]
    condition = question.condition.strip()
    if reading.script is not None:
        words = [f"printf '%s\\n' {quote(question.condition)} | pavcodec", name, "-f -"]
    elif condition and not condition.startswith("-"):
        words.append(quote(condition))
    words += [f"--hand {quote(f'{seat} {cards}')}" for seat, cards in question.known.items()]
    words += [f"--mix {quote(text.strip())}" for text in question.mix]
    words += ["--interleave"] if question.interleave else []
    if name == "count" and len(words) == 2 and not condition:
        words.append("1")  # which all deals satisfy: the command wants a condition
    words += options
    if reading.script is None and condition.startswith("-"):
        words += ["--", quote(condition)]
    return " ".join(words)


def python_of(
    question: ConditionQuestion, reading: Reading, lines: Iterable[str], method: str = ""
) -> str:
    """Return lines of Python that make the deals of a question as `space`, and further lines.

    A script has its condition in the canonical text. `method` is an argument of `deals`.
    """
    start, known = ["import pavcodec as pav", ""], ""
    where = repr(question.condition.strip()) if question.condition.strip() else ""
    if reading.script is not None:
        where = "" if reading.node is None else repr(format_node(reading.node))
    elif question.known:
        known = f"hands={question.known!r}"
    if reading.types:
        given = f"given={where}" if where else ""
        types = ",\n    ".join(_type(*each) for each in reading.types)
        call = _call("pav.mix", f"[\n    {types},\n]", given, known)
        call += ".interleaved" if question.interleave else ""
    elif reading.script is not None and reading.script.weights:
        start = [
            "import pavcodec as pav",
            "from pavcodec.constraints.language.parser import parse_script",
            "",
            f"script = parse_script({question.condition!r})",
        ]
        call = _call("pav.weighted", where or "1", "joint=script.weights")
    elif where or known:
        call = _call("pav.deals", where, known, method)
    else:
        call = "pav.numbering('deal')"
    return "\n".join([*start, f"space = {call}", *lines])


def _call(function: str, *arguments: str) -> str:
    return f"{function}({', '.join(each for each in arguments if each)})"


def _type(condition: Node, weight: Fraction | None) -> str:
    text = repr(format_node(condition))
    return text if weight is None else f"({text}, {str(weight)!r})"
