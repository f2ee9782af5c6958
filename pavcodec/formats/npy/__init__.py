"""Files of numpy, `.npy`: one array with a row for each board."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pavcodec.formats.format import TRICKS, ArrayCodec, Format, Label

# The format `npy`, and its forms: numbers, or a view with a seat.
#
# `npy` is `uint8[n, 52]`, the owners. After a colon, the name of the format has what each row is:
# `npy:numbers`, or a view and, if it needs one, a seat, as in `npy:pgx-observation:S`. `npy:solved`
# is a solved set of pgx.


_NUMBERS = "numbers"
_SOLVED = "solved"


def _arrays(view: str, seat: str) -> ArrayCodec:
    from pavcodec.formats.npy.files import read_npy_batches, write_npy_batches

    return ArrayCodec(
        partial(read_npy_batches, view=view, seat=seat),
        partial(write_npy_batches, view=view, seat=seat),
    )


NPY = Format(
    "npy",
    (".npy",),
    "an array of numpy: the owners uint8[n, 52], numbers, or a view",
    "cards",
    arrays=partial(_arrays, "", ""),
    is_text=False,
    cannot_grow="its header has the number of rows",
    starts=(b"\x93NUMPY",),
    label=Label("Tables and numbers", "NumPy", "", 24),
)


def npy_form(name: str) -> Format:
    """Return the format of a name such as `npy:pgx`; raise `PavError` for an unknown form.

    >>> npy_form("npy:ben-hand:s").name, npy_form("npy:ben-hand:s").is_read
    ('npy:ben-hand:S', False)
    """
    from pavcodec.cards import Seat
    from pavcodec.errors import UnknownNameError, suggest
    from pavcodec.formats.npy.views import VIEWS

    _, form, *rest = name.split(":")
    seat = Seat.parse(":".join(rest)).letter if rest else ""
    if form not in (_NUMBERS, _SOLVED) and form not in VIEWS:
        raise suggest("form of npy", form, [_NUMBERS, _SOLVED, *VIEWS])
    if form in (_NUMBERS, _SOLVED) and seat:
        raise UnknownNameError(f"{name!r}: {form} are of whole deals, and need no seat")
    view = VIEWS.get(form)
    if view is not None and view.needs_seat and not seat:
        raise UnknownNameError(
            f"{name!r}: the view {form} shows what one seat sees: name it, as in {name}:S"
        )
    gives = "deal" if view is None else view.gives
    if form == _SOLVED:
        return _solved()
    return replace(
        NPY,
        name=":".join(word for word in ("npy", form, seat) if word),
        suffixes=(),
        arrays=partial(_arrays, form, seat),
        keeps={"deal": "cards", "hand": "cards of one hand"}.get(gives, "no whole layouts"),
        is_read=gives != "nothing",
        starts=(),
    )


def _solved() -> Format:
    return replace(
        NPY,
        name=f"npy:{_SOLVED}",
        suffixes=(),
        summary="a solved set of pgx: int32[2, n, 4], the cards and the double-dummy tricks",
        arrays=partial(_arrays, _SOLVED, ""),
        keeps="the cards of deals, and double-dummy tricks",
        kept_tags=TRICKS,
        needs_tricks=True,
        starts=(),
    )
