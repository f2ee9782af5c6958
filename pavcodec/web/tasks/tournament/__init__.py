"""The tasks of the page Tournament: make a set, deal it, and verify what was played."""
