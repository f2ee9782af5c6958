"""Commands for archives: pack, append, get, unpack, merge, verify and repair.

`opening` has what they share: it opens an archive, and reads boards for one. `pack` and
`verify` also take folders of parts.
"""
