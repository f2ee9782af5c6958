"""Identities: one text for all layouts that are equal up to a symmetry."""

from __future__ import annotations

from pavcodec.layout import Layout
from pavcodec.layout.layout import check_layout
from pavcodec.numberings.catalogue import numbering

__all__ = ["identity"]


def identity(layout: Layout, symmetry: str = "turns") -> str:
    """Return a text that two layouts share if and only if they are equal up to a symmetry.

    It is the number of the canonical layout in hexadecimal: the number in `deal`, with 24 digits,
    for a deal, and the number in `base5`, with 31 digits, for other layouts. So `unrank` of this
    number returns the canonical layout. Raises `UnknownNameError` for an unknown symmetry.

    >>> from pavcodec import Deal
    >>> deal = Deal.from_pbn(
    ...     "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
    ... )
    >>> turned = Deal.from_pbn(deal.to_pbn().replace("N:", "E:"))
    >>> identity(deal), identity(turned) == identity(deal)
    ('2b4ae42faacb2e38c2918958', True)
    """
    check_layout(layout)
    canonical, _ = layout.canonical(symmetry)
    if canonical.is_deal:
        return f"{numbering('deal').rank(canonical):024x}"
    return f"{numbering('base5').rank(canonical):031x}"
