"""Data cards: what they say of their files, and every way in which files differ from them."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pavcodec as pav

DEALS = pav.numbering("deal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a set of two files and its card."""
    space = pav.deals("hcp(south) >= 20", method="counted")
    paths = {}
    for name, part in pav.splits(50, "4/1").items():
        rows = space.sample_many(len(part), seed=7, start=part.start)
        paths[name] = tmp_path / f"{name}.npy"
        pav.write_owners(rows, paths[name])
    pav.write_data_card(
        paths, tmp_path / "set", space=space, seed=7, apart="suits", licence="CC0-1.0", command="me"
    )
    return tmp_path


def test_a_card_has_the_facts_of_its_set(folder: Path) -> None:
    card = pav.read_card(folder / "set.card.json")
    space = pav.deals("hcp(south) >= 20", method="counted")
    assert (card.title, card.seed, card.condition) == ("set", "7", "hcp(south) >= 20")
    assert card.cardinality == str(space.cardinality)
    assert card.probability == str(space.probability)
    assert [(each.split, each.deals, each.array) for each in card.files] == [
        ("train", 40, "uint8[40, 52]"),
        ("test", 10, "uint8[10, 52]"),
    ]
    assert card.licence == "CC0-1.0"
    assert "numpy" in card.versions
    other = folder / "again.card.json"
    other.write_text(card.to_json())
    assert pav.read_card(other) == card
    page = (folder / "set.card.md").read_text()
    assert page == card.to_markdown()
    for each in card.files:
        assert f"{each.sha256}  {each.name}" in page
    check = pav.check_card(folder / "set.card.json")
    assert check.is_right
    assert check.card == card
    assert check.compared == ("train.npy", "test.npy")


def test_changed_files_are_found(folder: Path) -> None:
    path = folder / "test.npy"
    data = path.read_bytes()
    changed = {
        "test.npy: expected 648 bytes, found 647": data[:-1],
        "test.npy: its SHA-256 is ": data[:-1] + bytes([data[-1] ^ 1]),
        "test.npy: cannot be read: No such file": None,
    }
    for reason, content in changed.items():
        path.unlink() if content is None else path.write_bytes(content)
        check = pav.check_card(folder / "set.card.json")
        assert not check.is_right
        assert [found.startswith(reason) for found in check.problems] == [True]


def rewrite(folder: Path, **files: Any) -> None:
    """Write the card again for the files as they are, with other facts of the second file."""
    card = pav.read_card(folder / "set.card.json")
    data = json.loads(card.to_json())
    data["files"][1] |= files
    (folder / "set.card.json").write_text(json.dumps(data))


def test_a_card_with_other_facts_is_found(folder: Path) -> None:
    facts: list[tuple[dict[str, Any], str]] = [
        ({"deals": 11}, "test.npy: expected 11 deals, found 10"),
        (
            {"deals": 10, "array": "uint8[9, 52]"},
            "test.npy: expected the array uint8[9, 52], found uint8[10, 52]",
        ),
        ({"array": "uint8[10, 52]", "format": "npy:pgx"}, "test.npy: "),
        ({"format": "none"}, "test.npy: no format is called 'none'"),
    ]
    for other, reason in facts:
        rewrite(folder, **other)
        [problem] = pav.check_card(folder / "set.card.json").problems
        assert problem.startswith(reason)


def test_a_deal_in_two_files_up_to_suits_is_found(folder: Path) -> None:
    train, test = np.load(folder / "train.npy"), np.load(folder / "test.npy")
    test[3] = train[5].reshape(4, 13)[[1, 0, 3, 2]].reshape(52)
    np.save(folder / "test.npy", test)
    files = {"train": folder / "train.npy", "test": folder / "test.npy"}
    with pytest.raises(pav.PavError, match="1 deal is in train and in test, as N:"):
        pav.write_data_card(files, folder / "set", apart="suits")
    pav.write_data_card(files, folder / "exact")
    found = pav.check_card(folder / "exact.card.json")
    assert found.is_right
    data = dataclasses.replace(found.card, apart="suits").to_json()
    (folder / "exact.card.json").write_text(data)
    assert pav.check_card(folder / "exact.card.json").problems == (
        "train.npy and test.npy: 1 deal is in both",
    )


@pytest.mark.slow
def test_files_of_other_formats(tmp_path: Path) -> None:
    owners = DEALS.sample_many(30, seed=7)
    pav.write_owners(owners[:20], tmp_path / "a.pbn.gz")
    pav.write_owners(owners[20:], tmp_path / "b.parquet")
    card = pav.write_data_card(
        {"a": tmp_path / "a.pbn.gz", "b": str(tmp_path / "b.parquet")}, str(tmp_path / "set")
    )
    assert [(each.format, each.array) for each in card.files] == [("pbn", ""), ("parquet", "")]
    assert pav.check_card(tmp_path / "set.card.json").is_right
    assert "pavcodec verify set.card.json" in card.to_markdown()
    elsewhere = tmp_path / "more"
    elsewhere.mkdir()
    shutil.copy(tmp_path / "a.pbn.gz", elsewhere)
    with pytest.raises(pav.PavError, match="stand beside their card"):
        pav.write_data_card({"a": elsewhere / "a.pbn.gz"}, tmp_path / "set")


OF_A_CARD = '{"card": "pavcodec data card", "version": '
NO_CARDS = {
    "": "this is no data card",
    "[]": "this is no data card",
    "{}": "this is no data card",
    '{"card": "x", "version": 1}': "expected a pavcodec data card of version 1",
    OF_A_CARD + "2}": "not 2",
    OF_A_CARD + '1, "files": []}': "missing",
    OF_A_CARD + '1, "files": [5]}': "this is no data card",
}


def test_files_that_are_no_cards(tmp_path: Path) -> None:
    path = tmp_path / "x.card.json"
    for text, reason in NO_CARDS.items():
        path.write_text(text)
        with pytest.raises(pav.ReadError, match=reason):
            pav.read_card(path)


def test_values_that_no_card_has(folder: Path) -> None:
    changes: list[tuple[dict[str, Any], str]] = [
        ({"deals": "many"}, "a file has numbers"),
        ({"deals": 10, "name": 5}, "a file has texts"),
        ({"name": "../train.npy"}, "has no folder"),
        ({"name": "a\0"}, "has no folder"),
        ({"name": "train.npy"}, "it names a file twice"),
    ]
    whole = (folder / "set.card.json").read_text()
    for change, reason in changes:
        (folder / "set.card.json").write_text(whole)
        rewrite(folder, **change)
        with pytest.raises(pav.ReadError, match=reason):
            pav.check_card(folder / "set.card.json")


def test_a_card_states_no_condition_that_nobody_gave(folder: Path) -> None:
    files = {"train": folder / "train.npy"}
    page = pav.write_data_card(files, folder / "one").to_markdown()
    assert "| seed | not stated |" in page
    assert "| condition | not stated |" in page
    assert "| stream |" not in page
    page = pav.write_data_card(files, folder / "one", space=DEALS, licence="A|B").to_markdown()
    assert "| condition | `deal` |" in page
    assert "| licence | A\\|B |" in page
    with pytest.raises(
        TypeError, match=r"a call such as deals\('hcp\(south\) >= 20'\), not a text"
    ):
        pav.write_data_card(files, folder / "one", space="hcp(south) >= 20")
