"""The tasks: what a page and the JSON interface can ask, each a function from values to values."""
