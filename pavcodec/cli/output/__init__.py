"""The input and output of commands, as people see it.

`streams` opens files and folders and reports their problems, `targets` checks what is to be
written, and `losses` says what a format does not keep. `tables` fits figures into 80 columns, and
`progress` shows a bar on a terminal.
"""
