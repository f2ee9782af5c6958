"""What of a condition can be counted, and what has to be tested deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pavcodec.cards import Card
from pavcodec.constraints.counting.diagrams.compile import (
    Compiler,
    ExpressionTooLarge,
    NotCountableError,
    tested_for,
)
from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.diagrams.legal_factor import legal_factor
from pavcodec.constraints.counting.models.joint_counts import outcomes_of
from pavcodec.constraints.counting.models.model import Model, build_model
from pavcodec.constraints.counting.stored.cache import load_model
from pavcodec.constraints.counting.stored.model_files import FOUR_HANDS
from pavcodec.constraints.language.build import conjunction, parts_of
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.naming import show
from pavcodec.constraints.nodes.syntax import Node, Number
from pavcodec.errors import ModelTooLarge
from pavcodec.limits.memory import MEMORY, ProductTooLarge, format_size

__all__ = [
    "FOUR_HANDS",
    "Split",
    "conflict",
    "conjunction_of",
    "count_values",
    "model_of",
    "name_of",
    "number_of",
    "parts_of",
    "split",
]

_ADVICE = "allow more with --memory or memory=, or loosen or leave out that part"


@dataclass(frozen=True)
class Split:
    """A condition as the parts that all have to hold: counted ones, and those to be tested.

    `reasons` say why the tested ones cannot be counted. `model` is that of the counted parts if it
    was kept; else `diagrams` are theirs. `plan` names the seats that are counted where the whole is
    too large; the counted parts then follow from the condition. With `cases`, what is counted is
    that of each case, and what is tested of a deal is what its case tests.
    """

    counted: tuple[Node, ...]
    tested: tuple[Node, ...] = ()
    reasons: tuple[str, ...] = ()
    diagrams: tuple[Diagram, ...] | None = None
    model: Model | None = None
    plan: str = ""
    cases: tuple[Split, ...] = ()


def conjunction_of(parts: Sequence[Node]) -> Node:
    """Return the condition that all parts hold."""
    return conjunction(parts) if parts else Number(1)


def split(
    condition: Node,
    memory: int = MEMORY,
    sizes: tuple[int, ...] = FOUR_HANDS,
    *,
    legal: bool = False,
) -> Split:
    """Tell the parts of a condition that can be counted from those that cannot.

    `sizes` are those of the hands, and of what nobody holds if that is anything; with `legal`, only
    endings count that legal play can reach. Diagrams are made only where no model was kept of what
    can be counted by the look of it.
    """
    parts = parts_of(condition)
    reasons = list(map(tested_for, parts))
    plain = [part for part, reason in zip(parts, reasons, strict=True) if not reason]
    model = load_model(name_of(conjunction_of(plain), sizes, legal=legal), memory, sizes)
    diagrams = []
    if model is None:
        compiler = Compiler(memory=memory, sizes=sizes)
        for place, part in enumerate(parts):
            if not reasons[place]:
                try:
                    diagrams.append(_compiled(compiler, part))
                except NotCountableError as error:
                    reasons[place] = str(error)
    told = list(zip(parts, reasons, strict=True))
    return Split(
        tuple(part for part, reason in told if not reason),
        tuple(part for part, reason in told if reason),
        tuple(reason for reason in reasons if reason),
        tuple(diagrams) if model is None else None,
        model,
    )


def name_of(condition: Node, sizes: tuple[int, ...] = FOUR_HANDS, *, legal: bool = False) -> str:
    """Return the text that a model is kept under: the condition, and of endings the cards."""
    text = format_node(condition)
    kind = f"{sizes[0]} cards{', legal' if legal else ''}: "
    return text if sizes == FOUR_HANDS else f"{kind}{text}"


def _legality(sizes: tuple[int, ...], *, legal: bool) -> list[Diagram]:
    """Return the factor of legal endings, if only these count."""
    return [legal_factor(sizes)] if legal else []


def _compiled(compiler: Compiler, part: Node, *, is_number: bool = False) -> Diagram:
    """Return the diagram of a part; say which part it is that is too large, and what in it."""
    try:
        return compiler.diagram(part) if is_number else compiler.truth(part)
    except (ExpressionTooLarge, ProductTooLarge) as error:
        node = error.node if isinstance(error, ExpressionTooLarge) else part
        what = show(part)
        if node != part:
            what = f"{show(node)} in {what}"
        raise ModelTooLarge(
            f"{what} takes {_too_much(error, compiler.memory)}; {_ADVICE}"
        ) from None


def _too_much(error: ExpressionTooLarge | ProductTooLarge, memory: int) -> str:
    reached = f"{error.states:,} state{'s' if error.states > 1 else ''}"
    return f"more than {format_size(memory)}: it had {reached} when it came to {Card(error.card)}"


def model_of(
    parts: Sequence[Node],
    memory: int = MEMORY,
    diagrams: Sequence[Diagram] | None = None,
    sizes: tuple[int, ...] = FOUR_HANDS,
    *,
    legal: bool = False,
) -> Model:
    """Return the model of the deals for which all parts hold; the parts may have diagrams.

    With `legal`, only endings count that legal play can reach.
    """
    if diagrams is None:
        compiler = Compiler(memory=memory, sizes=sizes)
        diagrams = [_compiled(compiler, part) for part in parts]
        del compiler  # and what it remembers
    try:
        return build_model([*diagrams, *_legality(sizes, legal=legal)], sizes, memory=memory)
    except ProductTooLarge as error:
        if not parts:
            raise ModelTooLarge(f"the model takes {_too_much(error, memory)}; {_ADVICE}") from None
        widths = zip(parts, diagrams, strict=True)
        part, diagram = max(widths, key=lambda pair: pair[1].widest)
        raise ModelTooLarge(
            f"the model takes {_too_much(error, memory)}; the part with most states by itself "
            f"({diagram.widest:,}) is {show(part)}; {_ADVICE}"
        ) from None


def number_of(condition: Node, memory: int = MEMORY) -> int:
    """Return how many deals satisfy a condition, without a model of them.

    Raises `NotCountableError` where a part has no diagram, and `ModelTooLarge`.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> number_of(parse_expression("hcp(north) == 37"))
    337912392291465600
    """
    # numba takes half a second to import
    from pavcodec.constraints.counting.models.count import count_layouts

    compiler = Compiler(memory=memory, sizes=FOUR_HANDS)
    diagrams = [_compiled(compiler, part) for part in parts_of(condition)]
    del compiler  # and what it remembers
    try:
        return count_layouts(diagrams, FOUR_HANDS, memory=memory)
    except ProductTooLarge as error:
        reason = _too_much(error, memory)
        raise ModelTooLarge(f"counting the condition takes {reason}; {_ADVICE}") from None


def count_values(
    condition: Node,
    numbers: Sequence[Node],
    memory: int = MEMORY,
    sizes: tuple[int, ...] = FOUR_HANDS,
    *,
    legal: bool = False,
) -> dict[tuple[int, ...], int]:
    """Return how many deals of a condition give some numbers each row of their values.

    With `legal`, only endings count that legal play can reach. Raises `NotCountableError` where the
    condition or a number is no diagram.
    """
    compiler = Compiler(memory=memory, sizes=sizes)
    conditions = [_compiled(compiler, part) for part in parts_of(condition)]
    conditions += _legality(sizes, legal=legal)
    values = [_compiled(compiler, number, is_number=True) for number in numbers]
    try:
        return outcomes_of(conditions, values, sizes, memory=memory)
    except ProductTooLarge as error:
        shown = ", ".join(map(show, numbers))
        reason = _too_much(error, memory)
        raise ModelTooLarge(f"counting by {shown} takes {reason}; {_ADVICE}") from None


def conflict(
    parts: Sequence[Node],
    memory: int = MEMORY,
    sizes: tuple[int, ...] = FOUR_HANDS,
    *,
    legal: bool = False,
) -> tuple[Node, ...]:
    """Return parts that exclude each other, in legal endings with `legal`; () if none do.

    None of them could be left out, unless to find that out takes more memory than there is.
    """
    if model_of(parts, memory, sizes=sizes, legal=legal).cardinality:
        return ()
    kept = list(dict.fromkeys(parts))
    for part in tuple(kept):
        others = [other for other in kept if other != part]
        with suppress(ModelTooLarge):  # then nobody knows whether it could be left out
            if not model_of(others, memory, sizes=sizes, legal=legal).cardinality:
                kept = others
    return tuple(kept)
