"""Questions: each is declared once, and the command, the page, the JSON and Python ask it.

`asking` has what a declaration needs; `deals` and `shares` have the fields that questions about
deals share, and what makes deals of them; `tables` draws tables as text. A further module has one
question, with its answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import face

if TYPE_CHECKING:
    from pavcodec.questions.asking import Question

QUESTIONS = {
    "append": "Append",
    "bigdeal": "BigDeal",
    "cases": "Cases",
    "check": "Check",
    "convert": "Convert",
    "count": "Count",
    "deal": "Dealing",
    "decode": "Decode",
    "duplicates": "Duplicates",
    "encode": "Encode",
    "ending": "Ending",
    "formats": "Formats",
    "get": "Get",
    "grep": "Grep",
    "identify": "Identify",
    "info": "Info",
    "merge": "Merge",
    "numberings": "Numberings",
    "odds": "Odds",
    "pack": "Pack",
    "practice": "Practice",
    "print": "Print",
    "rare": "Rare",
    "repair": "Repair",
    "shapes": "Shapes",
    "show": "Show",
    "situations": "Situations",
    "solve": "Solve",
    "squaredeal club": "Club",
    "squaredeal create": "Create",
    "squaredeal deal": "DealEvent",
    "squaredeal value": "Value",
    "squaredeal verify": "Verify",
    "stats": "Stats",
    "turn": "TurnBoards",
    "unpack": "Unpack",
    "verify": "VerifyFiles",
}
"""The class of each question, by the name of its command and action."""

__getattr__, __dir__ = face(__name__)


def question_named(name: str) -> type[Question]:
    """Return a question; raise `KeyError` for another name."""
    question: type[Question] = __getattr__(QUESTIONS[name])  # type: ignore[assignment]
    return question
