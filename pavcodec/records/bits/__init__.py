"""The bits of records: one specification each, and what follows from it."""
