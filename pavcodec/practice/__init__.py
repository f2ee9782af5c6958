"""Practice sets: situations to practise, boards rotated at the table, and printed pages."""

from pavcodec.practice.seating import Seating
from pavcodec.practice.sets import PracticeSet
from pavcodec.practice.situations import Situation, situation, situation_names
from pavcodec.practice.text import text_pages
from pavcodec.practice.web import html_pages

__all__ = [
    "PracticeSet",
    "Seating",
    "Situation",
    "html_pages",
    "situation",
    "situation_names",
    "text_pages",
]
