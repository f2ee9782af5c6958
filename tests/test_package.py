"""The package as a whole: its public names, what importing it costs, its errors, its fixtures."""

from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys

import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec import errors


def test_public_names() -> None:
    for name in pav.__all__:
        assert getattr(pav, name) is not None
        assert name in dir(pav)
    assert pav.__all__ == sorted(pav.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pav.nothing  # noqa: B018 (the access is the test)


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import pavcodec", {"pavcodec.numberings", "rich", "gmpy2", "numpy", "argparse"}),
        ("import pavcodec; pavcodec.numbering('deal')[5]", {"rich", "gmpy2", "numpy", "argparse"}),
        ("from pavcodec.cli import main; main(['decode', '5'])", {"rich", "gmpy2", "numpy"}),
    ],
)
def test_imports_stay_light(code: str, absent: set[str]) -> None:
    check = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert not absent & set(done.stdout.split())


@pytest.mark.parametrize(
    "error",
    [
        errors.PavError("a"),
        errors.NumberError("b"),
        errors.LayoutError("c"),
        errors.ReadError("d"),
        errors.UnknownNameError("e"),
        errors.TextError("reason", "source", (1, 3)),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error: errors.PavError) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert (twin.args, str(twin)) == (error.args, str(error))
    assert isinstance(error, ValueError)


def test_the_fixtures_are_those_of_the_manifest() -> None:
    rows = (FIXTURES / "MANIFEST.tsv").read_text().splitlines()[1:]
    listed = {row.split("\t")[0]: row.split("\t")[-1] for row in rows}
    found = {
        str(path.relative_to(FIXTURES)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("scripts", "vectors")
        for path in sorted((FIXTURES / folder).iterdir())
    }
    assert listed == found
