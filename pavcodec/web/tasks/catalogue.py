"""All tasks, in the order in which the JSON interface lists them."""

from __future__ import annotations

from typing import Any

from pavcodec.web.tasks.number import DECODE
from pavcodec.web.tasks.task import Task
from pavcodec.web.tasks.today import TODAY

__all__ = ["TASKS"]

TASKS: tuple[Task[Any, Any], ...] = (DECODE, TODAY)
