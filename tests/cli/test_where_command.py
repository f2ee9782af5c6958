"""`encode --where` and `decode --where`: indexes in a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from formats_support import Cli

NINE = "spades(west) == 9"


@pytest.mark.slow
def test_what_was_dealt_is_found_again(cli: Cli) -> None:
    deals = cli("deal", NINE, "-n", 20, "--seed", 7).out
    indexes = cli("encode", "--where", NINE, stdin=deals)
    assert (indexes.code, indexes.err) == (0, "")
    assert cli("decode", "--where", NINE, stdin=indexes.out).out == deals
    again = cli("encode", "--where", NINE, stdin=indexes.out)
    assert again == indexes, "numbers that are read are indexes too"
    to_numbers = cli("decode", "--where", NINE, "--to", "numbers", stdin=indexes.out)
    assert to_numbers == indexes
