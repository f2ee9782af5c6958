"""What of a condition can be counted, and what has to be tested deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.constraints.build import conjunction, parts_of
from pavcodec.constraints.compile import Compiler, NotCountableError
from pavcodec.constraints.diagram import MEMORY, Diagram
from pavcodec.constraints.format import format_node
from pavcodec.constraints.model import Model, build_model
from pavcodec.constraints.syntax import Node, Number
from pavcodec.errors import ModelTooLarge

__all__ = ["FOUR_HANDS", "MEMORY", "Split", "conflict", "model_of", "parts_of", "split"]

FOUR_HANDS = (HAND_SIZE,) * len(Seat)


@dataclass(frozen=True)
class Split:
    """A condition as the parts that all have to hold: counted ones, and those to be tested.

    `diagrams` are those of the counted parts; `reasons` say why the tested ones cannot be counted.
    """

    counted: tuple[Node, ...]
    diagrams: tuple[Diagram, ...]
    tested: tuple[Node, ...]
    reasons: tuple[str, ...]


def conjunction_of(parts: Sequence[Node]) -> Node:
    """Return the condition that all parts hold."""
    return conjunction(parts) if parts else Number(1)


def split(condition: Node, memory: int = MEMORY) -> Split:
    """Tell the parts of a condition that can be counted from those that cannot."""
    compiler = Compiler(memory=memory)
    counted, diagrams, tested, reasons = [], [], [], []
    for part in parts_of(condition):
        try:
            diagrams.append(_compiled(compiler, part))
        except NotCountableError as error:
            tested.append(part)
            reasons.append(str(error))
        else:
            counted.append(part)
    return Split(tuple(counted), tuple(diagrams), tuple(tested), tuple(reasons))


def _compiled(compiler: Compiler, part: Node) -> Diagram:
    """Return the diagram of a part; say which part it is that is too large."""
    try:
        return compiler.truth(part)
    except ModelTooLarge as error:
        raise ModelTooLarge(_advice(f"'{format_node(part)}' takes {error}")) from None


def model_of(
    parts: Sequence[Node], memory: int = MEMORY, diagrams: Sequence[Diagram] | None = None
) -> Model:
    """Return the model of the deals for which all parts hold; the parts may have diagrams."""
    if diagrams is None:
        compiler = Compiler(memory=memory)
        diagrams = [_compiled(compiler, part) for part in parts]
    try:
        return build_model(diagrams, FOUR_HANDS, memory=memory)
    except ModelTooLarge as error:
        widths = zip(parts, diagrams, strict=True)
        part, diagram = max(widths, key=lambda pair: pair[1].widest)
        raise ModelTooLarge(
            _advice(
                f"the model takes {error}; the part with most states ({diagram.widest:,}) is "
                f"'{format_node(part)}'"
            )
        ) from None


def _advice(text: str) -> str:
    return f"{text}: allow more memory, or loosen or leave out that part"


def conflict(parts: Sequence[Node], memory: int = MEMORY) -> tuple[Node, ...]:
    """Return parts that exclude each other; () if none do.

    None of them could be left out, unless to find that out takes more memory than there is.
    """
    if model_of(parts, memory).cardinality:
        return ()
    kept = list(dict.fromkeys(parts))
    for part in tuple(kept):
        others = [other for other in kept if other != part]
        with suppress(ModelTooLarge):  # then nobody knows whether it could be left out
            if not model_of(others, memory).cardinality:
                kept = others
    return tuple(kept)
