"""The bits of records: one specification for each record, and all that is derived from it."""
