"""Known cards: hands, cards that were played, suits that a seat does not hold any more."""
