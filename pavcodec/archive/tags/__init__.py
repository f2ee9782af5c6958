"""The tags of boards, coded by columns as bytes.

`columns` turns the tags of many boards into items by name, with rules and repeats; `metadata` seals
them in an envelope, reads the tags of single boards, and codes batches without single boards.
"""
