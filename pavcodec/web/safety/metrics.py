"""Counts of requests and of the workers, as text that Prometheus reads.

The format is few lines of text, so this module writes it itself: the package prometheus_client
would add its registry and its own server for them.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping

__all__ = ["Metrics"]

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""The upper bounds of the classes of times, in seconds."""


class Metrics:
    """What the server has done since its start; names of pages, never their questions.

    >>> metrics = Metrics()
    >>> metrics.add("deal", "GET", 200, 0.03)
    >>> 'pavcodec_requests_total{page="deal",method="GET",status="200"} 1' in metrics.text({})
    True
    """

    def __init__(self) -> None:
        self._start = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._times: Counter[int] = Counter()
        self._seconds = 0.0
        self.open = 0
        """The requests under way."""
        self.errors = 0
        """The errors of the program outside the workers."""

    def add(self, page: str, method: str, status: int, seconds: float) -> None:
        """Count a request; the page and the method are of few."""
        self._requests[page, method, status] += 1
        self._times[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    def text(self, workers: Mapping[str, float]) -> str:
        """Return the counts, those of the workers included, as text."""
        return "".join(f"{line}\n" for line in (*self._lines(), *_worker_lines(workers)))

    def _lines(self) -> Iterator[str]:
        yield from _declared("start_seconds", "gauge", "When the server started.")
        yield f"pavcodec_start_seconds {self._start:.0f}"
        yield from _declared("requests_open", "gauge", "Requests under way.")
        yield f"pavcodec_requests_open {self.open}"
        yield from _declared("errors_total", "counter", "Errors of the program.")
        yield f"pavcodec_errors_total {self.errors}"
        yield from _declared("requests_total", "counter", "Requests that have ended.")
        for (page, method, status), count in sorted(self._requests.items()):
            labels = f'page="{page}",method="{method}",status="{status}"'
            yield f"pavcodec_requests_total{{{labels}}} {count}"
        yield from _declared("request_seconds", "histogram", "Times of requests.")
        total = 0
        for place, bound in enumerate((*_BOUNDS, "+Inf")):
            total += self._times[place]
            yield f'pavcodec_request_seconds_bucket{{le="{bound}"}} {total}'
        yield f"pavcodec_request_seconds_sum {self._seconds:.6f}"
        yield f"pavcodec_request_seconds_count {total}"


def _declared(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP pavcodec_{name} {text}"
    yield f"# TYPE pavcodec_{name} {kind}"


def _worker_lines(workers: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of the workers: what they do now, and how questions have ended."""
    ends = {name: count for name, count in workers.items() if name.startswith("ended_")}
    for name in sorted(workers.keys() - ends.keys() - {"started"}):
        yield from _declared(f"workers_{name}", "gauge", f"Questions or processes: {name}.")
        yield f"pavcodec_workers_{name} {workers[name]:g}"
    yield from _declared("processes_total", "counter", "Worker processes that have started.")
    yield f"pavcodec_processes_total {workers.get('started', 0):g}"
    yield from _declared("questions_total", "counter", "Questions to the workers, by their end.")
    for name, count in sorted(ends.items()):
        yield f'pavcodec_questions_total{{end="{name.removeprefix("ended_")}"}} {count:g}'
