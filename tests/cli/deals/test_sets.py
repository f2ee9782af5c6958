"""`deal --split` and `--data-card`: files together with their card, or no files."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

STRONG = "hcp(south) >= 20"
FEW = "north SAKQJT98765432 east HAKQJT98765432 south DAKQJT9876"
SPACE = cast("pav.ConstrainedDeals", pav.deals(STRONG))


def test_splits_are_ranges_of_one_stream(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "set-{split}.npy"
    done = cli("deal", STRONG, "-n", 100, "--split", "0.8/0.1/0.1", "--seed", 7, "--start", 50,
               "-o", out, "--licence", "CC0-1.0")  # fmt: skip
    assert done.code == 0
    for name, part in pav.splits(100, "0.8/0.1/0.1", start=50).items():
        rows = np.load(tmp_path / f"set-{name}.npy")
        assert np.array_equal(rows, SPACE.sample_many(len(part), seed=7, start=part.start))
    card = pav.read_card(tmp_path / "set.card.json")
    assert [each.first for each in card.files] == [50, 130, 140]
    assert (card.seed, card.start, card.licence) == ("7", 50, "CC0-1.0")
    assert card.cardinality == str(SPACE.cardinality)
    assert card.shares == {"train": "4/5", "validation": "1/10", "test": "1/10"}
    assert f"data card: {tmp_path / 'set.card.json'}" in done.err
    checked = cli("verify", tmp_path / "set.card.json")
    assert checked.code == 0
    assert "as the card says, 3 files, 100 deals, none in two files" in checked.out


def test_the_command_of_the_card_makes_the_same_files(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_bytes(b"mine")  # the name without a split may exist
    words = ["deal", STRONG, "-n", 9, "--split", "2/1", "-o", tmp_path / "a.pbn"]
    assert cli(*words).code == 0
    again = cli(*words)
    assert (again.code, "a-train.pbn exists: use --force" in again.err) == (2, True)
    assert (tmp_path / "a.pbn").read_bytes() == b"mine"
    card = pav.read_card(tmp_path / "a.card.json")
    program, *command = shlex.split(card.command)
    assert (program, command[command.index("--seed") + 1]) == ("pavcodec", card.seed)
    before = [(tmp_path / each.name).read_bytes() for each in card.files]
    assert cli(*command, "--force").code == 0
    assert [(tmp_path / each.name).read_bytes() for each in card.files] == before
    numbers = [board.number for each in card.files for board in pav.read(tmp_path / each.name)]
    assert numbers == list(range(1, 10))


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", ["suits", "suits,turns"])
def test_splits_apart(cli: Cli, tmp_path: Path, symmetry: str) -> None:
    done = cli("deal", "--predeal", FEW, "-n", 300, "--split", "a=1,b=1", "--apart", symmetry,
               "--seed", 7, "-o", tmp_path / "x.npy")  # fmt: skip
    assert done.code == 0
    sets = {name: tmp_path / f"x-{name}.npy" for name in "ab"}
    found = pav.check_splits(sets, apart=symmetry)
    assert found.are_disjoint
    assert found.counts == {"a": 150, "b": 150}
    assert max(found.classes.values()) < 150, "deals repeat in such a small space"
    card = pav.read_card(tmp_path / "x.card.json")
    assert (card.apart, [each.first for each in card.files]) == (symmetry, [None, None])
    checked = cli("verify", "--json", tmp_path / "x.card.json")
    [row] = json.loads(checked.out)
    assert (row["is_whole"], row["deals"], row["apart"]) == (True, 300, symmetry)


@pytest.mark.slow
def test_no_file_is_written_if_a_deal_would_be_in_two(cli: Cli, tmp_path: Path) -> None:
    words = ["deal", "--predeal", FEW, "-n", 300, "--split", "1/1", "--seed", 7]
    done = cli(*words, "-o", tmp_path / "x.npy")
    assert done.code == 1
    assert "deals would be in train and in test" in done.err
    assert "add --distinct" in done.err
    assert list(tmp_path.iterdir()) == []
    done = cli(*words, "-o", tmp_path / "x.npy", "--distinct")
    assert done.code == 0
    both = np.concatenate([np.load(tmp_path / f"x-{name}.npy") for name in ("train", "test")])
    whole = cli("deal", "--predeal", FEW, "-n", 300, "--seed", 7, "--distinct").out.splitlines()
    assert [str(pav.Deal(row.tobytes())) for row in both] == whole


def test_a_folder_is_verified(cli: Cli, tmp_path: Path) -> None:
    done = cli("verify", tmp_path)
    assert "this folder has no archives (.pav) and no data cards" in done.err
    for name in ("a", "b"):
        cli("deal", "-n", 4, "--data-card", "--seed", 7, "-o", tmp_path / f"{name}.npy")
    cli("deal", "-n", 4, "--seed", 7, "-o", tmp_path / "c.pav")
    done = cli("verify", tmp_path)
    as_told = ["as the card says, 1 file, 4 deals, none in two files"] * 2
    assert [line.split(": ")[1] for line in done.lines] == [*as_told, "whole, 4 boards"]
    with (tmp_path / "a.npy").open("ab") as longer:
        longer.write(b"x")
    (tmp_path / "b.card.json").write_text("no card")
    done = cli("verify", "--json", tmp_path)
    assert done.code == 1
    assert [row["is_whole"] for row in json.loads(done.out)] == [False, False, True]
    assert "a.card.json: a.npy: expected 336 bytes, found 337" in done.err
    assert "b.card.json: this is no data card" in done.err
    done = cli("verify", tmp_path / "a.npy", tmp_path / "none.card.json")
    assert "a.npy: verify checks archives (.pav) and data cards (.card.json); at byte 0" in done.err
    assert "none.card.json: cannot be read" in done.err


def test_files_that_do_not_determine_their_deals(cli: Cli, tmp_path: Path) -> None:
    words = ["deal", "-n", 20, "--seed", 7, "--split", "1/1", "--to", "npy:ben"]
    assert cli(*words, "-o", tmp_path / "x.npy").code == 0
    done = cli("verify", tmp_path / "x.card.json")
    assert done.code == 0
    assert "not compared" in done.out


@pytest.mark.slow
def test_mixes_and_tested_deals_are_split(cli: Cli, tmp_path: Path) -> None:
    mixed = ["--mix", STRONG, "--mix", "hcp(north) >= 20"]
    for name, words in (("mixed", mixed), ("tested", ["rnd(2) == 1"])):
        out = tmp_path / f"{name}.lines"
        assert cli("deal", *words, "-n", 10, "--seed", 7, "--split", "7/3", "-o", out).code == 0
        whole = cli("deal", *words, "-n", 10, "--seed", 7).out.splitlines()
        parts = [tmp_path / f"{name}-{part}.lines" for part in ("train", "test")]
        assert [part.read_text().splitlines() for part in parts] == [whole[:7], whole[7:]]
        assert pav.read_card(tmp_path / f"{name}.card.json").cardinality == ""
