"""`pavcodec decode`: numbers to layouts."""

from __future__ import annotations

import pytest
from formats_support import ENDING, Cli

from pavcodec import Layout, numbering, numbering_names


@pytest.mark.slow
@pytest.mark.parametrize("name", numbering_names())
def test_every_numbering_decodes_its_ends_and_encodes_them_again(cli: Cli, name: str) -> None:
    ranks = numbering(name)
    numbers = [0, 1, ranks.cardinality // 2, ranks.cardinality - 1]
    outcome = cli("decode", "--as", name, *numbers)
    assert outcome.code == 0
    assert [Layout.from_pbn(line) for line in outcome.lines] == [ranks[n] for n in numbers]
    assert [int(n) for n in cli("encode", "--as", name, stdin=outcome.out).lines] == numbers
    assert cli("decode", "--as", name, ranks.cardinality, -1).code == 1


def test_decoded_pbn_can_be_encoded_again(cli: Cli) -> None:
    number = numbering("base5").rank(Layout.from_pbn(ENDING))
    pbn = cli("decode", "--as", "base5", "--to", "pbn", number)
    assert cli("encode", "--as", "base5", stdin=pbn.out).lines == [str(number)]
