"""From the parse tree of a mix to its types; a type is a condition and a weight or None."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.constraints.language.build import Builder
from pavcodec.constraints.language.source import branches, words
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.errors import NumberError
from pavcodec.sampling import unweighted, weight_of

if TYPE_CHECKING:
    from lark import Token, Tree

    Branch = Tree[Token]


MixTypes = tuple[tuple[Node, Fraction | None], ...]


def read_mix(builder: Builder, part: Branch) -> MixTypes:
    """Return the types of a mix.

    Raises `TextError` for a wrong weight, and if some types have a weight and others have none.
    """
    kinds = branches(part)
    types = tuple((builder.condition(branches(kind)[0]), _weight(builder, kind)) for kind in kinds)
    missing = unweighted([weight for _, weight in types])
    if missing is not None:
        reason = "this type has no weight, but other types have: give weights to all or none"
        raise builder.source.error_at(reason, kinds[missing])
    return types


def _weight(builder: Builder, kind: Branch) -> Fraction | None:
    for word in words(kind):
        try:
            return weight_of(str(word))
        except NumberError as error:
            raise builder.source.error_at(str(error), word) from None
    return None
