"""The macros of all pages: what they draw from views, and that they escape what people type."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pavcodec as pav
from pavcodec.boards import Board
from pavcodec.errors import TextError
from pavcodec.questions.showing import hands_facts
from pavcodec.web.pages.page import Outcome, _templates
from pavcodec.web.tasks.problem import Problem, problem_of

HOSTILE = "<script>alert('♠')</script>\"' onfocus=x"


def drawn(text: str, **values: object) -> str:
    """Return what a template of one line makes with all macros."""
    files = {
        "boards": "board, boards, cards, hand, suit",
        "downloads": "download_buttons, downloads",
        "figures": "bars, facts, table",
        "forms": "area, check, choices, field, hidden, problem, select, upload",
        "same": "code, same",
    }
    head = "".join(
        f'{{% from "macros/{name}.html" import {macros} %}}' for name, macros in files.items()
    )
    return _templates().from_string(head + text).render(**values)


def test_hands_can_be_hidden_and_only_deals_have_numbers() -> None:
    suits = hands_facts(Board.make(pav.numbering("deal").unrank(0), number=1))  # by seats
    text = drawn('{{ board(view, hide="EW") }}', view=suits)
    assert text.count("AKQJT98765432") == 2
    assert "hidden" in text
    assert "/number" not in text
    assert 'href="/number?number=0"' in drawn("{{ board(view) }}", view=suits)
    ending = hands_facts(Board.make(pav.Layout.from_pbn("N:A... K... Q... J...")))
    text = drawn("{{ boards([view, view]) }}", view=ending)
    assert (text.count("<figure"), "/number" in text) == (2, False)


def test_the_compass_marks_the_vulnerable_and_the_dealer() -> None:
    for number, sides in {1: "", 2: "NS", 3: "EW", 4: "NSEW", 16: "EW"}.items():
        board = Board.make(pav.numbering("deal").unrank(0), number=number)
        text = drawn("{{ board(view) }}", view=hands_facts(board))
        for seat in pav.Seat:
            classes = [seat.name.lower()]
            classes += ["vulnerable"] if seat.name[0] in sides else []
            classes += ["dealer"] if seat == board.dealer else []
            assert f'<span class="{" ".join(classes)}">{seat.name[0]}</span>' in text


ESCAPED = """
{{ field(outcome, "x", given, help=given, placeholder=given) }}
{{ area(outcome, "x", given) }}
{{ select(outcome, "x", given, [[given, given]]) }}
{{ choices(outcome, "x", given, [[given, given]]) }}
{{ check(outcome, "x", given, value=given) }}
{{ upload(outcome, "x", given) }}
{{ hidden("x", given) }}
{{ problem(outcome.problem) }}
{{ bars([{"label": given, "share": 1, "text": given}], given) }}
{{ table([given], [[given]], given) }}
{{ facts([[given, given]]) }}
{{ code(given, given) }}
{{ downloads([{"href": given, "label": given}]) }}
"""


def test_macros_escape() -> None:
    wrong = Problem(message=HOSTILE, field="x", source=HOSTILE, start=3, end=9)
    for macro in ESCAPED.strip().splitlines():
        text = drawn(macro, outcome=Outcome({"x": HOSTILE}, problem=wrong), given=HOSTILE)
        assert "<script" not in text, macro
        assert "\"' onfocus" not in text, macro
        assert "onfocus=x" in unescape(text), macro


def test_a_field_has_its_label_its_text_and_its_problem() -> None:
    error = TextError("'1' is no rank", "AK1", (2, 3))
    wrong = problem_of(error).model_copy(update={"field": "hands"})
    outcome: Outcome[Any] = Outcome({"hands": "AK1"}, problem=wrong)
    text = drawn('{{ field(outcome, "hands", "Hands", help="four", min=1) }}', outcome=outcome)
    assert '<label for="hands">Hands</label>' in text
    assert 'value="AK1"' in text
    assert 'aria-describedby="hands-help hands-problem" aria-invalid="true" min="1"' in text
    assert '<code class="source">AK<mark>1</mark></code>' in text
    others = drawn('{{ field(outcome, "n", "Boards", default=16) }}', outcome=outcome)
    assert 'value="16"' in others
    assert "aria" not in others


def test_a_problem_without_a_field_of_the_page_stands_above() -> None:
    wrong = Problem(message="too large", field="n")
    assert "too large" in drawn('{{ problem(wrong, ["condition"]) }}', wrong=wrong)
    assert drawn('{{ problem(wrong, ["n"]) }}{{ problem(none) }}', wrong=wrong).strip() == ""


def test_the_longest_bar_is_the_widest() -> None:
    rows = [{"label": "a", "share": 0.25, "text": "25 %"}, {"label": "b", "share": 0.5, "text": ""}]
    for macro, widths in {
        '{{ bars(rows, "Shares") }}': ["50.000", "100.000"],
        '{{ bars(rows, "Shares", largest=1) }}': ["25.000", "50.000"],
    }.items():
        assert re.findall('<rect width="([^"]*)"', drawn(macro, rows=rows)) == widths
