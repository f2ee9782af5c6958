"""Why a server does not answer a question, in words for the client."""

from __future__ import annotations

import logging
import pickle

from pavcodec.errors import PavError
from pavcodec.limits.memory import format_size
from pavcodec.web.workers.messages import Fault
from pavcodec.web.workers.workers import Refusal

__all__ = ["busy", "error_of", "too_large", "too_long", "twice_dead"]

_OWN_MACHINE = "pavcodec on your own machine has no such limit"
_SOON = 5
"""The seconds after which a busy server may have a free place."""

_log = logging.getLogger("pavcodec.web")


def busy() -> Refusal:
    """Return the refusal of a server whose places are taken."""
    return Refusal(503, "The server is busy with the questions of others; try again soon.", _SOON)


def too_long(seconds: float) -> Refusal:
    """Return the refusal of a question whose time is over."""
    return Refusal(503, f"The question takes more than {seconds:g} seconds; {_OWN_MACHINE}.")


def too_large(size: int) -> Refusal:
    """Return the refusal of an answer of too many bytes."""
    return Refusal(413, f"The answer has more than {format_size(size)}; {_OWN_MACHINE}.")


def twice_dead() -> Refusal:
    """Return the refusal of a question whose processes ended by themselves."""
    return Refusal(503, "The process that worked on the question has ended, twice.", 12 * _SOON)


def error_of(data: bytes) -> Exception:
    """Return the exception for the error that a worker sent; log an error of the program."""
    error = pickle.loads(data)  # noqa: S301 (from our own process)
    if isinstance(error, PavError):
        return error
    if isinstance(error, MemoryError):
        said = f"The question needs more memory than this server gives it; {_OWN_MACHINE}."
        return Refusal(413, said)
    if isinstance(error, RecursionError):
        return Refusal(413, "The question has too many parts inside each other.")
    assert isinstance(error, Fault)
    _log.error("%s in a task:\n%s", error.name, error.place)
    return Refusal(500, "An error of this server, not of your question; its log has the place.")
