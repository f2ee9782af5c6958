"""The options of known cards: hands, cards that were played, voids, and cards that are gone."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pavcodec.cli.output.streams import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from pavcodec.constraints.known.position import Position
    from pavcodec.constraints.nodes.syntax import Node

__all__ = ["add_known", "add_remaining", "has_known", "known_parts", "remaining_of"]

_NAMES = ("hand", "played", "play", "shown_out", "unused")


def add_known(parser: argparse.ArgumentParser) -> None:
    """Add the options of known cards."""
    group = option_group(parser, "known cards")
    group.add_argument(
        "--hand",
        action="append",
        default=[],
        metavar="CARDS",
        help="cards that a seat was dealt, all or a few, as in 'S AKQ2.K85.AJ4.T63' or 'S SAK,H5'; "
        "may be repeated",
    )
    group.add_argument(
        "--play",
        metavar="CARDS",
        help="the leader and all cards in the order of play, as in 'W DT D3 D2 DJ SA'; the players "
        "and their voids follow",
    )
    group.add_argument(
        "--strain", metavar="STRAIN", help="the strain of --play, NT S H D C, for tricks with ruffs"
    )
    group.add_argument(
        "--played",
        action="append",
        default=[],
        metavar="CARDS",
        help="cards that a seat played, in any order, as in 'E S93,H5'; may be repeated",
    )
    group.add_argument(
        "--shown-out",
        action="append",
        default=[],
        metavar="SUITS",
        help="suits of which a seat holds no more cards, as in 'E spades'; may be repeated",
    )
    group.add_argument(
        "--unused", metavar="CARDS", help="cards that are gone, without a known player"
    )


def add_remaining(parser: argparse.ArgumentParser) -> None:
    """Add the option that takes the gone cards out of deals."""
    option_group(parser, "known cards").add_argument(
        "--remaining",
        action="store_true",
        help="print what remains of each deal, without the cards of --play, --played and --unused",
    )


def has_known(args: argparse.Namespace) -> bool:
    """Return whether any option of known cards is given."""
    return any(getattr(args, name, None) for name in _NAMES)


def known_parts(args: argparse.Namespace) -> tuple[Node, ...]:
    """Return the conditions of the options; raise `UsageError` for known cards that no deal has."""
    if getattr(args, "strain", None) and not args.play:
        raise UsageError("--strain is that of --play: give the cards in the order of play")
    if not has_known(args):
        return ()
    if args.play and args.played:
        raise UsageError("give the played cards by --play, in order, or by --played, not both")
    from pavcodec.constraints.known.arguments import with_known_cards
    from pavcodec.constraints.language.build import parts_of
    from pavcodec.constraints.nodes.syntax import Number

    cards = getattr(args, "cards", None)
    if cards is not None:
        from pavcodec.constraints.counting.condition import ending_sizes

        cards = ending_sizes(cards)[0]
    given = _given(args)
    try:
        return parts_of(with_known_cards(Number(1), given, "known cards", cards))
    except PavError as error:
        raise UsageError(f"known cards: {_one_line(error)}") from None


def remaining_of(args: argparse.Namespace) -> Position | None:
    """Return the position whose gone cards are taken out of deals; None without `--remaining`."""
    if not args.remaining:
        return None
    from pavcodec.constraints.known.arguments import position

    found = position(**_given(args))
    if not found.gone:
        raise UsageError("--remaining needs cards that are gone: --play, --played or --unused")
    return found


def _given(args: argparse.Namespace) -> Any:  # noqa: ANN401 (arguments by their names)
    """Return the arguments for known cards of the options."""
    return {
        "hands": _by_seat("--hand", args.hand),
        "played": _play_of(args) if args.play else _by_seat("--played", args.played),
        "shown_out": _by_seat("--shown-out", args.shown_out),
        "unused": args.unused or "",
    }


def _play_of(args: argparse.Namespace) -> object:
    """Return the play of the options."""
    from pavcodec.constraints.known.play import Play
    from pavcodec.constraints.known.texts import seat_and_rest

    try:
        leader, cards = seat_and_rest(args.play)
        return Play(leader, cards, args.strain)
    except PavError as error:
        line = _one_line(error).replace("give strain=", "give --strain")
        raise UsageError(f"--play: {line}") from None


def _by_seat(option: str, texts: list[str]) -> dict[str, str]:
    """Return the texts of an option by seat."""
    from pavcodec.constraints.known.texts import texts_by_seat

    try:
        return texts_by_seat(texts)
    except PavError as error:
        raise UsageError(f"{option} {error}") from None


def _one_line(error: PavError) -> str:
    """Return a message in one line; a text error has its source in further lines."""
    return str(error).partition("\n")[0]
