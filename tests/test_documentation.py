"""What the documentation shows is what happens, in Python and on the command line."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import linecache
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import pavcodec
from pavcodec.cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(pavcodec.__path__, "pavcodec.")
    if not module.name.endswith("__main__")
)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    text = page.read_text(encoding="utf-8")
    return [body for _, name, body in BLOCK.findall(text) if name == language]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pavcodec", *MODULES])
def test_examples_of_the_modules(name: str) -> None:
    module, runner = importlib.import_module(name), doctest.DocTestRunner()
    linecache.clearcache()  # each run of doctest looks at all files in it
    for test in doctest.DocTestFinder().find(module, name):
        if test.examples:
            assert runner.run(test).failed == 0


@pytest.mark.slow
@every_page
def test_python_blocks(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(str(files("pavcodec") / "data" / "demo.pbn"), "event.pbn")
    text = "\n".join(body for body in blocks(page, "python") if ">>>" in body)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test).failed == 0, capsys.readouterr().out


COMMAND = re.compile(r"^\$ ([^\n]*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
NEEDS_A_SHELL = re.compile(r"(?!pavcodec )|('[^']*'|[^'|<>;&$`*])*[|<>;&$`*]")


def printed(command: str, patch: pytest.MonkeyPatch) -> str:
    """Return the two streams of a command; one of pavcodec alone runs in this process."""
    if NEEDS_A_SHELL.match(command):
        words = ["bash", "-c", f"{command} 2>&1"]
        return subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8", check=False).stdout
    screen = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with patch.context() as streams:
        streams.setattr(sys, "stdout", screen)
        streams.setattr(sys, "stderr", screen)
        with contextlib.suppress(SystemExit):
            main(shlex.split(command)[1:])
    screen.seek(0)
    return screen.read()


@pytest.mark.slow
@every_page
def test_console_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(str(files("pavcodec") / "data" / "demo.pbn"), "event.pbn")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # it changes the order of the streams
    for command, expected in COMMAND.findall("".join(blocks(page, "console"))):
        parts = re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)  # ... stands for any lines
        shown, found = "(?s:.*?)".join(map(re.escape, parts)), printed(command, monkeypatch)
        assert re.fullmatch(shown, found), f"{command}\n{found}"


NUMBERINGS = pavcodec.numbering_names(partial=True, classes=True)


def numbering_sections() -> dict[str, str]:
    """The text about each numbering: from its heading to that of another one, or the page's end."""
    heading = re.compile(
        rf"^##? ({'|'.join(sorted(NUMBERINGS, key=len, reverse=True))})$", re.MULTILINE
    )
    sections: dict[str, str] = {}
    for path in (ROOT / "docs" / "numberings").glob("*.md"):
        _, *parts = heading.split(path.read_text(encoding="utf-8"))
        sections |= dict(zip(parts[::2], parts[1::2], strict=True))
    return sections


def page_code(name: str) -> dict[str, Any]:
    """What the plain Python blocks about a numbering define; some build on those of `deal`."""
    names = page_code("deal") if name in ("deal-ranked", "deal-wnes") else {}
    for _, language, body in BLOCK.findall(numbering_sections()[name]):
        if language == "python" and ">>>" not in body:
            exec(body, names)  # noqa: S102 (our own documentation)
    return names


def spread(name: str) -> list[int]:
    """Numbers over a whole numbering, its ends among them."""
    last = pavcodec.numbering(name).last
    if name == "legal":  # each takes a second
        return [0, last // 3, last]
    return [0, 1, 2, *(last * part // 29 for part in range(1, 29)), last - 1, last]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in pavcodec.numbering_names() if not name.endswith("scrambled")]
)
def test_a_numbering_written_from_its_page_is_the_same(name: str) -> None:
    code, ranks = page_code(name), pavcodec.numbering(name)
    for number in spread(name):
        owners = ranks.unrank(number).owners
        assert bytes(code["unrank"](number)) == owners
        assert code["rank"](owners) == number


@pytest.mark.parametrize("name", ["deal", "andrews"])
def test_a_scrambled_numbering_written_from_its_page_is_the_same(name: str) -> None:
    code, base = page_code("deal-scrambled"), pavcodec.numbering(name)
    for number in spread(name):
        layout = pavcodec.numbering(f"{name}-scrambled").unrank(number)
        assert base.rank(layout) == code["scramble"](number)
        assert code["unscramble"](code["scramble"](number)) == number


@pytest.mark.slow
@pytest.mark.parametrize("name", pavcodec.numbering_names(classes=True)[-2:])
def test_a_numbering_of_classes_written_from_its_page_is_the_same(name: str) -> None:
    code, ranks = page_code("deal-suits"), pavcodec.numbering(name)
    code["GROUP"] = page_code(name)["GROUP"]
    deals = pavcodec.numbering("deal").sample(2, seed=7)
    for number in (0, ranks.last // 3, ranks.last):
        owners = ranks.unrank(number).owners
        assert bytes(code["unrank"](number)) == owners
        assert code["rank"](owners) == number
    assert [code["rank"](deal.owners) for deal in deals] == [ranks.rank(deal) for deal in deals]


@pytest.mark.parametrize("index", [0, 1, 16383, 16384, 4096009, 10485759])
def test_the_collection_written_from_its_page_is_the_same(index: int) -> None:
    number = page_code("rpdd")["number"](index)
    layout = pavcodec.numbering("rpdd").unrank(index)
    assert pavcodec.numbering("deal-wnes").rank(layout) == number


def test_every_numbering_has_a_section() -> None:
    assert sorted(numbering_sections()) == sorted(NUMBERINGS)


def test_every_code_is_on_the_page() -> None:
    text = (ROOT / "docs" / "numberings" / "codes.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE) == pavcodec.code_names(rare=True)


def test_every_public_name_is_in_one_group() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    table = text.partition("| subject | names |\n|---|---|\n")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`(\w+)`", table)) == importlib.import_module("pavcodec").__all__


def drawn_floors() -> list[dict[str, str]]:
    """The floors of the drawing of the house: the modules of each room, which the lines name."""
    floors: list[dict[str, str]] = []
    room = ""
    [drawing] = blocks(ROOT / "docs" / "design.md", "text")
    for line in drawing.splitlines()[1:]:
        floors += [{}] if line[:14].strip() else []
        room = line[14:27].strip().removesuffix(".py") or room
        floors[-1][room] = f"{floors[-1].get(room, '')} {line[27:]}"
    return floors


def test_the_floors_of_the_drawing_are_those_that_are_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    house = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    assert [set(floor) for floor in drawn_floors()] == [set(line.split(" | ")) for line in house]


FOLDERS_AS_A_WHOLE = (
    "cli.commands",
    "web.pages",
    "web.tasks",
    "arrays",
    "kernel.reference",
)
"""Where a folder in the drawing stands for the modules in it."""


def test_the_drawing_names_every_room_and_module() -> None:
    rooms = {room: text for floor in drawn_floors() for room, text in floor.items()}
    assert rooms.keys() == {name.split(".")[1] for name in MODULES if "._" not in name}
    for name in MODULES:
        _, room, *parts = name.split(".")
        if parts and not ".".join(name.split(".")[1:-1]).startswith(FOLDERS_AS_A_WHOLE):
            assert re.search(rf"\b{parts[-1]}\b", rooms[room]), name
