"""Lines of deals and of numbers, and records, also many at once."""
