"""Practice sets: situations to practise, boards rotated at the table, and printed pages."""

from pavcodec.practice.difficulty import LEVELS, Difficulty
from pavcodec.practice.making import practice_set, write_practice
from pavcodec.practice.pages import practice_document
from pavcodec.practice.questions import Question
from pavcodec.practice.seating import Seating
from pavcodec.practice.sets import PracticeSet
from pavcodec.practice.situations import Situation, situation, situation_names
from pavcodec.practice.text import text_pages

__all__ = [
    "LEVELS",
    "Difficulty",
    "PracticeSet",
    "Question",
    "Seating",
    "Situation",
    "practice_document",
    "practice_set",
    "situation",
    "situation_names",
    "text_pages",
    "write_practice",
]
