"""The options of workers: which engine they choose, and what is wrong usage."""

from __future__ import annotations

import pytest
from packages import needs

from pavcodec.cli.asking import add_fields
from pavcodec.cli.parsers import Parser
from pavcodec.collection.engines import engine_of
from pavcodec.collection.engines.engine import Engine
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.workers import Workers, engine_from


def chosen(*words: str) -> Engine:
    """Return the engine of some words."""
    parser = Parser("program")
    add_fields(parser, Workers, "workers", "scheduler")
    return engine_from(parser.parse_args(words))


def test_the_options_choose_an_engine() -> None:
    assert chosen() == engine_of()
    assert chosen("--workers", "1") == engine_of(1)
    assert chosen("--workers", "3") == engine_of(3)


@pytest.mark.slow
def test_the_options_choose_a_cluster() -> None:
    needs("distributed")
    assert chosen("--scheduler", "local") == engine_of(None, "local")
    assert chosen("--scheduler", "local", "--workers", "3") == engine_of(3, "local")
    assert chosen("--scheduler", "tcp://10.0.0.1:8786") == engine_of(None, "tcp://10.0.0.1:8786")


def test_wrong_usage() -> None:
    with pytest.raises(QuestionError, match="workers are 1 or more, not 0"):
        chosen("--workers", "0")
    with pytest.raises(QuestionError, match="the cluster of a scheduler has its own workers"):
        chosen("--workers", "3", "--scheduler", "tcp://10.0.0.1:8786")
