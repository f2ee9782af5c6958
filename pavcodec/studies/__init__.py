"""The methods of Pavlicek's articles: case listings, and the dealer of 1999.

`cases` lists the deals of a condition by shapes and honours with exact running totals; it is a
numbering of its own. `dealer1999` deals by ranges of lengths and points, fast but biased, so that
its bias can be measured.
"""
