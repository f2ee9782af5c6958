"""The package as a whole: its public names, what importing it costs, its errors, its fixtures."""

from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys
import tomllib
from typing import Any, cast

import pytest
import yaml
from formats_support import DEMO
from oracles import FIXTURES

import pavcodec as pav
from pavcodec import errors

ROOT = FIXTURES.parent

HEAVY = {"construct", "numpy", "rich", "gmpy2", "pyarrow"}
"""What is not loaded before it is needed."""

SELDOM = {
    "fastapi",
    "jinja2",
    "pavcodec.files.objects",
    "pavcodec.learning",
    "pavcodec.numberings.permuted",
    "pavcodec.sampling.sets",
    "pavcodec.symmetry",
    "pavcodec.web",
    "pydantic",
    "uvicorn",
}
"""What only few commands need."""


def test_public_names() -> None:
    names = cast("Any", pav).__all__
    assert names == sorted({*names} & {*dir(pav)})
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        cast("Any", pav).nothing  # noqa: B018 (the access is the test)


def loaded(program: str, *words: str) -> set[str]:
    """Return the modules that a program has loaded at its end."""
    at_end = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    command = [sys.executable, "-c", f"{at_end}; {program}", *words]
    done = subprocess.run(command, capture_output=True, check=True)
    return set(done.stderr.decode().splitlines()[-1].split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import pavcodec", {"pavcodec.numberings", "pavcodec.records", "argparse"}),
        ("import pavcodec; pavcodec.numbering('deal')[5]", {"argparse"}),
        ("import pavcodec; n = pavcodec.numbering('deal'); n.from_bytes(n.to_bytes(n[5]))", set()),
        ("import pavcodec; pavcodec.class_count('seats')", set()),
        ("import pavcodec; pavcodec.numbering('andrews-scrambled').sample(2)", set()),
        ("import pavcodec; pavcodec.numbering('legal')[5:7][1]", set()),
        ("from pavcodec.cli import main; main(['--version'])", {"pavcodec.numberings"}),
        ("from pavcodec.cli import main; main(['decode', '5'])", set()),
        ("from pavcodec.cli import main; main(['encode', '--as', 'zbs', DEMO])", set()),
        ("from pavcodec.cli import main; main(['convert', DEMO, '-', '--to', 'zbs'])", set()),
        ("from pavcodec.cli import main; main(['info', DEMO])", set()),
        (
            "from pavcodec.cli import main; main(['identify', 'gjacljgkbedpjpaadglmfnnhmk007'])",
            set(),
        ),
        ("from pavcodec.cli import main; main(['bigdeal', '--owner', 'x'])", set()),
        ("from pavcodec.cli import main; main(['practice', '--seed', '7'])", set()),
        ("import pavcodec; pavcodec.situation('stayman').probability", {"argparse"}),
    ],
)
def test_imports_stay_light(code: str, absent: set[str]) -> None:
    found = loaded(f"DEMO = {str(DEMO)!r}; {code}")
    assert "pavcodec" in found
    assert not (absent | HEAVY) & found


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["decode", "5"],
        ["convert", str(DEMO), "-", "--to", "lines"],
        ["deal", "-n", "4", "--seed", "7"],
        ["odds", "hcp(south)"],
        ["deal", "hcp(south) >= 20", "-n", "4", "--seed", "7"],
    ],
    ids=" ".join,
)
def test_a_command_starts_without_what_few_commands_need(words: list[str]) -> None:
    found = loaded("from pavcodec.cli import main; main()", *words)
    assert "pavcodec.cli" in found
    assert not SELDOM & found


@pytest.mark.slow
def test_the_options_of_all_commands_need_nothing_heavy() -> None:
    found = loaded("from pavcodec.cli.main import make_parser; make_parser()")
    assert {"pavcodec.cli.commands.dealing", "argparse"} <= found
    assert not (HEAVY - {"rich"} | {"fastapi", "jinja2", "pydantic", "uvicorn"}) & found


def test_errors_survive_pickling() -> None:
    for error in (
        errors.PavError("a"),
        errors.ReadError("d"),
        errors.RecordError("zrd", "reason"),
        errors.RecordError("zrd", "reason", 3, 69),
        errors.TextError("reason", "source", (1, 3)),
    ):
        twin = pickle.loads(pickle.dumps(error))
        assert type(twin) is type(error)
        assert (twin.args, str(twin)) == (error.args, str(error))
        assert isinstance(error, ValueError)


def test_the_fixtures_are_those_of_the_manifest() -> None:
    rows = (FIXTURES / "MANIFEST.tsv").read_text().splitlines()[1:]
    listed = {row.split("\t")[0]: row.split("\t")[-1] for row in rows}
    found = {
        str(path.relative_to(FIXTURES)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("collection", "events", "formats", "scripts", "vectors")
        for path in sorted((FIXTURES / folder).rglob("*"))
        if path.is_file()
    }
    assert listed == found


def test_the_recipe_for_conda_is_that_of_the_package() -> None:
    """The version and what runs need, as `pyproject.toml` has them."""
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [each.partition(";")[0].strip() for each in project["dependencies"]]
    wanted = [f"python{project['requires-python']}", *needed]
    assert [each.replace(" ", "") for each in recipe["requirements"]["run"]] == wanted
    assert recipe["context"]["version"] == pav.__version__
    assert recipe["about"]["summary"] == project["description"]
