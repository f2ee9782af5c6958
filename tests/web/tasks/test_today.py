"""The deal of a day is that of the command and of Python, and the figures are those of the odds."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from fastapi.testclient import TestClient
from thread_workers import threaded_application

import pavcodec as pav
from pavcodec.cli import main
from pavcodec.web.tasks.today import TodayQuestion, today

if TYPE_CHECKING:
    import pytest


def test_the_command_and_python_give_the_same_deal(capsys: pytest.CaptureFixture[str]) -> None:
    answer = today(TodayQuestion(day="2026-11-23"))
    words = answer.command.split()
    assert words[0] == "pavcodec"
    main(words[1:])
    board = next(iter(pav.read(io.BytesIO(capsys.readouterr().out.encode()), format="pbn")))
    names: dict[str, Any] = {}
    exec(answer.python, names)  # noqa: S102 (our own lines)
    assert board.layout == names["deal"] == pav.Layout.from_pbn(answer.board["deal"])
    assert (board.number, board.dealer) == (answer.board["board"], pav.Seat.NORTH)


def test_each_day_has_its_deal() -> None:
    days = {today(TodayQuestion(day=f"2026-11-{day:02}")).board["number"] for day in range(1, 31)}
    assert len(days) == 30


def test_the_chance_of_the_pattern_is_that_of_the_odds() -> None:
    answer = today(TodayQuestion(day="2026-11-23"))
    pattern = answer.pattern.replace("-", "")
    assert answer.chance.exact == pav.probability(f"shape(south, any {pattern})")


def test_the_figures_of_the_home_page() -> None:
    figures = today(TodayQuestion(day="2026-11-23")).figures
    assert figures.deals == pav.deals(figures.condition).cardinality
    assert figures.chance.exact == Fraction(comb(4, 2) * comb(22, 11), comb(26, 13))
    assert not figures.legal


def test_the_home_page_has_the_deal_of_the_day() -> None:
    with TestClient(threaded_application(), base_url="http://localhost") as client:
        page = client.get("/").text
        before, after = (client.get(f"/?day={_day(days)}").text for days in (0, 1))
        assert _number(page) in {_number(before), _number(after)}  # at midnight
        wrong = client.get("/?day=soon")
        assert wrong.status_code == 422
        assert "takes a date, as in 2026-11-23, not &#39;soon&#39;" in wrong.text
        assert "Disallow: /api/" in client.get("/robots.txt").text


def _day(past: int) -> str:
    found = datetime.now(UTC).date()
    return str(found.fromordinal(found.toordinal() - past))


def _number(page: str) -> str:
    return page.partition("/number?number=")[2].partition('"')[0]
