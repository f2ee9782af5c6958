"""Convert bridge deals and endings to exact numbers and back.

The lists below name the public names. Python loads the module of a name at its first use, so
`import pavcodec` is fast.

>>> import pavcodec as pav
>>> hands = "N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853"
>>> deal = pav.Deal.from_pbn(hands)
>>> deals = pav.numbering("deal")
>>> deals.rank(deal)
12345678901234567890123456789
>>> deals.unrank(deals.rank(deal)) == deal
True
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
