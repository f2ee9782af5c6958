"""The tasks of the page Tournament: make a set, deal it, and verify what was played.

`make` draws the keys and deals the sessions; `verify` sorts the files of a set by their contents,
deals again and compares. Nothing is kept on the server: each question brings its files.
"""
