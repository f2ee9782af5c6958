"""Files: text and compressed data to read, and output that is complete or absent.

`opening` opens a path or a URL for reading and writing, and is what other rooms use. `paths` tells
the two apart, keeps secrets out of messages, and writes files of this machine. `objects` does the
same for single objects of stores, by fsspec, and is loaded for URLs only. `stores` makes one
interface of whole folders, here and in stores. `text` reads lines in any encoding, and `compressed`
packs and unpacks by the suffix of a file.
"""
