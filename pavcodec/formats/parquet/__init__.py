"""Parquet, a table with a row for each board."""
