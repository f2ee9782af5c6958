"""The double-dummy tricks of a block of boards, coded in a column of its own."""
