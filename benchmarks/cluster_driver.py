"""The driver of a run of `cluster.py`, a program of its own so that it can be killed."""

from __future__ import annotations

import json
import sys
from typing import Any

import pavcodec as pav


def main(folder: str, given: str) -> None:
    """Make or continue the collection of a job, in JSON, in a folder; print what was done."""
    job = json.loads(given)
    plan = pav.parts(
        job["where"],
        job["deals"],
        parts=job["parts"],
        seed=job["seed"],
        to=job["to"],
        order=job["order"],
    )
    options: dict[str, Any] = {"workers": job["workers"]}
    if job["engine"] == "dask":
        options["scheduler"] = "local"
    print(json.dumps(plan.make(folder, **options).to_dict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
