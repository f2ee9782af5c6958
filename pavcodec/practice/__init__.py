"""Practice sets: situations to practise, boards rotated at the table, and printed pages."""

from pavcodec.practice.sets import (
    PracticeSet,
    Seating,
    practice_document,
    text_pages,
    write_practice,
)
from pavcodec.practice.situations import (
    LEVELS,
    Difficulty,
    Question,
    Situation,
    situation,
    situation_names,
)

__all__ = [
    "LEVELS",
    "Difficulty",
    "PracticeSet",
    "Question",
    "Seating",
    "Situation",
    "practice_document",
    "situation",
    "situation_names",
    "text_pages",
    "write_practice",
]
