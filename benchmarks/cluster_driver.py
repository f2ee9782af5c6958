"""The driver of a run of `cluster.py`, a program of its own so that it can be killed."""

from __future__ import annotations

import json
import sys

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
    scheduler = "local" if job["engine"] == "dask" else None
    print(json.dumps(plan.make(folder, workers=job["workers"], scheduler=scheduler).to_dict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
