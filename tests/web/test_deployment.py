"""The container file and the page on deployment say what is so."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from pavcodec.cli.asking import question_of
from pavcodec.cli.main import make_parser
from pavcodec.web import safety as hosts
from pavcodec.web.settings import Settings
from pavcodec.web.tasks import task as limits

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "web" / "deployment.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def instructions() -> list[tuple[str, str]]:
    """The instructions of the container file: their words and the rest of the line."""
    lines = (ROOT / "Containerfile").read_text().splitlines()
    found = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in found]


def test_the_container_has_what_it_names() -> None:
    found = dict(instructions())
    program, *words = json.loads(found["ENTRYPOINT"])
    assert Path(program).name == "pavcodec"
    args = make_parser("serve").parse_args([*words, *json.loads(found["CMD"])])
    assert (args.host, str(args.port)) == ("0.0.0.0", found["EXPOSE"])  # noqa: S104 (read, not bound)
    _, *code = json.loads(found["HEALTHCHECK"].partition(" CMD ")[2])
    compile(code[1], "health", "exec")
    assert "/health" in code[1]
    assert int(found["USER"].split(":")[0]) >= 1000, "the last stage runs without rights"
    assert found["STOPSIGNAL"] == "SIGINT"
    for word, rest in instructions():
        if word == "COPY" and "--from" not in rest:
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources)
        for extras in re.findall(r"\.\[([a-z,]+)\]", rest):
            assert set(extras.split(",")) <= set(EXTRAS)
    assert f":{args.port}/" in code[1]


def test_commands_of_the_page_are_understood() -> None:
    lines = re.findall(r"(?:^|/bin/)pavcodec serve (--.*)$", PAGE, re.MULTILINE)
    assert len(lines) > 1
    for line in lines:
        assert make_parser("serve").parse_args(["serve", *shlex.split(line)]).names


def test_the_page_has_the_limits_of_the_program() -> None:
    settings, defaults = (
        Settings(),
        question_of(make_parser("serve").parse_args(["serve"]), Settings),
    )
    public = Settings(names=("bridge.example.org",))
    assert defaults == settings
    for said in (
        f"`--seconds` of a processor ({public.most_seconds:g})",
        f"after {settings.patience:g} times as much by the clock",
        f"of each client ({public.most_rate:g})",
        f"`--memory` ({defaults.memory >> 30}G)",
        f"counted within {limits.MEMORY >> 20} MiB",
        f"{limits.UPLOAD >> 20} MiB of uploads, {limits.BODY >> 20} MiB of other forms",
        f"{hosts.MOST_ADDRESS:,} characters of an address",
        f"{limits.FIELDS:,} fields",
        f"{settings.output >> 20} MiB of an answer, {settings.file_output >> 20} MiB of a file",
        f"{limits.FILE_BOARDS:,} boards",
        f"A file has {public.most_file_seconds:g} seconds",
        f"proxy_read_timeout {settings.patience * public.most_file_seconds + 20:g}s",
    ):
        assert said in PAGE
